/**
 * Queues lookups that wait for the budget of one host.
 *
 * A lookup waits until a token pays for it, its caller withdraws it, or no token can arrive before its caller must
 * respond. In the last case it is refused at once, with the time after which a retry makes sense. Tokens go to
 * waiting lookups in turn (`fair-queue.ts`), so a new lookup never takes the token of one that waits. A queue that is
 * full refuses new lookups.
 *
 * Lookups arrive one by one and by the thousand, so adding one must not cost a pass over the queue: those added in one
 * turn of the event loop share a pass, and while there is no token only the new ones are looked at.
 *
 * The queue belongs to this process; the budget is shared by all nodes. A waiting lookup must hold nothing but
 * memory.
 */
import type { LookupBudget } from './budget.ts'
import { createFairQueue } from './fair-queue.ts'
import type { FairQueue, Queued } from './fair-queue.ts'

export interface WaitingRequest extends Queued {
  /** Milliseconds since 1970. Increases when a caller with a later deadline joins. */
  readonly giveUpAt: number
}

export interface BudgetQueue<T extends WaitingRequest> {
  /** Whether it waits for a token, and not only for the response to a token request. */
  isStarved(item: T): boolean
  add(items: Iterable<T>): void
  /** Withdraws the lookup; the others move up. */
  delete(item: T): void
  /** Call this when an item may have become ready. */
  pump(): void
  /** Milliseconds until a new lookup of this key would be sent if the queue stayed as it is. */
  retryMs(fairnessKey: string): number
}

export interface BudgetQueueOptions<T extends WaitingRequest> {
  readonly budget: Pick<LookupBudget, 'take' | 'waitOf' | 'rateOf'>
  readonly host: string
  readonly now: () => number
  /** How many lookups one token pays for. */
  readonly perToken: number
  /** How many tokens can be used at once. */
  readonly wantedTokens: (queue: FairQueue<T>) => number
  readonly isReady?: (item: T) => boolean
  /** Called with at most `perToken` lookups, already paid for. */
  readonly send: (items: readonly T[]) => void
  /** `retryMs`: milliseconds until a retry makes sense. */
  readonly refuse: (item: T, retryMs: number) => void
}

// A back-off can end earlier than announced.
const ASK_AGAIN_MS = 1_000
// More than a host takes in eight minutes at the highest rate, and no request waits that long.
const MOST_WAITING = 10_000
// By then every lookup that waits now has a result or has given up: no request lasts longer.
const QUEUE_LASTS_MS = 30_000

export function createBudgetQueue<T extends WaitingRequest>(options: BudgetQueueOptions<T>): BudgetQueue<T> {
  const { budget, host, now, perToken, wantedTokens, isReady, send, refuse } = options
  const queue = createFairQueue<T>()
  let isPumping = false
  let isPumpDue = false
  let timer: NodeJS.Timeout | undefined
  /** Until `emptyUntil` there is no token; until `askAgainAt` no token is requested. */
  let [emptyUntil, askAgainAt] = [0, 0]
  let isEmpty = false

  async function pump(): Promise<void> {
    if (isPumping) return
    if (now() < askAgainAt) return setTimer()
    isPumping = true
    // No await between the last read of the queue and the end: a lookup added meanwhile would be missed.
    try {
      let wanted = wantedTokens(queue)
      isEmpty &&= wanted > 0
      for (; wanted > 0; wanted = wantedTokens(queue)) {
        const granted = await budget.take(host, wanted).catch(() => 0)
        for (let token = 0; token < granted; token++) {
          const items = queue.take(perToken, isReady)
          if (items.length > 0) send(items)
        }
        isEmpty = granted < wanted
        if (isEmpty) {
          emptyUntil = now() + Math.max(1, budget.waitOf(host))
          askAgainAt = Math.min(emptyUntil, now() + ASK_AGAIN_MS)
          break
        }
      }
    } finally {
      isPumping = false
      // Lookups that wait for something other than a token are pumped when that arrives.
      if (isEmpty) refuseLate(queue)
      setTimer()
    }
  }

  function pumpSoon(): void {
    if (isPumpDue) return
    isPumpDue = true
    setImmediate(() => {
      isPumpDue = false
      void pump()
    })
  }

  /** Those for which no token can arrive in time. */
  function refuseLate(items: Iterable<T>): void {
    const late = [...items].filter((item) => item.giveUpAt < emptyUntil && queue.has(item))
    // Computed before any of them is removed: they are likely to come back together.
    const retries = new Map(late.flatMap((item) => [...item.fairnessKeys]).map((key) => [key, 0]))
    for (const key of retries.keys()) retries.set(key, retryMs(key))
    for (const item of late) {
      queue.delete(item)
      refuse(item, Math.min(...[...item.fairnessKeys].map((key) => retries.get(key) ?? 0)))
    }
  }

  function setTimer(): void {
    clearTimeout(timer)
    if (isEmpty && queue.size > 0) timer = setTimeout(() => void pump(), Math.max(1, askAgainAt - now()))
  }

  function retryMs(fairnessKey: string): number {
    const tokensAhead = Math.ceil(queue.countAhead(fairnessKey) / perToken)
    return budget.waitOf(host) + Math.min(QUEUE_LASTS_MS, (tokensAhead * 1000) / budget.rateOf(host))
  }

  return {
    isStarved: (item) => isEmpty && queue.has(item),
    add(items) {
      const added: T[] = []
      for (const item of items) {
        if (queue.size < MOST_WAITING) {
          queue.add(item)
          added.push(item)
        } else refuse(item, Math.max(...[...item.fairnessKeys].map(retryMs)))
      }
      const isWaiting = isEmpty && !isPumping && now() < askAgainAt
      if (!isWaiting) return pumpSoon()
      refuseLate(added)
      setTimer()
    },
    delete(item) {
      queue.delete(item)
      if (queue.size === 0) clearTimeout(timer)
    },
    pump: () => void pump(),
    retryMs,
  }
}
