/** Which domains get the lookups of a registry whose budget does not last for all. */
import { expect, test } from 'vitest'
import type { Domain } from '../../model/domain.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { openAvailability } from './availability.ts'
import type { LookupBudget } from './budget.ts'
import type { EvidenceSource } from './evidence.ts'
import { openBootstrap } from './rdap/bootstrap.ts'
import { openRdap } from './rdap/rdap.ts'

const BASE = 'https://rdap.example/'
// Four letters or less, a suffix with price tiers, and a registry that denies registered names.
const DOUBTFUL = ['abcd.com', 'quiet-heron.shop', 'efgh.com', 'quiet-heron.io', 'ijkl.com'] as Domain[]
const PROVABLE = ['quiet-heron.com', 'loud-heron.com', 'slow-heron.com'] as Domain[]
const DAY_MS = 24 * 60 * 60_000

/** `lookups`: three of them are for registered domains, one of each suffix. `atOnce`: how many tokens there are at once; the others come one by one. */
async function check(lookups: number, atOnce: number) {
  let at = 1_800_000_000_000
  const now = () => at
  const asked: string[] = []
  const outbound: Outbound = {
    send: async ({ url }) => {
      const domain = url.slice(`${BASE}domain/`.length)
      // By which a server shows that it still has its data.
      const isKnown = domain.startsWith('nic.')
      if (!isKnown) asked.push(domain)
      const body = JSON.stringify(isKnown ? { objectClassName: 'domain', ldhName: domain } : { errorCode: 404 })
      const headers = { 'content-type': 'application/rdap+json' }
      return { kind: 'answer', status: isKnown ? 200 : 404, headers, body: Buffer.from(body) }
    },
    stream: () => Promise.reject(new Error('refused')),
    close: async () => {},
  }
  let left = lookups
  let ready = atOnce
  const budget: LookupBudget = {
    take: async (_, wanted) => {
      const granted = Math.min(wanted, left, ready)
      left -= granted
      ready -= granted
      return granted
    },
    waitOf: () => {
      if (left === 0) return DAY_MS
      // The next one is there when it is asked for again.
      ready = 1
      at += 1
      return 1
    },
    limited: async () => {},
    rateOf: () => 1,
  }
  const passed = `HEAD|1|1|${at}`
  const cache = {
    getMany: async (keys: readonly string[]) => keys.map((key) => (key.startsWith('rt:') ? passed : null)),
    setMany: async () => {},
  }
  const bootstrap = openBootstrap({ outbound, now, facts: { servers: { [BASE]: 'com shop io' } } })
  const dns: EvidenceSource = {
    name: 'dns',
    ask: async (domains) =>
      new Map(domains.map((domain) => [domain, { domain, source: 'dns', says: 'absent', at, ttlMs: DAY_MS }])),
  }
  const rdap = openRdap({ outbound, budget, bootstrap, cache, now })
  const availability = openAvailability({
    cache,
    local: [],
    screen: [dns],
    confirm: [rdap],
    doubtsOf: (domain) => ({
      premiumProne: domain.endsWith('.shop') || domain.indexOf('.') <= 4,
      rdapLies: domain.endsWith('.io'),
    }),
    now,
  })
  const domains = DOUBTFUL.flatMap((domain, index) => [domain, ...PROVABLE.slice(index, index + 1)])
  const signal = new AbortController().signal
  const verdicts = await availability.check(domains, { deadlineMs: 30_000, depth: 'confirm', fresh: false, signal })
  rdap.close()
  const proved = domains.filter((domain) => verdicts.get(domain)?.confidence === 'definitive')
  return { asked, proved }
}

test('a registry is first asked about domains whose absence proves something', async () => {
  expect(await check(6, 6)).toEqual({ asked: PROVABLE, proved: PROVABLE })
})

test('also when its lookups come one by one', async () => {
  // One is spent on another suffix, whose server was seen to have its data before that of com.
  const { asked, proved } = await check(7, 1)
  expect({ lookups: asked.length, proved }).toEqual({ lookups: 4, proved: PROVABLE })
})

test('what is left goes to the others', async () => {
  const { asked, proved } = await check(20, 20)
  expect({ first: asked.slice(0, 3), proved }).toEqual({ first: PROVABLE, proved: PROVABLE })
  expect(asked.slice(3).toSorted()).toEqual(DOUBTFUL.toSorted())
})
