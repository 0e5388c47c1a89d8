/** A batch from beginning to end, with a worker: what its items come to, how they are read, and what they cost. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectError } from '../expect-error.ts'
import { readStream } from '../stream-reader.ts'
import { request, WIDE_QUOTA } from '../world.ts'
import { startApp } from '../start-app.ts'
import type { AccountId, Node, World } from '../world.ts'
import { requestsOf, waitForEnd } from './batch-calls.ts'

let world: World
let node: Node
beforeAll(async () => {
  world = await startApp({ own: true })
  ;[node] = await Promise.all([world.startNode(), world.startWorker()])
})
afterAll(() => world[Symbol.asyncDispose]())

interface Owner {
  readonly key: string
  readonly keyId: string
  readonly account: AccountId
}

async function makeOwner(perDay: number | null = null): Promise<Owner> {
  const account = await world.makeAccount()
  const { id, secret } = await world.makeKey(account, { quota: { ...WIDE_QUOTA, perDay } })
  return { key: secret, keyId: id, account }
}

async function send({ key }: Owner, requests: readonly unknown[], headers: Record<string, string> = {}) {
  const answer = await node.call('/v1/batches', { key, body: { requests }, headers })
  expect(answer.status, answer.text).toBe(202)
  return answer.headers.get('location') ?? ''
}

async function finish(owner: Owner, requests: readonly unknown[], headers?: Record<string, string>) {
  const path = await send(owner, requests, headers)
  const { json } = await waitForEnd(node, owner.key, path)
  return { path, batch: json.data.batch }
}

const stream = ({ key }: Owner, path: string, more: { format?: 'sse' | 'ndjson' } = {}) =>
  readStream(node.url, path, { method: 'GET', key, ...more })

async function ledgerOf({ keyId }: Owner) {
  const { rows } = await world.owner.query<{ used: number; leased: number }>(
    `SELECT (SELECT coalesce(sum(used), 0)::int FROM quota_block WHERE key_id = $1) AS used,
       (SELECT coalesce(sum(leased), 0)::int FROM quota_period WHERE key_id = $1 AND kind = 'day') AS leased`,
    [keyId],
  )
  return rows[0]
}

describe('the items of a batch', { timeout: 90_000 }, () => {
  test('come to what each request would have been answered by itself, in their order', async () => {
    const owner = await makeOwner()
    const requests = [
      { description: 'a bakery', count: 3, seed: 1, include: ['rationale'] },
      { description: 'ein Blumenladen', count: 2, seed: 2, language: 'de', include: ['rationale'] },
      { description: '1 2 3', count: 1 },
      { description: 'a chess club', count: 1, include_words: ['zzqx'], exclude_words: ['zzqx'] },
      { description: 'a chess club', count: 2, max_price: 0 },
    ]
    const { path, batch } = await finish(owner, requests, { 'accept-language': 'fr' })
    expect(batch).toMatchObject({ state: 'completed', total: 5, finished: 5, progress: 1 })
    // No suffix is that cheap: answered, without a name.
    expect(batch).toMatchObject({ short: 1, canceled: 0 })
    expect(batch.succeeded + batch.short + batch.failed).toBe(5)
    const { json } = await node.call(`${path}/results`, { key: owner.key, headers: { 'accept-language': 'it' } })
    expect(json.data).toMatchObject({ waiting_for: null, next_cursor: null })
    const { results } = json.data
    expect(results.map(({ index }: { index: number }) => index)).toEqual([0, 1, 2, 3, 4])
    const outcomes = results.map(({ outcome }: { outcome: string }) => outcome)
    expect(outcomes[4]).toBe('short')
    for (const name of ['succeeded', 'short', 'failed'])
      expect(outcomes.filter((outcome: string) => outcome === name)).toHaveLength(batch[name])
    for (const [index, body] of requests.entries()) {
      const headers = { 'accept-language': 'fr' }
      const alone = await node.call('/v1/generate', { key: owner.key, body: { ...body, deadline_ms: 30_000 }, headers })
      expect(results[index].status, JSON.stringify(results[index])).toBe(alone.json.status)
      // Results were worded for who sent them, errors are for who reads them.
      if (alone.status === 200) expect(results[index].data).toEqual(alone.json.data)
      else expect(results[index].error.code).toBe(alone.json.error.code)
    }
    const spoken = await node.call(`${path}/results`, { key: owner.key, headers: { 'accept-language': 'de' } })
    expect(spoken.json.data.results[2].error.message).toBe('`description`: Verwenden Sie mindestens einen Buchstaben.')
  })

  test('are in the history, as those of any request are', async () => {
    const owner = await makeOwner()
    await finish(owner, requestsOf(3, 'tea'))
    const { json } = await node.call('/v1/history', { key: owner.key })
    const described = json.data.history.map(({ description }: { description: string }) => description)
    expect(described.toSorted()).toEqual(requestsOf(3, 'tea').map(({ description }) => description))
    expect(json.data.history[0].key_id).toBe(owner.keyId)
  })

  test('leave no history where the account keeps none', async () => {
    const account = await world.makeAccount({ historyDays: 0 })
    const { id, secret } = await world.makeKey(account)
    const { batch } = await finish({ account, key: secret, keyId: id }, requestsOf(2))
    expect(batch.succeeded).toBe(2)
    expect((await node.call('/v1/history', { key: secret })).json.data.history).toEqual([])
  })

  test('cost what they returned, to the unit, and the rest goes back when the batch is complete', async () => {
    const owner = await makeOwner(500)
    const requests = [...requestsOf(120, 'cheese'), { description: 'a bakery', count: 50, tlds: ['com'], max_price: 0 }]
    // No item ends before the ledger was read.
    const holder = await world.owner.connect()
    await holder.query('BEGIN')
    await holder.query('LOCK TABLE batch_item IN SHARE MODE')
    const path = await send(owner, requests)
    const { leased } = (await ledgerOf(owner)) ?? {}
    holder.release(true)
    expect(leased).toBe(170)
    await waitForEnd(node, owner.key, path)
    const all = await stream(owner, `${path}/results`, { format: 'ndjson' })
    const returned = all.events
      .filter(({ event, data }) => event === 'result' && data.status === 'success')
      .reduce((sum, { data }) => sum + data.data.suggestions.length, 0)
    expect(returned).toBeGreaterThan(0)
    expect(await ledgerOf(owner)).toEqual({ used: returned, leased: returned })
    const { json } = await node.call('/v1/usage', { key: owner.key })
    expect(json.data.usage.account.today).toBe(returned)
  })

  test('warn the account when half of its budget is gone, as any request does', async () => {
    const owner = await makeOwner(20)
    await finish(owner, requestsOf(12))
    const marks = async () => {
      const { rows } = await world.owner.query<{ percent: number }>(
        `SELECT (data ->> 'percent')::int AS percent FROM event WHERE account_id = $1 AND type = 'quota.warning'`,
        [owner.account],
      )
      return rows.map(({ percent }) => percent)
    }
    await expect.poll(marks, { timeout: 20_000 }).toEqual([50])
  })

  test('are told once, by an event, when all have ended', async () => {
    const owner = await makeOwner()
    const { batch } = await finish(owner, [...requestsOf(1), {}])
    const { rows } = await world.owner.query(`SELECT type, data FROM event WHERE account_id = $1`, [owner.account])
    const data = { batch_id: batch.id, total: 2, succeeded: 1, short: 0, failed: 1 }
    expect(rows).toEqual([{ type: 'batch.completed', data }])
  })

  test('leave no request behind that was sent, once they have ended', async () => {
    const owner = await makeOwner()
    const { batch } = await finish(owner, requestsOf(2))
    const { rows } = await world.owner.query('SELECT requests, state FROM batch_chunk WHERE batch_id = $1', [batch.id])
    expect(rows).toEqual([{ requests: null, state: 'done' }])
  })
})

describe('the results of a batch', { timeout: 90_000 }, () => {
  let owner: Owner
  let path: string
  const TOTAL = 230
  beforeAll(async () => {
    owner = await makeOwner()
    ;({ path } = await finish(owner, [...requestsOf(TOTAL - 1), {}]))
  }, 90_000)

  test('come in pages, in the order of the requests, each once', async () => {
    const seen: number[] = []
    let query = '?limit=100'
    for (;;) {
      const { json, headers } = await node.call(`${path}/results${query}`, { key: owner.key })
      seen.push(...json.data.results.map(({ index }: { index: number }) => index))
      if (json.data.next_cursor === null) {
        expect(headers.get('link')).toBe(null)
        break
      }
      expect(headers.get('link')).toContain(`cursor=${json.data.next_cursor}`)
      query = `?limit=100&cursor=${json.data.next_cursor}`
    }
    expect(seen).toEqual(Array.from({ length: TOTAL }, (_, i) => i))
  })

  test('come as lines of JSON all at once', async () => {
    const { events, headers } = await stream(owner, `${path}/results`, { format: 'ndjson' })
    expect(headers.get('content-type')).toBe('application/x-ndjson')
    expect(events.map(({ event }) => event)).toEqual([...Array.from({ length: TOTAL }, () => 'result'), 'done'])
    expect(events.slice(0, -1).map(({ data }) => data.index)).toEqual(Array.from({ length: TOTAL }, (_, i) => i))
    expect(events.at(-1)?.data).toEqual({ state: 'completed', waiting_for: null, next_cursor: null })
  })

  test('are cut into pages by their size, too', async () => {
    const { id } = (await node.call(path, { key: owner.key })).json.data.batch
    const long = JSON.stringify({ suggestions: [], filler: 'x'.repeat(1_500_000) })
    await world.owner.query('UPDATE batch_item SET result = $2 WHERE batch_id = $1 AND n BETWEEN 10 AND 15', [id, long])
    try {
      const seen: number[] = []
      let cursor = ''
      for (let page = 0; page < 4; page++) {
        const { json } = await request(node.url, `${path}/results?limit=10${cursor}`, { key: owner.key })
        expect(json.data.waiting_for).toBe(null)
        seen.push(...json.data.results.map(({ index }: { index: number }) => index))
        cursor = `&cursor=${json.data.next_cursor}`
      }
      // Of the second page there is room for three.
      expect(seen).toEqual(Array.from({ length: 33 }, (_, i) => i).filter((n) => n < seen.length))
      expect(seen.length).toBeLessThan(40)
      const all = await stream(owner, `${path}/results`, { format: 'ndjson' })
      expect(all.events).toHaveLength(TOTAL + 1)
    } finally {
      const short = JSON.stringify({ suggestions: [] })
      await world.owner.query('UPDATE batch_item SET result = $2 WHERE batch_id = $1 AND n BETWEEN 10 AND 15', [
        id,
        short,
      ])
    }
  })

  test('belong to who sent them: a cursor is for one batch of one account', async () => {
    const { json } = await node.call(`${path}/results?limit=1`, { key: owner.key })
    const other = await makeOwner()
    const stolen = await node.call(`${path}/results?cursor=${json.data.next_cursor}`, { key: other.key })
    expect(stolen.json.error.code).toBe('invalid_cursor')
    for (const subpath of ['', '/results']) {
      const answer = await node.call(`${path}${subpath}`, { key: other.key })
      expect([subpath, answer.status]).toEqual([subpath, 404])
    }
    expect((await node.call(`${path}/cancel`, { key: other.key, method: 'POST' })).status).toBe(404)
    expect((await node.call(path, { key: other.key, method: 'DELETE' })).status).toBe(404)
    const { path: mine } = await finish(owner, [{}, ...requestsOf(1)])
    const elsewhere = await node.call(`${mine}/results?cursor=${json.data.next_cursor}`, { key: owner.key })
    expect(elsewhere.json.error.code).toBe('invalid_cursor')
  })

  test('end before the first that has not ended, and go on from there', async () => {
    const { id } = (await node.call(path, { key: owner.key })).json.data.batch
    const taken = await world.owner.query<{ result: string }>(
      'DELETE FROM batch_item WHERE batch_id = $1 AND n = 5 RETURNING result',
      [id],
    )
    await world.owner.query(`UPDATE batch SET state = 'running' WHERE id = $1`, [id])
    const { json } = await node.call(`${path}/results`, { key: owner.key })
    expect([json.data.results.length, json.data.waiting_for]).toEqual([5, 5])
    const { events } = await stream(owner, `${path}/results`, { format: 'ndjson' })
    expect(events.at(-1)).toMatchObject({ event: 'done', data: { state: 'running', waiting_for: 5 } })
    expect(events).toHaveLength(6)
    const cursor = `cursor=${json.data.next_cursor}`
    const waiting = await node.call(`${path}/results?${cursor}`, { key: owner.key })
    expect(waiting.json.data).toMatchObject({ results: [], waiting_for: 5, next_cursor: json.data.next_cursor })
    const { account_id: account } = (
      await world.owner.query<{ account_id: string }>('SELECT account_id FROM batch WHERE id = $1', [id])
    ).rows[0] ?? { account_id: '' }
    await world.owner.query('INSERT INTO batch_item VALUES ($1, $2, 5, $3, NULL)', [account, id, taken.rows[0]?.result])
    await world.owner.query(`UPDATE batch SET state = 'completed' WHERE id = $1`, [id])
    const rest = await node.call(`${path}/results?${cursor}`, { key: owner.key })
    expect(rest.json.data.results[0].index).toBe(5)
  })
})

describe('a batch that is canceled', { timeout: 90_000 }, () => {
  test('ends at once, costs what it had returned, and names the rest as canceled', async () => {
    const owner = await makeOwner(5_000)
    const path = await send(owner, [{}, ...requestsOf(999)])
    await expect
      .poll(async () => (await node.call(path, { key: owner.key })).json.data.batch.succeeded)
      .toBeGreaterThan(5)
    const { json } = await node.call(`${path}/cancel`, { key: owner.key, method: 'POST' })
    const { batch } = json.data
    expect(batch).toMatchObject({ state: 'canceled', total: 1_000, finished: 1_000, failed: 1, progress: 1 })
    expect(batch.succeeded + batch.short + batch.failed + batch.canceled).toBe(1_000)
    expect(batch.canceled).toBeGreaterThan(0)
    const before = await ledgerOf(owner)
    expect(before).toEqual({ used: batch.succeeded, leased: batch.succeeded })

    // What was under way when it ended has had its time to try.
    await sleep(2_000)
    expect(await ledgerOf(owner)).toEqual(before)
    expect((await node.call(path, { key: owner.key })).json.data.batch).toEqual(batch)

    const { events } = await stream(owner, `${path}/results`, { format: 'ndjson' })
    expect(events).toHaveLength(1_001)
    const outcomes = events.slice(0, -1).map(({ data }) => data.error?.code ?? 'success')
    expect(outcomes.filter((code) => code === 'success')).toHaveLength(batch.succeeded + batch.short)
    expect(outcomes.filter((code) => code === 'canceled')).toHaveLength(batch.canceled)
    expect(outcomes[0]).toBe('invalid_request')
    const history = await world.owner.query('SELECT 1 FROM history WHERE account_id = $1', [owner.account])
    expect(history.rowCount).toBe(batch.succeeded + batch.short)
    const { rows } = await world.owner.query('SELECT 1 FROM event WHERE account_id = $1', [owner.account])
    expect(rows).toEqual([])
  })

  test('can be canceled again, and one that is complete stays so', async () => {
    const owner = await makeOwner()
    const path = await send(owner, requestsOf(400))
    const first = await node.call(`${path}/cancel`, { key: owner.key, method: 'POST' })
    const again = await node.call(`${path}/cancel`, { key: owner.key, method: 'POST' })
    expect([first.status, again.status]).toEqual([200, 200])
    expect(again.json).toEqual(first.json)
    const { path: complete, batch } = await finish(owner, requestsOf(2))
    const late = await node.call(`${complete}/cancel`, { key: owner.key, method: 'POST' })
    expect(late.json.data.batch).toEqual(batch)
  })

  test('leaves the places to others', async () => {
    const owner = await makeOwner()
    const path = await send(owner, requestsOf(1_000))
    await node.call(`${path}/cancel`, { key: owner.key, method: 'POST' })
    const { batch } = await finish(owner, requestsOf(3))
    expect(batch).toMatchObject({ state: 'completed', succeeded: 3 })
  })
})

describe('a batch that is deleted', { timeout: 90_000 }, () => {
  const remove = (owner: Owner, path: string) => node.call(path, { key: owner.key, method: 'DELETE' })
  const rowsOf = async (path: string) => {
    const { rows } = await world.owner.query<Record<string, number>>(
      `SELECT (SELECT count(*)::int FROM batch WHERE id = $1) AS batches,
         (SELECT count(*)::int FROM batch_chunk WHERE batch_id = $1) AS chunks,
         (SELECT count(*)::int FROM batch_item WHERE batch_id = $1) AS items`,
      [path.split('/').at(-1)],
    )
    return rows[0]
  }

  test('goes with its results when it has ended', async () => {
    const owner = await makeOwner()
    const { path } = await finish(owner, [{}, ...requestsOf(2)])
    const { path: other } = await finish(owner, requestsOf(2))
    expect(await rowsOf(path)).toEqual({ batches: 1, chunks: 1, items: 3 })
    const answer = await remove(owner, path)
    expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([204, '', null])
    expect(await rowsOf(path)).toEqual({ batches: 0, chunks: 0, items: 0 })
    expect(await rowsOf(other)).toEqual({ batches: 1, chunks: 1, items: 2 })
    expectError(await remove(owner, path), 404, 'not_found')
    for (const subpath of ['', '/results'])
      expect((await node.call(`${path}${subpath}`, { key: owner.key })).status).toBe(404)
  })

  test('stays while it runs, unchanged, and goes once it is canceled', async () => {
    const owner = await makeOwner()
    const path = await send(owner, requestsOf(1_000))
    expectError(await remove(owner, path), 409, 'batch_running')
    expect((await node.call(path, { key: owner.key })).json.data.batch).toMatchObject({
      state: 'running',
      total: 1_000,
    })
    const { json } = await node.call(`${path}/cancel`, { key: owner.key, method: 'POST' })
    expect((await remove(owner, path)).status).toBe(204)
    // What was under way finds no batch to end in.
    const { batch: next } = await finish(owner, requestsOf(3))
    expect(await rowsOf(path)).toEqual({ batches: 0, chunks: 0, items: 0 })
    const spent = json.data.batch.succeeded + next.succeeded
    expect(await ledgerOf(owner)).toEqual({ used: spent, leased: spent })
  })
})

test('the error of an item has the same request id at every read, in pages and in a stream', async () => {
  const owner = await makeOwner()
  const { path, batch } = await finish(owner, [{}, ...requestsOf(1), { description: 'tea' }])
  const id = (item: number) => `${batch.id}:${item}`
  for (let read = 0; read < 2; read++) {
    const { json } = await node.call(`${path}/results`, { key: owner.key, headers: { 'accept-language': 'de' } })
    const [first, , third] = json.data.results
    expect(first.error).toMatchObject({ code: 'invalid_request', request_id: id(0) })
    expect(third.error.request_id).toBe(id(2))
    const { events } = await stream(owner, `${path}/results`, { format: 'ndjson' })
    expect([events[0]?.data.error.request_id, events[2]?.data.error.request_id]).toEqual([id(0), id(2)])
  }
})

test(
  'a chunk that kills its workers again and again ends as errors, and its batch with it',
  { timeout: 60_000 },
  async () => {
    const owner = await makeOwner(100)
    const idle = await world.startNode()
    const body = { requests: [...requestsOf(3), {}] }
    // As it is after many workers have died of it, between two of them.
    const path = await idle
      .call('/v1/batches', { key: owner.key, body })
      .then(({ headers }) => headers.get('location') ?? '')
    const id = path.split('/').at(-1)
    const { batch: before } = (await waitForEnd(node, owner.key, path)).json.data
    expect(before.succeeded).toBe(3)
    await world.owner.query('DELETE FROM batch_item WHERE batch_id = $1 AND n > 0 AND n < 3', [id])
    await world.owner.query(
      `UPDATE batch_chunk SET state = 'running', done = 1, taken = 12, requests = $2,
       touched_at = now() - interval '1 hour' WHERE batch_id = $1`,
      [id, JSON.stringify([...requestsOf(3), null])],
    )
    await world.owner.query(`UPDATE batch SET state = 'running', chunks_done = 0 WHERE id = $1`, [id])
    // Whoever looks after it finds it silent for too long.
    await world.owner.query(
      `UPDATE jobs.job SET start_after = now() WHERE data ->> 'batch_id' = $1 AND NOT data ? 'n'`,
      [id],
    )
    const { batch } = (await waitForEnd(node, owner.key, path)).json.data
    expect(batch).toMatchObject({ state: 'completed', succeeded: 1, failed: 3 })
    const { json } = await node.call(`${path}/results`, { key: owner.key })
    expect(json.data.results.map((item: { error?: { code: string } }) => item.error?.code)).toEqual([
      undefined,
      'internal',
      'internal',
      'invalid_request',
    ])
  },
)
