/** A registrar is tested with control names; while it fails the test, its results do not count. */
import { afterEach, expect, test } from 'vitest'
import type { Domain } from '../../../model/domain.ts'
import { createRegisteredNames } from '../control-names.ts'
import type { Evidence, Says } from '../evidence.ts'
import type { SourceTrust } from '../trust.ts'
import { openRegistrars } from './registrars.ts'
import { Limited } from './registrar.ts'
import { openRegistrarTrust } from './trust.ts'
import type { RegistrarTrustOptions, TestedRegistrar } from './trust.ts'

const never = new AbortController().signal
const registeredIn = createRegisteredNames('google.com google.org')
const free = 'mayfly.com' as Domain
const isRandom = (domain: string) => /^[a-z]{20}\./.test(domain)

type Manner =
  | 'right'
  | 'offers all'
  | 'offers as premium'
  | 'silent about controls'
  | 'denies all'
  | 'twice'
  | 'silent'
  | 'hangs'
  | 'limited'
const SAID: Readonly<Record<Manner, (domain: string) => Says | undefined>> = {
  right: (domain) => (domain.startsWith('google.') ? 'registered' : 'available'),
  'offers all': () => 'available',
  'offers as premium': (domain) => (domain.startsWith('google.') ? 'premium' : 'available'),
  'denies all': () => 'registered',
  'silent about controls': (domain) => (domain.startsWith('google.') ? undefined : 'available'),
  twice: () => 'unknown',
  silent: () => undefined,
  hangs: () => undefined,
  limited: () => undefined,
}

const opened: TestedRegistrar[] = []
afterEach(() => {
  for (const each of opened.splice(0)) each.close()
})

type Opening = Partial<RegistrarTrustOptions> & { batch?: number; isOccasional?: boolean }

function open(start: Manner, { batch = 20, isOccasional = false, ...options }: Opening = {}) {
  const state = { manner: start, asked: [] as (readonly Domain[])[], taken: 0 }
  const changes: SourceTrust[] = []
  const registrar = {
    name: 'one',
    host: 'one.example',
    batch,
    isOccasional,
    async check(domains: readonly Domain[], signal: AbortSignal): Promise<readonly Evidence[]> {
      const { manner } = state
      expect(domains.length).toBeLessThanOrEqual(batch)
      state.asked.push(domains)
      if (manner === 'limited') throw new Limited()
      if (manner === 'hangs') await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return domains.flatMap((domain) => {
        // It does not sell .dev.
        const says = domain.endsWith('.dev') ? undefined : SAID[manner](domain)
        return says === undefined ? [] : [{ domain, source: 'one', says, at: Date.now(), ttlMs: 60_000 }]
      })
    },
  }
  const tested = openRegistrarTrust({
    registrar,
    registeredIn,
    suffixes: ['com', 'org', 'dev'],
    budget: { take: async (_, wanted) => ((state.taken += wanted), wanted), limited: async () => {}, waitOf: () => 0 },
    now: Date.now,
    onChange: (trust) => changes.push(trust),
    retestMs: 5,
    ...options,
  })
  opened.push(tested)
  return Object.assign(state, { tested, changes })
}

const saysOf = async ({ tested }: { tested: TestedRegistrar }, domain = free) =>
  (await tested.check([domain], never)).map(({ says }) => says)

test.each([
  ['offers what is registered', 'offers all', 'reports the registered domain google.com as available'],
  ['offers it as premium', 'offers as premium', 'reports the registered domain google.com as available'],
  ['reports unregistered domains as taken', 'denies all', 'reports unregistered domains as taken'],
  ['says two things of one name', 'twice', 'contradicts itself about google.com'],
] as const)(
  'one that %s is untrusted, its word is unknown, and it is believed once it passes',
  async (_, manner, why) => {
    const one = open(manner)
    expect(await one.tested.test()).toMatchObject({ state: 'untrusted', why })
    const before = one.asked.length
    expect(await saysOf(one)).toEqual(['unknown'])
    // The registrar does not receive the names that callers want.
    expect(one.asked.slice(before).flat()).not.toContain(free)
    one.manner = 'right'
    await expect.poll(() => saysOf(one)).toEqual(['available'])
    expect(one.changes.map(({ state }) => state)).toEqual(['untrusted', 'trusted'])
  },
)

