/**
 * Sorts hashes in memory that does not grow with their number.
 *
 * They are partitioned into 256 parts by their leading byte. When a part's 64 kB are full they go to one temporary
 * file, which is read back part by part; a small zone never touches the disk. Memory: 16 MB, plus twice the size of a
 * part while sorting.
 */
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { sortHashes } from './sort-hashes.ts'

export interface Spool extends Disposable {
  readonly count: number
  add(first: number, second: number): void
  /** Sorted and without duplicates, in 256 chunks; a chunk is valid until the next. Can be iterated again. */
  sorted(): Iterable<Uint32Array>
}

const PARTS = 256
const PART_BITS = 8
const CHUNK = 8192

export function openSpool(path: string): Spool {
  const file = openSync(path, 'w+')
  // The name is not needed: an open file can be written and read, and is always deleted with the process.
  unlinkSync(path)
  const slab = new Uint32Array(PARTS * CHUNK * 2)
  const fill = new Uint32Array(PARTS)
  const chunks: number[][] = Array.from({ length: PARTS }, () => [])
  let written = 0
  let count = 0

  function spill(part: number) {
    writeWhole(file, bytesOf(slab, part * CHUNK * 2, CHUNK * 2), written)
    chunks[part]?.push(written)
    written += CHUNK * 8
    fill[part] = 0
  }

  return {
    get count() {
      return count
    },
    add(first, second) {
      const part = first >>> 24
      const at = (part * CHUNK + (fill[part] as number)) * 2
      slab[at] = first
      slab[at + 1] = second
      count++
      if (++fill[part]! === CHUNK) spill(part)
    },
    *sorted() {
      let from = new Uint32Array(0)
      let to = new Uint32Array(0)
      for (let part = 0; part < PARTS; part++) {
        const places = chunks[part] ?? []
        const rest = fill[part] as number
        const names = places.length * CHUNK + rest
        if (names * 2 > from.length) {
          from = new Uint32Array(Math.ceil(names * 2.2))
          to = new Uint32Array(from.length)
        }
        for (const [index, place] of places.entries()) {
          readWhole(file, bytesOf(from, index * CHUNK * 2, CHUNK * 2), place)
        }
        from.set(slab.subarray(part * CHUNK * 2, (part * CHUNK + rest) * 2), places.length * CHUNK * 2)
        yield to.subarray(0, sortHashes(from, names, to, PART_BITS) * 2)
      }
    },
    [Symbol.dispose]: () => closeSync(file),
  }
}

export function bytesOf(words: Uint32Array, start = 0, length = words.length): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset + 4 * start, 4 * length)
}

/** `writeSync` may write less than it was given. */
export function writeWhole(file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length;) {
    done += writeSync(file, bytes, done, bytes.length - done, position + done)
  }
}

function readWhole(file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length;) {
    const got = readSync(file, bytes, done, bytes.length - done, position + done)
    if (got === 0) throw new Error('the temporary hash file is truncated')
    done += got
  }
}
