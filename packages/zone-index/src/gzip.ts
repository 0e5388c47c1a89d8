/** Whether a file has the gzip magic number (RFC 1952 §2.3.1). */
import { open } from 'node:fs/promises'

export async function isGzip(path: string): Promise<boolean> {
  await using file = await open(path)
  const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0)
  return buffer[0] === 0x1f && buffer[1] === 0x8b
}
