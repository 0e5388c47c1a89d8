/** POST /v1/batches as far as the answer: what is accepted, what is refused, and what either costs. No worker runs. */
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectError } from '../expect-error.ts'
import { startApp } from '../start-app.ts'
import { request, WIDE_QUOTA } from '../world.ts'
import type { Node, World } from '../world.ts'
import { requestsOf } from './batch-calls.ts'
import { SCOPES } from './contract.ts'

let world: World
let node: Node
let key: string
beforeAll(async () => {
  world = await startApp()
  node = await world.startNode()
  key = (await world.makeKey(await world.makeAccount())).secret
})
afterAll(() => world[Symbol.asyncDispose]())

const post = (body: unknown, headers: Record<string, string> = {}) => node.call('/v1/batches', { key, body, headers })

const count = async (table: string) => {
  const { rows } = await world.owner.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`)
  return rows[0]?.count
}

describe('a batch that is accepted', () => {
  test('is answered with 202, where it is, and itself', async () => {
    const answer = await post({ requests: requestsOf(3) })
    expect(answer.status).toBe(202)
    const { batch } = answer.json.data
    expect(answer.headers.get('location')).toBe(`/v1/batches/${batch.id}`)
    expect(batch).toMatchObject({
      state: 'running',
      total: 3,
      finished: 0,
      succeeded: 0,
      short: 0,
      failed: 0,
      canceled: 0,
      progress: 0,
      webhook_id: null,
      finished_at: null,
    })
    expect((await node.call(`/v1/batches/${batch.id}`, { key })).json.data).toEqual({ batch })
  })

  test('is cut into chunks of a hundred, of which four have a job', async () => {
    const answer = await post({ requests: requestsOf(650) })
    const { rows } = await world.owner.query(
      `SELECT n, first, size, state, json_array_length(requests::json) AS requests FROM batch_chunk WHERE batch_id = $1 ORDER BY n`,
      [answer.json.data.batch.id],
    )
    expect(rows).toEqual(
      [100, 100, 100, 100, 100, 100, 50].map((size, n) => ({
        n,
        first: n * 100,
        size,
        state: n < 4 ? 'queued' : 'waiting',
        requests: size,
      })),
    )
    const jobs = await world.owner.query<{ n: number | null }>(
      `SELECT (data ->> 'n')::int AS n FROM jobs.job WHERE data ->> 'batch_id' = $1 ORDER BY n`,
      [answer.json.data.batch.id],
    )
    // The last one looks after it.
    expect(jobs.rows.map(({ n }) => n)).toEqual([0, 1, 2, 3, null])
  })

  test('has a thousand items at most', { timeout: 60_000 }, async () => {
    const answer = await post({ requests: requestsOf(1_000) })
    expect([answer.status, answer.json.data.batch.total]).toEqual([202, 1_000])
    const refused = await post({ requests: requestsOf(1_001) })
    expect([refused.status, refused.json.error.errors]).toMatchObject([
      400,
      [{ pointer: '/requests', code: 'too_many' }],
    ])
  })

  test('keeps a wrong item as an error of its own, at once, and charges only the others', async () => {
    const { id, secret } = await world.makeKey(await world.makeAccount(), { quota: { ...WIDE_QUOTA, perDay: 7 } })
    const requests = [
      { description: 'a bakery', count: 3 },
      { description: '', count: 200, colour: 'red' },
      'a text',
      null,
      { description: 'a bakery', count: 1, tlds: ['nosuchsuffix'] },
      { description: 'x'.repeat(70_000), count: 1 },
      { description: 'a café', count: 4 },
    ]
    const answer = await node.call('/v1/batches', { key: secret, body: { requests } })
    expect([answer.status, answer.json.data?.batch.failed]).toEqual([202, 5])
    const path = `/v1/batches/${answer.json.data.batch.id}/results`
    const first = await node.call(path, { key: secret })
    expect(first.json.data).toMatchObject({ results: [], waiting_for: 0 })
    const { rows } = await world.owner.query<{ n: number; error: { code: string; fields?: { pointer: string }[] } }>(
      'SELECT n, error FROM batch_item WHERE batch_id = $1 ORDER BY n',
      [answer.json.data.batch.id],
    )
    expect(rows.map(({ n, error }) => [n, error.code, error.fields?.map(({ pointer }) => pointer)])).toEqual(
      [
        [1, 'invalid_request', ['/colour', '/count', '/description']],
        [2, 'invalid_request', ['']],
        [3, 'invalid_request', ['']],
        [4, 'invalid_request', ['/tlds/0']],
        [5, 'invalid_request', ['/description']],
      ].map(([n, code, fields]) => [n, code, Array.isArray(fields) ? expect.arrayContaining(fields) : fields]),
    )
    const ledger = await world.owner.query('SELECT granted::int, used::int FROM quota_block WHERE key_id = $1', [id])
    expect(ledger.rows).toEqual([{ granted: 7, used: 0 }])
  })
})

describe('a batch that is refused', () => {
  const wrong: [name: string, body: string, status: number, expected: unknown][] = [
    ['no JSON', '{"requests":[', 400, 'invalid_json'],
    ['no JSON in an item', '{"requests":[{"description":}]}', 400, 'invalid_json'],
    ['a request that is nested too deeply', '{"requests":[{"like":[[[[[[[1]]]]]]]}]}', 400, 'body_too_deep'],
    ['nothing', '', 400, ['', 'wrong_type']],
    ['a list', '[{"description":"a bakery","count":1}]', 400, ['', 'wrong_type']],
    ['no requests', '{}', 400, ['/requests', 'required']],
    ['requests that are no list', '{"requests":{}}', 400, ['/requests', 'wrong_type']],
    ['an empty list', '{"requests":[]}', 400, ['/requests', 'too_few']],
    ['an unknown field', '{"requests":[1],"colour":1}', 400, ['/colour', 'unknown_field']],
    ['a webhook that is none', '{"requests":[1],"webhook_id":"x"}', 400, ['/webhook_id', 'bad_format']],
    ['a webhook that is a number', '{"requests":[1],"webhook_id":7}', 400, ['/webhook_id', 'wrong_type']],
    [
      'a webhook of nobody',
      '{"requests":[{"description":"tea","count":1}],"webhook_id":"0198d2c4-0000-7000-8000-000000000000"}',
      400,
      ['/webhook_id', 'unknown_webhook'],
    ],
    ['a name with a slash and a tilde', '{"requests":[1],"a/b~":1}', 400, ['/a~1b~0', 'unknown_field']],
  ]
  test('without a body, and without saying what it would be, is refused', async () => {
    expectError(await node.call('/v1/batches', { key, method: 'POST' }), 400, 'invalid_request')
  })

  test.for(wrong)('for %s is refused whole', async ([, body, status, expected]) => {
    const before = await count('batch')
    const answer = await node.call('/v1/batches', { key, body, headers: { 'content-type': 'application/json' } })
    expect(answer.status).toBe(status)
    const { code, errors } = answer.json.error
    if (typeof expected === 'string') expect(code).toBe(expected)
    else
      expect(errors.map((error: { pointer: string; code: string }) => [error.pointer, error.code])).toEqual([expected])
    expect(await count('batch')).toBe(before)
  })

  test('without one valid item names the first errors, and stores nothing', async () => {
    const tables = ['batch', 'batch_chunk', 'batch_item', 'event', 'idempotent_answer']
    const before = await Promise.all(tables.map(count))
    const requests = [
      {},
      { description: 'x'.repeat(70_000), count: 1 },
      { description: 'tea', count: 1, colour: 'red' },
    ]
    const answer = await post({ requests }, { 'idempotency-key': 'all-wrong' })
    expectError(answer, 400, 'invalid_request')
    expect(
      answer.json.error.errors.map((error: { pointer: string; code: string }) => [error.pointer, error.code]),
    ).toEqual([
      ['/requests/0/description', 'required'],
      ['/requests/0/count', 'required'],
      ['/requests/1/description', 'too_long'],
      ['/requests/2/colour', 'unknown_field'],
    ])
    const many = await post({ requests: Array.from({ length: 1_000 }, () => ({})) })
    expectError(many, 400, 'invalid_request')
    expect(many.json.error.errors).toHaveLength(20)
    expect(await Promise.all(tables.map(count))).toEqual(before)
  })

  test('for want of quota has taken none', async () => {
    const { id, secret } = await world.makeKey(await world.makeAccount(), { quota: { ...WIDE_QUOTA, perDay: 9 } })
    const before = await count('batch')
    const answer = await node.call('/v1/batches', { key: secret, body: { requests: requestsOf(10) } })
    expect([answer.status, answer.json.error.code]).toEqual([429, 'quota_exceeded'])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await count('batch')).toBe(before)
    expect((await world.owner.query('SELECT 1 FROM quota_block WHERE key_id = $1', [id])).rowCount).toBe(0)
    expect((await node.call('/v1/batches', { key: secret, body: { requests: requestsOf(9) } })).status).toBe(202)
  })

  test('for want of a scope has not been read', async () => {
    for (const missing of ['generate', 'batches:write'] as const) {
      const scopes = SCOPES.filter((scope) => scope !== missing)
      const { secret } = await world.makeKey(await world.makeAccount(), { scopes })
      const answer = await node.call('/v1/batches', { key: secret, body: '{"requests":[' })
      expect([answer.status, answer.json.error.code]).toEqual([403, 'insufficient_scope'])
      expect(answer.headers.get('www-authenticate')).toContain(`scope="${missing}"`)
    }
  })

  test('for its size is refused by its announcement, and while it arrives without one', async () => {
    const announced = await talk(`content-length: ${4 * 1024 * 1024 + 1}`, [])
    expect(announced).toContain('413')
    expect(announced).toContain('4 MiB')
    const piece = ' '.repeat(1024 * 1024)
    const pieces = Array.from({ length: 5 }, () => `${piece.length.toString(16)}\r\n${piece}\r\n`)
    const arriving = await talk('transfer-encoding: chunked', pieces)
    expect(arriving).toContain('413')
    // The limit of every other body stays what it was.
    const other = await node.call('/v1/generate', { key, body: { description: 'x'.repeat(70_000), count: 1 } })
    expect(other.status).toBe(413)
  })

  test('for its media type is refused', async () => {
    const body = JSON.stringify({ requests: requestsOf(1) })
    const answer = await node.call('/v1/batches', { key, body, headers: { 'content-type': 'text/plain' } })
    expect(answer.json.error.code).toBe('unsupported_media_type')
  })

  /** Writes a request by hand and answers what came back. */
  async function talk(header: string, pieces: readonly string[]): Promise<string> {
    const socket = connect(Number(new URL(node.url).port), '127.0.0.1')
    let text = ''
    const { promise, resolve } = Promise.withResolvers<string>()
    socket.on('data', (chunk) => {
      text += String(chunk)
      if (text.endsWith('}}')) socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
    socket.write(
      `POST /v1/batches HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n${header}\r\n\r\n`,
    )
    for (const piece of pieces) socket.write(piece)
    return promise
  }
})

describe('a body', () => {
  test('may be cut anywhere on its way, also inside a character', async () => {
    const requests = [{ description: 'ein Café für Törtchen, 東京 🍰', count: 1 }]
    const bytes = Buffer.from(JSON.stringify({ requests }))
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
        controller.close()
      },
    })
    const response = await fetch(`${node.url}/v1/batches`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
      duplex: 'half',
    })
    const { data } = (await response.json()) as { data: { batch: { id: string } } }
    const { rows } = await world.owner.query<{ requests: object[] }>(
      'SELECT requests FROM batch_chunk WHERE batch_id = $1',
      [data.batch.id],
    )
    expect(rows[0]?.requests).toEqual(requests)
  })

  test('may hold what PostgreSQL cannot keep', async () => {
    const answer = await post('{"requests":[{"description":"a \\u0000 bakery \\ud800","count":1}]}')
    expect(answer.status).toBe(202)
    const { rows } = await world.owner.query<{ requests: object[] }>(
      'SELECT requests FROM batch_chunk WHERE batch_id = $1',
      [answer.json.data.batch.id],
    )
    expect(rows[0]?.requests).toEqual([{ description: 'a   bakery \ufffd', count: 1 }])
  })

  test('with many wrong items beside a valid one is accepted, and what is stored of each is short', async () => {
    const item = { description: 'a bakery', count: 1, styles: Array.from({ length: 20 }, (_, i) => `style ${i}`) }
    const requests = [...requestsOf(1), ...Array.from({ length: 999 }, () => item)]
    const answer = await post({ requests })
    expect(answer.json.data.batch).toMatchObject({ state: 'running', failed: 999 })
    const { rows } = await world.owner.query<{ longest: number; explained: number; all: number }>(
      `SELECT max(length(error::text)) AS longest, count(*) FILTER (WHERE error ? 'fields')::int AS explained,
         sum(length(error::text))::int AS all FROM batch_item WHERE batch_id = $1`,
      [answer.json.data.batch.id],
    )
    expect(rows[0]?.longest).toBeLessThan(1_500)
    expect(rows[0]?.explained).toBe(100)
    // Of one batch, whatever its items are.
    expect(rows[0]?.all).toBeLessThan(150_000)
  })
})

describe('with an Idempotency-Key', () => {
  const once = { 'idempotency-key': 'batch-once' }

  test('the same body is one batch, and another is refused', async () => {
    const body = JSON.stringify({ requests: requestsOf(2) })
    const first = await post(body, once)
    const again = await post(`${body} `, once)
    expect([first.status, again.status]).toEqual([202, 202])
    expect(again.json).toEqual(first.json)
    expect(again.headers.get('location')).toBe(first.headers.get('location'))
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const other = await post({ requests: requestsOf(3) }, once)
    expect([other.status, other.json.error.code]).toEqual([422, 'idempotency_mismatch'])
  })

  test('many at once are one batch', async () => {
    const { secret } = await world.makeKey(await world.makeAccount())
    const body = { requests: requestsOf(5) }
    const headers = { 'idempotency-key': 'many' }
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => request(node.url, '/v1/batches', { key: secret, body, headers })),
    )
    for (const { status } of answers) expect([202, 409]).toContain(status)
    const { json } = await node.call('/v1/batches', { key: secret })
    expect(json.data.batches).toHaveLength(1)
  })
})

test('batches are listed newest first, a page at a time', async () => {
  const { secret } = await world.makeKey(await world.makeAccount())
  const ids: string[] = []
  for (let i = 1; i <= 5; i++) {
    const answer = await node.call('/v1/batches', { key: secret, body: { requests: requestsOf(i) } })
    ids.unshift(answer.json.data.batch.id)
  }
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`
    const { json } = await node.call(`/v1/batches?limit=2${query}`, { key: secret })
    seen.push(...json.data.batches.map(({ id }: { id: string }) => id))
    cursor = json.data.next_cursor
  }
  expect(seen).toEqual(ids)
})

