/**
 * Applies the files in `migrations/` to the database, forward only.
 *
 * Any number of processes may start at once: each file is applied in one transaction that first takes the database's
 * migration lock, so one process applies it and the others find it applied. An applied file that was changed later is
 * refused: write a new one.
 *
 * A migration waits two seconds for a lock and then gives up, because a statement in the lock queue makes every later
 * query on that table wait behind it. The back-off grows each time, so that the waiting queries are served before the
 * next try.
 *
 * A file that requests it in its first line is applied outside a transaction (`migration-file.ts`), to build an index
 * while the table is written to. Only then is the migration lock a session lock that no process queues for: a statement
 * that waits in a queue has a snapshot, and the index build would wait for that snapshot.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { rowsOf } from './jobs-pool.ts'
import { isOutsideTransaction } from './migration-file.ts'

/** Runs one or more statements as the owner of the tables. */
export type OwnerRun = (text: string, values?: unknown[]) => Promise<object[]>

const FOLDER = new URL('../../../migrations/', import.meta.url)
const LOCK = "SELECT pg_advisory_xact_lock(hashtext('namewright migration'))"
const TRY_LOCK = "SELECT pg_try_advisory_lock(hashtext('namewright migration')) AS is_mine"
const UNLOCK = "SELECT pg_advisory_unlock(hashtext('namewright migration'))"
const MAKE_TABLE = 'CREATE TABLE IF NOT EXISTS migration (file text PRIMARY KEY, sha256 text, applied_at timestamptz)'
// About four minutes in all: longer than a report or a dump holds a table.
const ATTEMPTS = 40
const MAX_PAUSE_MS = 5_000
const LOCK_TIMEOUT = '-c lock_timeout=2s'
// Long enough to index a table of any size.
const MAX_OUTSIDE_MS = 6 * 3_600_000

/** Connects as the owner of the tables and returns the names of the files it applied. */
export async function applyMigrations(ownerUrl: string, folder = FOLDER): Promise<string[]> {
  const client = new pg.Client({ connectionString: ownerUrl, options: LOCK_TIMEOUT })
  client.on('error', () => {})
  await client.connect()
  try {
    const applied: string[] = []
    for (const { file, text } of await readFiles(folder)) {
      const apply = isOutsideTransaction(text) ? applyOutside : applyOnce
      if (await withRetries(() => apply(client, file, text))) applied.push(file)
    }
    return applied
  } finally {
    await client.end()
  }
}

export interface SchemaState {
  /** In this version's folder and not in the database. */
  readonly missing: readonly string[]
  /** In both, with different contents. */
  readonly changed: readonly string[]
  /** In the database only: a newer version has migrated it. */
  readonly newer: readonly string[]
}

/** What `migrate` would do, without doing it. */
export async function compareSchema(run: OwnerRun, folder = FOLDER): Promise<SchemaState> {
  const [exists] = (await run("SELECT to_regclass('migration') IS NOT NULL AS is_there")) as { is_there: boolean }[]
  const rows = exists?.is_there ? await run('SELECT file, sha256 FROM migration ORDER BY file') : []
  const applied = new Map((rows as { file: string; sha256: string }[]).map(({ file, sha256 }) => [file, sha256]))
  const files = await readFiles(folder)
  const ours = new Set(files.map(({ file }) => file))
  return {
    missing: files.filter(({ file }) => !applied.has(file)).map(({ file }) => file),
    changed: files
      .filter(({ file, text }) => applied.has(file) && applied.get(file) !== hashOf(text))
      .map(({ file }) => file),
    newer: [...applied.keys()].filter((file) => !ours.has(file)),
  }
}

async function readFiles(folder: URL): Promise<{ file: string; text: string }[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(files.map(async (file) => ({ file, text: await readFile(new URL(file, folder), 'utf8') })))
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Other preparations of a database, under the migration lock: one process at a time, on a connection of its own. */
export async function prepare(ownerUrl: string, work: (run: OwnerRun) => Promise<void>): Promise<void> {
  const holder = new pg.Client({ connectionString: ownerUrl })
  const worker = new pg.Client({ connectionString: ownerUrl, options: LOCK_TIMEOUT })
  for (const client of [holder, worker]) client.on('error', () => {})
  try {
    await Promise.all([holder.connect(), worker.connect()])
    await holder.query('BEGIN')
    await holder.query(LOCK)
    const run: OwnerRun = async (text, values) => rowsOf(await worker.query(text, values))
    await withRetries(() => work(run))
    await holder.query('COMMIT')
  } finally {
    await Promise.all([holder.end(), worker.end()])
  }
}

async function applyOnce(client: pg.Client, file: string, text: string): Promise<boolean> {
  await client.query('BEGIN')
  try {
    await client.query(LOCK)
    await client.query(MAKE_TABLE)
    const isNew = await isMissing(client, file, text)
    if (isNew) {
      await client.query(text)
      await note(client, file, text)
    }
    await client.query('COMMIT')
    return isNew
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}

async function applyOutside(client: pg.Client, file: string, text: string): Promise<boolean> {
  if (!(await isMissing(client, file, text))) return false
  await waitForLock(client)
  try {
    if (!(await isMissing(client, file, text))) return false
    // It blocks no reader and no writer, so it may wait for its own locks as long as it takes.
    await client.query('SET lock_timeout = 0')
    await dropHalfBuilt(client, text)
    await client.query(text)
    await note(client, file, text)
    return true
  } finally {
    await client.query('SET lock_timeout = 2000')
    await client.query(UNLOCK)
  }
}

/**
 * Drops the remains of a process that died while it built this index: unusable, and IF NOT EXISTS would skip the build.
 */
async function dropHalfBuilt(client: pg.Client, text: string): Promise<void> {
  const [, name] = /\bINDEX CONCURRENTLY IF NOT EXISTS (\w+)/i.exec(text) ?? []
  if (name === undefined) return
  const { rowCount } = await client.query(
    'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid',
    [name],
  )
  if (rowCount) await client.query(`DROP INDEX CONCURRENTLY ${name}`)
}

async function waitForLock(client: pg.Client): Promise<void> {
  const until = performance.now() + MAX_OUTSIDE_MS
  for (;;) {
    const { rows } = await client.query<{ is_mine: boolean }>(TRY_LOCK)
    if (rows[0]?.is_mine) return
    if (performance.now() > until) throw new Error('another process holds the migration lock')
    await sleep(200 + Math.random() * 300)
  }
}

/** Fails when it was applied with different contents. */
async function isMissing(client: pg.Client, file: string, text: string): Promise<boolean> {
  const found = await client.query<{ sha256: string }>('SELECT sha256 FROM migration WHERE file = $1', [file])
  const before = found.rows[0]
  if (before && before.sha256 !== hashOf(text)) {
    throw new Error(`${file} was changed after it was applied. Put the change into a new migration file.`)
  }
  return before === undefined
}

async function note(client: pg.Client, file: string, text: string): Promise<void> {
  await client.query('INSERT INTO migration VALUES ($1, $2, now())', [file, hashOf(text)])
}

/** Retries when another process interfered; any other error is thrown. */
async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  // 55P03, 40P01: a lock was not available in time. 23505, 42710, XX000: a process in another database created or
  // changed the same role, which all databases of a server share.
  const inTheWay = new Set(['55P03', '40P01', '23505', '42710', 'XX000'])
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      if (!inTheWay.has(code) || attempt === ATTEMPTS) throw error
      // Short at first: a process that creates the same role is done in a moment.
      await sleep(Math.min(MAX_PAUSE_MS, 200 * 1.5 ** (attempt - 1)) * (0.5 + Math.random()))
    }
  }
}
