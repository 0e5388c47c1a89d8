/** The RDAP source against a registry on loopback: right when it is right, silent when it is not, polite always. */
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  CacheDown,
  type Domain,
  openBootstrap,
  openBudget,
  openOutbound,
  openRdap,
  type Outbound,
  type RdapSource,
} from './source.ts'
import { FAULTS, openRdapServer } from './internet/rdap-server.ts'
import type { RdapServer } from './internet/rdap-server.ts'
import { memoryInUse } from './memory.ts'
import { timeoutOf } from './timeout-of.ts'
import { runningMs } from '../../scripts/test/running-ms.ts'

const isRegistered = (domain: string) => /^(?:taken|known)/.test(domain)
/** As the registry writes it. */
const ENDS = new Map<string, string>()
const SUFFIXES = ['com', 'net', 'org', 'co.uk', 'dev']

let server: RdapServer
let outbound: Outbound
const opened: RdapSource[] = []
beforeAll(async () => {
  server = await openRdapServer({ isRegistered, endOf: (domain) => ENDS.get(domain) })
  outbound = openOutbound({ ca: server.ca, allowPrivate: true, now: Date.now })
})
afterEach(() => {
  for (const suffix of [...SUFFIXES, '*']) server.set(suffix, undefined)
  for (const rdap of opened.splice(0)) rdap.close()
})
afterAll(async () => {
  await outbound.close()
  await server[Symbol.asyncDispose]()
})

// Budgets and patience go by the time in which this process runs, as the registry does.
const openedAt = Date.now()
const runningNow = () => openedAt + Math.floor(runningMs())

/** A node that has just started: nothing is known of any server. */
async function openNode({ start = 1_000, now = runningNow }: { start?: number; now?: () => number } = {}) {
  const facts = {
    servers: { [server.base]: SUFFIXES.join(' ') },
    registered: { domains: SUFFIXES.map((suffix) => `known.${suffix}`).join(' ') },
  }
  const stored = new Map<string, string>()
  const cache = {
    getMany: async (keys: readonly string[]) => keys.map((key) => stored.get(key) ?? null),
    setMany: async (entries: readonly { key: string; value: string }[]) => {
      for (const { key, value } of entries) stored.set(key, value)
    },
  }
  const budget = openBudget({ cache: { run: () => Promise.reject(new CacheDown()) }, now, start })
  const bootstrap = openBootstrap({ outbound, now, facts })
  const open = (more: Partial<Parameters<typeof openRdap>[0]> = {}) => {
    const rdap = openRdap({ outbound, budget, bootstrap, cache, now, ...more })
    opened.push(rdap)
    return rdap
  }
  return { open, rdap: open(), budget, stored }
}

async function ask(rdap: RdapSource, domains: readonly string[], timeoutMs = 5_000): Promise<Record<string, string>> {
  const evidence = await rdap.ask(domains as Domain[], timeoutOf(timeoutMs))
  return Object.fromEntries([...evidence].map(([domain, { says }]) => [domain, says]))
}
const askedOf = (domain: string) => server.asked.filter((query) => query.domain === domain)

test('a registered name is registered for a day, a free one absent for ten minutes', async () => {
  const { rdap } = await openNode()
  const signal = AbortSignal.timeout(5_000)
  const evidence = await rdap.ask(['taken-1.com', 'free-1.com', 'free-1.jp'] as Domain[], signal)
  expect([...evidence.values()]).toMatchObject([
    { domain: 'free-1.com', source: 'rdap', says: 'absent' },
    { domain: 'taken-1.com', source: 'rdap', says: 'registered' },
  ])
  for (const { says, ttlMs } of evidence.values()) {
    const usual = says === 'absent' ? 600_000 : 86_400_000
    expect(Math.abs(ttlMs - usual)).toBeLessThanOrEqual(usual * 0.1)
  }
})

test('without a result for a suffix that has a server something is missing, and for no other', async () => {
  const { rdap } = await openNode()
  const covered = ['free-1.com', 'free-1.co.uk', 'free-1.jp'].map((domain) => rdap.covers?.(domain as Domain))
  expect(covered).toEqual([true, true, false])
})

test('a free name costs one HEAD, a registered one a GET more', async () => {
  const { rdap } = await openNode()
  await ask(rdap, ['taken-2.com', 'free-2.com'])
  expect(askedOf('free-2.com').map(({ method }) => method)).toEqual(['HEAD'])
  expect(askedOf('taken-2.com').map(({ method }) => method)).toEqual(['HEAD', 'GET'])
})

