/** Each registrar's API, by its file in `fixtures/`: what is sent, what its rows say, and that nothing else is an offer. */
import { describe, expect, test } from 'vitest'
import {
  type Answered,
  createHealthTracker,
  createVercel,
  type Domain,
  type Evidence,
  godaddy as declared,
  Limited,
  type LookupCache,
  type OutboundAnswer,
  type OutboundRequest,
  Secret,
  type Send,
} from '../source.ts'
import { DOMAIN } from './fixture.ts'
import type { RegistrarFixture } from './fixture.ts'
import { cloudflare } from './fixtures/cloudflare.ts'
import { fastly } from './fixtures/fastly.ts'
import { godaddyToken } from './fixtures/godaddy-token.ts'
import { godaddy } from './fixtures/godaddy.ts'
import { nameCom } from './fixtures/name-com.ts'
import { namecheap } from './fixtures/namecheap.ts'
import { ownSource } from './fixtures/own-source.ts'
import { porkbun } from './fixtures/porkbun.ts'
import { spaceship } from './fixtures/spaceship.ts'
import { vercel } from './fixtures/vercel.ts'

const FIXTURES = {
  vercel,
  cloudflare,
  nameCom,
  porkbun,
  godaddy,
  godaddyToken,
  namecheap,
  spaceship,
  fastly,
  ownSource,
}
/** Of those whose file is not called as they are. */
const SOURCES: Readonly<Record<string, string>> = {
  godaddyToken: 'godaddy',
  nameCom: 'name-com',
  ownSource: 'own-source',
}
const NOW = 1_800_000_000_000
const MINUTE_MS = 60_000
const { signal } = new AbortController()

const answerOf = (text: string, more: Partial<Answered> = {}): OutboundAnswer => ({
  kind: 'answer',
  status: 200,
  headers: {},
  body: Buffer.from(text),
  ...more,
})

async function check({ create }: RegistrarFixture, answer: OutboundAnswer, asked: readonly string[] = [DOMAIN]) {
  const sent: OutboundRequest[] = []
  const send: Send = (request) => (sent.push(request), Promise.resolve(answer))
  const evidence = await create(send, () => NOW).check(asked as readonly Domain[], signal)
  return { sent, evidence }
}

const isOffer = ({ says }: Evidence) => says === 'available' || says === 'premium'
const batchOf = ({ create }: RegistrarFixture) =>
  create(
    () => Promise.reject(new Error('not sent')),
    () => NOW,
  ).batch

