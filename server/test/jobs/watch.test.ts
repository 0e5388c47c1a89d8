/**
 * Watched favorites end to end: added over HTTP, checked by two worker processes, in an internet on loopback in
 * which names drop, are taken and change their price. DNS, a registry and a registrar agree, as they do outside.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AccountId, HOUSE, runAdmin } from '../source.ts'
import { readConfig } from '../read-config.ts'
import { makeCertificate } from '../certificate.ts'
import { openOwnRedis } from '../nightly/faults/own-redis.ts'
import { answerTo, openFakeResolver } from '../internet/fake-resolver.ts'
import { openRdapServer } from '../internet/rdap-server.ts'
import { openRegistrarServer } from '../internet/registrar-server.ts'
import { startApp } from '../start-app.ts'
import type { Node, World } from '../world.ts'

const REGISTRAR = 'api.vercel.com'
const REGISTRY_OF_ORG = 'rdap.publicinterestregistry.org'
const NOWHERE = ['rdap.verisign.com', 'data.iana.org'].map((host) => `${host}=127.0.0.1:9`)

const registered = new Set(['google.org'])
const premium = new Map<string, number>()
let world: World
let redis: Redis
let node: Node
let env: Record<string, string>
let account: AccountId
let key: string
const closing = new AsyncDisposableStack()
beforeAll(async () => {
  const certificate = closing.use(await makeCertificate([REGISTRAR, REGISTRY_OF_ORG]))
  const stranger = closing.use(await makeCertificate())
  const facts = { registered, premium, reserved: new Set<string>(), unsold: new Set<string>() }
  const registrar = closing.use(await openRegistrarServer({ world: facts, certificate, stranger }))
  const registry = closing.use(await openRdapServer({ isRegistered: (domain) => registered.has(domain), certificate }))
  const resolver = await openFakeResolver((query, domain) => [
    answerTo(query, registered.has(domain) ? 'noerror' : 'nxdomain', { zone: domain.slice(domain.indexOf('.') + 1) }),
  ])
  closing.defer(() => resolver.close())
  const { url } = closing.use(await openOwnRedis())
  redis = new Redis(url)
  closing.defer(() => redis.disconnect())
  world = closing.use(await startApp({ own: true }))
  const routes = [
    `${REGISTRAR}=127.0.0.1:${new URL(registrar.url).port}`,
    `${REGISTRY_OF_ORG}=127.0.0.1:${new URL(registry.base).port}`,
  ]
  env = {
    NAMEWRIGHT_REDIS_URL: url,
    NAMEWRIGHT_DNS_RESOLVERS: resolver.address,
    NAMEWRIGHT_AVAILABILITY_MODE: 'strict',
    NAMEWRIGHT_REGISTRARS: 'vercel',
    NAMEWRIGHT_RDAP: 'on',
    NAMEWRIGHT_OUTBOUND_ROUTES: [...routes, ...NOWHERE].join(','),
    NAMEWRIGHT_OUTBOUND_CA_FILE: certificate.caFile,
  }
  node = await world.startNode(env)
})
afterAll(() => closing.disposeAsync())
beforeEach(async () => {
  // Also the budgets: what registries allow is not what this is about.
  await redis.flushdb()
  account = await world.makeAccount()
  key = (await world.makeKey(account)).secret
})

/** What is saved with it comes of a check with a deadline: added again when that knew nothing, or not the price. */
async function add(domain: string): Promise<string> {
  const price = premium.get(domain)
  const truth = {
    available: !registered.has(domain),
    ...(price === undefined ? {} : { price: `$${(price / 100).toFixed(2)}` }),
  }
  for (;;) {
    const answer = await node.call('/v1/favorites', { key, body: { domain, watch: true } })
    expect(answer.status, answer.text).toBe(201)
    const { id, saved } = answer.json.data.favorite
    if (isDeepStrictEqual({ ...saved, ...truth }, saved)) return id
    expect((await node.call(`/v1/favorites/${id}`, { key, method: 'DELETE' })).status).toBe(204)
  }
}

