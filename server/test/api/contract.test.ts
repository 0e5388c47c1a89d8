/**
 * The promise to everyone who only ever read the published interface: their client works, unchanged, over HTTPS.
 *
 * `interface-client.ts` checks what that page shows. What it leaves open and we decided (the fields of a record) is
 * checked here, key by key.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCertificate } from '../certificate.ts'
import type { Certificate } from '../certificate.ts'
import { openRegistrarServer } from '../internet/registrar-server.ts'
import type { RegistrarServer } from '../internet/registrar-server.ts'
import { emptyRedis } from '../redis.ts'
import { startApp } from '../start-app.ts'
import type { Node, World } from '../world.ts'
import { createInterfaceClient, readSuggestions } from './interface-client.ts'
import type { InterfaceClient } from './interface-client.ts'

let world: World
let certificate: Certificate
let node: Node
const clients: InterfaceClient[] = []
beforeAll(async () => {
  certificate = await makeCertificate()
  world = await startApp()
  node = await world.startNode(certificate.env)
})
afterAll(async () => {
  for (const client of clients) client[Symbol.dispose]()
  await world[Symbol.asyncDispose]()
  await certificate[Symbol.asyncDispose]()
})

async function newCaller(at: Node = node): Promise<InterfaceClient> {
  const { secret: key } = await world.makeKey(await world.makeAccount())
  const client = createInterfaceClient({ baseUrl: at.url, key, ca: certificate.ca })
  clients.push(client)
  return client
}

const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const ID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const PRICE = expect.stringMatching(/^\p{Sc}\d+\.\d{2}$/u)
const SEEN = { available: expect.any(Boolean), status: expect.any(String), price: PRICE, checked_at: INSTANT }

test('the service is reached over HTTPS and by no other scheme', () => {
  expect(new URL(node.url).protocol).toBe('https:')
})

test.each([1, 20, 100])('asked for %i suggestions, it answers with exactly so many', async (count) => {
  const caller = await newCaller()
  const suggestions = await caller.generate('an app that helps neighbours share garden tools', count)
  expect(suggestions).toHaveLength(count)
  expect(new Set(suggestions.map(({ name }) => name.toLowerCase())).size).toBe(count)
  for (const { domains } of suggestions) expect(domains.some(({ available }) => available)).toBe(true)
})

describe('as it is shipped, where DNS alone is not enough and a registrar is asked', () => {
  // The allowance of a registrar is shared through Redis, and what other tests learned is not this node's to use.
  const HOST = 'api.vercel.com'
  let registrar: RegistrarServer
  let strict: Node
  const closing = new AsyncDisposableStack()
  beforeAll(async () => {
    const itsOwn = closing.use(await makeCertificate([HOST]))
    const stranger = closing.use(await makeCertificate())
    const nothing = { registered: new Set<string>(), premium: new Map<string, number>(), reserved: new Set<string>() }
    const sells = { ...nothing, unsold: new Set<string>() }
    registrar = closing.use(await openRegistrarServer({ world: sells, certificate: itsOwn, stranger }))
    strict = await world.startNode({
      ...certificate.env,
      ...(await emptyRedis()),
      NAMEWRIGHT_AVAILABILITY_MODE: '',
      NAMEWRIGHT_REGISTRARS: '',
      NAMEWRIGHT_OUTBOUND_ROUTES: `${HOST}=127.0.0.1:${new URL(registrar.url).port}`,
      NAMEWRIGHT_OUTBOUND_CA_FILE: itsOwn.caFile,
    })
  })
  afterAll(() => closing.disposeAsync())

  test.each([1, 20])('asked for %i suggestions, it answers with exactly so many, all vouched for', async (count) => {
    const caller = await newCaller(strict)
    const suggestions = await caller.generate('an app that helps neighbours share garden tools', count)
    expect(suggestions).toHaveLength(count)
    const asked = new Set(registrar.requests.flatMap(({ names }) => names))
    for (const { domains } of suggestions) {
      const available = domains.filter((entry) => entry.available).map(({ domain }) => domain)
      expect(available).not.toEqual([])
      for (const domain of available) expect(asked).toContain(domain)
    }
    const { history } = (await caller.history()) as { history: { suggestions: unknown }[] }
    expect(history.map((record) => record.suggestions)).toStrictEqual([suggestions])
  })

  test('a domain that was available when it was shown is so when it is kept', async () => {
    const caller = await newCaller(strict)
    const [suggestion] = await caller.generate('a lighthouse museum', 1)
    const { domain = '', price } = suggestion?.domains.find((entry) => entry.available) ?? {}
    expect(await caller.addFavorite(domain)).toMatchObject({
      favorite: { domain, current: { available: true, price } },
    })
  })
})

test('prices differ between suffixes', async () => {
  const caller = await newCaller()
  const suggestions = await caller.generate('a bakery', 20)
  expect(new Set(suggestions.flatMap(({ domains }) => domains.map(({ price }) => price))).size).toBeGreaterThan(1)
})

describe('a description may be in many languages and scripts', () => {
  test.each([
    ['English', 'A marketplace for second-hand climbing gear'],
    ['Spanish', 'Una aplicación para aprender a cocinar paella con tu abuela'],
    ['German', 'Ein Fahrradverleih für Ausflüge über Land, größer als üblich'],
    ['French', 'Une boutique de thé où l’on découvre des mélanges rares'],
    ['Portuguese', 'Um serviço de música para cães que ficam sozinhos'],
    ['Russian', 'Приложение для поиска потерянных книг в библиотеках'],
    ['Ukrainian', 'Застосунок для пошуку загублених книжок у бібліотеках'],
    ['Japanese', '地元の職人から陶器を買えるオンラインショップ'],
    ['Chinese', '帮助老年人学习使用智能手机的平台'],
    ['Korean', '반려동물을 위한 건강 관리 앱'],
    ['Turkish', 'İstanbul’da ıssız çay bahçelerini bulan bir rehber'],
    ['Arabic', 'منصة لتعليم الخط العربي للأطفال'],
    ['Polish', 'Sklep z używanymi rowerami w Łodzi'],
    ['Hindi', 'किसानों के लिए मौसम की जानकारी देने वाला ऐप'],
    ['Thai', 'แอปสำหรับค้นหาร้านก๋วยเตี๋ยวใกล้บ้าน'],
    ['several at once, with emoji', 'Café ☕ für 友達 — учёба & música 🎶'],
  ])('%s', async (_language, description) => {
    const caller = await newCaller()
    expect(await caller.generate(description, 5)).toHaveLength(5)
    expect(await caller.history()).toMatchObject({ history: [{ description, count: 5 }] })
  })
})

test('history gives back what was generated, newest first, with these keys and no more', async () => {
  const caller = await newCaller()
  expect(await caller.history()).toStrictEqual({ history: [], next_cursor: null })
  const first = await caller.generate('a chess club', 3)
  const second = await caller.generate('a rowing club', 2)
  const record = { id: ID, created_at: INSTANT, language: expect.any(String), options: {}, key_id: ID }
  expect(await caller.history()).toStrictEqual({
    history: [
      { ...record, description: 'a rowing club', count: 2, suggestions: second },
      { ...record, description: 'a chess club', count: 3, suggestions: first },
    ],
    next_cursor: null,
  })
})

test('a favorite is added by its domain alone and listed with these keys and no more', async () => {
  const caller = await newCaller()
  expect(await caller.favorites()).toStrictEqual({ favorites: [], next_cursor: null })
  const [suggestion] = await caller.generate('a lighthouse museum', 1)
  const { domain = '', available, price } = suggestion?.domains.find((entry) => entry.available) ?? {}
  const added = await caller.addFavorite(domain)
  expect(added).toStrictEqual({
    favorite: {
      id: ID,
      domain,
      name: expect.any(String),
      note: null,
      tags: [],
      watch: false,
      term_years: expect.any(Number),
      created_at: INSTANT,
      saved: { ...SEEN, available, price },
      current: { ...SEEN, available, price },
    },
  })
  expect(await caller.addFavorite(domain)).toStrictEqual(added)
  expect(await caller.favorites()).toStrictEqual({ favorites: Object.values(added), next_cursor: null })
})

test('two callers at work at the same time each see their own history and favorites and nothing else', async () => {
  const [ada, bob] = await Promise.all([newCaller(), newCaller()])
  const work = async (caller: InterfaceClient, description: string) => {
    const runs = await Promise.all([1, 2, 3, 4].map((count) => caller.generate(description, count)))
    const domains = runs.map((run) => run[0]?.domains[0]?.domain ?? '')
    await Promise.all(domains.map((domain) => caller.addFavorite(domain)))
    return new Set(domains).size
  }
  const [adas, bobs] = await Promise.all([work(ada, 'a sailing school'), work(bob, 'a ceramics studio')])
  await bob.generate('only for Bob', 1)

  const seenBy = async (caller: InterfaceClient) => {
    const { history } = (await caller.history()) as { history: { id: string; description: string }[] }
    const { favorites } = (await caller.favorites()) as { favorites: { id: string }[] }
    return { history, favorites }
  }
  const [toAda, toBob] = await Promise.all([seenBy(ada), seenBy(bob)])
  expect(toAda.history.map(({ description }) => description)).toEqual(Array(4).fill('a sailing school'))
  expect(toBob.history.map(({ description }) => description)).toEqual([
    'only for Bob',
    ...Array<string>(4).fill('a ceramics studio'),
  ])
  expect([toAda.favorites.length, toBob.favorites.length]).toEqual([adas, bobs])
  const ids = [...toAda.history, ...toBob.history, ...toAda.favorites, ...toBob.favorites].map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('the same domain is a favorite of both callers, as two records', async () => {
  const [ada, bob] = await Promise.all([newCaller(), newCaller()])
  const [one, two] = [await ada.addFavorite('lantern.com'), await bob.addFavorite('lantern.com')]
  expect(one).not.toEqual(two)
  expect(await ada.favorites()).toStrictEqual({ favorites: Object.values(one), next_cursor: null })
})

test('a client that does not trust the authority gets no answer', async () => {
  const stranger = createInterfaceClient({ baseUrl: node.url, key: 'nw_none', ca: '' })
  clients.push(stranger)
  await expect(stranger.history()).rejects.toThrow(/certificate/)
})

describe('the client itself says no to', () => {
  const entry = { domain: 'mayfly.com', available: true, price: '$12.99' }
  const answer = (domain: object, more: { suggestion?: object; data?: object; top?: object } = {}) => ({
    status: 'success',
    data: { suggestions: [{ name: 'Mayfly', domains: [domain], ...more.suggestion }], ...more.data },
    ...more.top,
  })

  test('nothing in an answer as shown', () => {
    expect(readSuggestions(answer(entry))).toEqual([{ name: 'Mayfly', domains: [entry] }])
    expect(readSuggestions(answer({ ...entry, domain: 'mayfly.co.uk', price: '€9.50' }))).toHaveLength(1)
  })

  test.each<[string, object]>([
    ['another key beside data', answer(entry, { top: { took_ms: 3 } })],
    ['another key in data', answer(entry, { data: { shortfall: null } })],
    ['another key in a suggestion', answer(entry, { suggestion: { score: 1 } })],
    ['another key in a domain entry', answer({ ...entry, status: 'available' })],
    ['a missing price', answer({ domain: 'mayfly.com', available: true })],
    ['a status other than success', answer(entry, { top: { status: 'ok' } })],
    ['a suggestion without domains', answer(entry, { suggestion: { domains: [] } })],
    ['two domains of one suffix', answer(entry, { suggestion: { domains: [entry, entry] } })],
    ['an availability in words', answer({ ...entry, available: 'yes' })],
    ['a domain without a suffix', answer({ ...entry, domain: 'mayfly' })],
    ['a price without a symbol', answer({ ...entry, price: '12.99' })],
    ['a price with the symbol behind', answer({ ...entry, price: '12.99 $' })],
    ['a price with a comma', answer({ ...entry, price: '€9,50' })],
    ['a price with one fraction digit', answer({ ...entry, price: '€9.5' })],
    ['a price as a number', answer({ ...entry, price: 12.99 })],
  ])('%s', (_what, broken) => {
    expect(() => readSuggestions(broken)).toThrow(Error)
  })
})