describe.for(Object.entries(FIXTURES))('%s', ([name, fixture]) => {
  const { request, respond, offer, rows, refusals = {} } = fixture
  const offered = respond(offer)

  test('sends the documented request, bounded in time and size', async () => {
    const { sent } = await check(fixture, answerOf(offered))
    expect(sent).toEqual([
      expect.objectContaining({ ...request, headers: expect.objectContaining(request.headers), signal }),
    ])
    expect(sent[0]?.maxBytes).toBeLessThanOrEqual(256 * 1024)
    expect(sent[0]?.timeoutMs).toBeLessThanOrEqual(4_000)
  })

  test.for(rows)('a row that is %s', async ([, row, said]) => {
    const { evidence } = await check(fixture, answerOf(respond(row)))
    const ttlMs = (said?.says === 'available' ? 5 : 60) * MINUTE_MS
    const source = SOURCES[name] ?? name
    expect(evidence).toEqual(said === undefined ? [] : [{ domain: DOMAIN, source, at: NOW, ttlMs, ...said }])
  })

  test.for(Object.entries(refusals))('an offer in a response %s is none', async ([, text]) => {
    expect((await check(fixture, answerOf(text))).evidence).toEqual([])
  })

  test('an offer with a status of failure is none, and "too many requests" is passed on with its time', async () => {
    for (const status of [204, 307, 400, 401, 404, 500, 503])
      expect((await check(fixture, answerOf(offered, { status }))).evidence, `${status}`).toEqual([])
    for (const status of [403, 422, 429]) {
      // At name.com: it sells none of the suffixes.
      if (fixture === nameCom && status === 422) continue
      const limited = check(fixture, answerOf(offered, { status, retryAfterMs: 7_000 }))
      await expect(limited, `${status}`).rejects.toBeInstanceOf(Limited)
      await expect(limited, `${status}`).rejects.toMatchObject({ retryAfterMs: 7_000 })
    }
  })

  test('no answer, one that is cut off, and one of another form say nothing', async () => {
    expect((await check(fixture, { kind: 'failed', reason: 'timeout' })).evidence).toEqual([])
    const cuts = Array.from({ length: 24 }, (_, at) => Math.floor((offered.length * at) / 24))
    const texts = ['{}', '[]', 'null', '"x"', '<no/>', '<html><body>Checking your browser…</body></html>']
    const others = ['['.repeat(10_000), ...cuts.map((cut) => offered.slice(0, cut))]
    for (const text of [...texts, ...others]) expect((await check(fixture, answerOf(text))).evidence, text).toEqual([])
    const maybe = offered.replaceAll(/true|"yes"|"available"|inactive/g, '"maybe"')
    expect((await check(fixture, answerOf(maybe))).evidence).toEqual([])
  })

  // Porkbun takes one name and does not repeat it.
  if (offered.includes(DOMAIN))
    test('an offer of another domain says nothing of the one asked about', async () => {
      const text = offered.replaceAll(DOMAIN, `not-${DOMAIN}`)
      expect((await check(fixture, answerOf(text))).evidence).toEqual([])
    })

  if (batchOf(fixture) === 1) return

  test('of two rows about one domain neither counts', async () => {
    const registered = rows.find(([, , said]) => said?.says === 'registered')?.[1] ?? {}
    for (const [one, other] of [
      [offer, offer],
      [offer, registered],
      [registered, offer],
    ] as const) {
      const { evidence } = await check(fixture, answerOf(respond(one, other)))
      expect(evidence).toMatchObject([{ domain: DOMAIN, says: 'unknown' }])
    }
  })

  test('rows are told apart by their domain, in any order, with gaps', async () => {
    const of = (domain: string) => JSON.parse(JSON.stringify(offer).replaceAll(DOMAIN, domain)) as object
    const text = respond(of('three.com'), of('one.com'))
    const { evidence } = await check(fixture, answerOf(text), ['one.com', 'two.com', 'three.com'])
    expect(evidence.map(({ domain }) => domain)).toEqual(['one.com', 'three.com'])
    expect(evidence.every(isOffer)).toBe(true)
  })
})

test('Name.com: 422 says that it sells none of them, and is no rate limit', async () => {
  expect((await check(nameCom, answerOf('{"message":"Unsupported TLDs"}', { status: 422 }))).evidence).toEqual([])
})

test('Namecheap: "too many requests" has status 200 and a number', async () => {
  const text = namecheap.respond(namecheap.offer).replace('<Errors />', '<Errors><Error Number="500000"/></Errors>')
  await expect(check(namecheap, answerOf(text))).rejects.toBeInstanceOf(Limited)
})

describe('GoDaddy', () => {
  const parse = declared.settings.NAMEWRIGHT_GODADDY!.parse

  test('a name with both a row and an error counts as contradictory, and status 203 is an answer', async () => {
    const error = { domain: DOMAIN, code: 'UNSUPPORTED_TLD', message: 'no', status: 422 }
    const both = await check(godaddy, answerOf(godaddy.respond(godaddy.offer, error), { status: 203 }))
    expect(both.evidence).toMatchObject([{ domain: DOMAIN, says: 'unknown' }])
  })

  test.each([
    ['gd_pat_abc_01234567', '/v3/domains/check-availability', 'Bearer gd_pat_abc_01234567', 25],
    ['key:secret', '/v1/domains/available?checkType=FULL', 'sso-key key:secret', 50],
  ])('the setting %s goes to %s', async (setting, path, authorization, batch) => {
    const sent: OutboundRequest[] = []
    const tools = {
      send: (request: OutboundRequest) => (sent.push(request), Promise.resolve(answerOf(''))),
      health: createHealthTracker({ now: Date.now, slowMs: 1_000 }),
      onClose: () => {},
      now: Date.now,
    }
    const registrar = await declared.create({ NAMEWRIGHT_GODADDY: parse(setting) }, tools)
    expect(registrar).toMatchObject({ name: 'godaddy', host: 'api.godaddy.com', batch })
    await registrar.check([DOMAIN as Domain], signal)
    expect(sent[0]).toMatchObject({ url: `https://api.godaddy.com${path}`, headers: { authorization } })
  })

  test('half a key is refused, and neither is printed', () => {
    for (const text of [':secret', 'key:', 'a:b:c']) expect(() => parse(text)).toThrow('2 parts')
    expect(parse('gd_pat_abc')).toBeInstanceOf(Secret)
    expect(JSON.stringify([parse('gd_pat_abc'), parse('key:hidden')])).not.toMatch(/gd_pat|hidden/)
  })
})

