/** Resolvers that deny what exists or find what does not: nothing they say counts, from the first lie to the first proof. */
import { afterEach, expect, test } from 'vitest'
import {
  createRegisteredNames,
  createSourceHealth,
  type DnsSource,
  type DnsSourceOptions,
  type Domain,
  isRegistrable,
  openAvailability,
  openDnsSource,
  type SourceTrust,
} from './source.ts'
import { answerTo, openFakeResolver } from './internet/fake-resolver.ts'
import type { FakeResolver } from './internet/fake-resolver.ts'
import { WILDCARD_SUFFIX } from './internet/zones.ts'

const never = new AbortController().signal
const SAMPLE_MS = 20
const RANDOM_MS = 600_000
const free = 'mayfly.com' as Domain
const taken = 'google.com' as Domain
const isRandom = (domain: string) => /^[a-z]{20}\./.test(domain)
const isRegistered = (domain: string) => domain.startsWith('google.') || domain.startsWith('registered-')

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close()
})

function open(resolvers: readonly string[], options: Partial<DnsSourceOptions> = {}): DnsSource {
  const registeredIn = createRegisteredNames('google.com google.net')
  const source = openDnsSource({ resolvers, registeredIn, now: Date.now, sampleMs: SAMPLE_MS, ...options })
  opened.push(source)
  return source
}

type Manner = 'right' | 'denies' | 'finds' | 'silent' | 'servfail'

/** Its manner can be changed at any time. */
async function openLiar(start: Manner): Promise<FakeResolver & { manner: Manner; randoms: number }> {
  const state = { manner: start, randoms: 0 }
  const fake = await openFakeResolver(
    (query, domain) => {
      if (isRandom(domain)) state.randoms += 1
      if (state.manner === 'silent') return []
      if (state.manner === 'servfail') return [answerTo(query, 'servfail')]
      const exists = state.manner === 'right' ? isRegistered(domain) : state.manner === 'finds'
      return [answerTo(query, exists ? 'noerror' : 'nxdomain')]
    },
    { probes: 'shown' },
  )
  opened.push(fake)
  return Object.assign(state, fake)
}

async function saysOf(source: DnsSource, domain = free): Promise<string | undefined> {
  return (await source.ask([domain], never)).get(domain)?.says
}

test('under a suffix with a wildcard nothing is said, and the others are not touched by it', async () => {
  const source = open(['127.0.0.1:5320'], { registeredIn: createRegisteredNames('taken-for-sure.com') })
  const wild = [`taken-for-sure.${WILDCARD_SUFFIX}`, `free-for-sure-1.${WILDCARD_SUFFIX}`] as Domain[]
  const evidence = await source.ask([...wild, 'taken-for-sure.com' as Domain], never)
  expect([...evidence.keys()]).toEqual(['taken-for-sure.com'])
  expect((await source.ask(wild, never)).size).toBe(0)
})

test.each([
  ['denies every name', 'denies'],
  ['finds every name', 'finds'],
  ['fails for every name', 'servfail'],
] as const)('a resolver that %s is not believed, until it passes its test', async (_, manner) => {
  const fake = await openLiar(manner)
  const source = open([fake.address], { sampled: ['com'] })
  expect(await saysOf(source)).toBeUndefined()
  expect(await saysOf(source, taken)).toBeUndefined()
  fake.manner = 'right'
  await expect.poll(() => saysOf(source)).toBe('absent')
  expect(await saysOf(source, taken)).toBe('registered')
})

test('no name that is registered is called absent, whenever a good resolver begins to deny everything', async () => {
  const names = Array.from({ length: 50 }, (_, index) => `registered-${index}.com` as Domain)
  for (let round = 0; round < 40; round++) {
    let asked = 0
    // Somewhere among the queries of the second call, or those of its test.
    const turns = 55 + round * 2
    const fake = await openFakeResolver(
      (query, domain) => {
        asked += 1
        return [answerTo(query, isRegistered(domain) && asked < turns ? 'noerror' : 'nxdomain')]
      },
      { probes: 'shown' },
    )
    opened.push(fake)
    const source = open([fake.address])
    for (let call = 0; call < 3; call++) {
      const evidence = await source.ask(names, never)
      const absent = [...evidence.values()].filter(({ says }) => says === 'absent').map(({ domain }) => domain)
      expect(absent, `turned after ${turns} questions`).toEqual([])
    }
  }
})

