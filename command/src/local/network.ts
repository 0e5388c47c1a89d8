/**
 * Whether this machine reaches anybody: without a network every source would wait for its deadline, and nobody would get
 * a name. One answer of any kind, from a resolver or from the registrar's server, is enough.
 */
import { Resolver } from 'node:dns/promises'
import type { Outbound } from '../../../server/src/platform/outbound/outbound.ts'

const PATIENCE_MS = 1_000
// A laptop that is opened again soon has a network.
const OFFLINE_FOR_MS = 5_000
const NO_ANSWER = new Set(['ETIMEOUT', 'ECONNREFUSED', 'ENOTINITIALIZED', 'ECANCELLED'])

export interface NetworkOptions {
  readonly resolvers: readonly string[]
  readonly outbound: Pick<Outbound, 'send'>
  /** Asked where no resolver answers, as behind a proxy. */
  readonly url: string
  readonly now: () => number
}

export interface Network {
  /** Never rejects. */
  readonly isOffline: () => Promise<boolean>
  /** As it was found last. */
  readonly wasOffline: () => boolean
}

export function createNetworkCheck({ resolvers, outbound, url, now }: NetworkOptions): Network {
  let known: { readonly isOffline: Promise<boolean>; readonly at: number; wasOffline: boolean } | undefined

  async function isUnreachable(): Promise<boolean> {
    if (await isResolverThere()) return false
    const { signal } = new AbortController()
    const answer = await outbound.send({
      url,
      method: 'HEAD',
      maxBytes: 0,
      statusDecides: true,
      timeoutMs: PATIENCE_MS,
      signal,
    })
    return answer.kind === 'failed' && (answer.reason === 'network' || answer.reason === 'timeout')
  }

  async function isResolverThere(): Promise<boolean> {
    if (resolvers.length === 0) return false
    const resolver = new Resolver({ timeout: PATIENCE_MS, tries: 1 })
    resolver.setServers(resolvers)
    try {
      await resolver.resolveNs('com')
      return true
    } catch (error) {
      return !(error instanceof Error && 'code' in error && NO_ANSWER.has(String(error.code)))
    } finally {
      resolver.cancel()
    }
  }

  return {
    isOffline() {
      if (known === undefined || (known.wasOffline && now() - known.at > OFFLINE_FOR_MS)) {
        const asked = { isOffline: isUnreachable(), at: now(), wasOffline: false }
        void asked.isOffline.then((found) => (asked.wasOffline = found))
        known = asked
      }
      return known.isOffline
    },
    wasOffline: () => known?.wasOffline ?? false,
  }
}
