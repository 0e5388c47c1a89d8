/** The chain with DNS as its only source: what is remembered, what is asked, and that a deadline is kept. */
import { afterEach, expect, test } from 'vitest'
import {
  type Availability,
  type AvailabilityOptions,
  type Domain,
  type Evidence,
  type EvidenceSource,
  isRegistrable,
  openAvailability,
  openDnsSource,
  type Verdict,
} from './source.ts'
import { answerTo, openFakeResolver } from './internet/fake-resolver.ts'
import { runningMs } from '../../scripts/test/running-ms.ts'

const RESOLVER = '127.0.0.1:5320'
const never = new AbortController().signal
const screen = { deadlineMs: 5000, depth: 'screen', fresh: false, signal: never } as const

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close()
})

interface MemoryCache {
  readonly values: Map<string, string>
  reads: number
  writes: number
}

interface OpenOptions extends Partial<AvailabilityOptions> {
  readonly memory?: MemoryCache
  readonly resolvers?: readonly string[]
}

function open(options: OpenOptions = {}): Availability & { readonly memory: MemoryCache } {
  const {
    memory = { values: new Map(), reads: 0, writes: 0 },
    resolvers = [RESOLVER],
    now = Date.now,
    ...rest
  } = options
  const cache: AvailabilityOptions['cache'] = {
    getMany(keys) {
      memory.reads += 1
      return Promise.resolve(keys.map((key) => memory.values.get(key) ?? null))
    },
    setMany(entries) {
      memory.writes += 1
      for (const { key, value } of entries) memory.values.set(key, value)
      return Promise.resolve()
    },
  }
  const dns = openDnsSource({ resolvers, now })
  opened.push(dns)
  const doubtsOf = () => ({ premiumProne: false, rdapLies: false })
  return { ...openAvailability({ cache, local: [], screen: [dns], confirm: [], doubtsOf, now, ...rest }), memory }
}

async function openFake(reply: Parameters<typeof openFakeResolver>[0]) {
  const fake = await openFakeResolver(reply)
  opened.push(fake)
  return fake
}

function domains(...texts: string[]): Domain[] {
  return texts as Domain[]
}

function many(count: number): Domain[] {
  return domains(...Array.from({ length: count }, (_, index) => `free-for-sure-${index}.com`))
}

function statusesOf(verdicts: ReadonlyMap<Domain, Verdict>): string[] {
  return [...verdicts.values()].map(({ status }) => status)
}

test('what cannot be a domain is invalid and is not asked', async () => {
  const fake = await openFake((query) => [answerTo(query, 'nxdomain')])
  const bad = domains('a b.com', '-a.com', 'com', 'A.com', `${'a'.repeat(64)}.com`, 'ab--cd.com', 'a..com', '')
  const verdicts = await open({ resolvers: [fake.address] }).check(bad, screen)
  expect(statusesOf(verdicts)).toEqual(bad.map(() => 'invalid'))
  expect(fake.asked).toEqual([])
})

test('a domain given twice is asked once and answered once', async () => {
  const fake = await openFake((query) => [answerTo(query, 'noerror')])
  const twice = domains('mayfly.com', 'mayfly.com')
  const verdicts = await open({ resolvers: [fake.address] }).check(twice, screen)
  expect(statusesOf(verdicts)).toEqual(['taken'])
  expect(fake.asked).toEqual(['mayfly.com'])
})

test('the deadline is kept, with the answers that came before it', async () => {
  const half = await openFake((query, domain) => (domain.includes('7') ? [] : [answerTo(query, 'noerror')]))
  const missed: number[] = []
  const availability = open({ resolvers: [half.address], onTimeout: (count) => missed.push(count) })
  const [start, startRunning] = [performance.now(), runningMs()]
  const verdicts = await availability.check(many(100), { ...screen, deadlineMs: 1_500 })
  expect(performance.now() - start).toBeGreaterThan(1_450)
  expect(runningMs() - startRunning).toBeLessThan(2_300)
  for (const [domain, { status }] of verdicts) expect(status).toBe(domain.includes('7') ? 'unknown' : 'taken')
  expect(missed).toEqual([19])
})

test('a cache that hangs does not hold the deadline up', async () => {
  const cache = { getMany: () => new Promise<never>(() => {}), setMany: () => Promise.resolve() }
  const start = runningMs()
  const verdicts = await open({ cache }).check(domains('mayfly.com'), { ...screen, deadlineMs: 100 })
  expect(runningMs() - start).toBeLessThan(1000)
  expect(statusesOf(verdicts)).toEqual(['unknown'])
})