test('Vercel: while its list of suffixes cannot be read, a copy says what "not available" means', async () => {
  const [taken, takenUnlisted, free, freeUnlisted] = ['taken.com', 'taken.shop', 'free.com', 'free.shop']
  const results = [
    { domain: taken, available: false },
    { domain: takenUnlisted, available: false },
    ...[free, freeUnlisted].map((domain) => ({ ...vercel.offer, domain })),
  ]
  const lists: string[] = []
  let list: OutboundAnswer = { kind: 'failed', reason: 'timeout' }
  let at = NOW
  const send: Send = ({ url }) => {
    if (!url.endsWith('/supported')) return Promise.resolve(answerOf(JSON.stringify({ results })))
    lists.push(url)
    return Promise.resolve(list)
  }
  const registrar = createVercel({ send, now: () => at })
  const saysNow = async () => {
    const evidence = await registrar.check(
      results.map(({ domain }) => domain as Domain),
      signal,
    )
    return Object.fromEntries(evidence.map(({ domain, says }) => [domain, says]))
  }
  expect(registrar.fault?.()).toBeUndefined()
  expect(await saysNow()).toEqual({ [taken]: 'registered', [free]: 'available', [freeUnlisted]: 'available' })
  expect(registrar.fault?.()).toMatch(
    /^its list of suffixes cannot be read: timeout; the copy of \d{4}-\d\d-\d\d is used$/,
  )
  list = answerOf('{}', { status: 401 })
  at += MINUTE_MS
  await saysNow()
  expect(registrar.fault?.()).toContain('status 401')
  await saysNow()
  expect(lists).toHaveLength(2)
  list = answerOf('["com","net","org"]')
  at += MINUTE_MS
  await saysNow()
  expect(await saysNow()).toEqual({ [taken]: 'registered', [free]: 'available' })
  expect(registrar.fault?.()).toBeUndefined()
  expect(lists).toHaveLength(3)
})

test('Vercel: its list is not read while the budget is used up', async () => {
  const sent: string[] = []
  const send: Send = ({ url }) => {
    sent.push(new URL(url).pathname)
    return Promise.resolve(answerOf(JSON.stringify({ results: [] })))
  }
  const registrar = createVercel({ send, takeForList: async () => false, now: () => NOW })
  await registrar.check([DOMAIN as Domain], signal)
  expect(sent).toEqual(['/v1/registrar/domains/search'])
  expect(registrar.fault?.()).toContain('rate limited')
})

test('Vercel: the next start uses the list that the last one has read, until it is a day old', async () => {
  const kept = new Map<string, string>()
  const listCache: LookupCache = {
    getMany: async (keys) => keys.map((key) => kept.get(key) ?? null),
    setMany: async (entries) => entries.forEach(({ key, value }) => kept.set(key, value)),
  }
  const domains = ['taken.com', 'taken.shop'] as Domain[]
  const results = domains.map((domain) => ({ domain, available: false }))
  let lists = 0
  const send: Send = ({ url }) => {
    if (!url.endsWith('/supported')) return Promise.resolve(answerOf(JSON.stringify({ results })))
    lists += 1
    return Promise.resolve(answerOf('["com","net","org","shop"]'))
  }
  const startAt = async (at: number) => {
    const evidence = await createVercel({ send, listCache, now: () => at }).check(domains, signal)
    expect(evidence.map(({ says }) => says)).toEqual(['registered', 'registered'])
    return lists
  }
  expect(await startAt(NOW)).toBe(1)
  expect(await startAt(NOW + 23 * 60 * MINUTE_MS)).toBe(1)
  expect(await startAt(NOW - MINUTE_MS), 'a clock that went back').toBe(2)
  expect(await startAt(NOW + 25 * 60 * MINUTE_MS)).toBe(3)
  for (const damaged of ['', 'com net org', `${NOW + 25 * 60 * MINUTE_MS}|com net <b>`]) {
    for (const key of kept.keys()) kept.set(key, damaged)
    const before = lists
    expect(await startAt(NOW + 25 * 60 * MINUTE_MS), damaged).toBe(before + 1)
  }
})
