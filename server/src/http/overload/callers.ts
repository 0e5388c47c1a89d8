/**
 * Remembers the account of each recently seen credential, so that a busy node can tell accounts apart without a lookup.
 *
 * It must never authorize anybody: identity and permissions are always verified separately. It holds hashes only.
 */
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

const MAX_CALLERS = 10_000

export interface Callers {
  find(credential: string | undefined): string | undefined
  keep(credential: string, account: string): void
}

export function createCallers(most = MAX_CALLERS): Callers {
  const accounts = new LRUCache<string, string>({ max: most })
  const keyOf = (credential: string) => hash('sha256', credential, 'base64')
  return {
    find: (credential) => (credential === undefined ? undefined : accounts.get(keyOf(credential))),
    keep: (credential, account) => void accounts.set(keyOf(credential), account),
  }
}
