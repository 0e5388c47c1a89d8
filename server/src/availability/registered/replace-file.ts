/** Files that appear whole or not at all. */
import { open, rename, writeFile } from 'node:fs/promises'

export async function replaceFile(path: string, text: string): Promise<void> {
  const part = `${path}.${process.pid}.part`
  await writeFile(part, text)
  await settle(part, path)
}

/** On disk before it has its name: after a power cut a name never leads to half a file. */
export async function settle(part: string, path: string): Promise<void> {
  {
    await using file = await open(part, 'r+')
    await file.sync()
  }
  await rename(part, path)
}