/** All that is watched is due, for `ticks` jobs at once, as the clock makes one a minute. */
async function tick(ticks = 2): Promise<void> {
  await redis.flushdb()
  await world.owner.query(`UPDATE watched_domain SET next_at = now() - interval '1 second'`)
  await world.owner.query(
    `INSERT INTO jobs.job (name, group_id, data, retry_limit, policy)
     SELECT 'watch', $1, '{}', 3, 'standard' FROM generate_series(1, $2)`,
    [HOUSE, ticks],
  )
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(50)
}
interface ChangeData {
  readonly domain: string
  readonly before: { readonly available: boolean }
  readonly after: { readonly available: boolean }
}
const eventsOf = async (of = account) => {
  const text = 'SELECT type, data, subject FROM event WHERE account_id = $1 ORDER BY id'
  return (await world.owner.query<{ type: string; data: ChangeData; subject: string }>(text, [of])).rows
}
const countOf = async (text: string) => Number((await world.owner.query<{ count: string }>(text)).rows[0]?.count)
/** No tick waits or runs, and nothing is due or in anybody's hands. */
const isQuiet = async () =>
  (await countOf(`SELECT count(*) FROM jobs.job WHERE name = 'watch' AND state < 'completed'`)) === 0 &&
  (await countOf('SELECT count(*) FROM watched_domain WHERE next_at <= now() OR claim IS NOT NULL')) === 0

test(
  'a name that drops, one that is taken and one that gets dearer are told once each, by two workers',
  { timeout: 180_000 },
  async () => {
    registered.add('drops.org')
    premium.set('dear.org', 100_000)
    const ids = { drops: await add('drops.org'), free: await add('free-for-now.org'), dear: await add('dear.org') }
    const workers = [await world.startWorker(env), await world.startWorker(env)]
    await tick()
    await until(isQuiet)
    expect(await eventsOf()).toEqual([])

    registered.delete('drops.org')
    registered.add('free-for-now.org')
    premium.set('dear.org', 250_000)
    for (let again = 0; again < 2; again++) {
      await tick(4)
      await until(isQuiet)
    }
    const events = await eventsOf()
    expect(Object.fromEntries(events.map(({ type, data }) => [data.domain, type]))).toEqual({
      'drops.org': 'favorite.available',
      'free-for-now.org': 'favorite.taken',
      'dear.org': 'favorite.price_changed',
    })
    expect(events).toHaveLength(3)
    // Premium, and can be registered all the time.
    const dear = events.find(({ data }) => data.domain === 'dear.org')?.data
    expect([dear?.before.available, dear?.after.available]).toEqual([true, true])
    const favorite = await node.call(`/v1/favorites/${ids.drops}`, { key })
    expect(favorite.json.data.favorite).toMatchObject({
      saved: { available: false },
      current: { available: true, price: '$11.25' },
    })
    const { changes, next_cursor: cursor } = (await node.call(`/v1/favorites/${ids.dear}/changes`, { key })).json.data
    expect(changes).toMatchObject([
      { kind: 'price_changed', before: { price: '$1000.00' }, after: { price: '$2500.00', available: true } },
    ])
    expect(cursor).toBeNull()
    for (const worker of workers) expect(await worker.stop()).toBe(0)
  },
)

