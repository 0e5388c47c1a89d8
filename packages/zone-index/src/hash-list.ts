/**
 * A sorted list of hashes, eight bytes each: the names added and dropped since the base and, on the builder only, all
 * names of the base. Exact except for hash collisions.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { BadIndexFile } from './filter-file.ts'
import { bytesOf } from './spool.ts'

export interface HashList {
  readonly names: number
  hasHash(first: number, second: number): boolean
}

/** Throws BadIndexFile unless the hashes ascend. */
export function openHashList(bytes: Uint8Array): HashList {
  if (bytes.length % 8 !== 0 || bytes.byteOffset % 4 !== 0) throw new BadIndexFile('a list of hashes is truncated')
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  const names = words.length / 2
  for (let at = 2; at < words.length; at += 2) {
    if (!isBefore(words, at - 2, words[at] as number, words[at + 1] as number)) {
      throw new BadIndexFile('a list of hashes is out of order')
    }
  }
  return {
    names,
    hasHash(first, second) {
      let low = 0
      let high = names
      while (low < high) {
        const middle = (low + high) >>> 1
        if (isBefore(words, 2 * middle, first, second)) low = middle + 1
        else high = middle
      }
      return words[2 * low] === first && words[2 * low + 1] === second
    },
  }
}

const READ_NAMES = 65_536

/** Reads a list from disk in chunks; a chunk is valid until the next. */
export function* readHashList(path: string): Generator<Uint32Array> {
  const words = new Uint32Array(READ_NAMES * 2)
  const bytes = bytesOf(words)
  const file = openSync(path, 'r')
  try {
    for (;;) {
      let got = 0
      for (let more = -1; more !== 0 && got < bytes.length; got += more) {
        more = readSync(file, bytes, got, bytes.length - got, null)
      }
      if (got % 8 !== 0) throw new BadIndexFile(`${path} is truncated`)
      if (got === 0) return
      yield words.subarray(0, got / 4)
    }
  } finally {
    closeSync(file)
  }
}

function isBefore(words: Uint32Array, at: number, first: number, second: number): boolean {
  const other = words[at] as number
  return other < first || (other === first && (words[at + 1] as number) < second)
}
