/**
 * Lists come in pages, newest first; a cursor says where the next one begins and obeys nobody but the one it was
 * given to. Rows are written straight into the tables, several in one millisecond, so that order has to be decided.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectError } from '../expect-error.ts'
import { startApp } from '../start-app.ts'
import { makeId } from '../world.ts'
import type { AccountId, Answer, Node, World } from '../world.ts'

const ROWS = 45

let world: World
let node: Node
let elsewhere: Node
let account: AccountId
let key: string
const ids: Record<'history' | 'favorites', string[]> = { history: [], favorites: [] }
beforeAll(async () => {
  world = await startApp()
  ;[node, elsewhere] = await Promise.all([
    world.startNode(),
    world.startNode({ NAMEWRIGHT_SECRET: 'x'.repeat(32), NAMEWRIGHT_PUBLIC_URL: 'https://names.example.com/' }),
  ])
  account = await world.makeAccount()
  key = (await world.makeKey(account)).secret
  await fill()
})
afterAll(() => world[Symbol.asyncDispose]())

async function fill(): Promise<void> {
  const startMs = Date.now() - 60_000
  const made: Record<'history' | 'favorites', string>[] = []
  for (let i = 0; i < ROWS; i++) {
    const atMs = startMs + Math.floor(i / 4)
    const [at, history, favorite] = [new Date(atMs), makeId(atMs), makeId(atMs)]
    await world.owner.query(
      `INSERT INTO history (account_id, id, created_at, key_id, description, count, language, options, suggestions)
       VALUES ($1, $2, $3, $2, $4, 1, 'en', '{}', '[]')`,
      [account, history, at, i % 3 === 0 ? `Third ${i}` : `row ${i}`],
    )
    await world.owner.query(
      `INSERT INTO favorite (account_id, id, key_id, domain, name, created_at, saved, current, watch)
       VALUES ($1, $2, $2, $3, $4, $5, $6, $6, $7)`,
      [account, favorite, `row${i}.com`, `Row ${i}`, at, seenAt(at), i % 3 === 0],
    )
    made.push({ history, favorites: favorite })
  }
  for (const list of ['history', 'favorites'] as const)
    ids[list] = made
      .map((row) => row[list])
      .toSorted()
      .toReversed()
}

const seenAt = (at: Date) => JSON.stringify({ available: true, price: '$9.99', checked_at: at.toISOString() })
const linkOf = ({ headers }: Answer) => /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]

describe.each(['history', 'favorites'] as const)('GET /v1/%s', (list) => {
  const path = `/v1/${list}`
  const idsIn = ({ json }: Answer): string[] => json.data[list].map((row: { id: string }) => row.id)

  async function walk(first: string): Promise<Answer[]> {
    const pages: Answer[] = []
    for (let next: string | undefined = first; next !== undefined; next = linkOf(pages.at(-1)!)) {
      pages.push(await node.call(next, { key }))
    }
    return pages
  }

  test('shows the 20 newest first', async () => {
    const page = await node.call(path, { key })
    expect(idsIn(page)).toEqual(ids[list].slice(0, 20))
    const times = page.json.data[list].map((row: { created_at: string }) => row.created_at)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  test.each([1, 7, 44, 45, 100])('shows as many as ?limit=%i says', async (limit) => {
    const page = await node.call(`${path}?limit=${limit}`, { key })
    expect(idsIn(page)).toEqual(ids[list].slice(0, limit))
    expect(page.json.data.next_cursor === null).toBe(limit >= ROWS)
  })

  test.each([1, 6, 15, 20])(
    'followed by its Link from page to page of %i shows every row exactly once',
    async (limit) => {
      const pages = await walk(`${path}?limit=${limit}`)
      expect(pages.flatMap(idsIn)).toEqual(ids[list])
      expect(pages).toHaveLength(Math.ceil(ROWS / limit))
      for (const page of pages.slice(0, -1)) {
        const cursor = new URL(linkOf(page) ?? '', node.url).searchParams.get('cursor')
        expect(cursor).toBe(page.json.data.next_cursor)
      }
      expect(pages.at(-1)?.json.data.next_cursor).toBeNull()
      expect(pages.at(-1)?.headers.has('link')).toBe(false)
    },
  )

  test('has a page of nothing for an account that has nothing', async () => {
    const { secret } = await world.makeKey(await world.makeAccount())
    const empty = await node.call(path, { key: secret })
    expect(empty.json).toEqual({ status: 'success', data: { [list]: [], next_cursor: null } })
    expect(empty.headers.has('link')).toBe(false)
  })

  test('gives a cursor that another key of the account may follow, with another limit', async () => {
    const { next_cursor: cursor } = (await node.call(`${path}?limit=5`, { key })).json.data
    const { secret } = await world.makeKey(account)
    const page = await node.call(`${path}?limit=9&cursor=${cursor}`, { key: secret })
    expect(idsIn(page)).toEqual(ids[list].slice(5, 14))
  })

  test('gives a cursor that cannot be altered in any character', async () => {
    const cursor: string = (await node.call(`${path}?limit=5`, { key })).json.data.next_cursor
    const altered = cursor.split('').map((character, at) => {
      const next = String.fromCharCode(character.charCodeAt(0) ^ 1)
      return `${cursor.slice(0, at)}${/\w|-/.test(next) ? next : 'b'}${cursor.slice(at + 1)}`
    })
    const reshaped = [
      `${cursor}A`,
      `${cursor}=`,
      `.${cursor}`,
      cursor.slice(1),
      cursor.slice(0, -1),
      cursor.toLowerCase(),
    ]
    for (const text of [
      ...altered,
      ...reshaped,
      'x',
      '-1',
      'null',
      ids[list][4],
      Buffer.alloc(32).toString('base64url'),
    ]) {
      expectError(
        await node.call(`${path}?limit=5&cursor=${encodeURIComponent(text ?? '')}`, { key }),
        400,
        'invalid_cursor',
      )
    }
  })

  test('gives a cursor that serves no other account, list or filter', async () => {
    const cursor: string = (await node.call(`${path}?limit=5`, { key })).json.data.next_cursor
    const { secret: stranger } = await world.makeKey(await world.makeAccount())
    expectError(await node.call(`${path}?cursor=${cursor}`, { key: stranger }), 400, 'invalid_cursor')
    const otherList = list === 'history' ? 'favorites' : 'history'
    expectError(await node.call(`/v1/${otherList}?cursor=${cursor}`, { key }), 400, 'invalid_cursor')
    expectError(await node.call(`${path}?q=row&cursor=${cursor}`, { key }), 400, 'invalid_cursor')
  })

  test('gives a cursor that another secret did not sign', async () => {
    const { next_cursor: cursor } = (await elsewhere.call(`${path}?limit=5`, { key })).json.data
    expectError(await node.call(`${path}?cursor=${cursor}`, { key }), 400, 'invalid_cursor')
  })

  test('keeps its filter from page to page', async () => {
    const filter = list === 'history' ? 'q=THIRD' : 'watch=true'
    const pages = await walk(`${path}?limit=4&${filter}`)
    const shown = pages.flatMap(idsIn)
    expect(shown).toHaveLength(ROWS / 3)
    expect(shown).toEqual(ids[list].filter((id) => shown.includes(id)))
    const { next_cursor: cursor } = pages[0]?.json.data ?? {}
    expectError(await node.call(`${path}?limit=4&cursor=${cursor}`, { key }), 400, 'invalid_cursor')
  })
})

test('what is added while somebody turns the pages is neither skipped nor shown twice', async () => {
  const first = await node.call('/v1/history?limit=20', { key })
  const added = await node.call('/v1/generate', { key, body: { description: 'a late row', count: 1 } })
  expect(added.status).toBe(200)
  const second = await node.call(linkOf(first) ?? '', { key })
  expect(second.json.data.history.map((row: { id: string }) => row.id)).toEqual(ids.history.slice(20, 40))
  const newest = await node.call('/v1/history?limit=1', { key })
  expect(newest.json.data.history[0].description).toBe('a late row')
})

test('the Link of a node with a public address is absolute', async () => {
  const page = await elsewhere.call('/v1/favorites?limit=1&q=row', { key })
  expect(linkOf(page)).toMatch(/^https:\/\/names\.example\.com\/v1\/favorites\?limit=1&q=row&cursor=[\w-]+$/)
})