test('one that begins to lie is found out by its first lie, and nothing of that answer counts', async () => {
  const one = open('right')
  await one.tested.test()
  expect(await saysOf(one)).toEqual(['available'])
  one.manner = 'offers all'
  expect(await saysOf(one)).toEqual(['unknown'])
  expect(one.tested.read()).toMatchObject({
    state: 'untrusted',
    why: 'reports the registered domain google.com as available',
  })
  one.manner = 'right'
  await expect.poll(() => saysOf(one)).toEqual(['available'])
})

test('the control name rides along: no request of its own, no word about it, room for all names', async () => {
  const one = open('right', { batch: 3, retestMs: 60_000 })
  await one.tested.test()
  const [taken, before] = [one.taken, one.asked.length]
  const names = ['mayfly.com', 'mayfly.org'] as Domain[]
  expect(one.tested.batch).toBe(2)
  const evidence = await one.tested.check(names, never)
  expect(evidence.map(({ domain }) => domain)).toEqual(names)
  expect(one.asked.length - before).toBe(1)
  expect(one.asked.at(-1)).toHaveLength(3)
  expect(one.taken).toBe(taken)
})

test('where a request takes one name, the test comes first, and both kinds of names have their turn', async () => {
  const one = open('offers all', { batch: 1, sampleMs: 5 })
  expect(await saysOf(one)).toEqual(['unknown'])
  expect(one.asked.flat()).not.toContain(free)
  one.manner = 'right'
  await expect.poll(() => saysOf(one)).toEqual(['available'])
  await expect.poll(() => one.asked.flat().some(isRandom)).toBe(true)
  one.manner = 'denies all'
  await expect.poll(() => one.tested.read()).toMatchObject({ state: 'untrusted' })
})

test('com is in every test, and in requests for suffixes without a certainly registered name', async () => {
  const one = open('right', { suffixes: ['shop', 'dev'] })
  expect(await one.tested.test()).toMatchObject({ state: 'trusted' })
  expect(one.asked[0]).toContain('google.com')
  await saysOf(one, 'mayfly.shop' as Domain)
  expect(one.asked.at(-1)).toEqual(['mayfly.shop', 'google.com'])
  one.manner = 'offers all'
  expect(await saysOf(one, 'mayfly.shop' as Domain)).toEqual(['unknown'])
})

test('one that has not passed its first test in time covers nothing, and all again when it is trusted', async () => {
  let at = 1_000_000
  const one = open('silent about controls', { now: () => at, testMs: 3_000, retestMs: 60_000 })
  await one.tested.test()
  expect(one.tested.read()).toMatchObject({ state: 'proving', why: 'has no result for google.com, google.org' })
  expect(one.tested.covers?.(free)).toBe(true)
  at += 3_000
  expect(one.tested.covers?.(free)).toBe(false)
  expect(await saysOf(one)).toEqual([])
  one.manner = 'right'
  expect(await saysOf(one)).toEqual(['available'])
  expect(one.tested.covers?.(free)).toBe(true)
})

test('one that falls silent is unreachable after two tests, and trusted again with its first answer', async () => {
  const one = open('right')
  await one.tested.test()
  one.manner = 'silent'
  expect(await saysOf(one)).toEqual([])
  await expect.poll(() => one.tested.read().state).toBe('unreachable')
  expect(one.tested.read().why).toContain('does not respond')
  one.manner = 'right'
  expect(await saysOf(one)).toEqual(['available'])
  expect(one.tested.read().state).toBe('trusted')
})

