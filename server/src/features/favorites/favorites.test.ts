/** GET, PATCH and DELETE /v1/favorites: the list and its filters, single favorites, and only the caller's own. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ALWAYS_TAKEN } from '../../../test/internet/zones.ts'
import { faultsOf } from '../../../test/readings.ts'
import { startApp } from '../../../test/start-app.ts'
import type { Answer, Node, World } from '../../../test/world.ts'

const FREE = 'free-for-sure-favorite.com'
const TAKEN = `${ALWAYS_TAKEN}.co.uk`

let world: World
let node: Node
beforeAll(async () => {
  world = await startApp()
  node = await world.startNode()
})
afterAll(() => world[Symbol.asyncDispose]())

let key: string
beforeEach(async () => {
  key = (await world.makeKey(await world.makeAccount())).secret
})

const add = (body: unknown, by = key) => node.call('/v1/favorites', { key: by, body })
const read = (path = '', by = key) => node.call(`/v1/favorites${path}`, { key: by })
const change = (id: string, body: unknown, by = key) =>
  node.call(`/v1/favorites/${id}`, { key: by, method: 'PATCH', body })
const remove = (id: string, by = key) => node.call(`/v1/favorites/${id}`, { key: by, method: 'DELETE' })
const domainsIn = (answer: Answer): string[] =>
  answer.json.data.favorites.map(({ domain }: { domain: string }) => domain)
const addId = async (body: unknown, by = key): Promise<string> => (await add(body, by)).json.data.favorite.id

describe('finding', () => {
  test('the list is empty at first, then the newest comes first', async () => {
    expect((await read()).json).toEqual({ status: 'success', data: { favorites: [], next_cursor: null } })
    for (const label of ['one', 'two', 'three']) await add({ domain: `free-for-sure-${label}.com` })
    const answer = await read()
    expect(domainsIn(answer)).toEqual(['free-for-sure-three.com', 'free-for-sure-two.com', 'free-for-sure-one.com'])
    const [first] = answer.json.data.favorites
    expect((await read(`/${first.id}`)).json).toEqual({ status: 'success', data: { favorite: first } })
  })

  test('q looks into domain, name and note; tag and watch are exact; together all must hold', async () => {
    await add({ domain: 'alpha.com', name: 'First', note: 'the RIVER house', tags: ['home'], watch: true })
    await add({ domain: 'riverside.com', name: 'Second', tags: ['home', 'work'] })
    await add({ domain: 'gamma.com', name: '100% River', tags: ['homework'], watch: true })
    await add({ domain: 'delta.com' })
    const found = async (query: string) => domainsIn(await read(`?${query}`))
    expect(await found('q=river')).toEqual(['gamma.com', 'riverside.com', 'alpha.com'])
    expect(await found('q=RIVERSIDE.com')).toEqual(['riverside.com'])
    expect(await found('q=%25')).toEqual(['gamma.com'])
    expect(await found('tag=home')).toEqual(['riverside.com', 'alpha.com'])
    expect(await found('tag=Home')).toEqual([])
    expect(await found('watch=true')).toEqual(['gamma.com', 'alpha.com'])
    expect(await found('watch=false')).toEqual(['delta.com', 'riverside.com'])
    expect(await found('q=river&tag=home&watch=true')).toEqual(['alpha.com'])
    expect(await found('q=river&tag=work&watch=true')).toEqual([])
  })

  test.each([
    ['watch=maybe', '?watch wrong_type'],
    ['tag=', '?tag too_short'],
    ['domain=a', '?domain unknown_field'],
  ])('%s is refused with its name', async (query, fault) => {
    const answer = await read(`?${query}`)
    expect(answer.status).toBe(400)
    expect(faultsOf(answer)).toEqual([fault])
  })
})

describe('changing', () => {
  const sent = { name: 'Name', note: 'note', tags: ['a', 'b'], watch: false }

  test.each([
    [{ name: 'Other' }],
    [{ note: 'other' }],
    [{ note: null }],
    [{ note: '' }],
    [{ tags: [] }],
    [{ tags: ['c'] }],
    [{ watch: true }],
    [{ name: 'Other', note: null, tags: ['z'], watch: true }],
  ])('%j changes that and nothing else', async (wanted) => {
    const { favorite } = (await add({ domain: FREE, ...sent })).json.data
    const answer = await change(favorite.id, wanted)
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ status: 'success', data: { favorite: { ...favorite, ...wanted } } })
    expect((await read(`/${favorite.id}`)).json).toEqual(answer.json)
  })

  test.each([
    [{}, ' too_few'],
    [{ domain: 'other.com' }, '/domain unknown_field'],
    [{ saved: {} }, '/saved unknown_field'],
    [{ name: null }, '/name wrong_type'],
    [{ note: 'x'.repeat(2001) }, '/note too_long'],
    [{ tags: ['a', 'a'] }, '/tags repeated'],
    [{ tags: null }, '/tags wrong_type'],
    [{ watch: null }, '/watch wrong_type'],
  ])('%j is refused with a pointer and changes nothing', async (wanted, fault) => {
    const { favorite } = (await add({ domain: FREE, ...sent })).json.data
    const answer = await change(favorite.id, wanted)
    expect(answer.status).toBe(400)
    expect(faultsOf(answer)).toEqual([fault])
    expect((await read(`/${favorite.id}`)).json.data.favorite).toEqual(favorite)
  })

  test('a favorite is deleted once, and its domain may come back as a new one', async () => {
    const id = await addId({ domain: FREE })
    const kept = await addId({ domain: TAKEN })
    const deleted = await remove(id)
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    expect((await remove(id)).status).toBe(404)
    expect((await read(`/${id}`)).status).toBe(404)
    expect((await read(`/${kept}`)).status).toBe(200)
    expect((await add({ domain: FREE })).status).toBe(201)
    expect(await addId({ domain: FREE })).not.toBe(id)
  })

  test('one of nobody, of another account or with an id that is none is not found', async () => {
    const stranger = (await world.makeKey(await world.makeAccount())).secret
    const foreign = await addId({ domain: FREE, note: 'secret' }, stranger)
    for (const id of [foreign, '01a1dd07-5503-7ce6-aa00-1b67030f23cb', 'latest', '1', '%00', 'x'.repeat(90)]) {
      for (const answer of [await read(`/${id}`), await change(id, { note: 'mine' }), await remove(id)]) {
        expect([id, answer.status, answer.json.error.code]).toEqual([id, 404, 'not_found'])
      }
    }
    expect((await read(`/${foreign}`, stranger)).json.data.favorite.note).toBe('secret')
    expect(domainsIn(await read())).toEqual([])
  })
})
