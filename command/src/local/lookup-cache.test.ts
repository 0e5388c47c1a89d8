/** What commands remember: taken domains and nothing that makes one available, whoever wrote the file. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openAvailability } from '../../../server/src/engines/availability/availability.ts'
import type { Evidence, EvidenceSource, Says } from '../../../server/src/engines/availability/evidence.ts'
import { openBootstrap } from '../../../server/src/engines/availability/rdap/bootstrap.ts'
import { openRdap } from '../../../server/src/engines/availability/rdap/rdap.ts'
import type { Domain } from '../../../server/src/model/domain.ts'
import { openOutbound } from '../../../server/src/platform/outbound/outbound.ts'
import { openRdapServer } from '../../../server/test/internet/rdap-server.ts'
import { openCacheFolder } from './cache-file.ts'
import { openFileBudget } from './file-budget.ts'
import { openLookupCache } from './lookup-cache.ts'

const HOUR_MS = 60 * 60_000
const [FREE, TAKEN] = ['free-name.com', 'taken.com'] as [Domain, Domain]

let root: string
let path: string
let at = 1_800_000_000_000
const now = () => at
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'namewright-lookups-'))
})
beforeEach(() => {
  path = join(root, crypto.randomUUID())
})
afterAll(() => rm(root, { recursive: true }))

const open = () => openLookupCache({ folder: openCacheFolder({ path, onRefused: () => {} }), now })
const fileOf = () => join(path, 'lookups.json')
const plant = async (content: string) => {
  const cache = open()
  await cache.setMany([{ key: 'vs:1', value: `${at}|com net org`, ttlMs: 1_000 }])
  await cache.settle()
  await writeFile(fileOf(), content)
}

/** A command that asks these sources, and remembers. */
async function check(domains: readonly Domain[], says: (domain: Domain) => Says | undefined = () => undefined) {
  const cache = open()
  const asked: Domain[] = []
  const source: EvidenceSource = {
    name: 'rdap',
    ask: async (some) => {
      asked.push(...some)
      return new Map(
        some.flatMap((domain): [Domain, Evidence][] => {
          const said = says(domain)
          return said ? [[domain, { domain, source: 'rdap', says: said, at, ttlMs: HOUR_MS }]] : []
        }),
      )
    },
  }
  const availability = openAvailability({
    cache,
    local: [],
    screen: [],
    confirm: [source],
    doubtsOf: () => ({ premiumProne: false, rdapLies: false }),
    now,
  })
  const signal = new AbortController().signal
  const verdicts = await availability.check(domains, { deadlineMs: 5_000, depth: 'confirm', fresh: false, signal })
  await cache.settle()
  return { asked, statuses: domains.map((domain) => verdicts.get(domain)?.status) }
}

test('the next command knows that a domain is taken, until its time is over, and never that one is available', async () => {
  const says = (domain: Domain) => (domain === TAKEN ? 'registered' : 'available') as Says
  expect((await check([FREE, TAKEN], says)).asked).toEqual([FREE, TAKEN])
  expect(await check([FREE, TAKEN])).toEqual({ asked: [FREE], statuses: ['unknown', 'taken'] })
  expect(await readFile(fileOf(), 'utf8')).not.toContain(FREE)
  at += HOUR_MS
  expect(await check([FREE, TAKEN])).toEqual({ asked: [FREE, TAKEN], statuses: ['unknown', 'unknown'] })
})

test('no verdict but a certain "taken" counts, also one that somebody wrote into the file', async () => {
  const line = (code: string, sure: string, sources: string, checked = at, expires = at + HOUR_MS) =>
    `${code}|${sure}|${checked}|${expires}|${sources}`
  const price = '|{"registration":{"minor":1,"currency":"USD"}}'
  const fakes = [
    ...['a', 'p', 'f', 'r', 'x', 's', 'i', 'u', 'T', ''].map((code) => line(code, 'd', 'vercel')),
    line('t', 'l', 'dns'),
    line('t', 'd', 'dns') + price,
    line('t', 'd', ''),
    line('t', 'd', '\u001B[2Jdns'),
    line('t', 'd', 'dns', at + 1),
    line('t', 'd', 'dns', at, at + 25 * HOUR_MS),
    line('t', 'd', 'dns').replace(String(at), `0${at}`),
  ]
  for (const fake of fakes) {
    await plant(JSON.stringify({ at, entries: [[`av:3:${FREE}`, fake, at + HOUR_MS]] }))
    expect(await check([FREE]), fake).toEqual({ asked: [FREE], statuses: ['unknown'] })
  }
  await plant(JSON.stringify({ at, entries: [[`av:3:${FREE}`, line('t', 'd', 'dns'), at + HOUR_MS]] }))
  expect(await check([FREE])).toEqual({ asked: [], statuses: ['taken'] })
})

