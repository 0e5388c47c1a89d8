/**
 * Sixty requests of two accounts at once, in strict mode, on a registrar that may be asked for four names a second.
 *
 * Nobody gets a quick empty list: an answer has names, or it has waited until its deadline and says when to come back. The
 * accounts get equal shares, although one sends five times as many requests. The budget is the one in Redis, the registrar
 * a server on loopback; only the names are made up here, so that no two requests want the same.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createVercel,
  type EvidenceSource,
  type Generated,
  type GenerateRequest,
  type LookupBudget,
  openAvailability,
  openBudget,
  openCache,
  openOutbound,
  openPrices,
  openRegistrars,
  type Proposal,
  type Suffix,
  suggest,
  type SuggestContext,
} from '../source.ts'
import { makeCertificate } from '../certificate.ts'
import { openRegistrarServer } from '../internet/registrar-server.ts'
import type { RegistrarServer } from '../internet/registrar-server.ts'
import { emptyRedis, REDIS_TIMEOUT_MS } from '../redis.ts'
import { nothingUnderstood } from '../nothing-understood.ts'
import { runningMs } from '../../../scripts/test/running-ms.ts'

const SECONDS = 25
const PER_SECOND = 4
const TOKEN_MS = 1000 / PER_SECOND
// So many that neither account is served before the end.
const COUNT = SECONDS

const closing = new AsyncDisposableStack()
let server: RegistrarServer
let budget: LookupBudget
let ctx: Partial<SuggestContext>

beforeAll(async () => {
  const certificate = closing.use(await makeCertificate())
  const stranger = closing.use(await makeCertificate())
  const facts = { registered: new Set<string>(), premium: new Map(), reserved: new Set<string>() }
  server = closing.use(
    await openRegistrarServer({ world: { ...facts, unsold: new Set<string>() }, certificate, stranger }),
  )
  const { NAMEWRIGHT_REDIS_URL: url } = await emptyRedis()
  const cache = await openCache({ urls: [url], timeoutMs: REDIS_TIMEOUT_MS })
  closing.defer(() => cache.close())
  const outbound = openOutbound({ ca: certificate.ca, allowPrivate: true, now: Date.now })
  closing.defer(() => outbound.close())
  budget = openBudget({ cache, now: Date.now, start: PER_SECOND })
  // One name a request, so that the budget is one of names.
  const vercel = { ...createVercel({ send: (one) => outbound.send(one), url: server.url, now: Date.now }), batch: 1 }
  const dns: EvidenceSource = {
    name: 'dns',
    ask: async (domains) =>
      new Map(
        domains.map((domain) => [
          domain,
          { domain, source: 'dns', says: 'absent', at: Date.now(), ttlMs: 60_000 } as const,
        ]),
      ),
  }
  ctx = {
    now: Date.now,
    availabilityMode: 'strict',
    sourceHealth: { troubles: () => [] },
    variants: [],
    prices: await openPrices(),
    availability: openAvailability({
      cache,
      local: [],
      screen: [dns],
      confirm: [openRegistrars({ order: [vercel], budget })],
      doubtsOf: () => ({ premiumProne: false, rdapLies: false }),
      now: Date.now,
    }),
  }
  // Connections, and what the registrar sells: nothing of that is to be counted. Then the budget is whole again.
  await request('first', 'org', { deadlineMs: 30_000 })
  await emptyRedis()
}, 60_000)
afterAll(() => closing.disposeAsync())

interface Outcome extends Generated {
  readonly tookMs: number
  /** Without pauses of this process. */
  readonly ranMs: number
}

let made = 0

