/** docs/webhooks.md: its way to check a signature checks ours, and its events are those that the code writes. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  AUDIT_EVENT,
  createWarnings,
  type Domain,
  EVENT_TYPES,
  insertFavorite,
  makeId,
  makeWebhookSecret,
  newFavorite,
  notifying as notifyingBatch,
  ofAccount,
  openAuditLog,
  openWatch,
  periodsOf,
  signedHeaders,
  sql,
  type Suffix,
  TEST_EVENT,
  type UserId,
} from '../source.ts'
import { startApp } from '../start-app.ts'
import type { World } from '../world.ts'
import { blocksOf, readPage, sectionOf } from './pages.ts'

const page = readPage('docs/webhooks.md')
const TYPES = [...EVENT_TYPES, TEST_EVENT]

let world: World
beforeAll(async () => {
  world = await startApp({ own: true })
})
afterAll(() => world[Symbol.asyncDispose]())

test('the function of the page takes what we sign, and nothing else', async () => {
  const [code = ''] = blocksOf(sectionOf(page, '## Verify the signature'), 'ts')
  const folder = await mkdtemp(join(tmpdir(), 'nw-webhooks-'))
  try {
    await writeFile(join(folder, 'genuine.mjs'), stripTypeScriptTypes(code))
    const { isGenuine } = (await import(pathToFileURL(join(folder, 'genuine.mjs')).href)) as {
      isGenuine: (secret: string, headers: Record<string, string>, body: string) => boolean
    }
    const [secret, other] = [makeWebhookSecret(), makeWebhookSecret()]
    const message = {
      id: makeId(Date.now()),
      timestamp: Math.floor(Date.now() / 1000),
      body: '{"type":"webhook.test"}',
    }
    const headersOf = (secrets: readonly string[], signed = message) => signedHeaders(secrets, signed)
    const headers = headersOf([secret])
    expect(isGenuine(secret, headers, message.body)).toBe(true)
    expect(isGenuine(secret, headersOf([other, secret]), message.body)).toBe(true)
    expect(isGenuine(other, headers, message.body)).toBe(false)
    expect(isGenuine(secret, headers, `${message.body} `)).toBe(false)
    expect(isGenuine(secret, { ...headers, 'webhook-id': makeId(0) }, message.body)).toBe(false)
    expect(isGenuine(secret, {}, message.body)).toBe(false)
    const old = { ...message, timestamp: message.timestamp - 301 }
    expect(isGenuine(secret, headersOf([secret], old), message.body)).toBe(false)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('the page has every event, as the code writes it, and no other', async () => {
  const events = sectionOf(page, '## Events')
  const titles = [...events.matchAll(/^### `([^`]+)`$/gm)].map(([, title]) => title)
  expect(titles).toEqual(TYPES)
  const written = await writeEveryEvent()
  for (const type of TYPES) {
    const [block = ''] = blocksOf(sectionOf(events, `### \`${type}\``), 'json')
    const { data, ...head } = JSON.parse(block) as { data: unknown }
    expect(Object.keys(head)).toEqual(['type', 'timestamp'])
    expect(head).toMatchObject({ type })
    // Tests write this one elsewhere, over HTTP.
    if (type !== TEST_EVENT) expect([type, shapeOf(data)]).toEqual([type, shapeOf(written.get(type))])
  }
})

/** Names and kinds, at every depth. */
function shapeOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, item]) => [name, shapeOf(item)] as const)
      .toSorted(([a], [b]) => a.localeCompare(b, 'en')),
  )
}

/** `data` by type, by the statements that serve. */
async function writeEveryEvent(): Promise<ReadonlyMap<string, unknown>> {
  const account = await world.makeAccount()
  const quota = { perMinute: 60, burst: 10, perDay: 10, perMonth: null }
  const { secret, id: keyId } = await world.makeKey(account, { quota })
  const caller = await world.keys.verify(secret, { ip: '127.0.0.1', audience: 'v1' })
  const { db } = world
  let at = Date.now()
  const now = () => at

  await world.owner.query(`INSERT INTO quota_period VALUES ($1, $2, 'day', $3, 5)`, [account, keyId, periodsOf(at).day])
  createWarnings({ db, now }).notice(caller, periodsOf(at), { day: 5, month: undefined })

  const [batch, webhook] = [makeId(at), makeId(at)]
  await world.owner.query(
    `INSERT INTO batch (account_id, id, key_id, created_at, state, total, chunks, chunks_done, webhook_id, language)
     VALUES ($1, $2, $3, now(), 'completed', 3, 1, 1, $4, 'en')`,
    [account, batch, keyId, webhook],
  )
  await world.owner.query(`INSERT INTO batch_chunk VALUES ($1, $2, 0, 0, 3, '[]', 'done', 2, 1, 1, now())`, [
    account,
    batch,
  ])
  await db.as(account, [notifyingBatch(account, batch, at)])

  const watch = openWatch({ db, now })
  const draft = { name: 'Fernhill', note: null, tags: [], watch: true, suffix: 'com' as Suffix }
  const domain = 'fernhill.com' as Domain
  const seen = (available: boolean) =>
    JSON.stringify({ available, price: '$12.99', checked_at: new Date(at - 1000).toISOString() })
  const favorite = newFavorite({ ...draft, domain }, seen(false), at)
  await db.as(account, [ofAccount(account, insertFavorite(favorite, caller.keyId))])
  for (const [available, price] of [
    [true, '$12.99'],
    [true, '$14.99'],
    [false, '$14.99'],
  ] as const) {
    at += 1000
    await world.owner.query('UPDATE watched_domain SET next_at = now() - interval $$1 hour$$, claimed_until = NULL')
    const claim = await watch.claim('com')
    const learned = claim.domains.map((facts) => ({
      facts: {
        ...facts,
        available,
        status: available ? ('available' as const) : ('taken' as const),
        price,
        checkedAt: at,
      },
      changes: 'changed' as const,
      isPriceNews: true,
      nextAt: at,
    }))
    await db.as(account, [...watch.notifying(account, claim, learned)])
  }

  await world.owner.query(
    `INSERT INTO webhook (account_id, id, created_at, url, events, secret) VALUES ($1, $2, now(), $3, $4, '')`,
    [account, webhook, 'https://hooks.example.com/', [AUDIT_EVENT]],
  )
  const actor = makeId(at) as UserId
  const credential = { kind: 'session', id: makeId(at) } as const
  const note = { action: 'key_created', actor, credential, ip: '192.0.2.7', detail: { name: 'nightly' } } as const
  await openAuditLog({ db, now }).note(account, note)

  const read = sql<{ type: string; data: string }>('events', 'SELECT type, data FROM event', [])
  const all = async () => {
    const [{ rows }] = await db.as(account, [read])
    return new Map(rows.map(({ type, data }) => [type, JSON.parse(data) as unknown]))
  }
  await expect
    .poll(async () => [...(await all()).keys()].toSorted(), { timeout: 20_000 })
    .toEqual([...EVENT_TYPES].toSorted())
  return all()
}
