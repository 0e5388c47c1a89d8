/**
 * Reads the progress of batches for every event stream of this node. It makes one round trip to the database twice a
 * second, however many streams and accounts there are. Without streams it reads nothing.
 */
import type { BatchRow } from '../../automation/batches/batch.ts'
import type { Batches } from '../../automation/batches/batches.ts'
import type { AccountId } from '../../model/caller.ts'

export interface ProgressPoller {
  /** The batch as of the next poll; undefined when it no longer exists. Rejects if the poll fails. */
  next(account: AccountId, id: string): Promise<BatchRow | undefined>
}

// A progress bar needs no more updates than this.
const POLL_MS = 500

type WaitingPoll = PromiseWithResolvers<BatchRow | undefined>

export function createProgressPoller(batches: Pick<Batches, 'findEach'>, pollMs = POLL_MS): ProgressPoller {
  let waiting = new Map<AccountId, Map<string, WaitingPoll>>()
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || waiting.size === 0) return
    isScheduled = true
    setTimeout(() => void poll(), pollMs).unref()
  }

  async function poll(): Promise<void> {
    const asked = waiting
    waiting = new Map()
    const all = [...asked.values()].flatMap((byId) => [...byId])
    try {
      const found = await batches.findEach(new Map([...asked].map(([account, byId]) => [account, [...byId.keys()]])))
      for (const [id, { resolve }] of all) resolve(found.get(id))
    } catch (error) {
      for (const [, { reject }] of all) reject(error)
    }
    isScheduled = false
    schedule()
  }

  return {
    next(account, id) {
      let byId = waiting.get(account)
      if (!byId) waiting.set(account, (byId = new Map()))
      let one = byId.get(id)
      if (!one) {
        byId.set(id, (one = Promise.withResolvers()))
        // A stream that has ended meanwhile no longer handles the rejection.
        one.promise.catch(() => {})
      }
      schedule()
      return one.promise
    },
  }
}
