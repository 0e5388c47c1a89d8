/**
 * Reads shares for every event stream of this node: one round trip four times a second for all versions, however many
 * streams there are, and then only the shares that have changed. Without streams it reads nothing.
 *
 * Votes of every node are seen, because the versions are in the database. A share is also read every twenty seconds:
 * the facts of its domains change without it.
 */
import type { Shares, ShareRef } from '../library/shares/shares.ts'
import { publicShare } from './share-texts.ts'
import type { PublicShare } from './share-texts.ts'

export interface ShareState {
  /** Grows with every state. */
  readonly number: number
  /** The number of the state before; 0 if there is none. */
  readonly before: number
  /** JSON text. */
  readonly whole: string
  /** JSON text: the difference from the state before. */
  readonly change: string
}

export interface ShareFeed {
  /** The current state if it is after this number, or the next one; undefined when the share has ended, or on abort. */
  next(ref: ShareRef, after: number, signal: AbortSignal): Promise<ShareState | undefined>
}

export interface ShareFeedOptions {
  readonly shares: Pick<Shares, 'versionsOf' | 'open'>
  readonly now: () => number
  readonly pollMs?: number
}

const POLL_MS = 250
const READ_AGAIN_MS = 20_000

interface Followed {
  readonly ref: ShareRef
  readonly waiting: Set<PromiseWithResolvers<ShareState | undefined>>
  state?: ShareState
  share?: PublicShare
  version?: string
  readAt: number
  askedAt: number
}

export function createShareFeed({ shares, now, pollMs = POLL_MS }: ShareFeedOptions): ShareFeed {
  const followed = new Map<string, Followed>()
  let isScheduled = false
  let number = 0

  function schedule(): void {
    if (isScheduled || followed.size === 0) return
    isScheduled = true
    setTimeout(() => void poll(), pollMs).unref()
  }

  async function poll(): Promise<void> {
    // Between two calls of its readers a share has none that wait.
    for (const [id, one] of followed)
      if (one.waiting.size === 0 && now() - one.askedAt > READ_AGAIN_MS) followed.delete(id)
    try {
      const all = [...followed.values()]
      const versions = all.length === 0 ? new Map<string, string>() : await shares.versionsOf(all.map(({ ref }) => ref))
      await Promise.all(all.map((one) => read(one, versions.get(one.ref.id))))
    } catch {
      // The database is unavailable: the streams stay open, and the next poll tries again.
    }
    isScheduled = false
    schedule()
  }

  async function read(one: Followed, version: string | undefined): Promise<void> {
    if (version === undefined) return end(one)
    if (version === one.version && now() - one.readAt < READ_AGAIN_MS) return
    const share = publicShare(await shares.open(one.ref), now())
    one.version = version
    one.readAt = now()
    const whole = JSON.stringify({ share })
    if (whole === one.state?.whole) return
    one.state = { number: ++number, before: one.state?.number ?? 0, whole, change: changeOf(one.share, share) }
    one.share = share
    settle(one, one.state)
  }

  function end(one: Followed): void {
    followed.delete(one.ref.id)
    settle(one, undefined)
  }

  function settle({ waiting }: Followed, state: ShareState | undefined): void {
    for (const { resolve } of waiting) resolve(state)
    waiting.clear()
  }

  return {
    next(ref, after, signal) {
      let one = followed.get(ref.id)
      if (!one) followed.set(ref.id, (one = { ref, waiting: new Set(), readAt: 0, askedAt: 0 }))
      one.askedAt = now()
      schedule()
      if (one.state && one.state.number > after) return Promise.resolve(one.state)
      const { waiting } = one
      const waiter = Promise.withResolvers<ShareState | undefined>()
      const leave = () => {
        waiting.delete(waiter)
        waiter.resolve(undefined)
      }
      waiting.add(waiter)
      signal.addEventListener('abort', leave, { once: true })
      if (signal.aborted) leave()
      return waiter.promise.finally(() => signal.removeEventListener('abort', leave))
    },
  }
}

/** The fields of the share itself, with only those items and comments that are new or different. */
function changeOf(before: PublicShare | undefined, share: PublicShare): string {
  const known = new Set(before?.items.map((item) => JSON.stringify(item)))
  const read = new Set(before?.comments.map(({ id }) => id))
  const items = share.items.filter((item) => !known.has(JSON.stringify(item)))
  const comments = share.comments.filter(({ id }) => !read.has(id))
  return JSON.stringify({ share: { ...share, items, comments } })
}
