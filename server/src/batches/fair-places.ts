/**
 * Places for items in a worker, and for large bodies at the door. The next free one goes to the account that holds the
 * fewest.
 *
 * One line for all would let ten thousand items of one account stand in front of ten of another. Here each account has
 * a line of its own, and however long it is, a free place goes to whoever has the least; among equals to the one that
 * has waited longest since it last got one. Within an account first come is first served, so its chunks end one after
 * the other and not all at the end.
 */
import type { AccountId } from '../model/caller.ts'

export interface FairPlaces {
  /** Does the work when there is a place for it. Rejects, without having begun, when the signal fires before that. */
  hold(account: AccountId, signal: AbortSignal, work: () => Promise<void>): Promise<void>
}

interface Line {
  held: number
  /** When it last got a place, counted in places given. */
  servedAt: number
  readonly waiting: Set<() => void>
}

export function createFairPlaces(places: number): FairPlaces {
  const lines = new Map<AccountId, Line>()
  let free = places
  let given = 0

  function lineOf(account: AccountId): Line {
    let line = lines.get(account)
    if (!line) lines.set(account, (line = { held: 0, servedAt: 0, waiting: new Set() }))
    return line
  }

  function handOut(): void {
    while (free > 0) {
      const next = neediest()
      if (!next) return
      const [call] = next.waiting
      if (!call) return
      next.waiting.delete(call)
      free--
      next.held++
      next.servedAt = ++given
      call()
    }
  }

  function neediest(): Line | undefined {
    let best: Line | undefined
    for (const line of lines.values()) {
      if (line.waiting.size === 0) continue
      const isBetter = !best || line.held < best.held || (line.held === best.held && line.servedAt < best.servedAt)
      if (isBetter) best = line
    }
    return best
  }

  function giveBack(account: AccountId, line: Line): void {
    free++
    line.held--
    if (line.held === 0 && line.waiting.size === 0) lines.delete(account)
    handOut()
  }

  return {
    async hold(account, signal, work) {
      signal.throwIfAborted()
      const line = lineOf(account)
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const giveUp = () => {
        line.waiting.delete(resolve)
        if (line.held === 0 && line.waiting.size === 0) lines.delete(account)
        reject(signal.reason as Error)
      }
      line.waiting.add(resolve)
      signal.addEventListener('abort', giveUp, { once: true })
      handOut()
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