test('two who ask the same at the same time ask once', async () => {
  const { rdap } = await openNode()
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(rdap, ['free-3.com'])))
  for (const answer of answers) expect(answer).toEqual({ 'free-3.com': 'absent' })
  expect(askedOf('free-3.com')).toHaveLength(1)
})

test('a server is tried out once for all nodes', async () => {
  const node = await openNode()
  await ask(node.rdap, ['free-4.com'])
  const before = askedOf('known.com').length
  const other = node.open()
  expect(await ask(other, ['free-5.com'])).toEqual({ 'free-5.com': 'absent' })
  expect(await ask(other, ['free-6.com'])).toEqual({ 'free-6.com': 'absent' })
  // Only whether the server still has its data.
  expect(askedOf('known.com')).toHaveLength(before + 1)
})

test('a server that has lost its data since its test for all nodes is not believed', async () => {
  const node = await openNode()
  expect(await ask(node.rdap, ['free-7.com'])).toEqual({ 'free-7.com': 'absent' })
  server.set('com', 'denies_all')
  expect(await ask(node.open(), ['taken-7.com', 'free-8.com'])).toEqual({})
  server.set('com', undefined)
})

test('whatever a server does from the start, nothing wrong is said and nobody waits', { timeout: 60_000 }, async () => {
  for (const fault of FAULTS) {
    server.set('com', fault)
    const { rdap } = await openNode()
    const startedAt = runningMs()
    const said = await ask(rdap, ['taken-6.com', 'free-6.com', 'free-6.net'], 1_000)
    expect(runningMs() - startedAt, fault).toBeLessThan(2_000)
    // Slow is not wrong, and where HEAD is wrong GET still answers.
    const isRight = fault === 'head_denies_all'
    expect(said['free-6.net'], fault).toBe('absent')
    expect(said['taken-6.com'], fault).toBeOneOf(
      isRight ? ['registered'] : fault === 'invents_all' ? [undefined] : ['registered', undefined],
    )
    expect(said['free-6.com'], fault).toBeOneOf(isRight ? ['absent'] : [undefined])
  }
})

test('whatever a trusted server suddenly does to one name, nothing wrong is said', { timeout: 180_000 }, async () => {
  for (const fault of FAULTS) {
    // A lie about one name, by one who has never lied, is for other sources to find out.
    if (fault === 'denies_all' || fault === 'invents_all' || fault === 'head_denies_all') continue
    const { rdap } = await openNode()
    expect(await ask(rdap, ['free-7.com']), fault).toEqual({ 'free-7.com': 'absent' })
    server.set('com', fault)
    const said = await ask(rdap, [`taken-${fault}.com`, `free-${fault}.com`, 'free-8.net'], 2_500)
    server.set('com', undefined)
    expect(said['free-8.net'], fault).toBe('absent')
    expect(said[`taken-${fault}.com`], fault).toBeOneOf(['registered', undefined])
    expect(said[`free-${fault}.com`], fault).toBeOneOf(fault === 'slow' ? ['absent'] : [undefined])
  }
})

test('a server that has begun to lie is found out when it is tried again, hours later', async () => {
  let laterMs = 0
  const { rdap } = await openNode({ now: () => runningNow() + laterMs })
  expect(await ask(rdap, ['free-29.com'])).toEqual({ 'free-29.com': 'absent' })
  server.set('com', 'denies_all')
  laterMs = 6.5 * 3_600_000
  // The old judgement serves until the new one is there.
  await ask(rdap, ['free-30.com'])
  await expect.poll(() => ask(rdap, ['taken-30.com', 'free-30.com'])).toEqual({})
})

test('a certificate nobody can verify is no word at all', async () => {
  server.setCertificate('bad')
  const { rdap } = await openNode()
  expect(await ask(rdap, ['taken-9.com', 'free-9.com'])).toEqual({})
  server.setCertificate('good')
})

test('after "too much" nobody asks before the time named, and nothing is asked twice', async () => {
  for (const [index, status] of [403, 422, 429].entries()) {
    const suffix = SUFFIXES[index] ?? ''
    const { rdap, budget } = await openNode({ start: 100 })
    await ask(rdap, [`free-10.${suffix}`])
    server.set(suffix, { status, retryAfter: '1' })
    expect(await ask(rdap, [`free-11.${suffix}`])).toEqual({})
    expect(budget.rateOf(server.host)).toBe(50)
    server.set(suffix, undefined)
    const limitedAt = runningNow()
    // In time to be waited for.
    expect(await ask(rdap, [`free-12.${suffix}`])).toEqual({ [`free-12.${suffix}`]: 'absent' })
    expect(runningNow() - limitedAt).toBeGreaterThan(900)
    expect(askedOf(`free-11.${suffix}`)).toHaveLength(1)
  }
})

