/** DNS blocklists: what is listed is found, and no fault of a list or a resolver says "listed" or "not listed". */
import { afterEach, expect, test } from 'vitest'
import { BLOCKLIST_RULES, createBlocklists, MAX_BLOCKLIST_DOMAINS } from '../src/availability/blocklists.ts'
import type { BlocklistRule } from '../src/availability/blocklists.ts'
import { openDnsClient } from '../src/availability/dns-client.ts'
import type { Domain } from '../src/model/domain.ts'
import { blocklistsOf } from '../src/platform/config/parse.ts'
import { checkedEntry } from '../src/wire/texts.ts'
import { answerTo, openFakeResolver, RCODES } from './internet/fake-resolver.ts'
import { timeoutOf } from './timeout-of.ts'

const ZONE = 'dbl.example.org'
const GOOD = 'good.com' as Domain
const BAD = 'bad.com' as Domain

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close()
})

/** The addresses of a name in the zone; `nothing`: no such name; a code: that failure; `silence`: no response. */
type Said = readonly string[] | 'nothing' | 'silence' | keyof typeof RCODES
const HEALTHY: Readonly<Record<string, Said>> = { test: ['127.0.0.2'], invalid: 'nothing', 'bad.com': ['127.0.1.2'] }

async function open(said: (name: string) => Said, isOff = () => false) {
  const resolver = await openFakeResolver(
    (query, domain) => {
      const answer = said(domain.replace(`.${ZONE}`, ''))
      if (answer === 'silence') return []
      if (answer === 'nothing') return [answerTo(query, 'nxdomain', { zone: ZONE })]
      return typeof answer === 'string' ? [answerTo(query, answer)] : [withAddresses(query, answer)]
    },
    { probes: 'shown' },
  )
  const client = openDnsClient([resolver.address], { mostInFlight: 16 })
  opened.push(resolver, client)
  const lists = createBlocklists({ client, lists: [{ zone: ZONE, testName: 'test' }], now: Date.now, isOff })
  const check = async (domains: readonly Domain[], signal = AbortSignal.timeout(3_000)) => {
    const found = await lists.check(domains, signal)
    return domains.map((domain) => found.get(domain)?.[0])
  }
  return { check, asked: resolver.asked }
}

const rulesOf = async (said: (name: string) => Said) =>
  (await (await open(said)).check([BAD, GOOD])).map((finding) => finding?.rule)
const healthy = (name: string): Said => HEALTHY[name] ?? 'nothing'

/** A response with these A records, each named by a pointer to the name of the query. */
function withAddresses(query: Buffer, addresses: readonly string[]): Buffer {
  const head = Buffer.from(query)
  head.writeUInt16BE(0x8180, 2)
  head.writeUInt16BE(addresses.length, 6)
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)]),
  )
  return Buffer.concat([head, ...records])
}

test('a listed domain has the codes of its entry, and another is not listed', async () => {
  const { check, asked } = await open(healthy)
  expect(await check([BAD, GOOD])).toEqual([
    { zone: ZONE, rule: 'listed', codes: ['127.0.1.2'] },
    { zone: ZONE, rule: 'not_listed', codes: [] },
  ])
  expect(asked.toSorted()).toEqual([`bad.com.${ZONE}`, `good.com.${ZONE}`, `invalid.${ZONE}`, `test.${ZONE}`])
  await check([GOOD])
  expect(asked, 'control names are asked again only after minutes').toHaveLength(5)
})

test('switched off, nobody is asked and nothing is said, until they are on again', async () => {
  let off = true
  const { check, asked } = await open(healthy, () => off)
  expect(await check([BAD])).toEqual([{ zone: ZONE, rule: 'switched_off', codes: [] }])
  expect(asked).toEqual([])
  off = false
  expect(await check([BAD])).toEqual([{ zone: ZONE, rule: 'listed', codes: ['127.0.1.2'] }])
})

