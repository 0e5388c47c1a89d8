/**
 * Brings the database up to the newest file in `migrations/`, forward only.
 *
 * Any number of processes may start at once: each file is applied in one transaction that first takes the
 * database's migration lock, so one of them applies it and the others find it there. A file that was applied and
 * then changed is refused: write a new one.
 *
 * A migration waits two seconds for a lock and then steps back, because a statement that waits in the lock queue
 * makes every later query on that table wait behind it.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { rowsOf } from './jobs-pool.ts'

/** One or more statements as the owner of the tables. */
export type OwnerRun = (text: string, values?: unknown[]) => Promise<object[]>

const FOLDER = new URL('../../migrations/', import.meta.url)
const LOCK = "SELECT pg_advisory_xact_lock(hashtext('namewright migration'))"
const ATTEMPTS = 30

/** Connects as the owner of the tables and returns the names of the files it applied. */
export async function migrate(ownerUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: ownerUrl, options: '-c lock_timeout=2s' })
  client.on('error', () => {})
  await client.connect()
  try {
    const applied: string[] = []
    for (const file of (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).toSorted()) {
      const text = await readFile(new URL(file, FOLDER), 'utf8')
      if (await patiently(() => applyOnce(client, file, text))) applied.push(file)
    }
    return applied
  } finally {
    await client.end()
  }
}

/** Whatever else makes a database ready, under the migration lock: one process at a time, on a connection of its own. */
export async function prepare(ownerUrl: string, work: (run: OwnerRun) => Promise<void>): Promise<void> {
  const [holder, worker] = [0, 1].map(() => new pg.Client({ connectionString: ownerUrl })) as [pg.Client, pg.Client]
  for (const client of [holder, worker]) client.on('error', () => {})
  try {
    await Promise.all([holder.connect(), worker.connect()])
    await holder.query('BEGIN')
    await holder.query(LOCK)
    const run: OwnerRun = async (text, values) => rowsOf(await worker.query(text, values))
    await patiently(() => work(run))
    await holder.query('COMMIT')
  } finally {
    await Promise.all([holder.end(), worker.end()])
  }
}

async function applyOnce(client: pg.Client, file: string, text: string): Promise<boolean> {
  const sha256 = createHash('sha256').update(text).digest('hex')
  await client.query('BEGIN')
  try {
    await client.query(LOCK)
    await client.query(
      'CREATE TABLE IF NOT EXISTS migration (file text PRIMARY KEY, sha256 text, applied_at timestamptz)',
    )
    const found = await client.query<{ sha256: string }>('SELECT sha256 FROM migration WHERE file = $1', [file])
    const before = found.rows[0]
    if (before && before.sha256 !== sha256) {
      throw new Error(`${file} was applied in another form. Put the change into a new migration file.`)
    }
    if (!before) {
      await client.query(text)
      await client.query('INSERT INTO migration VALUES ($1, $2, now())', [file, sha256])
    }
    await client.query('COMMIT')
    return !before
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}

/** Again when another process got in the way; any other failure is the caller's. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  // 55P03, 40P01: a lock was not to be had in time. 23505, 42710, XX000: a process in another database created or
  // changed the same role, which all databases of a server share.
  const inTheWay = new Set(['55P03', '40P01', '23505', '42710', 'XX000'])
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      if (!inTheWay.has(code) || attempt === ATTEMPTS) throw error
      await sleep(100 + Math.random() * 400)
    }
  }
}
