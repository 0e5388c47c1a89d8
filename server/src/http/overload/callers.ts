/**
 * Whose a credential was the last time, so that a busy node can tell accounts apart before it asks anybody.
 *
 * Nobody is let in by it: who it is, and whether they still may, is found out as ever. It holds hashes and forgets what
 * was not used for longest.
 */
import { hash } from 'node:crypto'

const MOST = 10_000

export interface Callers {
  find(credential: string | undefined): string | undefined
  keep(credential: string, account: string): void
}

export function createCallers(most = MOST): Callers {
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
