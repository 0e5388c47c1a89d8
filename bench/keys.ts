/**
 * `pnpm bench keys`: what it costs to know a caller, beside Better Auth's own API keys doing the same job on the same
 * PostgreSQL, and how long a revoked key lives on in another node.
 *
 * One process, one thread; CPU is that of this process alone, PostgreSQL is shared by both and not counted. Each
 * figure is taken twice: one call after the other, and 64 under way. A run longer than the ten seconds that a key is
 * remembered has the reading again in it. Every response is checked: a wrong one does not count.
 */
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { apiKey } from '@better-auth/api-key'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import pg from 'pg'
import { openDb } from '../server/src/platform/db/db.ts'
import { ApiError } from '../server/src/errors.ts'
import { openKeys } from '../server/src/tenancy/keys/keys.ts'
import type { Keys } from '../server/src/tenancy/keys/keys.ts'
import { SCOPES } from '../server/src/model/caller.ts'
import type { AccountId, Audience } from '../server/src/model/caller.ts'
import { hashOf, makeSecret } from '../server/src/model/credential-text.ts'
import { openWorld, WIDE_QUOTA } from '../server/test/world.ts'
import type { World } from '../server/test/world.ts'
import { runningMs } from '../scripts/test/running-ms.ts'

const CONCURRENCY = 64
const POOL_SIZE = 10
const COLD_READS = 1_000
// In a node every verification comes with a socket's event; without a turn now and then no timer would run at all.
const CALLS_PER_TURN = 16
const AT = { ip: '127.0.0.1', audience: 'v1' } as const
const resourceOf = (audience: Audience) => `https://names.example/${audience}`

/** CPU in µs of one call. */
interface Costs {
  readonly alone: number
  readonly together: number
}

export interface KeysFigures {
  /** How many times our CPU the plugin takes for the same number of keys; the worse of the two ways to call. */
  readonly ratio: number
  /** From the call of `revoke` here to the refusal there; the longest. */
  readonly revokedMs: number
}

export async function benchKeys(options: {
  seconds: number
  /** How many keys are in use; one run each. */
  known: readonly number[]
  revocations: number
}): Promise<KeysFigures> {
  const { seconds, known, revocations } = options
  await using world = await openWorld()
  const db = openDb({ url: world.databaseUrl, poolSize: POOL_SIZE })
  const ours = openKeys({ db, now: Date.now, resourceOf })
  try {
    const account = await world.makeAccount()
    const secrets = await makeKeys(world, account, Math.max(...known, CONCURRENCY))
    const verify = async (secret: string) => {
      const caller = await ours.verify(secret, AT)
      if (caller.accountId !== account) throw new Error('a key was taken for that of another')
    }
    const measureKeys = (count: number) =>
      measureBoth(`a key, ${count.toLocaleString('en')} in use`, seconds, secrets.slice(0, count), verify)

    await measureFirstReads(secrets.slice(0, COLD_READS), verify)
    for (const count of known) if (count !== CONCURRENCY) await measureKeys(count)
    const same = await measureKeys(CONCURRENCY)
    await measureBoth('an access token', seconds, [await makeToken(world, ours, account)], verify)
    await measureBoth('a wrong checksum', seconds, secrets.slice(0, CONCURRENCY).map(spoil), async (secret) => {
      if (await isGood(ours, secret)) throw new Error('a key with a wrong checksum was let in')
    })
    const plugin = await measurePlugin(world, seconds, 'database')
    await measurePlugin(world, seconds, 'memory')
    const ratio = Math.min(plugin.alone / same.alone, plugin.together / same.together)
    console.log(`CPU of the plugin with a database, ours being 1: ${ratio.toFixed(0)}   ≥ 20`)
    const revokedMs = await measureRevocations(world, ours, account, revocations)
    console.log(`ms until another instance refuses a revoked key, at most: ${revokedMs.toFixed(0)}   ≤ 1000`)
    return { ratio, revokedMs }
  } finally {
    ours.close()
    await db.close()
  }
}

async function makeKeys(world: World, account: AccountId, count: number): Promise<string[]> {
  const secrets: string[] = []
  const worker = async () => {
    while (secrets.length < count) secrets.push((await world.makeKey(account)).secret)
  }
  await Promise.all(Array.from({ length: 4 }, worker))
  return secrets.slice(0, count)
}

/** An application of the account's own, with a token as the authorization server would have stored it. */
async function makeToken(world: World, keys: Keys, account: AccountId): Promise<string> {
  const token = makeSecret('nwa')
  await keys.grant(account, { clientId: 'bench', name: 'bench', scopes: SCOPES, quota: WIDE_QUOTA })
  await world.owner.query(
    `INSERT INTO people.oauth_client (id, client_id, redirect_uris, reference_id) VALUES ('bench', 'bench', '[]', $1)`,
    [account],
  )
  await world.owner.query(
    `INSERT INTO people.oauth_access_token (id, token, client_id, reference_id, resources, scopes, created_at, expires_at)
     VALUES ('bench', $1, 'bench', $2, $3, $4, now(), now() + interval '1 hour')`,
    [hashOf(token).toString('hex'), account, JSON.stringify([resourceOf('v1')]), JSON.stringify(SCOPES)],
  )
  return token
}