test('an absence counts by a test that began after it, and not by one that was running already', async () => {
  const released = Promise.withResolvers<void>()
  let isReleased = false
  const fake = await openFakeResolver(
    async (query, domain) => {
      if (isReleased || domain !== taken) return [answerTo(query, 'nxdomain')]
      await released.promise
      return [answerTo(query, 'noerror')]
    },
    { probes: 'shown' },
  )
  opened.push(fake)
  const source = open([fake.address])
  const before = saysOf(source)
  await expect.poll(() => fake.asked).toContain(taken)
  // The test of that absence is under way, and the last in which the resolver is right.
  const after = saysOf(source, 'registered-1.com' as Domain)
  await expect.poll(() => fake.asked).toContain('registered-1.com')
  isReleased = true
  released.resolve()
  expect(await before).toBe('absent')
  expect(await after).toBeUndefined()
})

test('what a resolver denies that has passed a test before is available in no mode', async () => {
  const fake = await openLiar('right')
  const source = open([fake.address], { sampled: ['com'], sampleMs: 600_000 })
  const availability = openAvailability({
    cache: { getMany: async (keys) => keys.map(() => null), setMany: async () => {} },
    local: [],
    screen: [source],
    confirm: [],
    doubtsOf: () => ({ premiumProne: false, rdapLies: false }),
    now: Date.now,
  })
  const find = async (domain: string) => {
    const checking = { deadlineMs: 20_000, depth: 'screen', fresh: true, signal: never } as const
    return (await availability.check([domain as Domain], checking)).get(domain as Domain)!
  }
  expect(isRegistrable(await find('mayfly.com'), 'balanced')).toBe(true)
  fake.manner = 'denies'
  const verdict = await find('registered-1.com')
  expect(verdict.status).toBe('unknown')
  expect(isRegistrable(verdict, 'balanced')).toBe(false)
})

test('who asks the good one of two resolvers gets its word, whichever comes first', async () => {
  const [liar, good] = [await openLiar('denies'), await openLiar('right')]
  for (const order of [
    [liar.address, good.address],
    [good.address, liar.address],
  ]) {
    const source = open(order, { sampled: ['com'] })
    await expect.poll(() => saysOf(source)).toBe('absent')
    expect(await saysOf(source, taken)).toBe('registered')
  }
})

test('a resolver that is silent about one suffix is believed about the others', async () => {
  const fake = await openFakeResolver(
    (query, domain) =>
      domain.endsWith('.net') ? [] : [answerTo(query, isRegistered(domain) ? 'noerror' : 'nxdomain')],
    { probes: 'shown' },
  )
  opened.push(fake)
  const source = open([fake.address])
  const stop = AbortSignal.timeout(3_000)
  const [net, com] = await Promise.all([source.ask(['mayfly.net' as Domain], stop), source.ask([free], never)])
  expect(net.size).toBe(0)
  expect(com.get(free)?.says).toBe('absent')
})

test('the random name is asked once in ten minutes, however much is asked', async () => {
  let now = 1_000_000
  const fake = await openLiar('right')
  const source = open([fake.address], { now: () => now })
  const all = await Promise.all(Array.from({ length: 50 }, () => saysOf(source)))
  expect(new Set(all)).toEqual(new Set(['absent']))
  expect(fake.randoms).toBe(1)
  now += RANDOM_MS - 1
  await saysOf(source)
  expect(fake.randoms).toBe(1)
  now += 1
  await saysOf(source)
  expect(fake.randoms).toBe(2)
})

test('many answers share the test that makes them count', async () => {
  const fake = await openLiar('right')
  const source = open([fake.address])
  const names = Array.from({ length: 200 }, (_, index) => `mayfly-${index}.com` as Domain)
  expect((await source.ask(names, never)).size).toBe(200)
  const tests = fake.asked.filter((domain) => domain === taken).length
  expect(tests).toBeGreaterThan(0)
  expect(tests).toBeLessThan(20)
})

test('states are told as they change: who, since when and why', async () => {
  const fake = await openLiar('denies')
  const changes: SourceTrust[] = []
  const health = createSourceHealth(Date.now)
  open([fake.address], { sampled: ['com', 'net'], sourceHealth: health, onTrust: (_, trust) => changes.push(trust) })
  const read = () => health.list().find(({ name }) => name === fake.address)?.trust
  expect(read()?.state).toBe('proving')
  await expect.poll(() => read()?.state).toBe('untrusted')
  expect(read()?.why).toContain('reports google.com and nic.com as unregistered')
  fake.manner = 'right'
  await expect.poll(() => read()?.state).toBe('trusted')
  expect(read()?.why).toBeUndefined()
  fake.manner = 'finds'
  await expect.poll(() => read()?.state).toBe('untrusted')
  expect(read()?.why).toContain('reports unregistered domains')
  fake.manner = 'silent'
  await expect.poll(() => read()?.state).toBe('unreachable')
  expect(changes.map(({ state }) => state)).toEqual(['untrusted', 'trusted', 'untrusted', 'unreachable'])
  expect(changes.every(({ since }) => Math.abs(since - Date.now()) < 60_000)).toBe(true)
})
