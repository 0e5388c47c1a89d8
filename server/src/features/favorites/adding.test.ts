/** POST /v1/favorites: one favorite per account and domain, in one spelling, with what was known when it was saved. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ALWAYS_TAKEN } from '../../../test/internet/zones.ts'
import { faultsOf } from '../../../test/readings.ts'
import { startApp } from '../../../test/start-app.ts'
import type { AccountId, Answer, Node, World } from '../../../test/world.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const FREE = 'free-for-sure-favorite.com'
const TAKEN = `${ALWAYS_TAKEN}.co.uk`

let world: World
let node: Node
beforeAll(async () => {
  world = await startApp()
  node = await world.startNode()
})
afterAll(() => world[Symbol.asyncDispose]())

let account: AccountId
let key: string
beforeEach(async () => {
  account = await world.makeAccount()
  key = (await world.makeKey(account)).secret
})

const add = (body: unknown, by = key) => node.call('/v1/favorites', { key: by, body })
const read = (path = '', by = key) => node.call(`/v1/favorites${path}`, { key: by })
const domainsIn = (answer: Answer): string[] =>
  answer.json.data.favorites.map(({ domain }: { domain: string }) => domain)

test('a domain alone is enough, and 201 says what was kept and where', async () => {
  const before = Date.now()
  const answer = await add({ domain: FREE })
  expect(answer.status).toBe(201)
  const { favorite } = answer.json.data
  const seen = {
    available: true,
    status: 'available',
    price: expect.stringMatching(/^\$\d+\.\d{2}$/),
    checked_at: expect.stringMatching(INSTANT),
  }
  expect(answer.json).toEqual({
    status: 'success',
    data: {
      favorite: {
        id: expect.stringMatching(UUID),
        domain: FREE,
        name: 'free-for-sure-favorite',
        note: null,
        tags: [],
        watch: false,
        created_at: expect.stringMatching(INSTANT),
        term_years: 1,
        saved: seen,
        current: seen,
      },
    },
  })
  expect(answer.headers.get('location')).toBe(`/v1/favorites/${favorite.id}`)
  expect(Date.parse(favorite.created_at)).toBeGreaterThanOrEqual(before)
  expect(Date.parse(favorite.created_at)).toBeLessThanOrEqual(Date.now())
  expect(favorite.current).toEqual(favorite.saved)
})

test('every field is kept as it was sent', async () => {
  const sent = { domain: TAKEN, name: 'Für später ✨', note: 'zwei\nZeilen', tags: ['b', 'a', 'Ünï'], watch: true }
  const answer = await add(sent)
  expect(answer.json.data.favorite).toMatchObject(sent)
  expect(answer.json.data.favorite.saved).toMatchObject({ available: false, status: 'taken' })
  expect((await read(`/${answer.json.data.favorite.id}`)).json).toEqual(answer.json)
})

test('what was stored before there was a status is available or unknown, and never taken', async () => {
  const { id } = (await add({ domain: TAKEN })).json.data.favorite
  const seen = (available: boolean) =>
    JSON.stringify({ available, price: '$1.00', checked_at: '2026-01-01T00:00:00.000Z' })
  const text = 'UPDATE favorite SET saved = $2, current = $3 WHERE id = $1'
  await world.owner.query(text, [id, seen(true), seen(false)])
  for (const { saved, current } of [
    (await read(`/${id}`)).json.data.favorite,
    ...(await read('')).json.data.favorites.filter((one: { id: string }) => one.id === id),
  ]) {
    expect(saved).toMatchObject({ available: true, status: 'available' })
    expect(current).toMatchObject({ available: false, status: 'unknown' })
  }
})

test('the price is that of the suffix, free or taken', async () => {
  const body = { description: 'a chess club', count: 1, tlds: ['co.uk'] }
  const [entry] = (await node.call('/v1/generate', { key, body })).json.data.suggestions[0].domains
  expect((await add({ domain: TAKEN })).json.data.favorite.saved.price).toBe(entry.price)
})

test('the same domain again is 200 and the stored one, whatever else is sent', async () => {
  const first = await add({ domain: FREE, note: 'first', tags: ['one'] })
  const again = await add({ domain: FREE, note: 'second', tags: ['two'], watch: true })
  expect(again.status).toBe(200)
  expect(again.json).toEqual(first.json)
  expect(again.headers.get('location')).toBe(first.headers.get('location'))
  expect(domainsIn(await read())).toEqual([FREE])
})

test('ten at the same moment make one favorite', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => add({ domain: FREE })))
  const withStatus = (wanted: number) => answers.filter(({ status }) => status === wanted)
  expect([withStatus(201).length, withStatus(200).length]).toEqual([1, 9])
  expect(new Set(answers.map(({ json }) => json.data.favorite.id)).size).toBe(1)
  const { rows } = await world.owner.query('SELECT id FROM favorite WHERE account_id = $1', [account])
  expect(rows).toHaveLength(1)
})

test('two accounts may want the same domain', async () => {
  const other = (await world.makeKey(await world.makeAccount())).secret
  expect((await add({ domain: FREE })).status).toBe(201)
  expect((await add({ domain: FREE }, other)).status).toBe(201)
})

test.each([
  ['MiXeD-Case.COM', 'mixed-case.com'],
  ['trailing-dot.com.', 'trailing-dot.com'],
  ['  white-space.com\n', 'white-space.com'],
  ['münchen.com', 'xn--mnchen-3ya.com'],
  ['MÜNCHEN.com', 'xn--mnchen-3ya.com'],
  ['mu\u0308nchen.com', 'xn--mnchen-3ya.com'],
  ['XN--MNCHEN-3YA.com', 'xn--mnchen-3ya.com'],
  ['例え.co.uk', 'xn--r8jz45g.co.uk'],
  ['ideographic。com', 'ideographic.com'],
])('%j is kept as %s', async (typed, kept) => {
  const answer = await add({ domain: typed })
  expect(answer.status).toBe(201)
  expect(answer.json.data.favorite.domain).toBe(kept)
  expect((await add({ domain: kept })).status).toBe(200)
})

test.each([
  [{}, '/domain required'],
  [{ domain: '' }, '/domain too_short'],
  [{ domain: 5 }, '/domain wrong_type'],
  [{ domain: 'com' }, '/domain invalid_domain'],
  [{ domain: 'two words.com' }, '/domain invalid_domain'],
  [{ domain: 'https://mayfly.com' }, '/domain invalid_domain'],
  [{ domain: 'mayfly.com/path' }, '/domain invalid_domain'],
  [{ domain: 'mayfly.com?x' }, '/domain invalid_domain'],
  [{ domain: 'mayfly.com#x' }, '/domain invalid_domain'],
  [{ domain: 'mayfly.com\\x' }, '/domain invalid_domain'],
  [{ domain: 'may%66ly.com' }, '/domain invalid_domain'],
  [{ domain: 'may\tfly.com' }, '/domain invalid_domain'],
  [{ domain: 'me@mayfly.com' }, '/domain invalid_domain'],
  [{ domain: 'mayfly.com:443' }, '/domain invalid_domain'],
  [{ domain: '-mayfly.com' }, '/domain invalid_domain'],
  [{ domain: 'may_fly.com' }, '/domain invalid_domain'],
  [{ domain: 'may..fly.com' }, '/domain invalid_domain'],
  [{ domain: 'ab--cd.com' }, '/domain invalid_domain'],
  [{ domain: 'xn--a.com' }, '/domain invalid_domain'],
  [{ domain: `${'a'.repeat(64)}.com` }, '/domain invalid_domain'],
  [{ domain: '127.0.0.1' }, '/domain invalid_domain'],
  [{ domain: '*.com' }, '/domain invalid_domain'],
  [{ domain: 'may\0fly.com' }, '/domain invalid_domain'],
  [{ domain: 'mayfly.nosuchsuffix' }, '/domain unknown_suffix'],
  [{ domain: 'www.mayfly.com' }, '/domain unknown_suffix'],
  [{ domain: 'co.uk' }, '/domain invalid_domain'],
  [{ domain: FREE, note: 'x'.repeat(2001) }, '/note too_long'],
  [{ domain: FREE, name: '' }, '/name too_short'],
  [{ domain: FREE, name: 'x'.repeat(101) }, '/name too_long'],
  [{ domain: FREE, name: null }, '/name wrong_type'],
  [{ domain: FREE, tags: Array.from({ length: 21 }, (_, i) => `tag${i}`) }, '/tags too_many'],
  [{ domain: FREE, tags: ['x'.repeat(41)] }, '/tags/0 too_long'],
  [{ domain: FREE, tags: ['a', ''] }, '/tags/1 too_short'],
  [{ domain: FREE, tags: ['a', 'b', 'a'] }, '/tags repeated'],
  [{ domain: FREE, watch: 'yes' }, '/watch wrong_type'],
  [{ domain: FREE, comment: 'x' }, '/comment unknown_field'],
])('%j is refused with a pointer', async (body, fault) => {
  const answer = await add(body)
  expect(answer.status).toBe(400)
  expect(faultsOf(answer)).toEqual([fault])
  expect(domainsIn(await read())).toEqual([])
})

test('an unknown suffix is called by its name', async () => {
  const [fault] = (await add({ domain: 'mayfly.nosuchsuffix' })).json.error.errors
  expect(fault.message).toContain('“nosuchsuffix”')
})

test('the longest texts are kept', async () => {
  const tags = Array.from({ length: 20 }, (_, i) => String(i).padStart(40, 't'))
  const body = { domain: FREE, name: '🦋'.repeat(100), note: '🦋'.repeat(2000), tags }
  expect((await add(body)).json.data.favorite).toMatchObject(body)
})