/**
 * As it comes, with keys in the database; and with keys in a map of this process, which is the cheapest it can do and
 * serves one node only. Its rate limit is off, which spares it no statement, only the refusals.
 */
async function measurePlugin(world: World, seconds: number, where: 'database' | 'memory'): Promise<Costs> {
  const schema = `plugin_${where}`
  await world.owner.query(`CREATE SCHEMA ${schema}`)
  const pool = new pg.Pool({
    connectionString: world.databaseUrl,
    max: POOL_SIZE,
    options: `-c search_path=${schema}`,
  })
  const rateLimit = { enabled: false }
  const inMemory = { rateLimit, storage: 'secondary-storage', customStorage: mapStorage() } as const
  try {
    const auth = betterAuth({
      baseURL: 'http://127.0.0.1',
      secret: makeSecret(),
      database: pool,
      telemetry: { enabled: false },
      plugins: [apiKey(where === 'memory' ? inMemory : { rateLimit })],
      advanced: { database: { validateSchema: false } },
    })
    const { runMigrations } = await getMigrations(auth.options)
    await runMigrations()
    const { internalAdapter } = await auth.$context
    const person = { name: 'bench', email: 'bench@names.example' }
    const { id: userId } = await internalAdapter.createUser(person, { method: 'email-password' })
    const secrets: string[] = []
    for (let i = 0; i < CONCURRENCY; i++) secrets.push((await auth.api.createApiKey({ body: { userId } })).key)
    return await measureBoth(`Better Auth's plugin, ${where}`, seconds, secrets, async (key) => {
      const { valid } = await auth.api.verifyApiKey({ body: { key } })
      if (!valid) throw new Error('the plugin refused its own key')
    })
  } finally {
    await pool.end()
  }
}

function mapStorage() {
  const values = new Map<string, string>()
  return {
    get: (key: string) => values.get(key) ?? null,
    set: (key: string, value: string) => void values.set(key, value),
    delete: (key: string) => void values.delete(key),
    getAndDelete: () => null,
    increment: () => 1,
  }
}

async function measureRevocations(world: World, keys: Keys, account: AccountId, times: number): Promise<number> {
  const db = openDb({ url: world.databaseUrl, poolSize: 2 })
  const another = openKeys({ db, now: Date.now, resourceOf })
  let longest = 0
  try {
    for (let i = 0; i < times; i++) {
      const { id, secret } = await world.makeKey(account)
      await another.verify(secret, AT)
      // At any moment between two polls for changes.
      await sleep(Math.random() * 300)
      const revokedAt = runningMs()
      await keys.revoke(account, id)
      while (await isGood(another, secret)) await sleep(2)
      longest = Math.max(longest, runningMs() - revokedAt)
    }
    return longest
  } finally {
    another.close()
    await db.close()
  }
}

async function isGood(keys: Keys, secret: string): Promise<boolean> {
  try {
    await keys.verify(secret, AT)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_token') return false
    throw error
  }
}

/** As a typing error would. */
function spoil(secret: string): string {
  return `${secret.slice(0, -1)}${secret.endsWith('0') ? '1' : '0'}`
}

async function measureFirstReads(secrets: readonly string[], verify: (text: string) => Promise<void>): Promise<void> {
  const started = start()
  for (const secret of secrets) await verify(secret)
  started.report('a key, never seen before', secrets.length)
}

async function measureBoth(
  what: string,
  seconds: number,
  texts: readonly string[],
  verify: (text: string) => Promise<void>,
): Promise<Costs> {
  // Once each, so that what follows finds connections, compiled code and whatever is remembered.
  for (const text of texts) await verify(text)
  const run = async (how: string, concurrency: number) => {
    let calls = 0
    const end = performance.now() + seconds * 1000
    const worker = async () => {
      while (performance.now() < end) {
        for (let i = 0; i < CALLS_PER_TURN; i++) await verify(texts[calls++ % texts.length] ?? '')
        await turn()
      }
    }
    const started = start()
    await Promise.all(Array.from({ length: concurrency }, worker))
    return started.report(`${what}, ${how}`, calls)
  }
  return { alone: await run('one by one', 1), together: await run(`${CONCURRENCY} at once`, CONCURRENCY) }
}

function start() {
  const [cpu, at] = [process.cpuUsage(), performance.now()]
  return {
    report(what: string, calls: number): number {
      const { user, system } = process.cpuUsage(cpu)
      const cpuUs = (user + system) / calls
      const perSecond = Math.round(calls / ((performance.now() - at) / 1000)).toLocaleString('en')
      console.log(`${what.padEnd(44)}${cpuUs.toFixed(1).padStart(8)} µs CPU ${perSecond.padStart(9)} per second`)
      return cpuUs
    },
  }
}