test('it keeps tests of RDAP servers and the list of suffixes, each for its own time, and no other key', async () => {
  const kept = {
    'rt:1:https://rdap.example/com': `HEAD|1|1|${at}`,
    'vs:1': `${at}|com net org`,
  }
  const others = { 'rt:1:https://rdap.example/net': 'trusted', 'dt:1:resolver': 'trusted', 'vs:2': `${at}|com net org` }
  const cache = open()
  await cache.setMany(
    Object.entries({ ...kept, ...others }).map(([key, value]) => ({ key, value, ttlMs: 2 * HOUR_MS })),
  )
  await cache.settle()
  const keys = Object.keys({ ...kept, ...others })
  expect(await open().getMany(keys)).toEqual([...Object.values(kept), null, null, null])
  const entries = keys.map((key) => [key, Object.values({ ...kept, ...others })[keys.indexOf(key)], at + 7 * HOUR_MS])
  await writeFile(fileOf(), JSON.stringify({ at, entries }))
  expect(await open().getMany(keys), 'a test that claims to last longer').toEqual([
    null,
    kept['vs:1'],
    null,
    null,
    null,
  ])
})

test('a server of RDAP is tested by the first command, and by the next ones only when six hours are over', async () => {
  await using server = await openRdapServer({
    isRegistered: (domain) => !domain.startsWith('free') && domain.length < 20,
  })
  const facts = { servers: { [server.base]: 'com' } }
  const ask = async (domain: string) => {
    const folder = openCacheFolder({ path, onRefused: () => {} })
    const cache = openLookupCache({ folder, now })
    const outbound = openOutbound({ ca: server.ca, allowPrivate: true, now })
    const bootstrap = openBootstrap({ outbound, now, facts })
    const rdap = openRdap({ outbound, budget: openFileBudget({ folder, now }), bootstrap, cache, now })
    const before = server.asked.length
    const found = await rdap.ask([domain as Domain], new AbortController().signal)
    await cache.settle()
    rdap.close()
    await outbound.close()
    return { says: found.get(domain as Domain)?.says, lookups: server.asked.length - before }
  }
  expect(await ask('free-one.com')).toEqual({ says: 'absent', lookups: 4 })
  at += 5 * HOUR_MS
  // One of them is for a registered domain: the server may have lost its data since.
  expect(await ask('free-two.com')).toEqual({ says: 'absent', lookups: 2 })
  at += HOUR_MS
  expect(await ask('free-six.com')).toEqual({ says: 'absent', lookups: 4 })
})

test('a clock that goes back revives nothing', async () => {
  const says = () => 'registered' as const
  await check([TAKEN], says)
  const writtenAt = at
  at += 2 * HOUR_MS
  expect((await check([TAKEN])).statuses).toEqual(['unknown'])
  at = writtenAt + HOUR_MS / 2
  expect((await check([TAKEN])).statuses, 'seen to have expired').toEqual(['unknown'])
  await check([TAKEN], says)
  at -= 1
  expect((await check([TAKEN])).statuses, 'written in the future').toEqual(['unknown'])
  at += 1
  await check([TAKEN], says)
  at += HOUR_MS - 1_000
  await check([FREE], says)
  at -= HOUR_MS / 2
  expect((await check([TAKEN])).statuses, 'almost over before').toEqual(['unknown'])
})

test('a damaged file is an empty one, and the next command writes a good one', async () => {
  const good = JSON.stringify({ at, entries: [[`av:3:${TAKEN}`, `t|d|${at}|${at + HOUR_MS}|dns`, at + HOUR_MS]] })
  const damaged = [
    good.slice(0, -3),
    '',
    'null',
    '[]',
    '{}',
    '{"at":1,"entries":{}}',
    '{"at":1,"entries":[null]}',
    `{"at":${at},"entries":[["av:3:${TAKEN}",1,2]]}`,
    '['.repeat(100_000),
    JSON.stringify({ at, entries: [{ __proto__: null, toString: 1 }] }),
  ]
  for (const content of damaged) {
    await plant(content)
    expect((await check([TAKEN])).statuses, content.slice(0, 50)).toEqual(['unknown'])
  }
  await check([TAKEN], () => 'registered')
  expect((await check([TAKEN])).asked).toEqual([])
})

test('whatever the file says, no domain is called available', async () => {
  const value = fc.oneof(
    fc.string(),
    fc
      .tuple(fc.constantFrom('a', 'p', 't', 'f', 'r'), fc.constantFrom('d', 'l', 'p'), fc.integer(), fc.integer())
      .map(([status, sure, checked, ends]) => `${status}|${sure}|${at + checked}|${at + ends}|dns,rdap,vercel`),
  )
  const entry = fc.tuple(
    fc.constantFrom(`av:3:${FREE}`, `av:3:${TAKEN}`),
    value,
    fc.integer().map((ms) => at + ms),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 3 }), async (entries) => {
      await plant(JSON.stringify({ at, entries }))
      for (const status of (await check([FREE, TAKEN])).statuses) expect(['unknown', 'taken']).toContain(status)
    }),
    { numRuns: 50 },
  )
})

test('of very many domains it keeps the latest', async () => {
  const entries = Array.from({ length: 6_000 }, (_, index) => ({
    key: `av:3:name-${index}.com`,
    value: `t|d|${at}|${at + HOUR_MS}|dns`,
    ttlMs: HOUR_MS,
  }))
  const cache = open()
  await cache.setMany(entries)
  await cache.settle()
  const found = await open().getMany([
    'av:3:name-0.com',
    'av:3:name-999.com',
    'av:3:name-1000.com',
    'av:3:name-5999.com',
  ])
  expect(found.map((value) => value !== null)).toEqual([false, false, true, true])
})
