/**
 * `pnpm bench cost`: what one POST /v1/generate uses, of everything, and what each part grows with.
 *
 * One node, a PostgreSQL and a Redis of its own, so that every count is its doing; the loopback internet for DNS. What
 * the node and the stores do when nobody asks is measured first and taken off. For each count every description is asked
 * twice: once when its names are new to the node, and once when their verdicts are remembered. Nothing is timed by the
 * clock, because the machine may be busy: CPU time, bytes and counts.
 *
 * Writes `docs/figures/*.json`; `node scripts/figures/plot.ts` draws them.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import pg from 'pg'
import { buildIndex } from '../server/src/availability/registered/build.ts'
import type { Suffix } from '../server/src/model/domain.ts'
import { openOwnRedis } from '../server/test/faults/own-redis.ts'
import { openOwnPostgres } from '../server/test/own-postgres.ts'
import { openWorld } from '../server/test/world.ts'
import type { World } from '../server/test/world.ts'
import { askAll } from './cost/callers.ts'
import { description } from './cost/description.ts'
import { historySeries } from './cost/history.ts'
import { quotaSeries } from './cost/quota.ts'
import { minus, read, times } from './cost/readings.ts'
import type { Reading, Watched } from './cost/readings.ts'
import { bytesOfRecord, grown, readTables } from './cost/tables.ts'

const COUNTS = [1, 5, 20, 50, 100]
const WITH_INDEX = [5, 20]
const ACCOUNTS = 20
const IDLE_STRETCHES = 5
const IDLE_MS = 4_000
const ROUNDS = 3
// What is written behind an answer's back is written by then.
const BEHIND_MS = 1_000
const FIGURES = new URL('../docs/figures/', import.meta.url).pathname
const ZONES = join(
  process.env.NAMEWRIGHT_SERVICES_DIR ?? join(tmpdir(), `namewright-services-${process.getuid?.()}`),
  'czds',
)

/** One generate, on average. */
export interface GenerateCost extends Reading {
  readonly count: number
  readonly index: boolean
  readonly verdicts: 'new' | 'remembered'
  readonly requests: number
  readonly bytesIn: number
  readonly bytesOut: number
  readonly domainsShown: number
  readonly rows: Readonly<Record<string, number>>
}

export async function benchCost({ requests }: { requests: number }): Promise<void> {
  mkdirSync(FIGURES, { recursive: true })
  const folder = mkdtempSync(join(tmpdir(), 'bench-cost-'))
  await using postgres = await openOwnPostgres()
  await using redis = await openOwnRedis()
  const observer = new Redis(redis.url)
  let admin = await connect(postgres.adminUrl)
  // Full pages are written once after each checkpoint: there is one, and it is before.
  await admin.query(`ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'`)
  await admin.query(`ALTER SYSTEM SET checkpoint_timeout = '1h'`)
  await admin.query(`ALTER SYSTEM SET max_wal_size = '20GB'`)
  await admin.query(`ALTER SYSTEM SET autovacuum = off`)
  await admin.end()
  await postgres.restart()
  admin = await connect(postgres.adminUrl)
  await admin.query('CREATE EXTENSION pg_stat_statements')
  try {
    await using world = await openWorld(
      { NAMEWRIGHT_REDIS_URL: redis.url, NAMEWRIGHT_MIGRATE: 'manual' },
      postgres.adminUrl,
    )
    const measuring = { world, admin, observer, requests }
    const plain = await measureNode({ ...measuring, env: {}, counts: COUNTS, skip: 0 })
    const index = join(folder, 'index')
    await buildIndex({ zones: zones(), out: index, snapshotAt: Date.now() })
    await observer.flushall()
    const env = { NAMEWRIGHT_INDEX: index, NAMEWRIGHT_DATA_DIR: join(folder, 'data') }
    const indexed = await measureNode({ ...measuring, env, counts: WITH_INDEX, skip: 100_000 })
    const recordBytes: { count: number; bytes: number }[] = []
    for (const count of COUNTS) recordBytes.push({ count, bytes: Math.round(await bytesOfRecord(world.owner, count)) })
    save('cost', {
      idlePerSecond: Object.fromEntries(
        Object.entries(plain.idlePerSecond).map(([name, value]) => [name, short(value as number)]),
      ),
      generate: [...plain.costs, ...indexed.costs],
      recordBytes,
      redisBytesPerKey: plain.bytesPerKey,
    })

    const leases = async () => {
      const { rows } = await admin.query<{ leases: string }>(
        `SELECT coalesce(sum(calls), 0) AS leases FROM pg_stat_statements WHERE query LIKE '%UPDATE quota_block SET granted = granted +%'`,
      )
      return Number(rows[0]?.leases)
    }
    save('quota', { series: await quotaSeries(world, redis.url, leases) })
    const node = await world.startNode()
    save('history', { page: 20, series: await historySeries(world, node, admin) })
    await node.stop()
  } finally {
    await admin.end()
    observer.disconnect()
    rmSync(folder, { recursive: true })
  }
}

interface Measuring {
  readonly world: World
  readonly admin: pg.Client
  readonly observer: Redis
  readonly requests: number
  readonly env: Record<string, string>
  readonly counts: readonly number[]
  /** The number of its first description. */
  readonly skip: number
}

