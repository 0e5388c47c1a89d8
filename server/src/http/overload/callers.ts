/**
 * Remembers the account of each recently seen credential, so that a busy node can tell accounts apart without a lookup.
 *
 * It must never authorize anybody: identity and permissions are always verified separately. It holds hashes only and
 * evicts the least recently used.
 */
import { hash } from 'node:crypto'

const MAX_CALLERS = 10_000

export interface Callers {
  find(credential: string | undefined): string | undefined
  keep(credential: string, account: string): void
}

export function createCallers(most = MAX_CALLERS): Callers {
  const accounts = new Map<string, string>()
  const keyOf = (credential: string) => hash('sha256', credential, 'base64')
  return {
    find: (credential) => (credential === undefined ? undefined : accounts.get(keyOf(credential))),
    keep(credential, account) {
      const key = keyOf(credential)
      accounts.delete(key)
      accounts.set(key, account)
      if (accounts.size > most) accounts.delete(accounts.keys().next().value ?? key)
    },
  }
}
