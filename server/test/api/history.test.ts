/** GET and DELETE /v1/history: what was asked and given, newest first, the caller's own and nobody else's. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { faultsOf, recordsOf, spentBy } from '../readings.ts'
import { expectError } from '../expect-error.ts'
import { startApp } from '../start-app.ts'
import { makeId } from '../world.ts'
import type { AccountId, Answer, Node, World } from '../world.ts'

interface HistoryRecord {
  readonly id: string
  readonly created_at: string
  readonly description: string
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const DAY_MS = 86_400_000

let world: World
let node: Node
beforeAll(async () => {
  world = await startApp()
  node = await world.startNode()
})
afterAll(() => world[Symbol.asyncDispose]())

let account: AccountId
let key: string
let keyId: string
beforeEach(async () => {
  account = await world.makeAccount()
  const made = await world.makeKey(account)
  key = made.secret
  keyId = made.id
})

const ask = (description: string, more: object = {}, by = key) =>
  node.call('/v1/generate', { key: by, body: { description, count: 2, ...more } })
const read = (path = '', by = key) => node.call(`/v1/history${path}`, { key: by })
const remove = (path = '', by = key) => node.call(`/v1/history${path}`, { key: by, method: 'DELETE' })
const recordsIn = (answer: Answer): HistoryRecord[] => answer.json.data.history
const described = (answer: Answer) => recordsIn(answer).map(({ description }) => description)

/** Moves a record into the past, where only the operator can. */
/** As if it had been made so many days ago; its id encodes the time too, so the id changes. */
async function age(id: string | undefined, days: number): Promise<string> {
  const madeAt = Math.floor(Date.now() - days * DAY_MS)
  const aged = makeId(madeAt)
  const text = 'UPDATE history SET created_at = $3, id = $4 WHERE account_id = $1 AND id = $2'
  const { rowCount } = await world.owner.query(text, [account, id, new Date(madeAt), aged])
  expect(rowCount).toBe(1)
  return aged
}

test('without any request there is an empty history', async () => {
  expect((await read()).json).toEqual({ status: 'success', data: { history: [], next_cursor: null } })
})

test('a record is what was asked and what was answered, and no more', async () => {
  const options = {
    tlds: ['.DEV', 'country:gb'],
    include: ['score', 'evidence'],
    seed: 3,
    max_price: 99.5,
    like: [],
    deadline_ms: 30_000,
  }
  const before = Date.now()
  const made = await ask('  a chess club for children\n', { language: 'DE-at', count: 3, ...options })
  const { history, next_cursor: next } = (await read()).json.data
  expect(next).toBeNull()
  expect(history).toEqual([
    {
      id: expect.stringMatching(UUID),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      description: 'a chess club for children',
      count: 3,
      language: 'de-AT',
      options: { language: 'DE-at', ...options },
      key_id: keyId,
      suggestions: made.json.data.suggestions,
    },
  ])
  expect(made.json.data.suggestions).toHaveLength(3)
  expect(Date.parse(history[0].created_at)).toBeGreaterThanOrEqual(before)
  expect(Date.parse(history[0].created_at)).toBeLessThanOrEqual(Date.now())
})

test('a record of the plain request has no options and the language of the answer', async () => {
  const headers = { 'accept-language': 'it' }
  const body = { description: 'a chess club', count: 1 }
  await node.call('/v1/generate', { key, body, headers })
  expect((await read()).json.data.history[0]).toMatchObject({ options: {}, language: 'it', count: 1 })
})

test('an answer that fell short is remembered as it was', async () => {
  await ask('a chess club', { max_price: 0 })
  expect((await read()).json.data.history[0]).toMatchObject({ count: 2, options: { max_price: 0 }, suggestions: [] })
})

test('a refused request leaves no record', async () => {
  await ask('...')
  await ask('a chess club', { min_length: 60 })
  expect(described(await read())).toEqual([])
})

