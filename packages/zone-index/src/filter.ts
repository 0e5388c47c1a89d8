/**
 * Tests whether a name is in the filter. No false negatives; one false positive in 65,536, which makes an available
 * name look registered.
 */
import { endianness } from 'node:os'
import { BadIndexFile, namesIn, parseHead } from './filter-file.ts'
import { fingerprintOf, firstSlot, mixOf, secondSlot, shapeOf, shardOf, thirdSlot } from './fuse-shape.ts'
import { createHash, hashText } from './hash.ts'

export interface Filter {
  readonly names: number
  has(domain: string): boolean
  hasHash(first: number, second: number): boolean
}

/** `bytes` are used in place: a mapped file needs no memory of its own. Throws BadIndexFile. */
export function openFilter(bytes: Uint8Array): Filter {
  const rows = parseHead(bytes)
  // The slots are read in place, in this machine's byte order.
  if (endianness() !== 'LE') throw new BadIndexFile('a filter can only be read on a little-endian machine')
  if (bytes.byteOffset % 2 !== 0) throw new BadIndexFile('the bytes must start at an even address')
  const slots = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
  const shards = rows.map(({ names, seed, startByte }) => {
    const { span, segmentLength } = shapeOf(names)
    return { names, seed, span, segmentLength, start: startByte / 2 }
  })
  const shardCount = shards.length
  const hash = createHash()

  function hasHash(first: number, second: number): boolean {
    const index = shardOf(first, shardCount)
    const shard = shards[index]
    // An empty shard holds zeros, which match some fingerprints.
    if (shard === undefined || shard.names === 0) return false
    const { start, segmentLength } = shard
    const mix = mixOf(first, second, shard.seed)
    const slot = firstSlot(first, index, shardCount, shard.span)
    const found =
      (slots[start + slot] as number) ^
      (slots[start + secondSlot(slot, mix, segmentLength)] as number) ^
      (slots[start + thirdSlot(slot, mix, segmentLength)] as number)
    return found === fingerprintOf(mix, second)
  }

  return {
    names: namesIn(rows),
    has(domain) {
      hashText(domain, hash)
      return hasHash(hash[0] as number, hash[1] as number)
    },
    hasHash,
  }
}
