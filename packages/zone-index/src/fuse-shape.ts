/**
 * The geometry of a binary fuse filter (Graf and Lemire, 2022): where the three slots of a key are.
 *
 * A shard is an array of 16-bit slots in equal segments. A key has one slot in each of three neighbouring segments,
 * and its fingerprint is the XOR of their values. The first slot follows the order of the hashes, so a shard built
 * from sorted keys accesses memory sequentially; the seed moves the other two slots and the fingerprint.
 *
 * **Invariant:** builder and reader compute slots by these functions only.
 */
import { scramble } from './hash.ts'

export interface Shape {
  /** A power of two. */
  readonly segmentLength: number
  readonly segmentCount: number
  /** How many slots can be a key's first one. */
  readonly span: number
  readonly slots: number
}

// A shard of 3 M keys is 6.7 MB of slots and 100 MB of working memory. Larger shards would not be smaller per name.
export const SHARD_NAMES_MAX = 3_000_000
const TWO_32 = 2 ** 32

/** The segment length and the spare room follow the paper, for three slots per key. */
export function shapeOf(names: number): Shape {
  const segmentLength = names < 2 ? 4 : 2 ** Math.floor(Math.log(names) / Math.log(3.33) + 2.25)
  const spare = names < 2 ? 1 : Math.max(1.125, 0.875 + (0.25 * Math.log(1e6)) / Math.log(names))
  const segmentCount = Math.max(1, Math.ceil(Math.round(names * spare) / segmentLength) - 2)
  return {
    segmentLength,
    segmentCount,
    span: segmentCount * segmentLength,
    slots: (segmentCount + 2) * segmentLength,
  }
}

/** Shards are equal ranges of the first word, so a sorted list fills them from first to last. */
export function shardOf(first: number, shardCount: number): number {
  return Math.floor((first * shardCount) / TWO_32)
}

/** The lowest first word above this shard. */
export function shardEnd(shard: number, shardCount: number): number {
  return Math.ceil(((shard + 1) * TWO_32) / shardCount)
}

export function firstSlot(first: number, shard: number, shardCount: number, span: number): number {
  // Exact: below 2^53 up to two million shards.
  const within = first * shardCount - shard * TWO_32
  return Math.floor((within * span) / TWO_32)
}

/** The bits that determine the other two slots and the fingerprint. */
export function mixOf(first: number, second: number, seed: number): number {
  return scramble(Math.imul(second ^ seed, 0x9e3779b1) ^ first)
}

// Slots two and three take 16 bits each of the mix, which is enough for segments of up to 65,536 slots; the largest
// shard has segments of 16,384.
export function secondSlot(slot: number, mix: number, segmentLength: number): number {
  return (slot + segmentLength) ^ (mix & (segmentLength - 1))
}

export function thirdSlot(slot: number, mix: number, segmentLength: number): number {
  return (slot + 2 * segmentLength) ^ ((mix >>> 16) & (segmentLength - 1))
}

export function fingerprintOf(mix: number, second: number): number {
  return Math.imul(mix ^ second, 0x85ebca6b) >>> 16
}
