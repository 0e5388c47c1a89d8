/**
 * Builds the slots of one shard from its sorted hashes.
 *
 * Every slot counts its keys. A slot with one key belongs to that key: remove the key from its three slots, and other
 * slots become single. When all keys are removed, adding them back in reverse order finds each key's own slot still
 * unset, so it can get the value that makes the XOR of the three right. With the spare room of `shapeOf` this nearly
 * always succeeds; if not, another seed is tried.
 *
 * Keys are identified by their index in the list, so a slot needs five bytes of working memory. The memory is reused
 * for the next shard. Seeds are a fixed sequence: the same names give the same file.
 */
import { fingerprintOf, firstSlot, mixOf, secondSlot, shapeOf, thirdSlot, type Shape } from './fuse-shape.ts'
import { scramble } from './hash.ts'

export interface BuiltShard {
  readonly names: number
  readonly seed: number
  readonly shape: Shape
  /** Valid until the next build. */
  readonly slots: Uint16Array
}

// A try fails for a few shards in a hundred; a hundred failures mean equal hashes in the list, which is a bug.
const TRIES = 100

export function createShardBuilder() {
  let memory = createMemory(0)

  return {
    /** `keys`: `names` different hashes, two words each, in order. */
    build(keys: Uint32Array, names: number, shard: number, shardCount: number): BuiltShard {
      const shape = shapeOf(names)
      const room = Math.max(shape.slots, names)
      if (room > memory.room) memory = createMemory(room)
      for (let attempt = 0; attempt < TRIES; attempt++) {
        const task = { keys, names, shard, shardCount, shape, seed: scramble(shard * TRIES + attempt + 1) >>> 0 }
        if (!peel(task, memory)) continue
        putBack(task, memory)
        return { names, seed: task.seed, shape, slots: memory.slots.subarray(0, shape.slots) }
      }
      throw new Error(`no seed of ${TRIES} fits the ${names} hashes of shard ${shard}`)
    },
  }
}

interface Task {
  readonly keys: Uint32Array
  readonly names: number
  readonly shard: number
  readonly shardCount: number
  readonly shape: Shape
  readonly seed: number
}

type Memory = ReturnType<typeof createMemory>

function createMemory(room: number) {
  return {
    room,
    counts: new Uint8Array(room),
    /** The XOR of the indexes of the keys in a slot: with one key left, that key. */
    keysOfSlot: new Uint32Array(room),
    alone: new Uint32Array(room),
    /** Keys in the order of removal, and the slot that belonged to each. */
    order: new Uint32Array(room),
    ownSlots: new Uint32Array(room),
    slots: new Uint16Array(room),
  }
}

/** Removes all keys; false if some cannot be removed. */
function peel(task: Task, memory: Memory): boolean {
  const { keys, names, shard, shardCount, shape, seed } = task
  const { counts, keysOfSlot, alone, order, ownSlots } = memory
  const { segmentLength, span } = shape
  counts.fill(0, 0, shape.slots)
  keysOfSlot.fill(0, 0, shape.slots)
  for (let key = 0; key < names; key++) {
    const first = keys[2 * key] as number
    const mix = mixOf(first, keys[2 * key + 1] as number, seed)
    const one = firstSlot(first, shard, shardCount, span)
    const two = secondSlot(one, mix, segmentLength)
    const three = thirdSlot(one, mix, segmentLength)
    counts[one]!++
    keysOfSlot[one]! ^= key
    counts[two]!++
    keysOfSlot[two]! ^= key
    counts[three]!++
    keysOfSlot[three]! ^= key
  }
  let waiting = 0
  for (let slot = 0; slot < shape.slots; slot++) if (counts[slot] === 1) alone[waiting++] = slot
  let taken = 0
  while (waiting > 0) {
    const slot = alone[--waiting] as number
    if (counts[slot] !== 1) continue
    const key = keysOfSlot[slot] as number
    order[taken] = key
    ownSlots[taken++] = slot
    const first = keys[2 * key] as number
    const mix = mixOf(first, keys[2 * key + 1] as number, seed)
    const one = firstSlot(first, shard, shardCount, span)
    const two = secondSlot(one, mix, segmentLength)
    const three = thirdSlot(one, mix, segmentLength)
    keysOfSlot[one]! ^= key
    if (--counts[one]! === 1) alone[waiting++] = one
    keysOfSlot[two]! ^= key
    if (--counts[two]! === 1) alone[waiting++] = two
    keysOfSlot[three]! ^= key
    if (--counts[three]! === 1) alone[waiting++] = three
  }
  return taken === names
}

function putBack({ keys, names, shard, shardCount, shape, seed }: Task, memory: Memory): void {
  const { order, ownSlots, slots } = memory
  const { segmentLength, span } = shape
  slots.fill(0, 0, shape.slots)
  for (let at = names - 1; at >= 0; at--) {
    const key = order[at] as number
    const first = keys[2 * key] as number
    const second = keys[2 * key + 1] as number
    const mix = mixOf(first, second, seed)
    const one = firstSlot(first, shard, shardCount, span)
    const two = secondSlot(one, mix, segmentLength)
    const three = thirdSlot(one, mix, segmentLength)
    const value = fingerprintOf(mix, second) ^ (slots[one] as number) ^ (slots[two] as number)
    slots[ownSlots[at] as number] = value ^ (slots[three] as number)
  }
}
