/**
 * One key is told to fill the disk by every documented endpoint. What it stores stays inside the plan of its account, and the
 * account still generates names. No worker runs but where a test starts one.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AccountId } from '../../src/model/caller.ts'
import { waitForEnd } from '../api/batch-calls.ts'
import { expectError } from '../expect-error.ts'
import { openWorld, request, WIDE_QUOTA } from '../world.ts'
import type { Answer, Node, World } from '../world.ts'

const PLAN = { history_bytes: 20_000, batch_bytes: 150_000, answer_bytes: 40_000, favorites: 20, webhooks: 20 }
/** Requests to each endpoint. */
const TRIES = 25
const GENERATE = { description: 'a library with a garden and a music school', count: 20, tlds: ['com', 'net', 'org'] }
// Four bytes a letter.
const NOTE = '🍰'.repeat(1_000)

let world: World
let node: Node
beforeAll(async () => {
  // Nobody listens there.
  world = await openWorld({ NAMEWRIGHT_OUTBOUND_ROUTES: 'hooks.example.com=127.0.0.1:1' })
  node = await world.startNode()
})
afterAll(() => world[Symbol.asyncDispose]())

async function makeOwner(plan: Partial<typeof PLAN> = PLAN): Promise<{ account: AccountId; key: string }> {
  const account = await world.makeAccount()
  const columns = Object.keys(plan)
  const places = columns.map((_, at) => `$${at + 2}`)
  const text = `INSERT INTO account_plan (account_id, ${columns.join(', ')}) VALUES ($1, ${places.join(', ')})`
  await world.owner.query(text, [account, ...Object.values(plan)])
  return { account, key: (await world.makeKey(account, { quota: WIDE_QUOTA })).secret }
}

/** Of everything that an account has, by table, as PostgreSQL stores it. */
async function bytesOf(account: AccountId): Promise<Record<string, number>> {
  const { rows: tables } = await world.owner.query<{ name: string; columns: string[] }>(
    `SELECT table_name AS name, array_agg(quote_ident(column_name)) AS columns FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name !~ '^history_p'
     GROUP BY table_name HAVING bool_or(column_name = 'account_id')`,
  )
  const sizes = tables.map(async ({ name, columns }) => {
    const size = columns.map((column) => `coalesce(pg_column_size(${column}), 0)`).join(' + ')
    const text = `SELECT coalesce(sum(${size}), 0)::int AS bytes FROM ${name} WHERE account_id = $1`
    const { rows } = await world.owner.query<{ bytes: number }>(text, [account])
    return [name, rows[0]?.bytes ?? 0] as const
  })
  return Object.fromEntries((await Promise.all(sizes)).filter(([, bytes]) => bytes > 0))
}

const sumOf = (sizes: Record<string, number>, tables: readonly string[] = Object.keys(sizes)) =>
  tables.reduce((sum, table) => sum + (sizes[table] ?? 0), 0)
const BATCHES = ['batch', 'batch_chunk', 'batch_item']

