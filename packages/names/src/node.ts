/** The naming with its lists read from this package's folder. */
import { readFileSync } from 'node:fs'
import { type Names, openNames } from './names.ts'

const DATA = new URL('../data/', import.meta.url)

/** `folder`: where the lists are when this code was bundled away from them. */
export function openNamesFrom(folder: URL = DATA): Names {
  return openNames((file) => readList(new URL(file, folder)))
}

function readList(file: URL): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
