/**
 * The drill of a restore: many rows, a backup, more rows, a chosen second, and then somebody deletes everything; the database is brought back
 * to that second, row for row. Then its machine is lost, and with it no more than the last seconds.
 *
 * What comes back is compared by the number of rows and the sum of their hashes, over every table that people write to.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { migrate } from '../../../source.ts'
import { openBackedUpPostgres } from './backed-up-postgres.ts'

export interface Drilled {
  readonly rows: number
  readonly databaseBytes: number
  readonly backupSeconds: number
  /** Copying back. */
  readonly restoreSeconds: number
  /** From the start until it can be written to. */
  readonly startSeconds: number
  readonly isExact: boolean
  /** Of the crash with loss of the disk: how much of the end is gone. */
  readonly lostSeconds: number
  readonly stored: Digest
}

type Digest = Readonly<Record<string, string>>

const TABLES = ['account', 'api_key', 'history', 'favorite', 'quota_period', 'quota_block'] as const
const ROWS_PER_STATEMENT = 50_000
const ACCOUNTS = 500

export async function drillRestore(rows: number, say: (line: string) => void = () => {}): Promise<Drilled> {
  await using postgres = await openBackedUpPostgres()
  const url = postgres.adminUrl.replace(/[^/]+$/, 'drill')
  await onServer(postgres.adminUrl, (client) => client.query('CREATE DATABASE drill'))
  await migrate(url)
  await onServer(url, (client) => fill(client, rows, say))
  say('full backup')
  const backupSeconds = await secondsOf(() => postgres.pgbackrest.make('full'))
  const [made] = await postgres.pgbackrest.list()

  // What is written after the backup comes back from the archive alone.
  const later = Math.ceil(rows / 100)
  const [before, chosen, databaseBytes] = await onServer(url, async (client) => {
    await client.query(HISTORY, [1, later, rows])
    const digest = await digestOf(client)
    const chosenAt = await momentAfter(client, made?.endedAt)
    const [size] = (await client.query<{ size: string }>('SELECT pg_database_size(current_database()) AS size')).rows
    return [digest, chosenAt, Number(size?.size)] as const
  })
  // A moment between the last write and the mistake, so that the second is on neither side of it by chance.
  await sleep(1_000)
  await onServer(url, async (client) => {
    await client.query(`TRUNCATE ${TABLES.join(', ')} CASCADE`)
    await archived(client)
  })
  say(`everything is deleted; restoring to ${chosen.toISOString()}`)
  await postgres.stop()
  // PostgreSQL stops before the first commit after the moment: half a second later nothing has happened yet.
  const restoreSeconds = await secondsOf(() => postgres.pgbackrest.restore(new Date(chosen.getTime() + 500)))
  const startSeconds = await secondsOf(() => postgres.start())
  const after = await onServer(url, digestOf)
  const isExact = JSON.stringify(after) === JSON.stringify(before)
  say(`restored in ${restoreSeconds.toFixed(1)} s, started in ${startSeconds.toFixed(1)} s, exact: ${isExact}`)
  // As the runbook says. Until its first checkpoint, up to five minutes, a restored server archives by full pieces only.
  await postgres.pgbackrest.make('incr')
  const lostSeconds = await loseTheMachine()
  say(`the machine was lost: the last ${lostSeconds.toFixed(1)} s of writes are gone`)
  return {
    rows: rows + later,
    databaseBytes,
    backupSeconds,
    restoreSeconds,
    startSeconds,
    isExact,
    lostSeconds,
    stored: after,
  }

  /** Writes a mark ten times a second, kills the server in the middle, deletes its disk, restores all there is. */
  async function loseTheMachine(): Promise<number> {
    let last = 0
    await onServer(url, async (client) => {
      await client.query('CREATE TABLE IF NOT EXISTS mark (at timestamptz NOT NULL)')
      const until = performance.now() + 14_000
      while (performance.now() < until) {
        const { rows: marks } = await client.query<{ at: Date }>(
          'INSERT INTO mark VALUES (clock_timestamp()) RETURNING at',
        )
        last = marks[0]?.at.getTime() ?? last
        await sleep(100)
      }
      await postgres.destroy()
    }).catch((error: unknown) => {
      if (last === 0) throw error
    })
    await postgres.pgbackrest.restore(undefined)
    await postgres.start()
    return onServer(url, async (client) => {
      const { rows: marks } = await client.query<{ at: Date | null }>('SELECT max(at) AS at FROM mark')
      return (last - (marks[0]?.at?.getTime() ?? 0)) / 1000
    })
  }
}