test(
  'one key fills nothing beyond its plan by any documented endpoint, and still generates',
  { timeout: 600_000 },
  async () => {
    const { account, key } = await makeOwner()
    let sent = 0
    const call = (path: string, body?: object, method = 'POST'): Promise<Answer> => {
      // Without a key, a request is not refused for the responses that are stored.
      const headers: Record<string, string> = ++sent % 2 === 0 ? { 'idempotency-key': `fill-${sent}` } : {}
      return request(node.url, path, { key, method, headers, ...(body === undefined ? {} : { body }) })
    }
    const { json: hooked } = await call('/v1/webhooks', {
      url: 'https://hooks.example.com/',
      events: ['quota.warning'],
    })
    const webhook = `/v1/webhooks/${hooked.data.webhook.id}`
    const { json: tried } = await call(`${webhook}/test`)
    const { json: saved } = await call('/v1/favorites', { domain: 'free-for-sure-first.com' })
    const wrong = Array.from({ length: 100 }, () => ({ count: 'x'.repeat(40), colour: 1 }))
    const mixed = { requests: [{ description: `tea ${NOTE.slice(0, 1_900)}`, count: 1 }, ...wrong] }
    const batches: string[] = []

    const fills: Record<string, (n: number) => Promise<Answer>> = {
      'POST /v1/generate': (seed) => call('/v1/generate', { ...GENERATE, seed }),
      'POST /v1/domains/check': (n) => call('/v1/domains/check', { domains: [`free-for-sure-${n}.com`] }),
      'POST /v1/names/check': (n) => call('/v1/names/check', { names: [`fill ${n}`], tlds: ['com'] }),
      'POST /v1/favorites': (n) => call('/v1/favorites', { domain: `free-for-sure-${n}.com`, note: NOTE }),
      'PATCH /v1/favorites/{id}': (n) =>
        call(`/v1/favorites/${saved.data.favorite.id}`, { note: `${n} ${NOTE}` }, 'PATCH'),
      'POST /v1/batches': async (n) => {
        const answer = await call('/v1/batches', n % 3 === 0 ? { requests: wrong } : mixed)
        if (answer.status === 202) batches.push(answer.json.data.batch.id)
        return answer
      },
      'POST /v1/batches/{id}/cancel': (n) => call(`/v1/batches/${batches[n % batches.length]}/cancel`),
      'POST /v1/webhooks': (n) =>
        call('/v1/webhooks', { url: `https://hooks.example.com/${'x'.repeat(1_900)}${n}`, events: ['quota.warning'] }),
      'PATCH /v1/webhooks/{id}': (n) => call(webhook, { description: `${n} ${'x'.repeat(190)}` }, 'PATCH'),
      'POST /v1/webhooks/{id}/rotate-secret': () => call(`${webhook}/rotate-secret`, {}),
      'POST /v1/webhooks/{id}/test': () => call(`${webhook}/test`),
      'POST /v1/webhooks/{id}/deliveries/{delivery}/replay': () =>
        call(`${webhook}/deliveries/${tried.data.delivery.id}/replay`),
    }
    const document = (await request(node.url, '/openapi.json', {})).json as { paths: Record<string, object> }
    const writing = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => ['post', 'put', 'patch'].includes(method))
        .map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(Object.keys(fills).toSorted()).toEqual(writing.toSorted())

    const lines: string[] = []
    const codes: Record<string, Set<string>> = {}
    for (const [operation, fill] of Object.entries(fills)) {
      const before = sumOf(await bytesOf(account))
      const seen = (codes[operation] = new Set<string>())
      for (let n = 0; n < TRIES; n++) {
        const { status, json } = await fill(n)
        seen.add(status < 300 ? String(status) : String(json.error.code))
      }
      lines.push(`${operation}: ${sumOf(await bytesOf(account)) - before} bytes, ${[...seen].join(', ')}`)
    }
    console.log(`${TRIES} requests to each endpoint\n${lines.join('\n')}`)

    const sizes = await bytesOf(account)
    expect(sizes['history']).toBeGreaterThan(0)
    expect(sizes['history']).toBeLessThanOrEqual(PLAN.history_bytes)
    expect(sumOf(sizes, BATCHES)).toBeGreaterThan(0)
    expect(sumOf(sizes, BATCHES)).toBeLessThanOrEqual(PLAN.batch_bytes)
    expect(sizes['idempotent_answer']).toBeGreaterThan(0)
    expect(sizes['idempotent_answer']).toBeLessThanOrEqual(PLAN.answer_bytes)
    // At most the note, the tags and the facts of a favorite.
    expect(sizes['favorite']).toBeLessThanOrEqual(PLAN.favorites * 6_000)
    const others = ['history', ...BATCHES, 'idempotent_answer', 'favorite']
    expect(sumOf(sizes) - sumOf(sizes, others)).toBeLessThan(100_000)
    expect(codes['POST /v1/generate']).toContain('storage_limit')
    expect(codes['POST /v1/batches']).toContain('storage_limit')
    expect(codes['POST /v1/domains/check']).toEqual(new Set(['200']))
    expect(codes['POST /v1/names/check']).toEqual(new Set(['200']))

    // A plain client: its history is full, and its oldest records go.
    const before = await request(node.url, '/v1/history?limit=1', { key })
    for (let seed = 0; seed < 20; seed++) {
      const answer = await node.call('/v1/generate', {
        key,
        body: { ...GENERATE, description: 'a plain client', seed },
      })
      expect([answer.status, answer.json.data?.suggestions.length]).toEqual([200, GENERATE.count])
    }
    const after = await request(node.url, '/v1/history?limit=1', { key })
    expect(after.json.data.history[0].description).toBe('a plain client')
    expect((await request(node.url, `/v1/history/${before.json.data.history[0].id}`, { key })).status).toBe(404)
    expect((await bytesOf(account))['history']).toBeLessThanOrEqual(PLAN.history_bytes)
  },
)

