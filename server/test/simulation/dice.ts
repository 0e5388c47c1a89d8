/**
 * The one source of chance of a simulated run. The same seed throws the same dice, in any process on any machine.
 *
 * Ids and tokens of the code under test come out of `node:crypto`, and which of two ids is lower decides things. So for
 * as long as a run lasts these functions throw the same dice.
 */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

export interface Dice {
  /** A whole number from 0 to `n - 1`. */
  below(n: number): number
  /** True once in `n`. */
  oneIn(n: number): boolean
  pick<T>(list: readonly [T, ...T[]]): T
}

export function createDice(seed: number): Dice {
  let state = Math.imul(seed ^ 0x5bd1e995, 0x9e3779b1) >>> 0
  /** A counter, scrambled twice: enough for schedules, and as fast as it gets. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const below = (n: number) => next() % n
  return {
    below,
    oneIn: (n) => below(n) === 0,
    pick: (list) => list[below(list.length)] ?? list[0],
  }
}

/** Until it is disposed of, `node:crypto` throws these dice in every module of this process. */
export function loadDice(dice: Dice): Disposable {
  const { randomBytes, randomInt, randomUUID } = crypto
  const fill = <T extends ArrayBufferView>(view: T): T => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
    for (let i = 0; i < bytes.length; i++) bytes[i] = dice.below(256)
    return view
  }
  const bytesOf = (size: number) => fill(Buffer.alloc(size))
  const uuid = () => {
    const hex = bytesOf(16).toString('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
  }
  // `getRandomValues` of the module asks this one, which shadows its prototype's.
  Object.assign(crypto.webcrypto, { getRandomValues: fill })
  Object.assign(crypto, { randomBytes: bytesOf, randomInt: (most: number) => dice.below(most), randomUUID: uuid })
  syncBuiltinESMExports()
  return {
    [Symbol.dispose]() {
      Reflect.deleteProperty(crypto.webcrypto, 'getRandomValues')
      Object.assign(crypto, { randomBytes, randomInt, randomUUID })
      syncBuiltinESMExports()
    },
  }
}
