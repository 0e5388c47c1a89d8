/** Sorts hashes: they are uniform, so their leading bits determine their approximate position. */

// A million counters are 4 MB, which fits the cache of one core; more buckets than keys give no benefit.
const BITS_MAX = 20

/**
 * Puts `count` hashes (two words each) into `to`, ordered and without duplicates, and returns how many there are. All
 * of them have the same `sharedBits` leading bits; the next bits choose a bucket of about one hash, and one pass of
 * insertion sort orders the few that share it.
 */
export function sortHashes(from: Uint32Array, count: number, to: Uint32Array, sharedBits: number): number {
  const bits = Math.min(BITS_MAX, Math.max(1, Math.floor(Math.log2(count + 1))))
  const shift = 32 - bits
  const starts = new Uint32Array(2 ** bits + 1)
  for (let at = 0; at < count; at++) starts[(((from[2 * at] as number) << sharedBits) >>> shift) + 1]!++
  for (let bucket = 1; bucket < starts.length; bucket++) starts[bucket]! += starts[bucket - 1] as number
  for (let at = 0; at < count; at++) {
    const first = from[2 * at] as number
    const place = starts[(first << sharedBits) >>> shift]!++
    to[2 * place] = first
    to[2 * place + 1] = from[2 * at + 1] as number
  }
  for (let at = 1; at < count; at++) {
    const first = to[2 * at] as number
    const second = to[2 * at + 1] as number
    let place = at
    for (; place > 0 && isAfter(to, place - 1, first, second); place--) {
      to[2 * place] = to[2 * place - 2] as number
      to[2 * place + 1] = to[2 * place - 1] as number
    }
    to[2 * place] = first
    to[2 * place + 1] = second
  }
  return dropRepeats(to, count)
}

function dropRepeats(hashes: Uint32Array, count: number): number {
  let kept = Math.min(1, count)
  for (let at = 1; at < count; at++) {
    const first = hashes[2 * at] as number
    const second = hashes[2 * at + 1] as number
    if (first === hashes[2 * kept - 2] && second === hashes[2 * kept - 1]) continue
    hashes[2 * kept] = first
    hashes[2 * kept + 1] = second
    kept++
  }
  return kept
}

function isAfter(hashes: Uint32Array, at: number, first: number, second: number): boolean {
  const other = hashes[2 * at] as number
  return other > first || (other === first && (hashes[2 * at + 1] as number) > second)
}
