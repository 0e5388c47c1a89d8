/**
 * Whether this machine reaches anybody: without a network every source would wait for its deadline, and nobody would get
 * a name. One answer of any kind, from a resolver or from the registrar's server, is enough.
 *
 * Also what to say of a proxy that does not connect.
 */
import { Resolver } from 'node:dns/promises'
import type { FailReason } from '../../../server/src/platform/outbound/fail-reason.ts'
import type { Outbound } from '../../../server/src/platform/outbound/outbound.ts'
import { startPauseTolerantTimer } from '../../../server/src/platform/pause-tolerant-timer.ts'

const PATIENCE_MS = 900
// Each step of a connection takes twice the way, and often there is no resolver that would be faster.
const PROXY_PATIENCE_MS = 4_000
// A resolver that answers does so sooner, and then the registrar is not asked.
const RESOLVER_FIRST_MS = 300
// A laptop that is opened again soon has a network.
const OFFLINE_FOR_MS = 5_000
const NO_ANSWER = new Set(['ETIMEOUT', 'ECONNREFUSED', 'ENOTINITIALIZED', 'ECANCELLED', 'ERR_INVALID_IP_ADDRESS'])
const NOBODY_THERE = new Set<FailReason>(['network', 'timeout', 'refused', 'aborted', 'proxy', 'proxy_credentials'])

export interface NetworkOptions {
  readonly resolvers: readonly string[]
  readonly outbound: Pick<Outbound, 'send'>
  /** Asked where no resolver answers, as behind a proxy. */
  readonly url: string
  readonly hasProxy: boolean
  readonly now: () => number
}

export interface Network {
  /** Never rejects. */
  readonly isOffline: () => Promise<boolean>
  /** As it was found last. */
  readonly wasOffline: () => boolean
}

export function createNetworkCheck({ resolvers, outbound, url, hasProxy, now }: NetworkOptions): Network {
  const patienceMs = hasProxy ? PROXY_PATIENCE_MS : PATIENCE_MS
  let known: { readonly isOffline: Promise<boolean>; readonly at: number; wasOffline: boolean } | undefined

  /** Neither a resolver nor a connection can be relied on to give up in time. */
  async function isUnreachable(): Promise<boolean> {
    const stop = new AbortController()
    const resolver = new Resolver({ timeout: PATIENCE_MS, tries: 1 })
    const stopTimers: (() => void)[] = []
    const falseAfter = (ms: number) =>
      new Promise<false>((resolve) => void stopTimers.push(startPauseTolerantTimer(ms, () => resolve(false))))
    try {
      const answered = Promise.race([isResolverThere(resolver), falseAfter(PATIENCE_MS)])
      if (await Promise.race([answered, falseAfter(RESOLVER_FIRST_MS)])) return false
      const registrar = Promise.race([isRegistrarThere(stop.signal), falseAfter(patienceMs)])
      return !(await isAny([answered, registrar]))
    } finally {
      for (const stopTimer of stopTimers) stopTimer()
      resolver.cancel()
      stop.abort()
    }
  }

  async function isResolverThere(resolver: Resolver): Promise<boolean> {
    if (resolvers.length === 0) return false
    try {
      resolver.setServers(resolvers)
      await resolver.resolveNs('com')
      return true
    } catch (error) {
      return !(error instanceof Error && 'code' in error && NO_ANSWER.has(String(error.code)))
    }
  }

  async function isRegistrarThere(signal: AbortSignal): Promise<boolean> {
    const request = { url, method: 'HEAD', maxBytes: 0, statusDecides: true, timeoutMs: patienceMs, signal } as const
    const answer = await outbound.send(request)
    return answer.kind === 'answer' || !NOBODY_THERE.has(answer.reason)
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

/** As soon as one is true. */
async function isAny(found: readonly Promise<boolean>[]): Promise<boolean> {
  const others = Promise.all(found).then((all) => all.includes(true))
  const trueOnes = found.map(async (one) => (await one) || others)
  return Promise.race(trueOnes)
}

/** Says once that the proxy does not connect. The sentence names neither its address nor a password. */
export function watchProxy(outbound: Outbound, say: (line: string) => void): Outbound {
  let isTold = false
  return {
    ...outbound,
    async send(request) {
      const answer = await outbound.send(request)
      const wrong = answer.kind === 'failed' ? PROXY_FAULTS[answer.reason] : undefined
      if (wrong !== undefined && !isTold) {
        isTold = true
        say(`The proxy in HTTPS_PROXY ${wrong} (${new URL(request.url).hostname}).`)
      }
      return answer
    },
  }
}

const PROXY_FAULTS: Readonly<Partial<Record<FailReason, string>>> = {
  proxy: 'does not connect: check its address, or unset it',
  proxy_credentials: 'wants credentials: write it like http://user:password@proxy.example:3128',
}