async function measureNode({ world, admin, observer, requests, env, counts, skip }: Measuring) {
  const node = await world.startNode(env)
  const keys: string[] = []
  for (let i = 0; i < ACCOUNTS; i++) keys.push((await world.makeKey(await world.makeAccount())).secret)
  const watched: Watched = {
    nodePid: node.process.pid ?? 0,
    metricsUrl: node.metricsUrl,
    database: new URL(world.databaseUrl).pathname.slice(1),
    postgres: admin,
    redis: observer,
  }
  const asks = (from: number, many: number, count: number) =>
    Array.from({ length: many }, (_, i) => ({
      key: keys[i % keys.length] ?? '',
      path: '/v1/generate',
      body: { description: description(from + i), count },
    }))

  await askAll(node.url, asks(skip, 40, 20))
  const idlePerSecond = await idle(watched)
  const costs: GenerateCost[] = []
  let from = 40 + skip
  for (let round = 0; round < ROUNDS; round++) {
    for (const count of counts) {
      for (const verdicts of ['new', 'remembered'] as const) {
        const index = env.NAMEWRIGHT_INDEX !== undefined
        costs.push({ count, index, verdicts, ...(await measure(asks(from, requests, count))) })
        console.log(JSON.stringify(costs.at(-1)))
      }
      from += requests
    }
  }

  async function measure(asked: ReturnType<typeof asks>) {
    const tables = await readTables(world.owner)
    await sleep(BEHIND_MS)
    const [before, startedAt] = [await read(watched), performance.now()]
    const { bytesIn, bytesOut, bodies } = await askAll(node.url, asked)
    await sleep(BEHIND_MS)
    const after = await read(watched)
    const idleBy = times(idlePerSecond, (performance.now() - startedAt) / 1000)
    return {
      requests,
      ...times(minus(after, before, idleBy), 1 / requests),
      bytesIn: bytesIn / requests,
      bytesOut: bytesOut / requests,
      domainsShown: shownIn(bodies) / requests,
      rows: grown(tables, await readTables(world.owner), requests),
    }
  }

  const bytesPerKey = Math.round(Number(await observer.call('EVAL', MEMORY_OF_KEYS, '0')))
  await node.stop()
  return { idlePerSecond, costs: merge(costs), bytesPerKey }
}

/** By key, as Redis sees it, of a sample. */
const MEMORY_OF_KEYS = `
local sum, many = 0, 0
for i = 1, 2000 do
  local key = redis.call('RANDOMKEY')
  if key then sum = sum + redis.call('MEMORY', 'USAGE', key); many = many + 1 end
end
return many == 0 and 0 or math.floor(sum / many)
`

/** Of a few stretches, as of the rounds. */
async function idle(watched: Watched): Promise<Reading> {
  await sleep(3_000)
  const stretches: Reading[] = []
  for (let i = 0; i < IDLE_STRETCHES; i++) {
    const [before, startedAt] = [await read(watched), performance.now()]
    await sleep(IDLE_MS)
    stretches.push(times(minus(await read(watched), before), 1000 / (performance.now() - startedAt)))
  }
  const names = Object.keys(stretches[0] ?? {}) as (keyof Reading)[]
  return Object.fromEntries(
    names.map((name) => [
      name,
      typical(
        name,
        stretches.map((one) => one[name]),
      ),
    ]),
  ) as Record<keyof Reading, number>
}

/** The middle of CPU times, because a neighbour may have spoilt one of them. */
function typical(name: string, values: readonly number[]): number {
  if (name.endsWith('CpuMs')) return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The rounds of the same as one. */
function merge(rounds: readonly GenerateCost[]): GenerateCost[] {
  const alike = Map.groupBy(rounds, ({ count, verdicts }) => `${count} ${verdicts}`)
  return [...alike.values()].map((same) => {
    const [first] = same
    if (!first) throw new Error('a group has somebody in it')
    const merged = Object.entries(first).map(([name, value]) => {
      if (typeof value !== 'number' || name === 'count') return [name, value]
      const values = same.map((cost) => cost[name as keyof Reading])
      return [name, name === 'requests' ? first.requests * same.length : short(typical(name, values))]
    })
    return Object.fromEntries(merged) as GenerateCost
  })
}

function shownIn(bodies: readonly string[]): number {
  return bodies
    .flatMap((body) => {
      const { data } = JSON.parse(body) as { data: { suggestions: { domains: unknown[] }[] } }
      return data.suggestions.map(({ domains }) => domains.length)
    })
    .reduce((sum, domains) => sum + domains, 0)
}

function zones(): { suffix: Suffix; path: string }[] {
  return readdirSync(ZONES)
    .filter((file) => file.endsWith('.txt.gz'))
    .map((file) => ({ suffix: file.replace('.txt.gz', '') as Suffix, path: join(ZONES, file) }))
}

/** Three digits; noise around nothing is nothing. */
function short(value: number): number {
  return Math.abs(value) < 0.005 ? 0 : Number(value.toPrecision(3))
}

function save(name: string, figures: object): void {
  const cores = availableParallelism()
  const about = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cores} shared cores, ${Math.round(totalmem() / 2 ** 30)} GiB, x86-64, Node ${process.versions.node}, PostgreSQL 15, Redis 7`,
    command: 'pnpm bench cost',
  }
  writeFileSync(join(FIGURES, `${name}.json`), `${JSON.stringify({ ...about, ...figures }, null, 2)}\n`)
  console.log(`docs/figures/${name}.json written`)
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  return client
}
