/**
 * Two accounts, and every route of the service tried with everything that belongs to the other one.
 *
 * Then all of it once more on a node whose SQL has lost its account filters: row-level security alone must hold.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp } from '../start-app.ts'
import type { Node, World } from '../world.ts'

const PRELOAD = new URL('without-filters.ts', import.meta.url).pathname
// Every path under /v1 that there is, so that a new one has to be thought of here.
// These hold nothing of a tenant.
const OPEN = ['/v1/domains/check', '/v1/names/check', '/v1/status', '/v1/tlds']
const PATHS = [
  // Of two accounts in ../auth/tenants.test.ts, and in ../api/batches.test.ts.
  '/v1/batches',
  '/v1/batches/{id}',
  '/v1/batches/{id}/cancel',
  '/v1/batches/{id}/results',
  '/v1/favorites',
  '/v1/favorites/{id}',
  // Of two accounts in ../auth/tenants.test.ts.
  '/v1/favorites/{id}/changes',
  '/v1/generate',
  '/v1/history',
  '/v1/history/{id}',
  '/v1/usage',
  // Of two accounts in ../auth/tenants.test.ts.
  '/v1/webhooks',
  '/v1/webhooks/{id}',
  '/v1/webhooks/{id}/deliveries',
  '/v1/webhooks/{id}/deliveries/{delivery}/replay',
  '/v1/webhooks/{id}/rotate-secret',
  '/v1/webhooks/{id}/test',
]
const TRIES = [
  { list: 'history', method: 'GET' },
  { list: 'history', method: 'DELETE' },
  { list: 'favorites', method: 'GET' },
  { list: 'favorites', method: 'PATCH', body: { note: 'changed' } },
  { list: 'favorites', method: 'DELETE' },
]

interface Tenant {
  readonly key: string
  readonly keyId: string
  readonly history: readonly string[]
  readonly favorites: readonly string[]
}

let world: World
beforeAll(async () => {
  world = await startApp({ own: true })
})
afterAll(() => world[Symbol.asyncDispose]())

describe.each([
  { how: 'as it is', env: {} },
  { how: 'without account filters in its SQL', env: { NODE_OPTIONS: `--import ${PRELOAD}` } },
])('a node $how', ({ env }) => {
  let node: Node
  let mine: Tenant
  let other: Tenant
  beforeAll(async () => {
    node = await world.startNodeProcess(env)
    mine = await makeTenant(node, 'mine')
    other = await makeTenant(node, 'theirs')
  })

  test('finds nothing of another account by id, and changes and deletes nothing', async () => {
    const before = await everythingOf(node, other)
    for (const id of [...other.history, ...other.favorites, other.keyId]) {
      for (const { list, ...call } of TRIES) {
        const answer = await node.call(`/v1/${list}/${id}`, { key: mine.key, ...call })
        expect([list, call.method, answer.status, answer.json.error.code]).toEqual([
          list,
          call.method,
          404,
          'not_found',
        ])
      }
    }
    expect(await everythingOf(node, other)).toEqual(before)
  })

  test('lists only what is the caller’s own, also when asked for the other’s key', async () => {
    expect(await idsOf(node, mine, 'history')).toEqual(mine.history)
    expect(await idsOf(node, other, 'history')).toEqual(other.history)
    expect(await idsOf(node, mine, 'favorites')).toEqual(mine.favorites)
    expect(await idsOf(node, other, 'favorites')).toEqual(other.favorites)
    const filtered = await node.call(`/v1/history?key_id=${other.keyId}`, { key: mine.key })
    expect(filtered.json.data.history).toEqual([])
    for (const search of ['history?q=theirs', 'favorites?q=theirs', 'favorites?tag=theirs']) {
      const found = await node.call(`/v1/${search}`, { key: mine.key })
      expect(found.json.data).toMatchObject({ [search.split('?')[0] ?? '']: [], next_cursor: null })
    }
  })

  test('counts for an account only what that account used', async () => {
    const usedBy = async ({ key }: Tenant) => (await node.call('/v1/usage', { key })).json.data.usage.account.today
    const [before, theirs] = [await usedBy(mine), await usedBy(other)]
    await generate(node, other.key, 'counted')
    expect(await usedBy(other)).toBeGreaterThan(theirs)
    expect(await usedBy(mine)).toBe(before)
  })

  test('refuses a cursor that was given to another account', async () => {
    for (const list of ['history', 'favorites']) {
      const page = await node.call(`/v1/${list}?limit=1`, { key: other.key })
      const cursor = page.json.data.next_cursor
      expect((await node.call(`/v1/${list}?limit=1&cursor=${cursor}`, { key: other.key })).status).toBe(200)
      const answer = await node.call(`/v1/${list}?limit=1&cursor=${cursor}`, { key: mine.key })
      expect(answer.json.error.code).toBe('invalid_cursor')
    }
  })

  test('does not replay another account’s answer under the same Idempotency-Key', async () => {
    const theirs = await generate(node, other.key, 'theirs')
    expect(theirs.headers.get('idempotent-replayed')).toBe('true')
    const ours = await generate(node, mine.key, 'theirs')
    expect(ours.status).toBe(200)
    expect(ours.headers.get('idempotent-replayed')).toBe(null)
    expect((await node.call('/v1/history', { key: mine.key })).json.data.history).toHaveLength(mine.history.length + 1)
  })

  test('keeps the same domain twice, once for each', async () => {
    const domain = 'wanted-by-both.com'
    const theirs = await node.call('/v1/favorites', { key: other.key, body: { domain, note: 'theirs' } })
    const added = await node.call('/v1/favorites', { key: mine.key, body: { domain } })
    expect([theirs.status, added.status]).toEqual([201, 201])
    expect(added.json.data.favorite.id).not.toBe(theirs.json.data.favorite.id)
    expect(added.json.data.favorite).toMatchObject({ note: null, tags: [] })
  })

  test('deletes the whole history of the caller and no more', async () => {
    const before = await everythingOf(node, other)
    expect((await node.call('/v1/history?all=true', { key: mine.key, method: 'DELETE' })).status).toBe(200)
    expect(await idsOf(node, mine, 'history')).toEqual([])
    expect(await everythingOf(node, other)).toEqual(before)
  })

  test('has no doors but those tried here', async () => {
    const { json } = await node.call('/openapi.json')
    expect(
      Object.keys(json.paths)
        .filter((path) => path.startsWith('/v1/'))
        .toSorted(),
    ).toEqual([...PATHS, ...OPEN].toSorted())
  })
})

test('the node without filters really sent its SQL without them', async () => {
  const node = await world.startNodeProcess({ NODE_OPTIONS: `--import ${PRELOAD}`, PGAPPNAME: 'without filters' })
  const { secret: key } = await world.makeKey(await world.makeAccount())
  const sent = new Set<string>()
  // An idle connection still shows the last statement it was sent, unless something else has used it since.
  await expect
    .poll(async () => {
      for (const path of ['/v1/history', '/v1/favorites']) expect((await node.call(path, { key })).status).toBe(200)
      const { rows } = await world.owner.query<{ query: string }>(
        `SELECT query FROM pg_stat_activity WHERE application_name = 'without filters' AND datname = current_database()`,
      )
      for (const { query } of rows) sent.add(query)
      return [...sent].some((text) => text.includes('$1::uuid IS NOT NULL'))
    })
    .toBe(true)
  expect([...sent].filter((text) => text.includes('account_id = $1'))).toEqual([])
})

test('the same rewriting under a role that policies do not bind shows both accounts', async () => {
  const script = `
    import pg from 'pg'
    const client = new pg.Client(process.argv[1])
    await client.connect()
    const { rows } = await client.query('SELECT DISTINCT account_id FROM favorite WHERE account_id = $1', [process.argv[2]])
    console.log(rows.length)
    await client.end()`
  const { rows } = await world.owner.query<{ account_id: string }>('SELECT DISTINCT account_id FROM favorite')
  const seen = async (...options: string[]) => {
    const args = [...options, '--input-type=module', '-e', script, world.databaseUrl, rows[0]?.account_id ?? '']
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname })
    return Number(stdout)
  }
  expect(rows.length).toBeGreaterThan(1)
  expect(await seen()).toBe(1)
  expect(await seen('--import', PRELOAD)).toBe(rows.length)
})

async function makeTenant(node: Node, word: string): Promise<Tenant> {
  const { id: keyId, secret: key } = await world.makeKey(await world.makeAccount({ name: word }))
  for (const idempotencyKey of ['one', 'two', word])
    expect((await generate(node, key, idempotencyKey, word)).status).toBe(200)
  const [first] = (await node.call('/v1/history', { key })).json.data.history
  for (const suggestion of first.suggestions.slice(0, 2)) {
    const { domain } = suggestion.domains[0]
    const body = { domain, note: word, tags: [word] }
    const added = await node.call('/v1/favorites', { key, body, headers: { 'Idempotency-Key': domain } })
    expect(added.status).toBe(201)
  }
  const tenant = { key, keyId, history: [], favorites: [] }
  const [history, favorites] = [await idsOf(node, tenant, 'history'), await idsOf(node, tenant, 'favorites')]
  expect([history.length, favorites.length]).toEqual([3, 2])
  return { key, keyId, history, favorites }
}

function generate(node: Node, key: string, idempotencyKey: string, word = 'theirs') {
  const body = { description: `a garden shop, ${word}`, count: 3, deadline_ms: 30_000 }
  return node.call('/v1/generate', { key, body, headers: { 'Idempotency-Key': idempotencyKey } })
}

async function idsOf(node: Node, { key }: Tenant, list: 'history' | 'favorites'): Promise<string[]> {
  const { json } = await node.call(`/v1/${list}?limit=100`, { key })
  return (json.data[list] as { id: string }[]).map(({ id }) => id)
}

async function everythingOf(node: Node, { key }: Tenant): Promise<unknown> {
  return [(await node.call('/v1/history', { key })).json, (await node.call('/v1/favorites', { key })).json]
}
