/**
 * Fair concurrency slots, for batch items in a worker and for large request bodies. The next free slot goes to the
 * account that uses the fewest.
 *
 * One shared queue would let ten thousand items of one account delay ten of another. Here each account has its own
 * queue, and a free slot goes to the account with the fewest slots; among equals, to the one that has waited longest
 * since its last slot. Within an account the order is first in, first out, so its chunks end one after the other and
 * not all at the end.
 */
import type { AccountId } from '../../model/caller.ts'

export interface FairPlaces {
  /** Runs the work when a slot is free. Rejects without starting it when the signal fires first. */
  runInSlot(account: AccountId, signal: AbortSignal, work: () => Promise<void>): Promise<void>
}

interface AccountSlots {
  slotsInUse: number
  /** When it last got a slot, counted in slots assigned. */
  servedAt: number
  readonly waiting: Set<() => void>
}

export function createFairPlaces(places: number): FairPlaces {
  const lines = new Map<AccountId, AccountSlots>()
  let free = places
  let given = 0

  function lineOf(account: AccountId): AccountSlots {
    let line = lines.get(account)
    if (!line) lines.set(account, (line = { slotsInUse: 0, servedAt: 0, waiting: new Set() }))
    return line
  }

  function assignPlaces(): void {
    while (free > 0) {
      const next = neediest()
      if (!next) return
      const [call] = next.waiting
      if (!call) return
      next.waiting.delete(call)
      free--
      next.slotsInUse++
      next.servedAt = ++given
      call()
    }
  }

  function neediest(): AccountSlots | undefined {
    let best: AccountSlots | undefined
    for (const line of lines.values()) {
      if (line.waiting.size === 0) continue
      const isBetter =
        !best ||
        line.slotsInUse < best.slotsInUse ||
        (line.slotsInUse === best.slotsInUse && line.servedAt < best.servedAt)
      if (isBetter) best = line
    }
    return best
  }

  function giveBack(account: AccountId, line: AccountSlots): void {
    free++
    line.slotsInUse--
    if (line.slotsInUse === 0 && line.waiting.size === 0) lines.delete(account)
    assignPlaces()
  }

  return {
    async runInSlot(account, signal, work) {
      signal.throwIfAborted()
      const line = lineOf(account)
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const giveUp = () => {
        line.waiting.delete(resolve)
        if (line.slotsInUse === 0 && line.waiting.size === 0) lines.delete(account)
        reject(signal.reason as Error)
      }
      line.waiting.add(resolve)
      signal.addEventListener('abort', giveUp, { once: true })
      assignPlaces()
      try {
        await promise
      } finally {
        signal.removeEventListener('abort', giveUp)
      }
      try {
        await work()
      } finally {
        giveBack(account, line)
      }
    },
  }
}