async function request(
  account: string,
  suffix: string,
  { deadlineMs = SECONDS * 1000, signal = new AbortController().signal } = {},
): Promise<Outcome> {
  const own = `burst-${++made}`
  const names = {
    propose: async (_: unknown, most: number) => Array.from({ length: most }, (__, n) => proposal(n)),
    admit: async () => [],
    summarise: nothingUnderstood,
  }
  const proposal = (n: number) => ({ label: `${own}-${n}`, name: `${own}-${n}` }) as Proposal
  const generateRequest: Partial<GenerateRequest> = {
    count: COUNT,
    suffixes: [suffix as Suffix],
    include: [],
    onlyAvailable: true,
    deadlineMs,
    verify: 'fast',
    currency: 'USD',
    priceLimits: { due: undefined, fiveYears: undefined },
  }
  const [startedAt, startedRunning] = [performance.now(), runningMs()]
  const result = await suggest({ ...ctx, names } as SuggestContext, generateRequest as GenerateRequest, signal, {
    fairnessKey: account,
  })
  return { ...result, tookMs: performance.now() - startedAt, ranMs: runningMs() - startedRunning }
}

const many = (count: number, account: string, suffix: string) =>
  Array.from({ length: count }, () => request(account, suffix))

test(
  'a burst waits for budget, each until its deadline, and two accounts get equal shares',
  { timeout: SECONDS * 1000 + 60_000 },
  async () => {
    const before = server.requests.length
    const outcomes = await Promise.all([...many(50, 'many', 'com'), ...many(10, 'few', 'net')])
    const asked = server.requests.slice(before).flatMap(({ names }) => names)
    const [many_, few] = ['.com', '.net'].map((suffix) => asked.filter((name) => name.endsWith(suffix)).length)
    const slowest = Math.max(...outcomes.map(({ ranMs }) => ranMs))
    const empty = outcomes.filter(({ suggestions }) => suggestions.length === 0)
    console.log(
      `${SECONDS} s: ${many_} names of 50 requests, ${few} of 10; ${empty.length} without names; slowest ${slowest.toFixed(0)} ms`,
    )
    for (const { shortfall, tookMs } of empty) {
      // A token that would come after the deadline is not waited for.
      expect(tookMs).toBeGreaterThan(SECONDS * 1000 - TOKEN_MS - 50)
      expect(shortfall).toMatchObject({
        reason: 'availability_unknown',
        sources: [{ source: 'vercel', state: 'rate_limited' }],
        retry_after: expect.any(Number),
      })
      expect(shortfall?.retry_after).toBeGreaterThanOrEqual(1)
    }
    expect(slowest).toBeLessThan(SECONDS * 1000 + 3_000)
    // Neither more than the budget and its burst, nor much less.
    expect(asked.length).toBeLessThanOrEqual(SECONDS * PER_SECOND + 5 + PER_SECOND)
    expect(asked.length).toBeGreaterThan(SECONDS * PER_SECOND * 0.6)
    expect(Math.abs((many_ ?? 0) - (few ?? 0))).toBeLessThanOrEqual(0.2 * Math.max(many_ ?? 0, few ?? 0))
  },
)

test('who hangs up stops waiting at once, and their names are not sent', { timeout: 60_000 }, async () => {
  while ((await budget.take(new URL(server.url).host, 5)) > 0);
  const hangUp = new AbortController()
  const before = server.requests.length
  const gone = request('many', 'com', { signal: hangUp.signal, deadlineMs: 30_000 })
  hangUp.abort()
  await expect(gone).rejects.toThrow()
  const own = `burst-${made}-`
  // Whatever was still queued would be sent before the names of this request.
  const later = await request('few', 'net', { deadlineMs: 30_000 })
  expect(later.suggestions.length).toBeGreaterThan(0)
  const sent = server.requests.slice(before).flatMap(({ names }) => names)
  expect(sent.filter((name) => name.startsWith(own))).toEqual([])
})

test('while no token can come before the deadline the answer is quick, and says when to come back', async () => {
  const { host } = new URL(server.url)
  await budget.limited(host, 20_000)
  const { suggestions, shortfall, ranMs } = await request('few', 'net', { deadlineMs: 10_000 })
  expect(suggestions).toEqual([])
  expect(shortfall).toMatchObject({ reason: 'availability_unknown' })
  expect(shortfall?.retry_after).toBeGreaterThan(10)
  // The pause, and its own names at half the rate.
  expect(shortfall?.retry_after).toBeLessThanOrEqual(20 + COUNT)
  expect(ranMs).toBeLessThan(9_000)
})