test('while a host must be left alone the answer is quick: nothing', async () => {
  const { rdap } = await openNode({ start: 100 })
  await ask(rdap, ['free-13.com'])
  server.set('com', { status: 429, retryAfter: '60' })
  await ask(rdap, ['free-14.com'])
  const [startedAt, before] = [runningMs(), server.asked.length]
  expect(await ask(rdap, ['free-15.com', 'free-15.net'])).toEqual({})
  expect(runningMs() - startedAt).toBeLessThan(4_000)
  expect(server.asked).toHaveLength(before)
})

test('without Retry-After the rate is halved and the host left alone for a moment', async () => {
  const { rdap, budget } = await openNode({ start: 100 })
  await ask(rdap, ['free-16.com'])
  server.set('com', { status: 429 })
  expect(await ask(rdap, ['free-17.com'])).toEqual({})
  expect(budget.rateOf(server.host)).toBe(50)
})

test('who cannot be served in time is sent away at once, and the rest is served within the budget', async () => {
  const { rdap } = await openNode({ start: 2 })
  const names = Array.from({ length: 20 }, (_, i) => `free-18-${i}.com`)
  const startedAt = runningMs()
  const said = await ask(rdap, names)
  const seconds = (runningMs() - startedAt) / 1000
  expect(seconds).toBeLessThan(2)
  // A burst of five and two a second, of which trying the server out has taken three.
  expect(Object.keys(said).length).toBeGreaterThanOrEqual(2)
  expect(Object.keys(said).length).toBeLessThanOrEqual(5)
  for (const word of Object.values(said)) expect(word).toBe('absent')
})

test('a host that does not answer is left alone after a few tries, and its other suffixes are not', async () => {
  const { rdap } = await openNode()
  await ask(rdap, ['free-19.com', 'free-19.net'])
  server.set('com', 'hang_up')
  for (let i = 0; i < 5; i++) await ask(rdap, [`free-20-${i}.com`])
  const before = server.asked.length
  const startedAt = runningMs()
  for (let i = 0; i < 100; i++) expect(await ask(rdap, [`free-21-${i}.com`])).toEqual({})
  expect(runningMs() - startedAt).toBeLessThan(5_000)
  expect(server.asked).toHaveLength(before)
  expect(await ask(rdap, ['free-22.net'])).toEqual({ 'free-22.net': 'absent' })
})

test('a suffix that hangs does not slow the others of the same host', async () => {
  const { rdap } = await openNode({ start: 10_000 })
  await ask(rdap, ['free-23.com', 'free-23.net'])
  server.set('com', 'silent')
  const hanging = ask(
    rdap,
    Array.from({ length: 50 }, (_, i) => `free-24-${i}.com`),
    3_000,
  )
  let hasEnded = false
  void hanging.then(() => (hasEnded = true))
  const names = Array.from({ length: 50 }, (_, i) => `free-24-${i}.net`)
  expect(Object.keys(await ask(rdap, names))).toHaveLength(50)
  expect(hasEnded).toBe(false)
  expect(await hanging).toEqual({})
})

test('when the caller leaves, what was not sent is not sent', async () => {
  const { rdap } = await openNode()
  await ask(rdap, ['free-25.com'])
  server.set('com', 'slow')
  const names = Array.from({ length: 100 }, (_, i) => `free-26-${i}.com`)
  const startedAt = runningMs()
  expect(await rdap.ask(names as Domain[], AbortSignal.timeout(100))).toEqual(new Map())
  expect(runningMs() - startedAt).toBeLessThan(2_000)
  await wait(1_000)
  expect(names.filter((name) => askedOf(name).length > 0)).toHaveLength(4)
  expect(await rdap.ask(names as Domain[], AbortSignal.abort())).toEqual(new Map())
})

test('bombs and ten megabytes leave no memory behind', async () => {
  const { rdap } = await openNode({ start: 100_000 })
  await ask(rdap, ['free-27.com'])
  const round = async (tag: string, count: number) => {
    for (const fault of ['huge', 'huge_in_chunks', 'gzip_bomb', 'deep_json'] as const) {
      server.set('com', fault)
      for (let i = 0; i < count; i++) await ask(rdap, [`taken-28-${tag}-${fault}-${i}.com`])
    }
    return memoryInUse()
  }
  const before = await round('first', 20)
  expect((await round('second', 100)) - before).toBeLessThan(10_000_000)
})

