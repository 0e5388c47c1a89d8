/**
 * The limits that the operator sets for an account bind everybody who acts for it together: keys, applications, members, on
 * all nodes. And a suspended account can do nothing, on any node, within a second.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AccountId, runAdmin, SCOPES } from '../source.ts'
import { readConfig } from '../read-config.ts'
import { openReceiver } from '../jobs/receiver.ts'
import type { Receiver } from '../jobs/receiver.ts'
import { basic, createOAuthClient } from '../oauth-client.ts'
import type { OAuthClient } from '../oauth-client.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, Reply, SignedIn } from '../people-world.ts'
import { spentBy } from '../readings.ts'
import { runningMs } from '../../../scripts/test/running-ms.ts'

const KEYS = 8
const APPLICATIONS = 2
const NODES = 2
const LIMIT = 400
const BODY = { description: 'a library with a garden and a music school', tlds: ['com'] }

let at: PeopleWorld
let oauth: OAuthClient
let receiver: Receiver
let urls: string[]
beforeAll(async () => {
  receiver = await openReceiver()
  at = await startApp({ people: true, own: true, settings: { NAMEWRIGHT_WEBHOOK_ALLOW: receiver.place } })
  oauth = createOAuthClient(at)
  const others = await Promise.all(Array.from({ length: NODES - 1 }, () => at.startNode()))
  urls = [at.url, ...others.map(({ url }) => url)]
}, 60_000)
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

/** The command, run as the operator would. */
async function admin(...args: string[]): Promise<string> {
  let [out, err] = ['', '']
  const stdout = { write: (text: string) => (out += text) }
  const stderr = { write: (text: string) => (err += text) }
  expect(await runAdmin(args, readConfig(at.world.env), { stdout, stderr }), err).toBe(0)
  return out.trim()
}

async function signUp(...limits: string[]): Promise<SignedIn & { account: AccountId }> {
  const person = await at.signUp()
  if (limits.length > 0) await admin('limit', '--account', person.userId, ...limits)
  return { ...person, account: person.userId as AccountId }
}

const settings = (person: SignedIn, path: string, body: object = {}) =>
  person.ask(`/settings/accounts/${person.userId}/${path}`, { body })
const UNLIMITED_KEY = { per_minute: 1_000_000_000, burst: 1_000_000_000, per_day: null, per_month: null }

async function makeKey(person: SignedIn): Promise<string> {
  const reply = await settings(person, 'keys', { name: 'key', scopes: SCOPES, quota: UNLIMITED_KEY })
  expect(reply.status, reply.text).toBe(201)
  return reply.json.data.key.secret
}

async function makeToken(person: SignedIn, scopes: readonly string[] = ['generate', 'usage:read']): Promise<string> {
  const robot = await oauth.makeConfidential(person, { own_scopes: scopes })
  const reply = await oauth.token(
    { grant_type: 'client_credentials' },
    { authorization: basic(robot.id, robot.secret ?? '') },
  )
  expect(reply.status, reply.text).toBe(200)
  return reply.json.access_token
}

