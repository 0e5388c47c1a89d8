import type { UserId } from './member.ts'

/** A person with a valid session. */
export interface Person {
  readonly userId: UserId
  readonly email: string
  readonly name: string
  readonly language: string | null
  readonly twoFactor: boolean
  readonly sessionId: string
  /** The time of the sign-in, or of the last step-up since. */
  readonly provedAt: Date
}

/** How recent a sign-in or step-up must be to create credentials or do something irreversible. */
export const RECENT_SECONDS = 900
