/**
 * One server's word about one suffix: asked, checked against what the server is worth, and given on only then.
 *
 * What a server is worth is found out by the first question (`trust.ts`) and shared by all nodes through the cache.
 * When that is getting old it is found out again beside the work, and the old judgement serves meanwhile.
 */
import type { LookupCache } from '../verdict-cache.ts'
import type { Finding } from './answer.ts'
import type { RdapServer } from './bootstrap.ts'
import type { Lane } from './lane.ts'
import { probe, readTrust, writeTrust } from './trust.ts'
import type { Trust } from './trust.ts'

/** `unasked`: it could not be asked now. `odd`: it was, and what it said is nothing. */
export type Word = 'registered' | 'ending' | 'absent' | 'unasked' | 'odd'

export interface Testimony {
  readonly word: Word
  readonly registeredUntil?: number
}

export interface Witness {
  /** Undefined when what it says is not believed. */
  ask(domain: string, signal: AbortSignal): Promise<Testimony | undefined>
}

export interface WitnessOptions {
  readonly lane: Lane
  readonly server: RdapServer
  readonly cache: LookupCache
  readonly now: () => number
  readonly closing: AbortSignal
}

// Three questions per suffix and six hours: nothing to the host, and a server that lost its data is noticed the same day.
const JUDGED_MS = 6 * 60 * 60 * 1000
// While it is judged again; after that it is a stranger.
const OLD_MS = 60 * 60 * 1000
// Told to come back later, or nobody there: neither says anything of the domain.
const AWAY: ReadonlySet<Finding> = new Set(['unasked', 'limited', 'broken'])
// After a probe that found nothing out: the host is limited or in trouble, and more questions would not help it.
const RETRY_MS = 30_000

export function createWitness({ lane, server, cache, now, closing }: WitnessOptions): Witness {
  const key = `rt:1:${server.base}${server.suffix}`
  let judged: { readonly trust: Trust; readonly at: number } | undefined
  let judging: Promise<Trust | undefined> | undefined
  let retryAt = 0

  async function judge(): Promise<Trust | undefined> {
    const [text] = await cache.getMany([key])
    const shared = readTrust(text ?? '')
    if (shared !== undefined && now() - shared.at < JUDGED_MS) {
      judging = undefined
      judged = shared
      return shared.trust
    }
    const trust = await probe(lane, server.known, closing)
    judging = undefined
    if (trust === undefined) {
      retryAt = now() + RETRY_MS
      return undefined
    }
    judged = { trust, at: now() }
    void cache.setMany([{ key, value: writeTrust(trust, judged.at), ttlMs: JUDGED_MS }])
    return trust
  }

  function trustNow(): Promise<Trust | undefined> | Trust | undefined {
    const age = judged === undefined ? Infinity : now() - judged.at
    if (judged !== undefined && age < JUDGED_MS) return judged.trust
    if (now() >= retryAt) judging ??= judge()
    return judged !== undefined && age < JUDGED_MS + OLD_MS ? judged.trust : judging
  }

  return {
    async ask(domain, signal) {
      const trust = await trustNow()
      if (trust === undefined) return { word: 'unasked' }
      const first = await lane.look(domain, trust.method, signal)
      if (first.finding === 'absent') return trust.absent ? { word: 'absent' } : undefined
      // HEAD has found something; what, only the body can say.
      const { finding, ...more } = first.finding === 'found' ? await lane.look(domain, 'GET', signal) : first
      if (finding === 'registered' || finding === 'ending')
        return trust.registered ? { word: finding, ...more } : undefined
      return { word: AWAY.has(finding) ? 'unasked' : 'odd' }
    },
  }
}
