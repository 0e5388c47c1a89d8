/**
 * One key that is told to fill the disk by every documented operation that writes, and what it has stored, by table. A
 * turn of a DELETE makes another of what it removes: what stays of many counts too.
 */
import { type AccountId, EVENT_TYPES } from '../source.ts'
import { request, WIDE_QUOTA } from '../world.ts'
import type { Answer, Node, World } from '../world.ts'

export interface StoragePlan {
  readonly history_bytes: number
  readonly batch_bytes: number
  readonly answer_bytes: number
  readonly favorites: number
  readonly webhooks: number
}

export const FILLING = {
  description: 'a library with a garden and a music school',
  count: 20,
  tlds: ['com', 'net', 'org'],
}
export const BATCH_TABLES = ['batch', 'batch_chunk', 'batch_item']
// Four bytes a letter.
const NOTE = '🍰'.repeat(1_000)
const READING = new Set(['get', 'head'])

export async function makeOwner(
  world: World,
  plan: Partial<StoragePlan>,
): Promise<{ account: AccountId; key: string }> {
  const account = await world.makeAccount()
  const columns = Object.keys(plan)
  const places = columns.map((_, at) => `$${at + 2}`)
  const text = `INSERT INTO account_plan (account_id, ${columns.join(', ')}) VALUES ($1, ${places.join(', ')})`
  await world.owner.query(text, [account, ...Object.values(plan)])
  return { account, key: (await world.makeKey(account, { quota: WIDE_QUOTA })).secret }
}

/** Of everything that an account has, by table, as PostgreSQL stores it. */
export async function bytesOf(world: World, account: AccountId): Promise<Record<string, number>> {
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

export function sumOf(sizes: Record<string, number>, tables: readonly string[] = Object.keys(sizes)): number {
  return tables.reduce((sum, table) => sum + (sizes[table] ?? 0), 0)
}

/** The code of an error, or the status. */
export function outcomeOf({ status, json }: Answer): string {
  return status < 300 ? String(status) : String(json.error.code)
}

/** Every documented operation that may write, as `POST /v1/generate`. */
export async function listWriting(node: Node): Promise<string[]> {
  const document = (await request(node.url, '/openapi.json', {})).json as { paths: Record<string, object> }
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => !READING.has(method) && /^[a-z]+$/.test(method))
      .map((method) => `${method.toUpperCase()} ${path}`),
  )
}

export type Fill = (n: number) => Promise<Answer>

/** By operation: one request that stores as much as it can, different for each `n`. */
export async function openFills(
  node: Node,
  key: string,
  { receiver, webhooks: most }: { receiver: string; webhooks: number },
): Promise<Record<string, Fill>> {
  let sent = 0
  const call = (path: string, body?: object, method = 'POST'): Promise<Answer> => {
    // Without a key, a request is not refused for the responses that are stored.
    const headers: Record<string, string> = ++sent % 5 < 2 ? { 'idempotency-key': `fill-${sent}` } : {}
    return request(node.url, path, { key, method, headers, ...(body === undefined ? {} : { body }) })
  }
  const events = [...EVENT_TYPES]
  const { json: hooked } = await call('/v1/webhooks', { url: receiver, events })
  const webhook = `/v1/webhooks/${hooked.data.webhook.id}`
  const { json: tried } = await call(`${webhook}/test`)
  const { json: saved } = await call('/v1/favorites', { domain: 'free-for-sure-first.com' })
  const favorite = `/v1/favorites/${saved.data.favorite.id}`
  const wrong = Array.from({ length: 100 }, () => ({ count: 'x'.repeat(40), colour: 1 }))
  const mixed = { requests: [{ description: `tea ${NOTE.slice(0, 1_900)}`, count: 1 }, ...wrong] }
  const batches: string[] = []
  const webhooks: string[] = []
  const favorites: string[] = []
  const makeBatch: Fill = async (n) => {
    const answer = await call('/v1/batches', n % 3 === 0 ? { requests: wrong } : mixed)
    if (answer.status === 202) batches.push(answer.json.data.batch.id)
    return answer
  }
  const makeWebhook: Fill = async (n) => {
    const answer = await call('/v1/webhooks', { url: `${receiver}${'x'.repeat(1_900)}${n}`, events })
    if (answer.status === 201) webhooks.push(answer.json.data.webhook.id)
    return answer
  }
  const makeFavorite: Fill = async (n) => {
    const answer = await call('/v1/favorites', { domain: `free-for-sure-${n}.com`, note: NOTE, watch: true })
    if (answer.status === 201) favorites.push(answer.json.data.favorite.id)
    return answer
  }

  // Each of them has a delivery of every event that follows.
  for (let n = 1; n < most; n++) await makeWebhook(n)

  return {
    'DELETE /v1/history/{id}': async (seed) => {
      await call('/v1/generate', { ...FILLING, seed })
      const { json } = await call('/v1/history?limit=1', undefined, 'GET')
      return call(`/v1/history/${json.data.history[0]?.id}`, undefined, 'DELETE')
    },
    'DELETE /v1/history': async (seed) => {
      await call('/v1/generate', { ...FILLING, seed })
      return call('/v1/history?all=true', undefined, 'DELETE')
    },
    'POST /v1/generate': (seed) => call('/v1/generate', { ...FILLING, seed }),
    'POST /v1/domains/check': (n) => call('/v1/domains/check', { domains: [`free-for-sure-${n}.com`] }),
    'POST /v1/names/check': (n) => call('/v1/names/check', { names: [`fill ${n}`], tlds: ['com'] }),
    'DELETE /v1/favorites/{id}': async (n) => {
      await makeFavorite(n)
      return call(`/v1/favorites/${favorites.pop()}`, undefined, 'DELETE')
    },
    'POST /v1/favorites': makeFavorite,
    'PATCH /v1/favorites/{id}': (n) => call(favorite, { note: `${n} ${NOTE}`, watch: n % 2 === 0 }, 'PATCH'),
    'DELETE /v1/batches/{id}': async (n) => {
      await makeBatch(n)
      const path = `/v1/batches/${batches.pop()}`
      await call(`${path}/cancel`)
      return call(path, undefined, 'DELETE')
    },
    'POST /v1/batches': makeBatch,
    'POST /v1/batches/{id}/cancel': (n) => call(`/v1/batches/${batches[n % batches.length]}/cancel`),
    'PATCH /v1/webhooks/{id}': (n) => call(webhook, { description: `${n} ${'x'.repeat(190)}` }, 'PATCH'),
    'POST /v1/webhooks/{id}/rotate-secret': () => call(`${webhook}/rotate-secret`, {}),
    'DELETE /v1/webhooks/{id}': async (n) => {
      await makeWebhook(n)
      return call(`/v1/webhooks/${webhooks.pop()}`, undefined, 'DELETE')
    },
    'POST /v1/webhooks': makeWebhook,
    'POST /v1/webhooks/{id}/test': () => call(`${webhook}/test`),
    'POST /v1/webhooks/{id}/deliveries/{delivery}/replay': () =>
      call(`${webhook}/deliveries/${tried.data.delivery.id}/replay`),
  }
}
