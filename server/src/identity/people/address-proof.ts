/**
 * Confirms that an email address belongs to the person who signed up.
 *
 * Following the link in a confirmation email proves only that a person or a mail scanner has read the email. So it
 * counts only together with something that only the person who signed up has: the password they chose or, for a sign-up
 * with a provider, the browser they used.
 *
 * A reset proves the address by itself, because it replaces the password; see `account-recovery.ts`.
 */
import type { PeoplePool } from '../../platform/db/people-pool.ts'
import { hashOf } from '../../model/credential-text.ts'
import type { UserId } from '../../model/member.ts'
import { password } from './password.ts'

export interface PendingConfirmation {
  readonly email: string
  /** How the person confirms. */
  readonly by: 'password' | 'browser'
}

export interface ConfirmationProof {
  readonly password: string
  /** The cookie of the browser that signed up with a provider. */
  readonly browser: string | undefined
}

export type Confirmation =
  | { readonly kind: 'confirmed'; readonly email: string; readonly by: PendingConfirmation['by'] }
  | { readonly kind: 'refused' }
  | { readonly kind: 'invalid_link' }

export interface AddressProof {
  findConfirmation(token: string): Promise<PendingConfirmation | undefined>
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
    async findConfirmation(token) {
      const [pending] = await run<PendingRow>(PENDING, [hashOf(token)])
      return pending && { email: pending.email, by: pending.password === null ? 'browser' : 'password' }
    },

    async confirmAddress(token, proof, ip) {
      const confirmed = await transaction(async (within): Promise<Confirmation & { userId?: UserId }> => {
        // Locked: a later sign-up replaces the password either before it is compared or after the confirmation is
        // complete.
        const [pending] = await within<PendingRow>(`${PENDING} FOR UPDATE OF link, "user"`, [hashOf(token)])
        if (!pending) return { kind: 'invalid_link' }
        if (!(await isProved(pending, proof))) return { kind: 'refused' }
        const { user_id: userId, email } = pending
        await within('UPDATE "user" SET email_verified = true, updated_at = now() WHERE id = $1', [userId])
        await within('DELETE FROM emailed_link WHERE user_id = $1', [userId])
        return { kind: 'confirmed', email, by: pending.password === null ? 'browser' : 'password', userId }
      })
      if (confirmed.userId !== undefined) onConfirmed(confirmed.userId, ip)
      return confirmed
    },
  }
}

async function isProved(pending: PendingRow, { password: text, browser }: ConfirmationProof): Promise<boolean> {
  if (pending.password !== null) return password.verify({ hash: pending.password, password: text })
  return browser !== undefined && pending.browser_hash !== null && pending.browser_hash.equals(hashOf(browser))
}
