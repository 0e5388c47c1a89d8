/**
 * One key is told to fill the disk by every documented endpoint. What it stores stays inside the plan of its account, and the
 * account still generates names. No worker runs but where a test starts one.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitForEnd } from '../api/batch-calls.ts'
import { expectError } from '../expect-error.ts'
import { request } from '../world.ts'
import { startApp } from '../start-app.ts'
import type { Node, World } from '../world.ts'
import { BATCH_TABLES, bytesOf, FILLING, listWriting, makeOwner, openFills, outcomeOf, sumOf } from './filling.ts'

const PLAN = { history_bytes: 20_000, batch_bytes: 150_000, answer_bytes: 40_000, favorites: 20, webhooks: 20 }
/** Requests to each endpoint. */
const TRIES = 25

let world: World
let node: Node
beforeAll(async () => {
  // Nobody listens there.
  world = await startApp({ own: true, settings: { NAMEWRIGHT_OUTBOUND_ROUTES: 'hooks.example.com=127.0.0.1:1' } })
  node = await world.startNode()
})
afterAll(() => world[Symbol.asyncDispose]())

test(
  'one key fills nothing beyond its plan by any documented endpoint, and still generates',
  { timeout: 600_000 },
  async () => {
    const { account, key } = await makeOwner(world, PLAN)
    const fills = await openFills(node, key, { receiver: 'https://hooks.example.com/', webhooks: 1 })
    expect(Object.keys(fills).toSorted()).toEqual((await listWriting(node)).toSorted())

    let sent = 0
    const lines: string[] = []
    const codes: Record<string, Set<string>> = {}
    for (const [operation, fill] of Object.entries(fills)) {
      const before = sumOf(await bytesOf(world, account))
      const seen = (codes[operation] = new Set<string>())
      for (let n = 0; n < TRIES; n++) seen.add(outcomeOf(await fill(sent++)))
      lines.push(`${operation}: ${sumOf(await bytesOf(world, account)) - before} bytes, ${[...seen].join(', ')}`)
    }
    console.log(`${TRIES} requests to each endpoint\n${lines.join('\n')}`)

    const sizes = await bytesOf(world, account)
    expect(sizes['history']).toBeGreaterThan(0)
    expect(sizes['history']).toBeLessThanOrEqual(PLAN.history_bytes)
    expect(sumOf(sizes, BATCH_TABLES)).toBeGreaterThan(0)
    expect(sumOf(sizes, BATCH_TABLES)).toBeLessThanOrEqual(PLAN.batch_bytes)
    expect(sizes['idempotent_answer']).toBeGreaterThan(0)
    expect(sizes['idempotent_answer']).toBeLessThanOrEqual(PLAN.answer_bytes)
    // At most the note, the tags and the facts of a favorite.
    expect(sizes['favorite']).toBeLessThanOrEqual(PLAN.favorites * 6_000)
    const others = ['history', ...BATCH_TABLES, 'idempotent_answer', 'favorite']
    expect(sumOf(sizes) - sumOf(sizes, others)).toBeLessThan(100_000)
    // 60 an hour: an entry of the audit log is kept for 90 days.
    expect(codes['PATCH /v1/webhooks/{id}']).toContain('200')
    expect(codes['POST /v1/webhooks']).toContain('rate_limited')
    expect(codes['POST /v1/generate']).toContain('storage_limit')
    expect(codes['POST /v1/batches']).toContain('storage_limit')
    expect(codes['POST /v1/domains/check']).toEqual(new Set(['200']))
    expect(codes['POST /v1/names/check']).toEqual(new Set(['200']))

    // A plain client: its history is full, and its oldest records go.
    const before = await request(node.url, '/v1/history?limit=1', { key })
    for (let seed = 0; seed < 20; seed++) {
      const answer = await node.call('/v1/generate', {
        key,
        body: { ...FILLING, description: 'a plain client', seed },
      })
      expect([answer.status, answer.json.data?.suggestions.length]).toEqual([200, FILLING.count])
    }
    const after = await request(node.url, '/v1/history?limit=1', { key })
    expect(after.json.data.history[0].description).toBe('a plain client')
    expect((await request(node.url, `/v1/history/${before.json.data.history[0].id}`, { key })).status).toBe(404)
    expect((await bytesOf(world, account))['history']).toBeLessThanOrEqual(PLAN.history_bytes)
  },
)

test('what is deleted can be stored again', async () => {
  const { key } = await makeOwner(world, { favorites: 2, batch_bytes: 2_000 })
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
      const { account, key } = await makeOwner(world, { batch_bytes: 40_000 })
      const requests = Array.from({ length: 40 }, (_, seed) => ({ ...FILLING, seed }))
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
      expect(sumOf(await bytesOf(world, account), BATCH_TABLES)).toBeLessThanOrEqual(40_000)
    } finally {
      await worker.stop()
    }
  },
)