test('the newest comes first, whichever key of the account made it', async () => {
  const other = await world.makeKey(account)
  await ask('first club')
  await ask('second club', {}, other.secret)
  await ask('third club')
  expect(described(await read())).toEqual(['third club', 'second club', 'first club'])
  expect(described(await read('', other.secret))).toEqual(['third club', 'second club', 'first club'])
})

describe('filters', () => {
  test('q finds a part of the description, in any case and literally', async () => {
    for (const description of ['Chess club', '100% rye bread', 'a_b testing', 'Ärztehaus am Fluss'])
      await ask(description)
    const found = async (q: string) => described(await read(`?q=${encodeURIComponent(q)}`))
    expect(await found('CHESS')).toEqual(['Chess club'])
    expect(await found('%')).toEqual(['100% rye bread'])
    expect(await found('_')).toEqual(['a_b testing'])
    expect(await found('ärzte')).toEqual(['Ärztehaus am Fluss'])
    expect(await found('club rye')).toEqual([])
    expect(await found("' OR true --")).toEqual([])
    expect((await read('?q=%00')).status).toBe(200)
  })

  test('since begins with its moment and until ends before its moment', async () => {
    for (const description of ['old club', 'middle club', 'new club']) await ask(description)
    const [, middle, oldest] = recordsIn(await read())
    await age(oldest?.id, 20)
    await age(middle?.id, 10)
    const moment = recordsIn(await read())[1]?.created_at
    expect(described(await read(`?since=${moment}`))).toEqual(['new club', 'middle club'])
    expect(described(await read(`?until=${moment}`))).toEqual(['old club'])
    expect(described(await read(`?since=${moment}&until=${new Date(Date.now() - DAY_MS).toISOString()}`))).toEqual([
      'middle club',
    ])
    expect(described(await read(`?until=${encodeURIComponent('2020-01-01T00:00:00+02:00')}`))).toEqual([])
  })

  test('key_id finds what one key has made', async () => {
    const other = await world.makeKey(account)
    await ask('a bakery of mine')
    await ask('a bakery of the other key', {}, other.secret)
    expect(described(await read(`?key_id=${other.id}`))).toEqual(['a bakery of the other key'])
    expect(described(await read(`?key_id=${keyId}`, other.secret))).toEqual(['a bakery of mine'])
  })

  test('together they all must hold', async () => {
    const other = await world.makeKey(account)
    await ask('chess, long ago')
    await age(recordsIn(await read())[0]?.id, 30)
    await ask('chess, just now')
    await ask('go, just now')
    await ask('chess of the other key', {}, other.secret)
    const since = new Date(Date.now() - DAY_MS).toISOString()
    const until = new Date(Date.now() + DAY_MS).toISOString()
    const all = `?q=chess&since=${since}&until=${until}&key_id=${keyId}`
    expect(described(await read(all))).toEqual(['chess, just now'])
  })

  test.each([
    ['since=yesterday', '?since bad_format'],
    ['until=2026-02-30T00:00:00Z', '?until bad_format'],
    ['since=2026-01-01', '?since bad_format'],
    ['key_id=mine', '?key_id bad_format'],
    ['q=', '?q too_short'],
    ['q=a&q=b', '?q wrong_type'],
    ['description=a', '?description unknown_field'],
  ])('%s is refused with its name', async (query, fault) => {
    const answer = await read(`?${query}`)
    expect(answer.status).toBe(400)
    expect(faultsOf(answer)).toEqual([fault])
  })

  test.each([
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+15:59',
    '2026-01-01T00:00:00-23:59',
    '9999-12-31T23:59:59-23:59',
    '2016-12-31T23:59:60Z',
  ])('a strange moment is no failure of ours: %s', async (moment) => {
    for (const name of ['since', 'until']) {
      expect((await read(`?${name}=${encodeURIComponent(moment)}`)).status).toBeLessThan(500)
    }
  })
})