/** $1: the account's number from which on, $2: how many, $3: the first number. Five suggestions of two domains each. */
const HISTORY = `
  INSERT INTO history (account_id, id, created_at, key_id, description, count, language, options, suggestions)
  SELECT a.id, gen_random_uuid(), now() - n * interval '1 second', a.id,
    'a shop for ' || md5(n::text) || ' and a workshop for ' || md5((n * 7)::text), 5, 'en',
    '{"count":5,"style":"any","suffixes":["com","io","ai","co"]}'::jsonb,
    (SELECT jsonb_agg(jsonb_build_object('name', left(md5((n * 5 + i)::text), 9), 'score', (n * i) % 100, 'family', 'compound',
       'domains', jsonb_build_array(
         jsonb_build_object('domain', left(md5((n * 5 + i)::text), 9) || '.com', 'status', 'available', 'source', 'rdap',
           'price', jsonb_build_object('registration', 1049, 'renewal', 1199, 'currency', 'USD')),
         jsonb_build_object('domain', left(md5((n * 5 + i)::text), 9) || '.io', 'status', 'taken', 'source', 'dns',
           'price', jsonb_build_object('registration', 3299, 'renewal', 4999, 'currency', 'USD')))))
     FROM generate_series(1, 5) AS i)
  FROM generate_series($3::bigint, $3::bigint + $2::bigint - 1) AS n
  JOIN LATERAL (SELECT id FROM drill_account WHERE number = n % ${ACCOUNTS} + 1 AND number >= $1) AS a ON true`

async function fill(client: pg.Client, rows: number, say: (line: string) => void): Promise<void> {
  await client.query(`
    CREATE TABLE drill_account AS SELECT n AS number, gen_random_uuid() AS id FROM generate_series(1, ${ACCOUNTS}) AS n;
    ALTER TABLE drill_account ADD PRIMARY KEY (number);
    INSERT INTO account (id, name, created_at) SELECT id, 'drill ' || number, now() FROM drill_account;
    INSERT INTO api_key (account_id, id, name, prefix, scopes, per_minute, burst, created_at)
      SELECT id, id, 'key', 'nw', '{names:generate}', 600, 60, now() FROM drill_account;
    INSERT INTO quota_period (account_id, key_id, kind, starts_on, leased)
      SELECT id, id, kind, CASE kind WHEN 'day' THEN current_date ELSE date_trunc('month', now())::date END, 500
      FROM drill_account, unnest(ARRAY['day', 'month']) AS kind;
    INSERT INTO quota_block (account_id, key_id, id, day, granted, used, lease_until, settle_by)
      SELECT id, id, gen_random_uuid(), current_date, 500, number % 500, now(), now() FROM drill_account;
    INSERT INTO favorite (account_id, id, key_id, domain, name, created_at, saved, current)
      SELECT id, gen_random_uuid(), id, 'favorite' || n || '.com', 'favorite' || n, now(), '{}', '{}'
      FROM drill_account, generate_series(1, 20) AS n`)
  for (let first = 0; first < rows; first += ROWS_PER_STATEMENT) {
    await client.query(HISTORY, [1, Math.min(ROWS_PER_STATEMENT, rows - first), first])
    if ((first / ROWS_PER_STATEMENT) % 5 === 0) say(`${first.toLocaleString('en')} rows`)
  }
}

async function digestOf(client: pg.Client): Promise<Digest> {
  const digest: Record<string, string> = {}
  for (const table of TABLES) {
    const { rows } = await client.query<{ digest: string }>(
      `SELECT count(*) || ':' || coalesce(sum(hashtextextended(t::text, 0)), 0) AS digest FROM ${table} AS t`,
    )
    digest[table] = rows[0]?.digest ?? ''
  }
  return digest
}

/** pgBackRest counts whole seconds: a moment in the second in which a backup ended is before that backup. */
async function momentAfter(client: pg.Client, ended = new Date(0)): Promise<Date> {
  for (;;) {
    const [moment] = (await client.query<{ at: Date }>('SELECT clock_timestamp() AS at')).rows
    if (moment && moment.at.getTime() >= ended.getTime() + 1_000) return moment.at
    await sleep(50)
  }
}

/** Until what was written is in the store. */
async function archived(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ file: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS file')
  const wanted = rows[0]?.file ?? ''
  for (;;) {
    const { rows: lastArchived } = await client.query<{ file: string | null }>(
      'SELECT last_archived_wal AS file FROM pg_stat_archiver',
    )
    if ((lastArchived[0]?.file ?? '') >= wanted) return
    await sleep(100)
  }
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}

async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}
