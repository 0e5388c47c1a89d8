/** The naming with its lists read from this package's folder. */
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { type Names, openNames } from './names.ts'

const DATA = new URL('../data/', import.meta.url)

/** `folder`: where the lists are when this code was bundled away from them. */
export function openNamesFrom(folder: URL = DATA): Names {
  return openNames((file) => readList(new URL(file, folder)))
}

/** A package that must be small has them compressed. */
function readList(file: URL): string | undefined {
  const packed = read(new URL(`${file.href}.br`))
  return (packed ? brotliDecompressSync(packed) : read(file))?.toString()
}

function read(file: URL): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
