/**
 * A migration while two nodes are called and somebody reads the very tables for long.
 *
 * The next version's migrations are this version's and two more, of the kinds that the rules allow: columns and a constraint that is not
 * validated at once, on the two tables that are written most, and an index outside a transaction. The nodes are of this version and
 * stay so; another one is started after it: that is a roll-back, and what each roll-out is like for the nodes that come last.
 */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { request } from '../../../world.ts'
import type { World } from '../../../world.ts'
import { applyMigrations, compareSchema } from '../../../source.ts'

export interface Migrated {
  readonly calls: number
  /** The responses that were no success. */
  readonly errors: readonly string[]
  readonly longestCallMs: number
  /** The longest that any statement waited for a lock. */
  readonly longestWaitMs: number
  readonly applied: readonly string[]
  /** From asking for it until it was done. */
  readonly tookMs: number
  /** What a node of this version sees of it afterwards. */
  readonly newer: readonly string[]
}

const MIGRATIONS = new URL('../../../../migrations/', import.meta.url)
const EXPAND = `
ALTER TABLE favorite ADD COLUMN shade text;
ALTER TABLE history ADD COLUMN shade text;
ALTER TABLE favorite ADD CONSTRAINT favorite_shade CHECK (shade <> '') NOT VALID;
`
const INDEX = `-- Outside a transaction.
CREATE INDEX CONCURRENTLY IF NOT EXISTS favorite_by_shade ON favorite (account_id, shade);
`

export async function migrateUnderLoad(
  world: World,
  { holdMs, perSecond }: { holdMs: number; perSecond: number },
): Promise<Migrated> {
  const folder = await mkdtemp(join(tmpdir(), 'namewright-migrations-'))
  await cp(MIGRATIONS, folder, { recursive: true })
  await writeFile(join(folder, '9998_expand.sql'), EXPAND)
  await writeFile(join(folder, '9999_index.sql'), INDEX)
  const nodes = [await world.startNodeProcess(), await world.startNodeProcess()]
  const { secret: key } = await world.makeKey(await world.makeAccount())
  const errors: string[] = []
  let calls = 0
  let longestCallMs = 0
  let longestWaitMs = 0
  const over = new AbortController()

  async function call(number: number): Promise<void> {
    const url = nodes[number % nodes.length]?.url ?? ''
    const [path, body] = (
      [
        ['/v1/favorites', { domain: `held-${number}.com` }],
        ['/v1/favorites?limit=5', undefined],
        ['/v1/generate', { description: `a shop for clocks, number ${number}`, count: 1 }],
        ['/v1/history?limit=5', undefined],
      ] as const
    )[number % 4] ?? ['/v1/history', undefined]
    const startedAt = performance.now()
    calls += 1
    try {
      const { status, text } = await request(url, path, { key, ...(body ? { body } : {}) })
      if (status >= 400) errors.push(`${path} ${status} ${text.slice(0, 200)}`)
    } catch (error) {
      errors.push(`${path} ${String(error)}`)
    }
    longestCallMs = Math.max(longestCallMs, performance.now() - startedAt)
  }

  async function load(): Promise<void> {
    const open = new Set<Promise<void>>()
    for (let number = 0; !over.signal.aborted; number++) {
      const one = call(number).finally(() => open.delete(one))
      open.add(one)
      await sleep(1000 / perSecond)
    }
    await Promise.all(open)
  }

  async function watchLocks(): Promise<void> {
    while (!over.signal.aborted) {
      const { rows } = await world.owner.query<{ waited: number | null }>(
        `SELECT max(extract(epoch FROM clock_timestamp() - l.waitstart) * 1000)::double precision AS waited
         FROM pg_locks l WHERE NOT l.granted AND l.locktype = 'relation'
           AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      )
      longestWaitMs = Math.max(longestWaitMs, rows[0]?.waited ?? 0)
      await sleep(50)
    }
  }

  const reader = new pg.Client(world.databaseUrl)
  await reader.connect()
  try {
    const running = Promise.all([load(), watchLocks()])
    await sleep(1_000)
    await reader.query('BEGIN; SELECT count(*) FROM favorite; SELECT count(*) FROM history')
    const startedAt = performance.now()
    const migrating = applyMigrations(world.databaseUrl, pathToFileURL(`${folder}/`))
    await sleep(holdMs)
    await reader.query('COMMIT')
    const applied = await migrating
    const tookMs = performance.now() - startedAt
    // The one that comes last, or back.
    nodes.push(await world.startNodeProcess())
    await sleep(1_000)
    over.abort()
    await running
    const run = async (text: string) => (await world.owner.query<object>(text)).rows
    const { newer } = await compareSchema(run)
    return { calls, errors, longestCallMs, longestWaitMs, applied, tookMs, newer }
  } finally {
    over.abort()
    await reader.end()
    await rm(folder, { recursive: true })
  }
}