test(
  'a worker that is killed in the middle of telling, and what it left under way, tell everything once',
  {
    timeout: 180_000,
  },
  async () => {
    const domains = Array.from({ length: 30 }, (_, n) => `killed-${n}.com`)
    for (const domain of domains) registered.add(domain)
    const { rows: accounts } = await world.owner.query<{ id: AccountId }>(
      `INSERT INTO account (id, name, created_at) SELECT gen_random_uuid(), 'crowd', now() FROM generate_series(1, 40)
     RETURNING id`,
    )
    const seenAt = new Date(Date.now() - 60_000).toISOString()
    await world.owner.query(
      `INSERT INTO favorite (account_id, id, key_id, domain, name, watch, created_at, saved, current)
     SELECT a, gen_random_uuid(), a, d, d, true, now(), $3, $3 FROM unnest($1::uuid[]) a, unnest($2::text[]) d`,
      [accounts.map(({ id }) => id), domains, JSON.stringify({ available: true, price: '$11.25', checked_at: seenAt })],
    )
    const notified = () => countOf(`SELECT count(*) FROM event WHERE data ->> 'domain' LIKE 'killed-%'`)
    const claims = () => countOf(`SELECT count(DISTINCT claim) FROM watched_domain WHERE domain LIKE 'killed-%'`)

    // The notification of this account waits: all others are notified, and nothing is settled. It is the last in the order in
    // which they are notified, so that the others are done before that waiting is given up.
    const last = accounts
      .map(({ id }) => id)
      .toSorted()
      .at(-1)
    const holder = await world.owner.connect()
    const letGo = Promise.withResolvers<void>()
    closing.defer(letGo.resolve)
    void letGo.promise.then(() => holder.release(true))
    await holder.query('BEGIN')
    await holder.query('SELECT FROM favorite WHERE account_id = $1 FOR UPDATE', [last])
    const worker = await world.startWorkerProcess(env)
    await tick(1)
    await until(async () => (await notified()) === 39 * 30)
    await worker.stop('SIGKILL')
    // What waiting for its lease would do. Its last transaction is still in the database, and goes on when it can.
    await world.owner.query('UPDATE watched_domain SET claimed_until = now(), claim = NULL')
    await world.owner.query(`DELETE FROM jobs.job WHERE name = 'watch'`)

    await world.startWorker(env)
    await tick(1)
    await until(async () => (await claims()) > 0)
    letGo.resolve()
    await until(isQuiet)
    expect(await notified()).toBe(1_200)
    const perFavorite = `SELECT count(DISTINCT data ->> 'favorite_id') FROM event WHERE data ->> 'domain' LIKE 'killed-%'`
    expect(await countOf(perFavorite)).toBe(1_200)
    const changes = `SELECT count(*) FROM favorite_change JOIN favorite USING (account_id) WHERE favorite.id = favorite_id
    AND domain LIKE 'killed-%'`
    expect(await countOf(changes)).toBe(1_200)
  },
)

test(
  'of an account that is suspended nothing is checked, and all of it once it is resumed',
  { timeout: 180_000 },
  async () => {
    const admin = async (...args: string[]) => {
      const [out, err] = [{ write: () => true }, { write: () => true }]
      expect(await runAdmin(args, readConfig(world.env), { stdout: out, stderr: err })).toBe(0)
    }
    registered.add('suspended.org')
    await add('suspended.org')
    const worker = await world.startWorker(env)
    await tick()
    await until(isQuiet)
    const checkedAt = async () => {
      const text = `SELECT checked_at FROM watched_domain WHERE domain = 'suspended.org'`
      return (await world.owner.query<{ checked_at: Date }>(text)).rows[0]?.checked_at.getTime()
    }
    const before = await checkedAt()
    expect(before).toEqual(expect.any(Number))

    await admin('suspend', '--account', account)
    registered.delete('suspended.org')
    for (let again = 0; again < 2; again++) {
      await tick()
      await until(isQuiet)
    }
    expect(await checkedAt()).toBe(before)
    expect(await eventsOf()).toEqual([])

    await admin('resume', '--account', account)
    await world.owner.query(
      `INSERT INTO jobs.job (name, group_id, data, retry_limit, policy) VALUES ('watch', $1, '{}', 3, 'standard')`,
      [HOUSE],
    )
    await until(async () => (await eventsOf()).length > 0)
    await until(isQuiet)
    expect((await eventsOf()).map(({ type }) => type)).toEqual(['favorite.available'])
    expect(await worker.stop()).toBe(0)
  },
)

test('a single node without Redis tells of a name that drops', { timeout: 180_000 }, async () => {
  registered.add('waits.org')
  await add('waits.org')
  const alone = await world.startNode({ ...env, NAMEWRIGHT_REDIS_URL: '', NAMEWRIGHT_WORKER: 'inside' })
  registered.delete('waits.org')
  // It believes no source before it has tested it.
  const events = async () => {
    await tick(1)
    await until(isQuiet)
    return eventsOf()
  }
  await expect
    .poll(events)
    .toMatchObject([{ data: { domain: 'waits.org', before: { available: false }, after: { available: true } } }])
  await alone.stop()
})
