/** Rows and bytes of every table, a partitioned one as one; and what a record of history takes once there are many. */
import type pg from 'pg'

export type Tables = ReadonlyMap<string, { readonly rows: number; readonly bytes: number }>

const COPIES = 5_000

export async function readTables(owner: pg.Pool): Promise<Tables> {
  const { rows } = await owner.query<{ name: string; bytes: string }>(
    `SELECT coalesce(i.inhparent, c.oid)::regclass::text AS name, sum(pg_total_relation_size(c.oid)) AS bytes
     FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
     WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace GROUP BY 1`,
  )
  const tables = new Map<string, { rows: number; bytes: number }>()
  for (const { name, bytes } of rows) {
    const counted = await owner.query<{ rows: string }>(`SELECT count(*) AS rows FROM ${name}`)
    tables.set(name, { rows: Number(counted.rows[0]?.rows), bytes: Number(bytes) })
  }
  return tables
}

/** Only those that have grown, by request. */
export function grown(before: Tables, after: Tables, requests: number): Record<string, number> {
  const entries = [...after].map(
    ([name, { rows }]) => [name, (rows - (before.get(name)?.rows ?? 0)) / requests] as const,
  )
  return Object.fromEntries(entries.filter(([, rows]) => rows > 0).toSorted(([a], [b]) => a.localeCompare(b)))
}

/**
 * Of a record of `count` suggestions, index and overflow included. A few hundred rows spread over 64 partitions are
 * mostly empty pages, so the rows there are, are copied into one account until pages are full.
 */
export async function bytesOfRecord(owner: pg.Pool, count: number): Promise<number> {
  const account = '00000000-0000-7000-8000-00000000c057'
  const sizeOf = async () => {
    const { rows } = await owner.query<{ bytes: string }>(
      `SELECT sum(pg_total_relation_size(inhrelid)) AS bytes FROM pg_inherits WHERE inhparent = 'history'::regclass`,
    )
    return Number(rows[0]?.bytes)
  }
  const before = await sizeOf()
  const { rowCount } = await owner.query(
    `WITH made AS (SELECT h.*, row_number() OVER () - 1 AS nr, count(*) OVER () AS many FROM history h WHERE count = $1 AND account_id <> $2)
     INSERT INTO history (account_id, id, created_at, key_id, description, count, language, options, suggestions)
     SELECT $2, (lpad(to_hex(1700000000000 + n), 12, '0') || '7000' || '8' || substr(md5($1::text || n), 1, 15))::uuid,
       created_at, key_id, description, count, language, options, suggestions
     FROM generate_series(1, $3::int) n JOIN made ON nr = n % many`,
    [count, account, COPIES],
  )
  const bytes = ((await sizeOf()) - before) / (rowCount ?? 0)
  await owner.query('DELETE FROM history WHERE account_id = $1', [account])
  await owner.query('VACUUM FULL history')
  return bytes
}