test('until when a name is registered is told, where the registry says it sanely', async () => {
  const { rdap } = await openNode()
  const soon = new Date(Date.now() + 200 * 86_400_000).toISOString()
  ENDS.set('taken-41.com', soon)
  ENDS.set('taken-42.com', '9999-12-31T00:00:00Z')
  const evidence = await rdap.ask(['taken-41.com', 'taken-42.com'] as Domain[], AbortSignal.timeout(5_000))
  expect(evidence.get('taken-41.com' as Domain)).toMatchObject({
    says: 'registered',
    registeredUntil: Date.parse(soon),
  })
  expect(evidence.get('taken-42.com' as Domain)).toMatchObject({ says: 'registered' })
  expect(evidence.get('taken-42.com' as Domain)).not.toHaveProperty('registeredUntil')
})

test('for who wants to know, what could not be asked is told apart from what was asked in vain', async () => {
  const node = await openNode()
  await ask(node.rdap, ['free-43.com'])
  const patient = node.open({ reportsSilence: true })
  const say = async (domain: string) =>
    (await patient.ask([domain] as Domain[], AbortSignal.timeout(5_000))).get(domain as Domain)
  server.set('com', 'html')
  expect(await say('free-44.com')).toMatchObject({ says: 'unknown' })
  expect(await say('free-44.com')).not.toHaveProperty('unasked')
  server.set('com', { status: 429, retryAfter: '60' })
  expect(await say('free-45.com')).toMatchObject({ says: 'unknown', unasked: true })
  // From here on the budget lets nobody ask.
  server.set('com', undefined)
  const before = server.asked.length
  expect(await say('free-46.com')).toMatchObject({ says: 'unknown', unasked: true })
  expect(server.asked).toHaveLength(before)
  // Without the option nothing is reported.
  expect(await ask(node.rdap, ['free-47.com'])).toEqual({})
})

test('who is patient waits longer for a turn', async () => {
  const { rdap, open, budget } = await openNode({ start: 2 })
  await ask(rdap, ['free-48.com'])
  while ((await budget.take(server.host, 5)) > 0);
  const names = Array.from({ length: 6 }, (_, n) => `free-${50 + n}.com`)
  expect(Object.keys(await ask(rdap, names, 9_000)).length).toBeLessThan(6)
  expect(Object.keys(await ask(open({ patienceMs: 8_000 }), names, 9_000))).toHaveLength(6)
})

test('who waits for one host is served in turn, whatever the suffix and the number of names', async () => {
  const { rdap, budget } = await openNode({ start: 8 })
  const suffixes = ['com', 'net', 'org']
  await ask(
    rdap,
    suffixes.map((suffix) => `free-60.${suffix}`),
  )
  while ((await budget.take(server.host, 8)) > 0);
  const before = server.asked.length
  const waiting = (fairnessKey: string, names: readonly string[]) =>
    rdap.ask(names as Domain[], timeoutOf(2_500), undefined, { fairnessKey, giveUpAt: runningNow() + 2_500 })
  const many = Array.from({ length: 20 }, (_, n) => suffixes.map((suffix) => `free-many-${n}.${suffix}`)).flat()
  const few = Array.from({ length: 20 }, (_, n) => `free-few-${n}.com`)
  await Promise.all([waiting('many', many), waiting('few', few)])
  const asked = server.asked.slice(before).map(({ domain }) => domain)
  const [ofMany, ofFew] = ['many', 'few'].map((name) => asked.filter((domain) => domain.includes(`-${name}-`)).length)
  expect(asked.length).toBeGreaterThan(8)
  expect(Math.abs((ofMany ?? 0) - (ofFew ?? 0))).toBeLessThanOrEqual(2)
})

test('what finds no budget until its caller has to answer is told, with the host', async () => {
  const { rdap, budget } = await openNode({ start: 2 })
  await ask(rdap, ['free-70.com'])
  while ((await budget.take(server.host, 5)) > 0);
  const shortages: { readonly domain: Domain }[] = []
  const onShortage = (domain: Domain, shortage: object) => void shortages.push({ domain, ...shortage })
  const names = Array.from({ length: 9 }, (_, n) => `free-7${n + 1}.com`) as Domain[]
  const turn = { fairnessKey: '', giveUpAt: runningNow() + 1_000, onShortage }
  const said = await rdap.ask(names, timeoutOf(1_000), undefined, turn)
  // On a slow machine one may be on its way to the host when its caller has to answer.
  const lost = () =>
    names.filter((name) => askedOf(name).length === 0 && !shortages.some(({ domain }) => domain === name))
  await expect.poll(lost).toEqual([])
  expect([...said.keys()].filter((name) => shortages.some(({ domain }) => domain === name))).toEqual([])
  expect(shortages.length).toBeGreaterThan(4)
  for (const one of shortages) expect(one).toMatchObject({ source: server.host, retryMs: expect.any(Number) })
})
