/**
 * Confirms that an email address belongs to the person who signed up.
 *
 * Following the link in a confirmation email proves only that a person or a mail scanner has read the email. So it
 * counts only together with something that only the person who signed up has: the browser they used, or the password
 * they chose. A sign-up with a provider has no password.
 *
 * A reset proves the address by itself, because it replaces the password; see `account-recovery.ts`.
 */
import type { PeoplePool } from '../../platform/db/people-pool.ts'
import { hashOf } from '../../model/credential-text.ts'
import type { UserId } from '../../model/member.ts'
import { password } from './password.ts'

export interface PendingConfirmation {
  readonly email: string
  /** How the person confirms; `other_browser`: only the browser of the sign-up can. */
  readonly by: 'password' | 'browser' | 'other_browser'
}

export interface ConfirmationProof {
  readonly password: string
  /** The cookie of this browser. */
  readonly browser: string | undefined
}

export type Confirmation =
  | { readonly kind: 'confirmed'; readonly userId: UserId; readonly email: string; readonly by: 'password' | 'browser' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'invalid_link' }

export interface AddressProof {
  findConfirmation(token: string, browser: string | undefined): Promise<PendingConfirmation | undefined>
  confirmAddress(token: string, proof: ConfirmationProof, ip: string): Promise<Confirmation>
}

interface PendingRow {
  readonly user_id: UserId
  readonly email: string
  readonly browser_hash: Buffer | null
  readonly password: string | null
}

const PENDING = `
  SELECT link.user_id, "user".email, link.browser_hash, login.password
  FROM emailed_link link JOIN "user" ON "user".id = link.user_id
    LEFT JOIN login ON login.user_id = link.user_id AND login.provider_id = 'credential'
  WHERE link.purpose = 'confirm' AND link.hash = $1 AND link.expires_at > now()`

export function openAddressProof(
  { run, transaction }: PeoplePool,
  onConfirmed: (userId: UserId, ip: string) => void,
): AddressProof {
  return {
    async findConfirmation(token, browser) {
      const [pending] = await run<PendingRow>(PENDING, [hashOf(token)])
      if (!pending) return undefined
      const by = isBound(pending, browser) ? 'browser' : pending.password === null ? 'other_browser' : 'password'
      return { email: pending.email, by }
    },

    async confirmAddress(token, proof, ip) {
      const confirmed = await transaction(async (within): Promise<Confirmation> => {
        // Locked: a later sign-up replaces the password either before it is compared or after the confirmation is
        // complete.
        const [pending] = await within<PendingRow>(`${PENDING} FOR UPDATE OF link, "user"`, [hashOf(token)])
        if (!pending) return { kind: 'invalid_link' }
        const by = await proofOf(pending, proof)
        if (by === undefined) return { kind: 'refused' }
        const { user_id: userId, email } = pending
        await within('UPDATE "user" SET email_verified = true, updated_at = now() WHERE id = $1', [userId])
        await within('DELETE FROM emailed_link WHERE user_id = $1', [userId])
        return { kind: 'confirmed', email, by, userId }
      })
      if (confirmed.kind === 'confirmed') onConfirmed(confirmed.userId, ip)
      return confirmed
    },
  }
}

async function proofOf(pending: PendingRow, proof: ConfirmationProof): Promise<'password' | 'browser' | undefined> {
  if (isBound(pending, proof.browser)) return 'browser'
  if (pending.password === null) return undefined
  return (await password.verify({ hash: pending.password, password: proof.password })) ? 'password' : undefined
}

function isBound({ browser_hash: bound }: PendingRow, browser: string | undefined): boolean {
  return browser !== undefined && bound !== null && bound.equals(hashOf(browser))
}