test('what is deleted can be stored again', async () => {
  const { key } = await makeOwner({ favorites: 2, batch_bytes: 2_000 })
  const post = (path: string, body: object) => node.call(path, { key, body })
  const saved = [
    await post('/v1/favorites', { domain: 'free-a.com' }),
    await post('/v1/favorites', { domain: 'free-b.com' }),
  ]
  expect(saved.map(({ status }) => status)).toEqual([201, 201])
  const full = await post('/v1/favorites', { domain: 'free-c.com' })
  expectError(full, 403, 'storage_limit')
  expect(full.json.error.message).toContain('2 (favorites)')
  // It is there already.
  expect((await post('/v1/favorites', { domain: 'free-a.com' })).status).toBe(200)
  await node.call(`/v1/favorites/${saved[0]?.json.data.favorite.id}`, { key, method: 'DELETE' })
  expect((await post('/v1/favorites', { domain: 'free-c.com' })).status).toBe(201)

  const batch = { requests: [{ description: 'tea '.repeat(300), count: 1 }] }
  const first = await post('/v1/batches', batch)
  expect(first.status).toBe(202)
  expectError(await post('/v1/batches', batch), 403, 'storage_limit')
  const path = `/v1/batches/${first.json.data.batch.id}`
  await node.call(`${path}/cancel`, { key, method: 'POST' })
  await node.call(path, { key, method: 'DELETE' })
  expect((await post('/v1/batches', batch)).status).toBe(202)
})

test(
  'a batch whose results do not fit ends with storage_limit for the rest, which costs nothing',
  { timeout: 60_000 },
  async () => {
    const worker = await world.startWorker()
    try {
      const { account, key } = await makeOwner({ batch_bytes: 40_000 })
      const requests = Array.from({ length: 40 }, (_, seed) => ({ ...GENERATE, seed }))
      const { headers } = await node.call('/v1/batches', { key, body: { requests } })
      const path = headers.get('location') ?? ''
      const { json } = await waitForEnd(node, key, path)
      const { succeeded, failed } = json.data.batch
      expect([succeeded > 0, failed > 0, succeeded + failed]).toEqual([true, true, 40])
      const results = await node.call(`${path}/results?limit=100`, { key })
      const items: { error?: { code: string }; data?: { suggestions: object[] } }[] = results.json.data.results
      expect(new Set(items.flatMap(({ error }) => error?.code ?? []))).toEqual(new Set(['storage_limit']))
      const names = items.reduce((sum, { data }) => sum + (data?.suggestions.length ?? 0), 0)
      const { rows } = await world.owner.query('SELECT sum(used)::int AS used FROM quota_block WHERE account_id = $1', [
        account,
      ])
      expect(rows).toEqual([{ used: names }])
      expect(sumOf(await bytesOf(account), BATCHES)).toBeLessThanOrEqual(40_000)
    } finally {
      await worker.stop()
    }
  },
)
