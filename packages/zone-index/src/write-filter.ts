/**
 * Writes the file of a filter from sorted hashes, and beside it the plain list with which the next day's changes are
 * found.
 *
 * One pass over the hashes: they fill the shards from first to last, so one shard is in memory at a time.
 */
import { createHash as createDigest } from 'node:crypto'
import { closeSync, ftruncateSync, openSync } from 'node:fs'
import { aligned, headBytes, namesIn, writeHead, type ShardRow } from './filter-file.ts'
import { createShardBuilder } from './fuse-build.ts'
import { SHARD_NAMES_MAX, shardEnd } from './fuse-shape.ts'
import { bytesOf, writeWhole } from './spool.ts'

// Shards are equal in hash range, not in names: among 3 M the random variation is about 2,000.
const SHARD_NAMES = 2_950_000

export interface WrittenFilter {
  readonly names: number
  readonly bytes: number
  readonly listSha256: string
}

export interface FilterPaths {
  readonly filter: string
  readonly list: string
}

/** `expected` may be more than the actual number, if a zone repeats names. */
export function writeFilter(
  paths: FilterPaths,
  expected: number,
  sorted: Iterable<Uint32Array>,
  onNames: (names: number) => void = () => {},
): WrittenFilter {
  const shardCount = Math.max(1, Math.ceil(expected / SHARD_NAMES))
  const keys = new Uint32Array(2 * Math.min(SHARD_NAMES_MAX, expected + 1))
  const builder = createShardBuilder()
  const rows: ShardRow[] = []
  const digest = createDigest('sha256')
  const file = openSync(paths.filter, 'w')
  const list = openSync(paths.list, 'w')
  let position = headBytes(shardCount)
  let listed = 0
  let filled = 0

  function endShard() {
    const { names, seed, slots } = builder.build(keys, filled / 2, rows.length, shardCount)
    writeWhole(file, new Uint8Array(slots.buffer, slots.byteOffset, slots.byteLength), position)
    rows.push({ names, seed, startByte: position })
    position += aligned(slots.byteLength)
    filled = 0
    onNames(names)
  }

  try {
    for (const hashes of sorted) {
      const bytes = bytesOf(hashes)
      writeWhole(list, bytes, listed)
      digest.update(bytes)
      listed += bytes.length
      for (let start = 0; start < hashes.length;) {
        const end = wordsBefore(hashes, start, shardEnd(rows.length, shardCount))
        keys.set(hashes.subarray(start, end), filled)
        filled += end - start
        start = end
        if (end < hashes.length) endShard()
      }
    }
    while (rows.length < shardCount) endShard()
    // Up to the end of the last shard's block.
    ftruncateSync(file, position)
    writeWhole(file, writeHead(rows, position), 0)
    return { names: namesIn(rows), bytes: position, listSha256: digest.digest('hex') }
  } finally {
    closeSync(file)
    closeSync(list)
  }
}

/** Where the hashes below `end` end, by binary search. */
function wordsBefore(hashes: Uint32Array, start: number, end: number): number {
  let low = start / 2
  let high = hashes.length / 2
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((hashes[2 * middle] as number) < end) low = middle + 1
    else high = middle
  }
  return 2 * low
}
