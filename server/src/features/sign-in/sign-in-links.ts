/** Sign-in links as the pages see them. Does not load Better Auth; `sign-in-link-plugin.ts` does. */
import { randomBytes } from 'node:crypto'
import type { PeoplePool } from '../../platform/db/people-pool.ts'
import { hashOf } from '../../model/credential-text.ts'
import type { UserId } from '../../model/member.ts'
import { openEmailedLinks, SIGN_IN_LINK_SECONDS } from './emailed-links.ts'

export interface PendingSignIn {
  readonly userId: UserId
  readonly email: string
  /** Whether this is the browser that asked for the link. */
  readonly isHere: boolean
}

export interface SignInLinks {
  findSignIn(token: string, browser: string | undefined): Promise<PendingSignIn | undefined>
  /** A token that signs this person in, in this browser. For a person who has just proved who they are. */
  makeSignInToken(person: { readonly userId: UserId; readonly email: string }, browser: string): Promise<string>
}

/** Stores a token so that Better Auth accepts it. */
export type StoreToken = (token: string, email: string, expiresAt: Date) => Promise<void>

export function openSignInLinks(people: PeoplePool, store: StoreToken, now: () => number): SignInLinks {
  return {
    async findSignIn(token, browser) {
      const [found] = await people.run<{ id: UserId; email: string; is_here: boolean }>(
        `SELECT "user".id, "user".email, link.browser_hash IS NOT DISTINCT FROM $2 AS is_here
         FROM emailed_link link JOIN "user" ON "user".id = link.user_id
         WHERE link.purpose = 'sign_in' AND link.hash = $1 AND link.expires_at > now()`,
        [hashOf(token), hashOf(browser ?? '')],
      )
      return found && { userId: found.id, email: found.email, isHere: found.is_here }
    },

    async makeSignInToken({ userId, email }, browser) {
      const token = makeSignInLinkToken()
      await store(token, email, new Date(now() + SIGN_IN_LINK_SECONDS * 1000))
      return openEmailedLinks(people).issue('sign_in', userId, { token, browser })
    },
  }
}

export function makeSignInLinkToken(): string {
  return randomBytes(24).toString('base64url')
}
