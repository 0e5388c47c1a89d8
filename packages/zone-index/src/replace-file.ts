/** Writes files atomically: complete or not at all. */
import { open, rename, writeFile } from 'node:fs/promises'

export async function replaceFile(path: string, text: string): Promise<void> {
  const part = `${path}.${process.pid}.part`
  await writeFile(part, text)
  await settle(part, path)
}

/** Flushed to disk before it is renamed: after a power failure a name never refers to half a file. */
export async function settle(part: string, path: string): Promise<void> {
  {
    await using file = await open(part, 'r+')
    await file.sync()
  }
  await rename(part, path)
}
