/** The usage of keys: by endpoint and day, and by secrets that were replaced. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AccountId, openTraffic } from '../source.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, SignedIn } from '../people-world.ts'

let at: PeopleWorld
let ada: SignedIn
beforeAll(async () => {
  at = await startApp({ people: true, own: true })
  ada = await at.signUp('Ada')
})
afterAll(() => at[Symbol.asyncDispose]())

const today = () => new Date().toISOString().slice(0, 10)
const accountOf = () => ada.userId as AccountId
// A node writes every ten seconds.
const WRITTEN = { timeout: 30_000, interval: 250 }

interface EndpointUsage {
  readonly key_id: string
  readonly endpoint: string
  readonly days: readonly { day: string; requests: number; failed: number }[]
}

async function endpointsOf(keyId: string): Promise<readonly EndpointUsage[]> {
  const { json } = await ada.ask(`/settings/accounts/${ada.userId}/usage?days=2`)
  return (json.data.usage.endpoints as EndpointUsage[]).filter(({ key_id }) => key_id === keyId)
}

test('requests and failures are told by key, endpoint and day', { timeout: 60_000 }, async () => {
  const { id, secret } = await at.world.makeKey(accountOf())
  const call = (path: string) => ada.ask(path, { headers: { authorization: `Bearer ${secret}` } })
  const first = today()
  expect((await call('/v1/favorites')).status).toBe(200)
  expect((await call('/v1/favorites?limit=0')).status).toBe(400)
  expect((await call('/v1/favorites/nothing')).status).toBe(404)
  expect((await call('/v1/nothing')).status).toBe(404)
  await expect
    .poll(
      async () => (await endpointsOf(id)).flatMap(({ days }) => days).reduce((sum, one) => sum + one.requests, 0),
      WRITTEN,
    )
    .toBe(3)
  // Around midnight there are two days of it.
  if (first !== today()) return
  expect(await endpointsOf(id)).toEqual([
    { key_id: id, endpoint: 'GET /v1/favorites', days: [{ day: first, requests: 2, failed: 1 }] },
    { key_id: id, endpoint: 'GET /v1/favorites/{id}', days: [{ day: first, requests: 1, failed: 1 }] },
  ])
})

test('a node that is stopped writes what it has counted', { timeout: 60_000 }, async () => {
  const { id, secret } = await at.world.makeKey(accountOf())
  const { url, node } = await at.startNode()
  const reply = await ada.ask(`${url}/v1/usage`, { headers: { authorization: `Bearer ${secret}` } })
  expect(reply.status).toBe(200)
  await node.stop()
  expect(await endpointsOf(id)).toMatchObject([{ endpoint: 'GET /v1/usage', days: [{ requests: 1, failed: 0 }] }])
})

test('who comes with a replaced secret is told until it ends, and nobody else is', { timeout: 60_000 }, async () => {
  const { id, secret } = await at.world.makeKey(accountOf())
  const path = `/settings/accounts/${ada.userId}/keys/${id}`
  const use = (key: string, agent: string) =>
    ada.ask('/v1/usage', { headers: { authorization: `Bearer ${key}`, 'user-agent': agent } })
  expect((await ada.ask(`${path}/retiring`)).json.data).toEqual({ retiring: [] })
  const rotated = await ada.ask(`${path}/rotate`, { body: { grace_seconds: 3_600 } })
  const fresh = String(rotated.json.data.key.secret)
  expect((await use(secret, 'old-robot/1')).status).toBe(200)
  expect((await use(secret, 'old-robot/1')).status).toBe(200)
  expect((await use(fresh, 'new-robot/1')).status).toBe(200)
  const retiring = async () => (await ada.ask(`${path}/retiring`)).json.data.retiring
  await expect.poll(async () => (await retiring())[0]?.uses[0]?.requests, WRITTEN).toBe(2)
  expect(await retiring()).toEqual([
    {
      prefix: `${secret.slice(0, 7)}…`,
      expires_at: expect.any(String),
      last_used_at: expect.any(String),
      uses: [{ address: ada.address, user_agent: 'old-robot/1', requests: 2, last_used_at: expect.any(String) }],
    },
  ])
  const { rows } = await at.world.owner.query('SELECT user_agent FROM retiring_use WHERE key_id = $1', [id])
  expect(rows).toEqual([{ user_agent: 'old-robot/1' }])

  const { db } = at.world
  const expire = async (now: number) => {
    await using stack = new AsyncDisposableStack()
    const traffic = openTraffic({ db, now: () => now, onLoss: () => {} })
    stack.defer(() => traffic.close())
    return (await db.as(accountOf(), traffic.expiring(accountOf(), 500))).map(({ count }) => count)
  }
  expect((await expire(Date.now()))[1]).toBe(0)
  expect((await expire(Date.now() + 3_700_000))[1]).toBe(1)
})

test('what is older than 400 days goes', async () => {
  const account = await at.world.makeAccount()
  const { id } = await at.world.makeKey(account)
  const { db, owner } = at.world
  const insert = `INSERT INTO key_traffic SELECT $1, $2, current_date - n, 'GET /v1/usage', 1, 0 FROM generate_series(395, 405) n`
  await owner.query(insert, [account, id])
  const traffic = openTraffic({ db, now: Date.now, onLoss: () => {} })
  await db.as(account, traffic.expiring(account, 500))
  await traffic.close()
  const { rows } = await owner.query('SELECT count(*)::int AS left FROM key_traffic WHERE account_id = $1', [account])
  expect([[{ left: 6 }], [{ left: 7 }]]).toContainEqual(rows)
})

test('many accounts are written in one statement, added to what is there, and nothing is left of a deleted key', async () => {
  const { db, keys, owner } = at.world
  const traffic = openTraffic({ db, now: Date.now, onLoss: () => {} })
  const made = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const account = await at.world.makeAccount()
      const { id, secret } = await at.world.makeKey(account)
      return { account, id, caller: await keys.verify(secret, { ip: '127.0.0.1', audience: 'v1' }) }
    }),
  )
  const others = openTraffic({ db, now: Date.now, onLoss: () => {} })
  for (const one of [traffic, others]) {
    for (const { caller } of made) for (let n = 0; n < 3; n++) one.count(caller, 'GET /v1/tlds', n === 0)
  }
  const gone = made[4]
  await owner.query('DELETE FROM api_key WHERE account_id = $1', [gone?.account])
  await Promise.all([traffic.close(), others.close()])
  for (const { account, id } of made.slice(0, 4)) {
    const { rows } = await owner.query('SELECT key_id, requests, failed FROM key_traffic WHERE account_id = $1', [
      account,
    ])
    expect(rows).toEqual([{ key_id: id, requests: '6', failed: '2' }])
  }
  const { rows } = await owner.query('SELECT FROM key_traffic WHERE account_id = $1', [gone?.account])
  expect(rows).toEqual([])
})

test('of one secret only so many users are kept, and those go on being counted', async () => {
  const { db, keys, owner } = at.world
  const account = await at.world.makeAccount()
  const { id, secret } = await at.world.makeKey(account)
  const caller = await keys.verify(secret, { ip: '127.0.0.1', audience: 'v1' })
  for (let round = 0; round < 2; round++) {
    const traffic = openTraffic({ db, now: Date.now, onLoss: () => {} })
    for (let n = 0; n < 600; n++) traffic.countUse(caller, 'nw_AbC1…', `192.0.2.${round}`, `robot ${n}`)
    traffic.countUse(caller, 'nw_AbC1…', '192.0.2.0', 'robot 0')
    await traffic.close()
  }
  const { rows } = await owner.query(
    `SELECT count(*)::int AS kept, max(requests)::int AS most FROM retiring_use WHERE key_id = $1`,
    [id],
  )
  expect(rows).toEqual([{ kept: 600, most: 3 }])
})