function call(
  url: string,
  path: string,
  token: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const visitor = at.visitor()
  return visitor.ask(`${url}${path}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(body ? { body } : {}),
  })
}

const codesOf = (replies: readonly Reply[]) =>
  Object.fromEntries(
    Map.groupBy(replies, ({ status, json }) => `${status} ${json?.error?.code ?? ''}`.trim())
      .entries()
      .map(([code, some]) => [code, some.length]),
  )

/** As if ten minutes had passed: the next lease of the account closes its blocks. */
const endLeases = (account: AccountId) =>
  at.world.owner.query(
    `UPDATE quota_block SET lease_until = now(), settle_by = now() WHERE account_id = $1 AND closed_at IS NULL`,
    [account],
  )

test(
  `${KEYS} keys and ${APPLICATIONS} applications share ${LIMIT} names a day on ${NODES} nodes: exactly ${LIMIT}`,
  { timeout: 300_000 },
  async () => {
    const limits = ['--names-per-day', String(LIMIT), '--requests-per-minute', 'unlimited']
    const person = await signUp(...limits)
    const keys = await Promise.all(Array.from({ length: KEYS }, () => makeKey(person)))
    const tokens: string[] = []
    for (let i = 0; i < APPLICATIONS; i++) tokens.push(await makeToken(person))
    let seed = 0
    const refusals = new Set<string>()
    /** Until it is refused a single name. */
    async function useUp(token: string, turn: number): Promise<number> {
      let names = 0
      for (const count of [20, 5, 1]) {
        for (;;) {
          seed += 1
          const reply = await call(urls[(turn + seed) % NODES] ?? '', '/v1/generate', token, { ...BODY, count, seed })
          // Overloaded on a slow machine: it costs nothing, and a client asks again.
          if (reply.status === 503) continue
          if (reply.status !== 200) {
            refusals.add(`${reply.status} ${reply.json.error.code}`)
            break
          }
          names += reply.json.data.suggestions.length
        }
      }
      return names
    }
    // A lease that is under way while its key is refused, or whose answer a slow Redis loses, hides units until its
    // block is closed. They come back then, and are used like the others.
    let used = 0
    for (let round = 1; used < LIMIT && round <= 5; round++) {
      if (round > 1) await endLeases(person.account)
      const names = await Promise.all([...keys, ...tokens].map(useUp))
      used += names.reduce((sum, count) => sum + count, 0)
    }
    expect([...refusals]).toEqual(['429 quota_exceeded'])
    expect(used).toBe(LIMIT)
    expect(await spentBy(at.world, person.account)).toBe(LIMIT)
    const usage = await call(urls[0] ?? '', '/v1/usage', keys[0] ?? '')
    expect(usage.json.data.usage.account).toMatchObject({
      today: LIMIT,
      left: { day: 0 },
      limits: { names_per_day: LIMIT },
    })
    expect(usage.headers.get('ratelimit-policy')).toContain(`"account-day";q=${LIMIT};w=86400`)
    expect(usage.headers.get('ratelimit')).toContain('"account-day";r=0;t=')
  },
)

test('a new account has the limits of the settings, whatever its keys say', async () => {
  const person = await signUp()
  const key = await makeKey(person)
  const reply = await call(at.url, '/v1/usage', key)
  expect(reply.json.data.usage.account.limits).toMatchObject({
    names_per_day: 10_000,
    requests_per_minute: 600,
    keys: 50,
  })
  expect(reply.headers.get('ratelimit-policy')).toContain('"account-rate";q=300;w=30')
})

test('keys of one account cannot call more often together than its plan says', async () => {
  const person = await signUp('--requests-per-minute', '20')
  const keys = await Promise.all(Array.from({ length: 6 }, () => makeKey(person)))
  const replies = await Promise.all(keys.flatMap((key) => [...urls, ...urls].map((url) => call(url, '/v1/usage', key))))
  const codes = codesOf(replies)
  // Ten at once, and one more every three seconds that this took. A node with too much to do may answer 503 instead.
  const { 200: accepted = 0, '429 rate_limited': limited = 0, ...rest } = codes
  const busy = (rest['503 overloaded'] ?? 0) + (rest['503 unavailable'] ?? 0)
  expect(accepted + busy, JSON.stringify(codes)).toBeGreaterThanOrEqual(10)
  expect(accepted, JSON.stringify(codes)).toBeLessThan(15)
  expect(accepted + limited + busy, JSON.stringify(codes)).toBe(24)
})

test('of many at once exactly as many keys, applications and webhooks are made as the plan allows', async () => {
  const person = await signUp('--keys', '3', '--applications', '2', '--webhooks', '2')
  const key = { name: 'key', scopes: SCOPES, quota: UNLIMITED_KEY }
  const client = { name: 'app', kind: 'confidential', redirect_uris: [], own_scopes: ['generate'] }
  const webhook = { url: receiver.url, events: ['favorite.available'] }
  const many = (path: string, body: object) =>
    Promise.all(Array.from({ length: 6 }, () => settings(person, path, body)))
  expect(codesOf(await many('keys', key))).toEqual({ '201': 3, '403 account_limit': 3 })
  expect(codesOf(await many('clients', client))).toEqual({ '201': 2, '403 account_limit': 4 })
  expect(codesOf(await many('webhooks', webhook))).toEqual({ '201': 2, '403 account_limit': 4 })
  const list = (await person.ask(`/settings/accounts/${person.userId}/keys`)).json.data.keys
  const revoked = await person.ask(`/settings/accounts/${person.userId}/keys/${list[0].id}`, { method: 'DELETE' })
  expect(revoked.status).toBe(200)
  expect((await settings(person, 'keys', key)).status).toBe(201)
})

test('of many at once exactly as many batches run and streams are open as the plan allows', async () => {
  const person = await signUp('--running-batches', '2', '--open-streams', '3')
  const key = await makeKey(person)
  const batch = { requests: [{ ...BODY, count: 1 }] }
  const batches = await Promise.all(urls.flatMap((url) => [1, 2, 3, 4].map(() => call(url, '/v1/batches', key, batch))))
  expect(codesOf(batches)).toEqual({ '202': 2, '429 concurrency_limited': 6 })
  const body = { ...BODY, count: 100, seed: 1 }
  const stream = (url: string) => call(url, '/v1/generate', key, body, { accept: 'text/event-stream' })
  const streams = await Promise.all(urls.flatMap((url) => Array.from({ length: 8 }, () => stream(url))))
  const codes = codesOf(streams)
  expect(codes['200']).toBeGreaterThanOrEqual(3)
  expect(codes['429 concurrency_limited']).toBeGreaterThanOrEqual(6)
  // What has ended makes room.
  await expect.poll(async () => (await stream(at.url)).status).toBe(200)
})

test('at most ten of sixty test deliveries go out at once', async () => {
  const person = await signUp('--requests-per-minute', 'unlimited')
  const made = await settings(person, 'webhooks', { url: receiver.url, events: ['favorite.available'] })
  const { id } = made.json.data.webhook
  const key = await makeKey(person)
  const before = receiver.received.length
  const replies = await Promise.all(
    Array.from({ length: 60 }, (_, i) => call(urls[i % NODES] ?? '', `/v1/webhooks/${id}/test`, key, {})),
  )
  expect(receiver.received.length - before).toBeLessThanOrEqual(11)
  expect(codesOf(replies)['429 rate_limited']).toBeGreaterThanOrEqual(49)
})

test('a suspended account is refused by every node within a second, with any credential', async () => {
  const person = await signUp('--requests-per-minute', 'unlimited')
  const pass = await settings(person, 'pass')
  const credentials = [
    ['key', await makeKey(person), '/v1/usage'],
    ['application', await makeToken(person), '/v1/usage'],
    ['pass', String(pass.json.data.token), '/v1/usage'],
    ['agent', await makeKey(person), '/mcp'],
  ] as const
  const ask = (url: string, token: string, path: string) =>
    path === '/mcp' ? call(url, path, token, { jsonrpc: '2.0', id: 1, method: 'ping' }) : call(url, path, token)
  // Every node remembers every one of them.
  const all = urls.flatMap((url) => credentials.map(([what, token, path]) => ({ what, url, token, path })))
  const before = await Promise.all(all.map(({ url, token, path }) => ask(url, token, path)))
  expect(before.filter(({ status }) => status === 403)).toEqual([])

  await admin('suspend', '--account', person.account, '--reason', 'unpaid')
  const suspendedAt = runningMs()
  const seenMs = await Promise.all(
    all.map(async ({ what, url, token, path }) => {
      let lastMs = 0
      for (let askedAt = runningMs(); askedAt - suspendedAt < 10_000; askedAt = runningMs()) {
        const { status, json } = await ask(url, token, path)
        if (status === 403) {
          expect(json.error.code ?? json.error.data.code, what).toBe('account_suspended')
          return lastMs
        }
        lastMs = askedAt - suspendedAt
        await sleep(10)
      }
      return Infinity
    }),
  )
  console.log(`after a suspension ${NODES} nodes let requests in for ${Math.max(...seenMs).toFixed(0)} ms at most`)
  expect(Math.max(...seenMs)).toBeLessThan(1_000)

  // Its people see why, take their data along and go; they change nothing.
  const shown = await person.ask(`/settings/accounts/${person.userId}`)
  expect(shown.json.data.account.suspended).toMatchObject({ reason: 'unpaid' })
  expect(
    codesOf([await settings(person, 'keys', { name: 'more', scopes: SCOPES }), await settings(person, 'pass')]),
  ).toEqual({
    '403 account_suspended': 2,
  })
  expect((await person.ask('/settings/me/export')).status).toBe(200)

  await admin('resume', '--account', person.account)
  await expect.poll(async () => (await ask(at.url, credentials[0][1], '/v1/usage')).status).toBe(200)
  await admin('suspend', '--account', person.account)
  expect((await person.ask('/settings/me', { method: 'DELETE' })).status).toBe(200)
})

test('what a suspended account has under way ends with a named error, and its webhooks wait', async () => {
  const person = await signUp()
  const key = await makeKey(person)
  const made = await settings(person, 'webhooks', { url: receiver.url, events: ['batch.completed'] })
  expect(made.status, made.text).toBe(201)
  const accepted = await call(at.url, '/v1/batches', key, {
    requests: Array.from({ length: 3 }, (_, seed) => ({ ...BODY, count: 2, seed })),
  })
  const { id } = accepted.json.data.batch
  await admin('suspend', '--account', person.account)
  const before = receiver.received.length
  const worker = await at.world.startWorker()
  const ended = async () => {
    const text = 'SELECT error FROM batch_item WHERE batch_id = $1 ORDER BY n'
    const { rows } = await at.world.owner.query<{ error: { code: string } | null }>(text, [id])
    return rows.map(({ error }) => error?.code)
  }
  await expect.poll(ended).toEqual(Array.from({ length: 3 }, () => 'account_suspended'))
  expect(await spentBy(at.world, person.account)).toBe(0)
  const pending = async () => {
    const text = `SELECT count(*)::int AS count FROM delivery WHERE account_id = $1 AND state = 'pending'`
    return (await at.world.owner.query<{ count: number }>(text, [person.account])).rows[0]?.count
  }
  await expect.poll(pending).toBe(1)
  await sleep(1_000)
  expect(receiver.received.length).toBe(before)
  await admin('resume', '--account', person.account)
  await expect.poll(() => receiver.received.length).toBe(before + 1)
  await worker.stop()
})

test('a batch under way stops with the suspension, and what it had not begun can be sent again once it is resumed', async () => {
  const person = await signUp()
  const key = await makeKey(person)
  const requests = Array.from({ length: 400 }, (_, seed) => ({ ...BODY, count: 1, seed }))
  const accept = async (some: readonly object[]): Promise<string> => {
    const reply = await call(at.url, '/v1/batches', key, { requests: some })
    expect(reply.status, reply.text).toBe(202)
    return reply.json.data.batch.id
  }
  const ended = async (id: string) => {
    const text = 'SELECT n, error ->> $2 AS code FROM batch_item WHERE batch_id = $1 ORDER BY n'
    return (await at.world.owner.query<{ n: number; code: string | null }>(text, [id, 'code'])).rows
  }
  const first = await accept(requests)
  const worker = await at.world.startWorker()
  await expect.poll(async () => (await ended(first)).length, { timeout: 60_000, interval: 20 }).toBeGreaterThan(0)
  await admin('suspend', '--account', person.account)
  await expect.poll(async () => (await ended(first)).length, { timeout: 60_000 }).toBe(requests.length)
  const items = await ended(first)
  const stopped = items.filter(({ code }) => code !== null)
  expect(new Set(stopped.map(({ code }) => code))).toEqual(new Set(['account_suspended']))
  expect(stopped.length).toBeGreaterThan(0)
  expect(await spentBy(at.world, person.account)).toBe(requests.length - stopped.length)

  await admin('resume', '--account', person.account)
  await expect.poll(async () => (await call(at.url, '/v1/usage', key)).status).toBe(200)
  const second = await accept(stopped.slice(0, 20).map(({ n }) => requests[n] ?? {}))
  await expect.poll(async () => (await ended(second)).length, { timeout: 60_000 }).toBe(Math.min(20, stopped.length))
  expect((await ended(second)).filter(({ code }) => code !== null)).toEqual([])
  await worker.stop()
})
