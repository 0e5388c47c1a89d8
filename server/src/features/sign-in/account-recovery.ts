/**
 * Lets the owner of an email address recover the account behind it: by a password reset, or by signing up while the
 * address is unconfirmed. Both end every other access to the account.
 *
 * A reset ends sessions, tokens and remembered devices. If the address was never confirmed, the earlier sign-up may
 * belong to somebody else, so its passkeys and providers are removed too.
 */
import type { PeoplePool } from '../../platform/db/people-pool.ts'
import { makeId } from '../../model/id.ts'
import type { UserId } from '../../model/member.ts'
import { password } from './password.ts'

/** What a reset removed besides sessions and tokens. */
export interface Evicted {
  readonly passkeys: number
}

export function provingByReset({ transaction }: PeoplePool): (userId: string) => Promise<Evicted> {
  return (userId) =>
    transaction(async (within) => {
      const [person] = await within<{ email_verified: boolean; address_proved_at: Date | null }>(
        'SELECT email_verified, address_proved_at FROM "user" WHERE id = $1 FOR UPDATE',
        [userId],
      )
      const isFirstProof = person?.address_proved_at === null
      const passkeys = isFirstProof ? await within('DELETE FROM passkey WHERE user_id = $1 RETURNING id', [userId]) : []
      if (isFirstProof) await within(`DELETE FROM login WHERE user_id = $1 AND provider_id <> 'credential'`, [userId])
      // A confirmed person keeps the second factor: access to the mailbox alone must not remove it.
      if (isFirstProof && !person.email_verified) await removeSecondFactor(within, userId)
      await within(
        `UPDATE "user" SET email_verified = true, address_proved_at = coalesce(address_proved_at, now()),
           updated_at = now() WHERE id = $1`,
        [userId],
      )
      await endAccess(within, userId)
      return { passkeys: passkeys.length }
    })
}

/** Ends sessions, tokens, sign-ins in progress and remembered devices. Used codes stay, so that none works twice. */
async function endAccess(within: PeoplePool['run'], userId: string): Promise<void> {
  for (const table of ['session', 'oauth_access_token', 'oauth_refresh_token']) {
    await within(`DELETE FROM ${table} WHERE user_id = $1`, [userId])
  }
  await within('DELETE FROM verification WHERE position($1 in value) > 0 AND identifier <> id', [userId])
}

/** Removes the authenticator app and its recovery codes; passkeys stay. */
export async function removeSecondFactor(within: PeoplePool['run'], userId: string): Promise<void> {
  await within('DELETE FROM two_factor WHERE user_id = $1', [userId])
  await within('UPDATE "user" SET two_factor_enabled = NULL WHERE id = $1', [userId])
}

export interface SignUp {
  readonly name: string
  readonly language: string | null
  readonly password: string
}

/** A later sign-up for an unconfirmed address replaces the earlier one. */
export function replacingSignUps({ transaction }: PeoplePool, now: () => number) {
  return async (userId: string, { name, language, password: text }: SignUp): Promise<boolean> => {
    const hash = await password.hash(text)
    return transaction(async (within) => {
      const replaced = await within(
        `UPDATE "user" SET name = $2, language = $3, updated_at = now() WHERE id = $1 AND NOT email_verified
         RETURNING id`,
        [userId, name, language],
      )
      if (replaced.length === 0) return false
      await within('DELETE FROM login WHERE user_id = $1', [userId])
      await within('DELETE FROM passkey WHERE user_id = $1', [userId])
      await removeSecondFactor(within, userId)
      await endAccess(within, userId)
      await within(
        `INSERT INTO login (id, account_id, provider_id, user_id, password, updated_at)
         VALUES ($1, $2, 'credential', $2, $3, now())`,
        [makeId(now()), userId, hash],
      )
      return true
    })
  }
}

/** The ways a person can sign in besides the password. */
export interface SignInMethods {
  readonly passkeys: readonly { readonly name: string | null; readonly created_at: Date | null }[]
  readonly providers: readonly string[]
  readonly hasPassword: boolean
  readonly twoFactor: boolean
}

export function listingSignInMethods({ run }: PeoplePool): (userId: UserId) => Promise<SignInMethods> {
  return async (userId) => {
    const [passkeys, logins, [person]] = await Promise.all([
      run<SignInMethods['passkeys'][number]>(
        'SELECT name, created_at FROM passkey WHERE user_id = $1 ORDER BY created_at',
        [userId],
      ),
      run<{ provider_id: string }>('SELECT provider_id FROM login WHERE user_id = $1 ORDER BY created_at', [userId]),
      run<{ two_factor_enabled: boolean | null }>('SELECT two_factor_enabled FROM "user" WHERE id = $1', [userId]),
    ])
    const providers = logins.map(({ provider_id }) => provider_id)
    return {
      passkeys,
      providers: providers.filter((name) => name !== 'credential'),
      hasPassword: providers.includes('credential'),
      twoFactor: person?.two_factor_enabled === true,
    }
  }
}