test('a caller who is already gone asks nobody', async () => {
  const fake = await openFake((query) => [answerTo(query, 'noerror')])
  const availability = open({ resolvers: [fake.address] })
  const verdicts = await availability.check(many(3), { ...screen, signal: AbortSignal.abort() })
  expect(statusesOf(verdicts)).toEqual(['unknown', 'unknown', 'unknown'])
  expect([fake.asked.length, availability.memory.reads]).toEqual([0, 0])
})

test('what another node has cached is not asked again, with one read and one write per check', async () => {
  const fake = await openFake((query, domain) => [answerTo(query, domain.startsWith('t') ? 'noerror' : 'nxdomain')])
  const availability = open({ resolvers: [fake.address] })
  const other = open({ resolvers: [fake.address], memory: availability.memory })
  const asked = domains('t1.com', 't2.com', 'f1.com', 'f2.com')
  const first = await availability.check(asked, screen)
  const second = await other.check(asked, screen)
  expect(second).toEqual(first)
  expect(fake.asked.length).toBe(4)
  expect([availability.memory.reads, availability.memory.writes]).toEqual([2, 1])
})

test('what a node has just learned it does not even read from the cache', async () => {
  const fake = await openFake((query) => [answerTo(query, 'noerror')])
  const availability = open({ resolvers: [fake.address] })
  const asked = domains('t1.com', 't2.com')
  const first = await availability.check(asked, screen)
  const second = await availability.check(asked, screen)
  expect(second).toEqual(first)
  expect([fake.asked.length, availability.memory.reads]).toEqual([2, 1])
})

test('who wants it fresh gets no verdict from a cache', async () => {
  const fake = await openFake((query) => [answerTo(query, fake.asked.length > 1 ? 'noerror' : 'nxdomain')])
  const availability = open({ resolvers: [fake.address] })
  expect(statusesOf(await availability.check(domains('mayfly.com'), screen))).toEqual(['available'])
  expect(statusesOf(await availability.check(domains('mayfly.com'), screen))).toEqual(['available'])
  expect(statusesOf(await availability.check(domains('mayfly.com'), { ...screen, fresh: true }))).toEqual(['taken'])
  expect([fake.asked.length, availability.memory.reads]).toEqual([2, 1])
})

test('an old "available" is never repeated, even when the cache still has it', async () => {
  let now = 1_000_000
  const fake = await openFake((query) => [answerTo(query, now < 1_300_000 ? 'nxdomain' : 'noerror')])
  const availability = open({ resolvers: [fake.address], now: () => now })
  expect(statusesOf(await availability.check(domains('mayfly.com'), screen))).toEqual(['available'])
  now += 299_999
  expect(statusesOf(await availability.check(domains('mayfly.com'), screen))).toEqual(['available'])
  expect(fake.asked.length).toBe(1)
  now += 1
  expect(availability.memory.values.size).toBe(1)
  expect(statusesOf(await availability.check(domains('mayfly.com'), screen))).toEqual(['taken'])
})

test('an old "available" is not repeated when the resolver is gone either', async () => {
  let now = 1_000_000
  const availability = open({ resolvers: ['127.0.0.1:9'], now: () => now })
  availability.memory.values.set('av:3:mayfly.com', `a|d|${now - 10}|${now + 10}|dns`)
  const options = { ...screen, deadlineMs: 100 }
  expect(statusesOf(await availability.check(domains('mayfly.com'), options))).toEqual(['available'])
  now += 10
  expect(statusesOf(await availability.check(domains('mayfly.com'), options))).toEqual(['unknown'])
})

test('only strict mode asks for a definitive word, and no mode offers what may be premium or is', () => {
  const verdict = { domain: 'mayfly.com' as Domain, sources: [], checkedAt: 0, expiresAt: 0 }
  const likely = { ...verdict, status: 'available', confidence: 'likely' } as const
  const sure = { ...verdict, status: 'available', confidence: 'definitive' } as const
  const taken = { ...verdict, status: 'taken', confidence: 'definitive' } as const
  const unknown = { ...verdict, status: 'unknown', confidence: 'likely' } as const
  const premium = { ...verdict, status: 'premium', confidence: 'definitive' } as const
  const prone = { ...likely, premiumProne: true } as const
  const all = [likely, sure, prone, taken, unknown, premium]
  expect(all.map((each) => isRegistrable(each, 'strict'))).toEqual([false, true, false, false, false, false])
  expect(all.map((each) => isRegistrable(each, 'balanced'))).toEqual([true, true, false, false, false, false])
})

