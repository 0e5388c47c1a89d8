/**
 * Who may still come in, where only so many may be in flight.
 *
 * By priority: the last fifth is for what is critical, and bulk work stops another fifth earlier, so what waits best is
 * shed first and what was asked for by a person who is looking is shed last.
 *
 * By account: when four fifths of what normal work may fill are taken, an account that has more than its share is shed
 * although others are let in. The share is an equal part of the room for each account that was here within the last two
 * seconds, also of those that were sent away. Who is alone has all of it.
 */
export type Priority = 'critical' | 'normal' | 'bulk'
/** `full`: for this priority. `share`: for this account. */
export type Reason = 'full' | 'share'

export interface Place {
  /** Once it is known whose it is. */
  readonly subject: string | undefined
  belongsTo(subject: string): void
  leave(): void
}

export interface Lane {
  readonly inFlight: number
  /** Is it so full that it matters whose a request is? */
  isBusy(priority: Priority): boolean
  /** Undefined: come in. */
  refusalOf(priority: Priority, subject: string | undefined): Reason | undefined
  enter(subject: string | undefined): Place
}

const ROOM: Readonly<Record<Priority, number>> = { critical: 1, normal: 0.8, bulk: 0.6 }
const BUSY = 0.8
const ACTIVE_MS = 2_000
// Accounts are looked through this often for those that have gone.
const SWEPT_MS = 500

interface Holder {
  held: number
  seenAt: number
}

export function createLane({ limit, now }: { limit: () => number; now: () => number }): Lane {
  let inFlight = 0
  let sweptAt = -Infinity
  const holders = new Map<string, Holder>()
  const roomOf = (priority: Priority) => Math.max(1, Math.floor(limit() * ROOM[priority]))
  /** Critical work of one account must leave room for normal work of another, too. */
  const busyFrom = (priority: Priority) => BUSY * Math.min(roomOf(priority), roomOf('normal'))

  function see(subject: string): Holder {
    const at = now()
    if (at - sweptAt > SWEPT_MS) {
      sweptAt = at
      for (const [key, { held, seenAt }] of holders) {
        if (held === 0 && at - seenAt > ACTIVE_MS) holders.delete(key)
      }
    }
    let holder = holders.get(subject)
    if (!holder) holders.set(subject, (holder = { held: 0, seenAt: at }))
    holder.seenAt = at
    return holder
  }

  function isAboveShare(priority: Priority, subject: string): boolean {
    const { held } = see(subject)
    return inFlight >= busyFrom(priority) && held >= Math.max(1, roomOf(priority) / holders.size)
  }

  return {
    get inFlight() {
      return inFlight
    },
    isBusy: (priority) => inFlight >= busyFrom(priority),
    refusalOf(priority, subject) {
      // Also who finds it full is seen, and has a share the next time.
      const isAbove = subject !== undefined && isAboveShare(priority, subject)
      if (inFlight >= roomOf(priority)) return 'full'
      return isAbove ? 'share' : undefined
    },
    enter(known) {
      let holder: Holder | undefined
      let subject = known
      let isHere = true
      inFlight++
      if (known !== undefined) belongsTo(known)

      function belongsTo(whose: string): void {
        if (holder || !isHere) return
        subject = whose
        holder = see(whose)
        holder.held++
      }

      return {
        get subject() {
          return subject
        },
        belongsTo,
        leave() {
          if (!isHere) return
          isHere = false
          inFlight--
          if (holder) holder.held--
        },
      }
    },
  }
}
