/** /v1/webhooks as a program uses it, and a worker that really sends. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AccountId, AUDIT_EVENT, EVENT_TYPES, makeId, sql } from '../source.ts'
import { expectError } from '../expect-error.ts'
import { startApp } from '../start-app.ts'
import type { Call, Node, World, Running } from '../world.ts'
import { idOf, openReceiver, verify } from './receiver.ts'
import type { Receiver } from './receiver.ts'

const NOBODYS = '0198d2c4-0000-7000-8000-000000000000'
const URL_ELSEWHERE = 'https://hooks.example.com/in'
// All but the entries of the log, which the making of a webhook is one of.
const EVENTS = EVENT_TYPES.filter((type) => type !== AUDIT_EVENT)
const WISH = { url: URL_ELSEWHERE, events: ['quota.warning'] }

let receiver: Receiver
let world: World
let node: Node
let worker: Running
beforeAll(async () => {
  receiver = await openReceiver()
  world = await startApp({
    own: true,
    settings: {
      NAMEWRIGHT_WEBHOOK_ALLOW: receiver.place,
      // Nobody listens there.
      NAMEWRIGHT_OUTBOUND_ROUTES: 'away.example=127.0.0.1:1',
    },
  })
  ;[node, worker] = await Promise.all([world.startNode(), world.startWorker()])
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

interface Client {
  readonly account: AccountId
  readonly keyId: string
  readonly call: (path: string, call?: Call) => ReturnType<Node['call']>
}

async function makeClient(): Promise<Client> {
  const account = await world.makeAccount()
  const { id, secret: key } = await world.makeKey(account)
  return { account, keyId: id, call: (path, call = {}) => node.call(`/v1/webhooks${path}`, { key, ...call }) }
}

async function makeWebhook({ call }: Client, url = receiver.url) {
  const made = await call('', { body: { url, events: EVENTS } })
  expect(made.status, made.text).toBe(201)
  return made.json.data.webhook as { id: string; secret: string }
}

async function emitEvent(account: AccountId, { n = 0, subject = null }: { n?: number; subject?: string | null } = {}) {
  const id = makeId(Date.now())
  const text = `INSERT INTO event (account_id, id, created_at, type, once, subject, data)
    VALUES ($1, $2, now(), 'favorite.taken', $3, $4, $5)`
  await world.db.as(account, [sql('emit_event', text, [account, id, id, subject, JSON.stringify({ n })])])
  return id
}

test('a webhook is made, listed, changed and deleted, and its secret is shown once', async () => {
  const client = await makeClient()
  const made = await client.call('', { body: { ...WISH, description: 'billing' } })
  expect(made.status).toBe(201)
  const { secret, ...webhook } = made.json.data.webhook
  expect(secret).toMatch(/^whsec_/)
  expect(webhook).toMatchObject({ ...WISH, description: 'billing', enabled: true, off_reason: null })
  expect(made.headers.get('location')).toBe(`/v1/webhooks/${webhook.id}`)
  expect((await client.call('')).json.data).toEqual({ webhooks: [webhook] })
  expect((await client.call(`/${webhook.id}`)).json.data).toEqual({ webhook })
  const change = { events: ['batch.completed', 'favorite.taken'], description: null, enabled: false }
  const changed = await client.call(`/${webhook.id}`, { method: 'PATCH', body: change })
  expect(changed.json.data.webhook).toMatchObject({ ...change, url: URL_ELSEWHERE, off_reason: 'by_hand' })
  expect((await client.call(`/${webhook.id}`, { method: 'DELETE' })).status).toBe(204)
  expect((await client.call('')).json.data).toEqual({ webhooks: [] })
  const log = await world.owner.query<{ action: string; credential_id: string; detail: Record<string, string> }>(
    'SELECT action, credential_id, detail FROM security_event WHERE account_id = $1 ORDER BY id',
    [client.account],
  )
  expect(log.rows.map(({ action }) => action)).toEqual(['webhook_created', 'webhook_changed', 'webhook_deleted'])
  for (const { credential_id, detail } of log.rows) {
    expect(detail).toMatchObject({ webhook_id: webhook.id, host: 'hooks.example.com' })
    expect(credential_id).toBe(client.keyId)
  }
})

test('what is not there is not found, and what is wrong is named', async () => {
  const { call } = await makeClient()
  const theirs = await makeWebhook(await makeClient())
  const delivery = `deliveries/${NOBODYS}/replay`
  for (const id of [NOBODYS, 'no-id', theirs.id]) {
    for (const [path, method, body] of [
      [id, 'GET'],
      [id, 'PATCH', { enabled: false }],
      [id, 'DELETE'],
      [`${id}/rotate-secret`, 'POST', {}],
      [`${id}/test`, 'POST'],
      [`${id}/deliveries`, 'GET'],
      [`${id}/${delivery}`, 'POST'],
    ] as const) {
      expectError(await call(`/${path}`, { method, body }), 404, 'not_found')
    }
  }
  const refusals: [unknown, string, string][] = [
    [{ events: ['quota.warning'] }, '/url', 'required'],
    [{ ...WISH, events: [] }, '/events', 'too_few'],
    [{ ...WISH, events: ['webhook.test'] }, '/events/0', 'not_allowed'],
    [{ ...WISH, events: ['quota.warning', 'quota.warning'] }, '/events', 'repeated'],
    [{ ...WISH, secret: 'mine' }, '/secret', 'unknown_field'],
    [{ ...WISH, url: 'https://127.0.0.1/' }, '/url', 'url_not_allowed'],
    [{ ...WISH, url: 'http://hooks.example.com/' }, '/url', 'url_not_allowed'],
    [{ ...WISH, url: 'https://a:b@hooks.example.com/' }, '/url', 'url_not_allowed'],
    [{ ...WISH, url: receiver.url.replace('127.0.0.1', '127.0.0.2') }, '/url', 'url_not_allowed'],
  ]
  for (const [body, pointer, code] of refusals) {
    const refused = await call('', { body })
    expect([refused.status, refused.json.error.errors?.[0]]).toEqual([400, expect.objectContaining({ pointer, code })])
  }
})

test('there are twenty at most, also when all are made at once', async () => {
  const { call } = await makeClient()
  const made = await Promise.all(Array.from({ length: 25 }, () => call('', { body: WISH })))
  const statuses = made.map(({ status }) => status).toSorted((a, b) => a - b)
  expect(statuses).toEqual([...Array<number>(20).fill(201), ...Array<number>(5).fill(409)])
  expect(made.find(({ status }) => status === 409)?.json.error.code).toBe('too_many_webhooks')
  expect((await call('')).json.data.webhooks).toHaveLength(20)
})

test('a repeated request makes one webhook and is told the same secret, which lies nowhere in clear', async () => {
  const client = await makeClient()
  const headers = { 'idempotency-key': 'make-one' }
  const first = await client.call('', { body: WISH, headers })
  const again = await client.call('', { body: WISH, headers })
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(again.text).toBe(first.text)
  expect((await client.call('')).json.data.webhooks).toHaveLength(1)
  const { id, secret } = first.json.data.webhook
  const rotate = { body: { grace_hours: 1 }, headers: { 'idempotency-key': 'rotate' } }
  const rotated = await client.call(`/${id}/rotate-secret`, rotate)
  expect((await client.call(`/${id}/rotate-secret`, rotate)).text).toBe(rotated.text)
  expect(rotated.json.data.webhook.secret).not.toBe(secret)
  expect(Date.parse(rotated.json.data.webhook.old_secret_until) - Date.now()).toBeGreaterThan(3_500_000)
  // The same key for another webhook is another request.
  const other = await makeWebhook(client)
  expectError(await client.call(`/${other.id}/rotate-secret`, rotate), 422, 'idempotency_mismatch')

  const { stdout: dump } = await promisify(execFile)('pg_dump', ['--inserts', world.databaseUrl], {
    maxBuffer: 1 << 30,
  })
  expect(dump).toContain(id)
  for (const shown of [secret, rotated.json.data.webhook.secret]) {
    const bytes = Buffer.from(shown.slice('whsec_'.length), 'base64')
    for (const text of [shown.slice('whsec_'.length), bytes.toString('hex'), bytes.toString('base64url')]) {
      expect(dump).not.toContain(text)
      expect(node.output() + worker.output()).not.toContain(text)
    }
  }
})

test('a worker sends what happens, signed, and what came of it can be looked at', async () => {
  const client = await makeClient()
  const { id, secret } = await makeWebhook(client)
  const event = await emitEvent(client.account, { n: 7 })
  await expect.poll(() => receiver.accepted.map(idOf), { timeout: 20_000 }).toContain(event)
  const received = receiver.accepted.find((one) => idOf(one) === event)
  expect(received && verify(secret, received)).toMatchObject({ type: 'favorite.taken', data: { n: 7 } })
  const deliveries = async () => (await client.call(`/${id}/deliveries`)).json.data.deliveries
  await expect
    .poll(deliveries, { timeout: 20_000 })
    .toMatchObject([{ id: event, type: 'favorite.taken', state: 'delivered', attempts: 1, last_status: 204 }])

  const replayed = await client.call(`/${id}/deliveries/${event}/replay`, { method: 'POST' })
  expect(replayed.status).toBe(202)
  const arrivals = () => receiver.accepted.filter((one) => idOf(one) === event).length
  await expect.poll(arrivals, { timeout: 20_000 }).toBe(2)
})

test('deliveries are paged, newest first', async () => {
  const client = await makeClient()
  const { id } = await makeWebhook(client)
  const events: string[] = []
  for (let n = 0; n < 5; n++) events.push((await emitEvent(client.account, { n })) ?? '')
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page = await client.call(`/${id}/deliveries?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`)
    seen.push(...page.json.data.deliveries.map((one: { id: string }) => one.id))
    cursor = page.json.data.next_cursor
  } while (cursor !== null)
  expect(seen).toEqual(events.toSorted().toReversed())
  const other = await makeWebhook(client)
  const first = await client.call(`/${id}/deliveries?limit=2`)
  const stolen = await client.call(`/${other.id}/deliveries?limit=2&cursor=${first.json.data.next_cursor}`)
  expectError(stolen, 400, 'invalid_cursor')
})

test('trying a webhook out sends an event now and answers what came back', async () => {
  const client = await makeClient()
  const { id, secret } = await makeWebhook(client)
  receiver.answer = (response) => response.writeHead(201).end('well received')
  const tried = await client.call(`/${id}/test`, { method: 'POST' })
  expect(tried.status, tried.text).toBe(200)
  expect(tried.json.data.delivery).toMatchObject({
    type: 'webhook.test',
    state: 'delivered',
    attempts: 1,
    next_at: null,
    last_status: 201,
    last_error: null,
    last_answer: 'well received',
  })
  const received = receiver.received.find((one) => idOf(one) === tried.json.data.delivery.id)
  expect(received && verify(secret, received)).toMatchObject({ type: 'webhook.test', data: { webhook_id: id } })
  receiver.answer = (response) => response.writeHead(500).end('broken')
  const failed = await client.call(`/${id}/test`, { method: 'POST' })
  expect(failed.json.data.delivery).toMatchObject({ state: 'failed', last_status: 500, last_answer: 'broken' })
  receiver.answer = 204
  const unreachable = await makeWebhook(client, 'https://away.example/')
  const lost = await client.call(`/${unreachable.id}/test`, { method: 'POST' })
  expect(lost.json.data.delivery).toMatchObject({ state: 'failed', last_status: null, last_error: 'refused' })
  expect((await client.call(`/${id}/deliveries`)).json.data.deliveries).toHaveLength(2)
})

test('a webhook that is deleted while it is tried out is not there any more', async () => {
  const client = await makeClient()
  const { id } = await makeWebhook(client)
  receiver.answer = (response) => {
    void client.call(`/${id}`, { method: 'DELETE' }).then(() => response.writeHead(204).end())
  }
  expectError(await client.call(`/${id}/test`, { method: 'POST' }), 404, 'not_found')
  receiver.answer = 204
})

test(
  'a burst arrives whole, once each and in the order of its subjects, with two workers',
  { timeout: 180_000 },
  async () => {
    const second = await world.startWorker()
    const client = await makeClient()
    await makeWebhook(client)
    const before = receiver.received.length
    const emitted: { id: string; subject: string }[] = []
    for (let n = 0; n < 200; n++) {
      const subject = `subject ${n % 10}`
      emitted.push({ id: await emitEvent(client.account, { n, subject }), subject })
    }
    // What other tests left behind is still retried at the same receiver.
    const ids = new Set(emitted.map(({ id }) => id))
    const arrived = () => receiver.received.slice(before).filter((one) => ids.has(idOf(one)))
    await expect.poll(() => arrived().length, { timeout: 60_000, interval: 200 }).toBe(200)
    expect(new Set(arrived().map(idOf))).toEqual(ids)
    for (let n = 0; n < 10; n++) {
      const own = emitted.filter(({ subject }) => subject === `subject ${n}`).map(({ id }) => id)
      expect(
        arrived()
          .map(idOf)
          .filter((id) => own.includes(id)),
      ).toEqual(own)
    }
    expect(await second.stop()).toBe(0)
    expect(arrived()).toHaveLength(200)
    const undelivered = `SELECT 1 FROM delivery WHERE account_id = $1 AND state <> 'delivered'`
    await expect.poll(async () => (await world.owner.query(undelivered, [client.account])).rowCount).toBe(0)
  },
)

test('a webhook that is deleted takes what was still to be sent with it', async () => {
  const client = await makeClient()
  receiver.answer = 500
  const { id } = await makeWebhook(client)
  await emitEvent(client.account)
  expect((await client.call(`/${id}`, { method: 'DELETE' })).status).toBe(204)
  const left = await world.owner.query('SELECT 1 FROM delivery WHERE webhook_id = $1', [id])
  expect(left.rowCount).toBe(0)
  receiver.answer = 204
})

test('an event that meets a webhook on its way out is told without it', async () => {
  const client = await makeClient()
  const { id } = await makeWebhook(client)
  const stays = await makeWebhook(client)
  const deleting = await world.owner.connect()
  await deleting.query('BEGIN')
  await deleting.query('DELETE FROM webhook WHERE id = $1', [id])
  const emitting = emitEvent(client.account)
  await expect.poll(async () => (await blocked()).rowCount).toBe(1)
  await deleting.query('COMMIT')
  deleting.release()
  const event = await emitting
  const deliveries = await world.owner.query('SELECT webhook_id FROM delivery WHERE event_id = $1', [event])
  expect(deliveries.rows).toEqual([{ webhook_id: stays.id }])

  function blocked() {
    return world.owner.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
  }
})