test.for<[what: string, said: (name: string) => Said, rules: readonly string[]]>([
  ['a resolver that answers for every name', () => ['127.0.0.2'], ['untrusted', 'untrusted']],
  ['a resolver that leads every name to a page', () => ['203.0.113.7'], ['untrusted', 'untrusted']],
  ['a list that is gone', () => 'nothing', ['untrusted', 'untrusted']],
  [
    'a list that lists everything',
    (name) => HEALTHY[name === 'invalid' ? 'test' : name] ?? ['127.0.0.2'],
    ['untrusted', 'untrusted'],
  ],
  ['a list that refuses this resolver', () => ['127.255.255.254'], ['refused', 'refused']],
  ['a failing server', () => 'servfail', ['no_answer', 'no_answer']],
  [
    'a code for errors',
    (name) => (name === 'bad.com' ? ['127.255.255.252'] : healthy(name)),
    ['refused', 'not_listed'],
  ],
  [
    'an address of the internet',
    (name) => (name === 'bad.com' ? ['203.0.113.7'] : healthy(name)),
    ['malformed_answer', 'not_listed'],
  ],
  [
    'both kinds of addresses',
    (name) => (name === 'bad.com' ? ['127.0.0.2', '203.0.113.7'] : healthy(name)),
    ['malformed_answer', 'not_listed'],
  ],
  ['127.0.0.1', (name) => (name === 'bad.com' ? ['127.0.0.1'] : healthy(name)), ['malformed_answer', 'not_listed']],
  ['no address', (name) => (name === 'bad.com' ? [] : healthy(name)), ['malformed_answer', 'not_listed']],
  ['a failure for one name', (name) => (name === 'good.com' ? 'refused' : healthy(name)), ['listed', 'no_answer']],
])('%s', async ([, said, rules]) => {
  expect(await rulesOf(said)).toEqual(rules)
})

test('what is silent is unknown when the time is over', async () => {
  const { check } = await open((name) => (name === 'bad.com' ? 'silence' : healthy(name)))
  const [bad, good] = await check([BAD, GOOD], timeoutOf(400))
  expect([bad?.rule, good?.rule]).toEqual(['no_answer', 'not_listed'])
})

test('a request asks about a hundred domains at most', async () => {
  const { check, asked } = await open(healthy)
  const domains = Array.from({ length: MAX_BLOCKLIST_DOMAINS + 2 }, (_, nth) => `n${nth}.com` as Domain)
  const rules = (await check(domains, AbortSignal.timeout(10_000))).map((finding) => finding?.rule)
  expect(rules.slice(-3)).toEqual(['not_listed', 'not_asked', 'not_asked'])
  expect(asked).toHaveLength(MAX_BLOCKLIST_DOMAINS + 2)
})

test('the API says listed or not only if the lists say so', () => {
  const at = {
    checkedAt: 0,
    expiresAt: 0,
    sources: [],
    domain: BAD,
    status: 'available',
    confidence: 'definitive',
  } as const
  const listedBy = (...rules: readonly BlocklistRule[]) => {
    const reputation = rules.map((rule) => ({ zone: ZONE, rule, codes: [] }))
    const checked = { input: BAD, verdict: at, registrable: false, offer: undefined, forSale: undefined, reputation }
    return checkedEntry(checked).reputation?.listed
  }
  expect(listedBy('not_listed', 'listed')).toBe(true)
  expect(listedBy('not_listed', 'not_listed')).toBe(false)
  expect(listedBy()).toBe('unknown')
  for (const rule of BLOCKLIST_RULES.slice(2)) expect(listedBy('not_listed', rule), rule).toBe('unknown')
})

test('the setting takes zones, each with a name that it lists', () => {
  expect(blocklistsOf('dbl.example.org, URI.example.net=listed.example')).toEqual([
    { zone: 'dbl.example.org', testName: 'test' },
    { zone: 'uri.example.net', testName: 'listed.example' },
  ])
  for (const wrong of ['', 'localhost', 'a.b/c', 'a.b=c=d', 'a.b,a.c,a.d,a.e,a.f'])
    expect(() => blocklistsOf(wrong)).toThrow()
})