describe('one record', () => {
  test('is read by its id, the same as in the list', async () => {
    await ask('a chess club', { include: ['pricing'] })
    const [record] = recordsIn(await read())
    const one = await read(`/${record?.id}`)
    expect(one.status).toBe(200)
    expect(one.json).toEqual({ status: 'success', data: { record } })
  })

  test('is deleted by its id, once, and alone', async () => {
    await ask('kept club')
    await ask('deleted club')
    const path = `/${recordsIn(await read())[0]?.id}`
    const deleted = await remove(path)
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    expect((await read(path)).status).toBe(404)
    expect((await remove(path)).status).toBe(404)
    expect(described(await read())).toEqual(['kept club'])
  })

  test('of nobody, of another account or with an id that is none is not found', async () => {
    const stranger = await world.makeKey(await world.makeAccount())
    await ask('a secret club', {}, stranger.secret)
    const foreign = recordsIn(await read('', stranger.secret))[0]?.id
    const ids = [foreign, '01a1dd07-5503-7ce6-aa00-1b67030f23cb', 'latest', '1', '%00', 'x'.repeat(90), "'"]
    for (const id of ids) {
      for (const answer of [await read(`/${id}`), await remove(`/${id}`)]) {
        expect([id, answer.status, answer.json.error.code]).toEqual([id, 404, 'not_found'])
      }
    }
    expect(described(await read('', stranger.secret))).toEqual(['a secret club'])
  })
})

test('all of it can be deleted, and nothing of another account goes with it', async () => {
  const stranger = await world.makeKey(await world.makeAccount())
  await ask('a secret club', {}, stranger.secret)
  const other = await world.makeKey(account)
  await ask('one club')
  await ask('another club', {}, other.secret)
  const deleted = await remove('?all=true')
  expect(deleted.status).toBe(200)
  expect(deleted.json).toEqual({ status: 'success', data: { deleted: 2 } })
  expect(await recordsOf(world, account)).toBe(0)
  expect(described(await read())).toEqual([])
  expect(described(await read('', stranger.secret))).toEqual(['a secret club'])
  expect((await remove('?all=true')).json.data).toEqual({ deleted: 0 })
})

test.each(['', '?all=false', '?all=1', '?all', '?all=true&all=true', '?ALL=true'])(
  'DELETE /v1/history%s is 400, and nothing is deleted',
  async (query) => {
    await ask('a kept club')
    expectError(await remove(query), 400, 'invalid_request')
    expect(described(await read())).toEqual(['a kept club'])
  },
)

test('an empty id is no list: it is not found, and nothing is deleted', async () => {
  await ask('a kept club')
  for (const path of ['/', '/?all=true', '//', '/%20']) {
    for (const answer of [await read(path), await remove(path)]) expectError(answer, 404, 'not_found')
  }
  expect(described(await read())).toEqual(['a kept club'])
})

describe('retention', () => {
  test('of 0 days keeps nothing, and the suggestions are paid for all the same', async () => {
    account = await world.makeAccount({ historyDays: 0 })
    key = (await world.makeKey(account)).secret
    expect((await ask('a chess club', { count: 4 })).json.data.suggestions).toHaveLength(4)
    expect(described(await read())).toEqual([])
    expect(await recordsOf(world, account)).toBe(0)
    expect(await spentBy(world, account)).toBe(4)
  })

  test('of 30 days hides what is older at once, and deletes it with the next record', async () => {
    account = await world.makeAccount({ historyDays: 30 })
    key = (await world.makeKey(account)).secret
    for (const description of ['old club', 'older club', 'young club']) await ask(description)
    const [, older, old] = recordsIn(await read())
    const oldId = await age(old?.id, 30.01)
    await age(older?.id, 400)
    expect(described(await read())).toEqual(['young club'])
    expect((await read(`/${oldId}`)).status).toBe(404)
    expect(described(await read('?since=2000-01-01T00:00:00Z'))).toEqual(['young club'])
    expect(await recordsOf(world, account)).toBe(3)
    await ask('newest club')
    expect(described(await read())).toEqual(['newest club', 'young club'])
    expect(await recordsOf(world, account)).toBe(2)
  })

  test('that is not set keeps a record for ever', async () => {
    await ask('old club')
    await age(recordsIn(await read())[0]?.id, 4000)
    await ask('new club')
    expect(described(await read())).toEqual(['new club', 'old club'])
  })
})
