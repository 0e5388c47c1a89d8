/** Suffixes and resolvers that say "exists" to everything: DNS is not believed there. */
import { afterEach, expect, test } from 'vitest'
import { openDnsSource } from '../src/availability/dns-source.ts'
import type { DnsSource } from '../src/availability/dns-source.ts'
import type { Domain } from '../src/model/domain.ts'
import { answerTo, openFakeResolver } from './internet/fake-resolver.ts'
import type { RCODES } from './internet/fake-resolver.ts'
import { WILDCARD_SUFFIX } from './internet/zones.ts'

const never = new AbortController().signal
const DAY_MS = 24 * 60 * 60 * 1000
const mayfly = 'mayfly.com' as Domain

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close()
})

function open(resolver: string, values = new Map<string, string>(), now: () => number = Date.now): DnsSource {
  const source = openDnsSource({
    resolvers: [resolver],
    now,
    cache: {
      getMany: (keys) => Promise.resolve(keys.map((key) => values.get(key) ?? null)),
      async setMany(entries) {
        for (const { key, value } of entries) values.set(key, value)
      },
    },
  })
  opened.push(source)
  return source
}

/** A resolver whose answer to probes can be changed; every other name is absent. */
async function openProbed(first: keyof typeof RCODES | 'silence') {
  const state = { probe: first, probes: 0 }
  const fake = await openFakeResolver(
    (query, domain) => {
      if (domain === mayfly) return [answerTo(query, 'nxdomain')]
      state.probes += 1
      return state.probe === 'silence' ? [] : [answerTo(query, state.probe)]
    },
    { probes: 'shown' },
  )
  opened.push(fake)
  return { state, fake }
}

async function saysOf(source: DnsSource): Promise<string | undefined> {
  return (await source.ask([mayfly], never)).get(mayfly)?.says
}

test('under a suffix with a wildcard nothing is said, and the others are not touched by it', async () => {
  const source = open('127.0.0.1:5320')
  const wild = [`taken-for-sure.${WILDCARD_SUFFIX}`, `free-for-sure-1.${WILDCARD_SUFFIX}`] as Domain[]
  const evidence = await source.ask([...wild, 'taken-for-sure.com' as Domain], never)
  expect([...evidence.keys()]).toEqual(['taken-for-sure.com'])
  expect((await source.ask(wild, never)).size).toBe(0)
})

test('a resolver that answers for every name is not believed, until a later probe says otherwise', async () => {
  let now = 1_000_000
  const { state, fake } = await openProbed('noerror')
  const source = open(fake.address, undefined, () => now)
  expect(await saysOf(source)).toBeUndefined()
  state.probe = 'nxdomain'
  now += DAY_MS - 1
  expect(await saysOf(source)).toBeUndefined()
  expect(state.probes).toBe(1)
  now += 1
  expect(await saysOf(source)).toBe('absent')
  expect(await saysOf(source)).toBe('absent')
  expect(state.probes).toBe(2)
})

test('a suffix whose first probe has no answer is not believed', async () => {
  const { state, fake } = await openProbed('servfail')
  const source = open(fake.address)
  expect(await saysOf(source)).toBeUndefined()
  state.probe = 'nxdomain'
  expect(await saysOf(source)).toBe('absent')
})

test('a probe without an answer leaves what was known', async () => {
  let now = 1_000_000
  const { state, fake } = await openProbed('nxdomain')
  const source = open(fake.address, undefined, () => now)
  expect(await saysOf(source)).toBe('absent')
  state.probe = 'servfail'
  now += DAY_MS
  expect(await saysOf(source)).toBe('absent')
  expect(await saysOf(source)).toBe('absent')
  expect(state.probes).toBe(2)
})

test('many requests at once wait for one probe', async () => {
  const { state, fake } = await openProbed('nxdomain')
  const source = open(fake.address)
  const all = await Promise.all(Array.from({ length: 50 }, () => saysOf(source)))
  expect(new Set(all)).toEqual(new Set(['absent']))
  expect(state.probes).toBe(1)
})

test('what one node has probed another one reads from the cache', async () => {
  const values = new Map<string, string>()
  const { state, fake } = await openProbed('nxdomain')
  expect(await saysOf(open(fake.address, values))).toBe('absent')
  state.probe = 'silence'
  const start = performance.now()
  expect(await saysOf(open(fake.address, values))).toBe('absent')
  expect(performance.now() - start).toBeLessThan(250)
})

test('what the cache says beyond its time, or not in our words, is not read', async () => {
  const values = new Map<string, string>()
  const { state, fake } = await openProbed('nxdomain')
  await saysOf(open(fake.address, values))
  const [key = ''] = values.keys()
  state.probe = 'servfail'
  for (const value of ['', 'n', 'n1', `n${Date.now() + 2 * DAY_MS}`, `x${Date.now() + 1000}`, '{}']) {
    values.set(key, value)
    expect(await saysOf(open(fake.address, values)), value).toBeUndefined()
  }
})

test('a cache that hangs does not hold the probe up', async () => {
  const { fake } = await openProbed('nxdomain')
  const source = openDnsSource({
    resolvers: [fake.address],
    now: Date.now,
    cache: { getMany: () => new Promise<never>(() => {}), setMany: async () => {} },
  })
  opened.push(source)
  expect(await saysOf(source)).toBe('absent')
})
