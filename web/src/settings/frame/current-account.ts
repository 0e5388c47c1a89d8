/** The account that the settings are about. The frame shows no page while there is none. */
import { isAtLeast, useAccount } from '../../api/session.ts'
import type { Account } from '../../api/session.ts'

export function useCurrentAccount(): Account & { readonly isAdmin: boolean } {
  const account = useAccount()
  if (!account) throw new Error('a settings page without an account')
  return { ...account, isAdmin: isAtLeast(account.role, 'admin') }
}