test('a batch past its days is not there any more', async () => {
  const short = await world.startNode({ NAMEWRIGHT_BATCH_DAYS: '1' })
  const { secret } = await world.makeKey(await world.makeAccount())
  const answer = await node.call('/v1/batches', { key: secret, body: { requests: requestsOf(1) } })
  const { id } = answer.json.data.batch
  // As if it had been made three days ago.
  const old = id.replace(/^[\da-f]{8}-[\da-f]{4}/, () => {
    const hex = (Date.now() - 3 * 86_400_000).toString(16).padStart(12, '0')
    return `${hex.slice(0, 8)}-${hex.slice(8)}`
  })
  await world.owner.query('DELETE FROM batch_chunk WHERE batch_id = $1', [id])
  await world.owner.query('UPDATE batch SET id = $2 WHERE id = $1', [id, old])
  expect((await node.call(`/v1/batches/${old}`, { key: secret })).status).toBe(200)
  expect((await short.call(`/v1/batches/${old}`, { key: secret })).status).toBe(404)
  expect((await short.call('/v1/batches', { key: secret })).json.data.batches).toEqual([])
  expect((await short.call(`/v1/batches/${old}`, { key: secret, method: 'DELETE' })).status).toBe(404)
  expect((await short.call(`/v1/batches/${old}/cancel`, { key: secret, method: 'POST' })).status).toBe(404)
})
