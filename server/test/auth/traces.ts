/** Where something of somebody is left: every row of every table, and every entry of Redis, that holds one of their marks. */
import { Redis } from 'ioredis'
import type pg from 'pg'

export interface Trace {
  /** `people.session`; a partition goes by the name of its table. */
  readonly table: string
  readonly row: Readonly<Record<string, unknown>>
}

interface Table {
  readonly schema: string
  readonly name: string
  /** The table that it is a partition of, or itself. */
  readonly whole: string
}

/** Knows no table by name, so that one that is added later is checked, too. */
export async function findTraces(owner: pg.Pool, marks: readonly string[]): Promise<readonly Trace[]> {
  const tables = await owner.query<Table>(
    `SELECT nspname AS schema, relname AS name, coalesce((SELECT parent.relname FROM pg_inherits
       JOIN pg_class parent ON parent.oid = inhparent WHERE inhrelid = pg_class.oid), relname) AS whole FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE relkind = 'r' AND nspname <> 'information_schema' AND nspname NOT LIKE 'pg\\_%' ORDER BY 1, 2`,
  )
  const found: Trace[] = []
  for (const { schema, name, whole } of tables.rows) {
    const { rows } = await owner.query<{ row: Record<string, unknown> }>(
      `SELECT to_jsonb(entry) AS row FROM "${schema}"."${name}" entry
       WHERE EXISTS (SELECT FROM unnest($1::text[]) mark WHERE position(lower(mark) IN lower(entry::text)) > 0)`,
      [marks],
    )
    const table = `${schema}.${whole}`
    found.push(...rows.map(({ row }) => ({ table, row })))
  }
  return found
}

/** Names and values of the entries that hold one of the marks. */
export async function findInRedis(url: string, marks: readonly string[]): Promise<readonly string[]> {
  const redis = new Redis(url)
  try {
    const names = new Set<string>()
    for await (const batch of redis.scanStream({ count: 1_000 })) for (const name of batch as string[]) names.add(name)
    const entries = await Promise.all([...names].map(async (name) => `${name} ${await valueOf(redis, name)}`))
    return entries.filter((entry) => marks.some((mark) => entry.toLowerCase().includes(mark.toLowerCase())))
  } finally {
    redis.disconnect()
  }
}

async function valueOf(redis: Redis, name: string): Promise<string> {
  switch (await redis.type(name)) {
    case 'none':
      return ''
    case 'string':
      return (await redis.get(name)) ?? ''
    case 'hash':
      return JSON.stringify(await redis.hgetall(name))
    default:
      // No other kind is used; a dump shows the texts in it all the same.
      return (await redis.dumpBuffer(name))?.toString('latin1') ?? ''
  }
}