test('the word of a seller alone counts where no list could contradict it, and not while one is silent', async () => {
  const fake = await openFake(() => [])
  const [domain] = domains('sold-on-its-own.com')
  const seller: EvidenceSource = {
    name: 'seller',
    ask: async (asked) => new Map(asked.map((one) => [one, evidenceOf(one, 'available')])),
  }
  const statusWith = async (registry: Omit<EvidenceSource, 'name'>) => {
    const confirm = [seller, { name: 'registry', ...registry }]
    const chain = open({ resolvers: [fake.address], screen: [], confirm })
    return (await chain.check([domain!], { ...screen, depth: 'confirm', deadlineMs: 200 })).get(domain!)?.status
  }
  const nothing = async () => new Map<Domain, Evidence>()
  expect(await statusWith({ ask: nothing })).toBe('available')
  expect(await statusWith({ ask: nothing, covers: () => false })).toBe('available')
  // It has a list that the name would be on, and could not be asked.
  expect(await statusWith({ ask: nothing, covers: () => true })).toBe('unknown')
  // Nobody knows yet whether it would have answered.
  const ask: EvidenceSource['ask'] = (_asked, signal) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(new Map())))
  expect(await statusWith({ ask })).toBe('unknown')
})

function evidenceOf(domain: Domain, says: Evidence['says']): Evidence {
  return { domain, source: 'seller', says, at: Date.now(), ttlMs: 60_000 }
}

test('who can wait asks others, and what they had no time for is unknown, whatever DNS lacks', async () => {
  const evidence = (domain: Domain, says: Evidence['says'], more: object = {}) => ({
    domain,
    source: 'patient',
    says,
    at: Date.now(),
    ttlMs: 60_000,
    ...more,
  })
  const asked: Domain[] = []
  const patient: EvidenceSource = {
    name: 'patient',
    reportsExpiryDates: true,
    async ask(wanted, signal) {
      asked.push(...wanted)
      if (wanted.some((domain) => domain.startsWith('late-'))) {
        await new Promise((stopped) => signal.addEventListener('abort', stopped))
        return new Map()
      }
      return new Map(wanted.map((domain) => [domain, evidence(domain, 'registered', { registeredUntil: 7 })]))
    },
  }
  const urgent: EvidenceSource = { name: 'urgent', ask: () => Promise.reject(new Error('not for who can wait')) }
  const fake = await openFake((query, domain) => [
    answerTo(query, domain.startsWith('known-') ? 'noerror' : 'nxdomain'),
  ])
  const availability = open({ resolvers: [fake.address], confirm: [urgent], background: [patient] })
  const inBackground = { ...screen, depth: 'confirm', fresh: true, background: true } as const

  const [held] = (await availability.check(domains('held-1.com'), inBackground)).values()
  expect(held).toMatchObject({ status: 'taken', sources: ['patient'], registeredUntil: 7 })
  const [late] = (await availability.check(domains('late-1.com'), { ...inBackground, deadlineMs: 200 })).values()
  expect(late).toMatchObject({ status: 'unknown', unasked: true })

  // Of what DNS has nobody else is asked, but for those whose end is wanted.
  const names = domains('known-1.com', 'known-2.com')
  asked.splice(0)
  const verdicts = await availability.check(names, { ...inBackground, expiryDatesFor: new Set(domains('known-2.com')) })
  expect(asked).toEqual(['known-2.com'])
  expect([...verdicts.values()].map(({ registeredUntil }) => registeredUntil)).toEqual([undefined, 7])
})

test('a verdict that lists gave while the registrar was unreachable is not reused once the registrar is back', async () => {
  const at = Date.now()
  const asked: string[] = []
  const sourceOf = (name: string, says: () => Evidence['says'] | undefined, more: Partial<EvidenceSource> = {}) => ({
    name,
    ask: async (some: readonly Domain[]) => {
      asked.push(name)
      const said = says()
      return new Map(
        said === undefined
          ? []
          : some.map((domain) => [domain, { domain, source: name, says: said, at, ttlMs: 60_000 }]),
      )
    },
    ...more,
  })
  let isBack = false
  const registrar = sourceOf('acme', () => (isBack ? 'reserved' : undefined), {
    supersedes: (_domain, sources) => isBack && !sources.includes('acme'),
  })
  const availability = open({
    screen: [sourceOf('dns', () => 'absent')],
    confirm: [registrar, sourceOf('rdap', () => 'absent')],
  })
  const check = async () => {
    asked.length = 0
    const [verdict] = (await availability.check(domains('mayfly.com'), { ...screen, depth: 'confirm' })).values()
    return [verdict?.status, verdict?.confidence, asked.join()]
  }
  expect(await check()).toEqual(['available', 'definitive', 'dns,acme,rdap'])
  expect(await check()).toEqual(['available', 'definitive', ''])
  isBack = true
  expect(await check()).toEqual(['reserved', 'definitive', 'dns,acme'])
  expect(await check()).toEqual(['reserved', 'definitive', ''])
})
