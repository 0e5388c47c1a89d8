/**
 * Archives whose bytes depend on their contents only: entries in the given order, owner 0, and one time for all.
 *
 * `tar` with the right options does the same, but the options differ between its versions. This writes the POSIX form,
 * ustar; a path that does not fit into it is an error.
 */
import { gzipSync } from 'node:zlib'

export interface Entry {
  /** With `/` between the parts; folders are not listed. */
  readonly path: string
  readonly data: Buffer | string
  /** May be executed. */
  readonly isProgram?: boolean
}

const BLOCK = 512

export function makeTar(entries: readonly Entry[], seconds: number): Buffer {
  const parts = entries.flatMap((entry) => {
    const data = Buffer.from(entry.data)
    return [header(entry, data.length, seconds), data, Buffer.alloc(padding(data.length))]
  })
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)])
}

export function makeTarGz(entries: readonly Entry[], seconds: number): Buffer {
  return gzipSync(makeTar(entries, seconds), { level: 9 })
}

/** The files of an archive that `makeTar` has made, by path. */
export function readTar(archive: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  for (let at = 0; archive[at] !== 0;) {
    const path = archive.toString('utf8', at, archive.indexOf(0, at))
    const size = Number.parseInt(archive.toString('latin1', at + 124, at + 135), 8)
    files.set(path, archive.subarray(at + BLOCK, at + BLOCK + size))
    at += BLOCK + size + padding(size)
  }
  return files
}

function header({ path, isProgram = false }: Entry, size: number, seconds: number): Buffer {
  const block = Buffer.alloc(BLOCK)
  if (Buffer.byteLength(path) >= 100) throw new Error(`${path} is too long for an archive`)
  const octal = (value: number, at: number, length: number) =>
    block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1')
  block.write(path, 0)
  octal(isProgram ? 0o755 : 0o644, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(seconds, 136, 12)
  block.write(' '.repeat(8), 148, 'latin1') // The checksum counts as spaces in its own sum.
  block.write('0', 156, 'latin1')
  block.write('ustar', 257, 'latin1') // With the zero after it; the version follows.
  block.write('00', 263, 'latin1')
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return block
}

function padding(length: number): number {
  return (BLOCK - (length % BLOCK)) % BLOCK
}
