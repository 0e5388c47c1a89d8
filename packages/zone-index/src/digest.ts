/** SHA-256 of files, in chunks, so that a server keeps responding while it reads a gigabyte. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { BadIndexFile } from './filter-file.ts'
import type { IndexFile } from './manifest.ts'

const CHUNK = 1 << 20

export async function digestFile(path: string): Promise<IndexFile> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK })) {
    hash.update(chunk as Buffer)
    bytes += (chunk as Buffer).length
  }
  return { sha256: hash.digest('hex'), bytes }
}

/** Throws BadIndexFile unless the file has exactly the promised size and hash. */
export async function verifyFile(path: string, promised: IndexFile): Promise<void> {
  const size = (await stat(path).catch(() => undefined))?.size ?? 0
  if (size !== promised.bytes) throw new BadIndexFile(`${size} bytes, expected ${promised.bytes}`)
  const { sha256 } = await digestFile(path)
  if (sha256 !== promised.sha256) throw new BadIndexFile('its SHA-256 does not match the manifest')
}
