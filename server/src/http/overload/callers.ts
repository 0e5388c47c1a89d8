/**
 * Remembers whose each recently verified credential is, so that a node can tell accounts apart without a lookup.
 *
 * It must never authorize anybody: identity and permissions are always verified separately. It holds hashes only.
 */
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

const MAX_CALLERS = 10_000

export interface Holder {
  /** The account or person; of a publishable key, the address of the visitor. */
  readonly subject: string
  readonly isVisitor: boolean
}

export interface Callers {
  find(credential: string | undefined): Holder | undefined
  keep(credential: string, holder: Holder): void
}

export function createCallers(most = MAX_CALLERS): Callers {
  const holders = new LRUCache<string, Holder>({ max: most })
  const keyOf = (credential: string) => hash('sha256', credential, 'base64')
  return {
    find: (credential) => (credential === undefined ? undefined : holders.get(keyOf(credential))),
    keep: (credential, holder) => void holders.set(keyOf(credential), holder),
  }
}