test('"too many requests" says nothing of a trusted one, and of a new one that it cannot be used', async () => {
  const one = open('right', { retestMs: 60_000 })
  await one.tested.test()
  one.manner = 'limited'
  await expect(one.tested.check([free], never)).rejects.toThrow(Limited)
  expect((await one.tested.test()).state).toBe('trusted')
  const other = open('limited', { retestMs: 60_000 })
  expect(await other.tested.test()).toMatchObject({ state: 'unreachable', why: 'rate limited' })
})

test('a test is a request from the budget, one in ten minutes while all is well', async () => {
  const one = open('right')
  await one.tested.test()
  expect(one.taken).toBe(1)
  for (let at = 0; at < 20; at++) await saysOf(one)
  expect(one.taken).toBe(1)
  const poor = open('right', {
    budget: { take: async () => 0, limited: async () => {}, waitOf: () => 0 },
    retestMs: 60_000,
  })
  await poor.tested.test()
  expect(poor.asked).toEqual([])
  expect(poor.tested.read().state).toBe('proving')
})

test('while it is untrusted its callers take no budget, which its test needs', async () => {
  const one = open('offers all', { retestMs: 60_000 })
  await one.tested.test()
  let taken = 0
  const take = async (_: string, wanted: number) => ((taken += wanted), wanted)
  const budget = { take, limited: async () => {}, waitOf: () => 0, rateOf: () => 1 }
  const registrars = openRegistrars({ order: [one.tested], budget })
  const heard = await registrars.ask([free], never)
  expect([...heard.values()]).toEqual([expect.objectContaining({ domain: free, says: 'unknown' })])
  expect(taken).toBe(0)
  one.manner = 'right'
  await one.tested.test()
  expect((await registrars.ask([free], never)).get(free)?.says).toBe('available')
  expect(taken).toBe(1)
})

test('a test that finds no budget comes back when there may be some', async () => {
  let hasBudget = false
  const budget = { take: async () => (hasBudget ? 1 : 0), limited: async () => {}, waitOf: () => 1 }
  const one = open('right', { budget, retestMs: 60_000 })
  await one.tested.test()
  expect(one.asked).toEqual([])
  hasBudget = true
  await expect.poll(() => one.tested.read().state).toBe('trusted')
})

test('one that takes few requests leaves no gap, and the lists prove what it was not asked about', async () => {
  const one = open('right', { isOccasional: true })
  await one.tested.test()
  expect(await saysOf(one)).toEqual(['available'])
  const budget = { take: async () => 0, limited: async () => {}, waitOf: () => 10_000, rateOf: () => 0.1 }
  expect(await openRegistrars({ order: [one.tested], budget }).ask([free], never)).toEqual(new Map())
})

test('silence about a suffix that it sells is told, of one that it does not sell or while it is unreachable not', async () => {
  const one = open('right')
  await one.tested.test()
  const budget = { take: async () => 0, limited: async () => {}, waitOf: () => 0, rateOf: () => 1 }
  const registrars = openRegistrars({ order: [one.tested], budget })
  const names = ['mayfly.com', 'mayfly.dev'] as Domain[]
  const heard = await registrars.ask(names, never)
  expect([...heard.values()]).toEqual([expect.objectContaining({ domain: free, says: 'unknown', unanswered: true })])
  // What lists said is no proof beside it, unless it has said so itself or does not sell the suffix.
  const supersedes = () => names.map((name) => registrars.supersedes?.(name, ['dns', 'rdap']))
  expect(supersedes()).toEqual([true, false])
  expect(registrars.supersedes?.(free, ['dns', one.tested.name])).toBe(false)
  one.manner = 'silent'
  await saysOf(one)
  await expect.poll(() => one.tested.read().state).toBe('unreachable')
  expect((await registrars.ask(names, never)).size).toBe(0)
  expect(supersedes()).toEqual([false, false])
})
