/** GET /v1/favorites/{id}/changes: newest first, in pages, and only of a favorite of the caller's. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectError } from '../../../test/expect-error.ts'
import { startApp } from '../../../test/start-app.ts'
import { makeId } from '../../../test/world.ts'
import type { AccountId, Node, World } from '../../../test/world.ts'

let world: World
let node: Node
let account: AccountId
let key: string
let favorite: string
beforeAll(async () => {
  world = await startApp()
  node = await world.startNode()
  account = await world.makeAccount()
  key = (await world.makeKey(account)).secret
  const body = { domain: 'free-for-sure-changes.com', watch: true }
  favorite = (await node.call('/v1/favorites', { key, body })).json.data.favorite.id
})
afterAll(() => world[Symbol.asyncDispose]())

const read = (query = '', id = favorite, by = key) => node.call(`/v1/favorites/${id}/changes${query}`, { key: by })

test('a favorite that has not changed has no changes', async () => {
  expect((await read()).json.data).toEqual({ changes: [], next_cursor: null })
})

test('changes come newest first, in pages, and say what was and what is', async () => {
  const seen = (price: string) => JSON.stringify({ available: true, price, checked_at: '2026-01-01T00:00:00.000Z' })
  for (let n = 1; n <= 5; n++) {
    await world.owner.query(`INSERT INTO favorite_change VALUES ($1, $2, $3, now(), 'price_changed', $4, $5)`, [
      account,
      favorite,
      makeId(Date.now() + n),
      seen(`$${n}.00`),
      seen(`$${n + 1}.00`),
    ])
  }
  const first = await read('?limit=3')
  expect(first.json.data.changes).toMatchObject([
    // They were stored before there was a status.
    {
      kind: 'price_changed',
      before: { price: '$5.00' },
      after: { available: true, status: 'available', price: '$6.00' },
    },
    { before: { price: '$4.00' } },
    { before: { price: '$3.00' } },
  ])
  const cursor = first.json.data.next_cursor
  const rest = await read(`?limit=3&cursor=${cursor}`)
  expect(rest.json.data.changes).toMatchObject([{ before: { price: '$2.00' } }, { before: { price: '$1.00' } }])
  expect(rest.json.data.next_cursor).toBeNull()

  // A cursor belongs to the list that made it.
  const body = { domain: 'free-for-sure-other-changes.com' }
  const { id } = (await node.call('/v1/favorites', { key, body })).json.data.favorite
  expectError(await read(`?cursor=${cursor}`, id), 400, 'invalid_cursor')
})

test('the list of favorites can be of those that have changed since', async () => {
  const list = async (since: string, more = '') => {
    const { json } = await node.call(`/v1/favorites?changed_since=${encodeURIComponent(since)}${more}`, { key })
    return (json.data.favorites as { id: string }[]).map(({ id }) => id)
  }
  expect(await list('2026-01-01T00:00:00Z')).toEqual([favorite])
  expect(await list('2026-01-01T00:00:00+02:00', '&watch=true')).toEqual([favorite])
  expect(await list('2026-01-01T00:00:00Z', '&watch=false')).toEqual([])
  expect(await list('2999-01-01T00:00:00Z')).toEqual([])
  // RFC 3339 sets no end to the digits of a second.
  expect(await list(`2026-01-01T00:00:00.${'9'.repeat(2_000)}Z`)).toEqual([favorite])
  for (const wrong of ['yesterday', '2026-01-31', '0000-01-01T00:00:00Z'])
    expectError(await node.call(`/v1/favorites?changed_since=${wrong}`, { key }), 400, 'invalid_request')
})

test('of a favorite that is not there, is no id or belongs to somebody else nothing is known', async () => {
  const { secret } = await world.makeKey(await world.makeAccount())
  expectError(await read('', favorite, secret), 404, 'not_found')
  expectError(await read('', makeId(Date.now())), 404, 'not_found')
  expectError(await read('', 'x'), 404, 'not_found')
})

test('with the favorite its changes go', async () => {
  expect((await node.call(`/v1/favorites/${favorite}`, { key, method: 'DELETE' })).status).toBe(204)
  const left = await world.owner.query('SELECT FROM favorite_change WHERE account_id = $1', [account])
  expect(left.rowCount).toBe(0)
})
