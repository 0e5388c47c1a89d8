/**
 * Pages of PostgreSQL that a list of history touches, against the records of its account: through HTTP, as
 * pg_stat_statements has counted them for the statement of the service itself.
 */
import type pg from 'pg'
import type { Node, World } from '../../server/test/world.ts'
import { askAll } from './callers.ts'

export interface ListCost {
  readonly records: number
  readonly firstPage: number
  readonly deepPage: number
  /** A filter that fits no record, so that every one is read. */
  readonly textThatIsNowhere: number
}

const ASKED = 10
const SIZES = [1_000, 10_000, 100_000, 1_000_000]

export async function historySeries(world: World, node: Node, postgres: pg.Client): Promise<ListCost[]> {
  const account = await world.makeAccount()
  const { id, secret: key } = await world.makeKey(account)
  const series: ListCost[] = []
  let filled = 0
  for (const records of SIZES) {
    await world.owner.query(
      `INSERT INTO history (account_id, id, created_at, key_id, description, count, language, options, suggestions)
       SELECT $3, (lpad(to_hex(1700000000000 + n * 20), 12, '0') || '7000' || '8' || substr(md5(n::text), 1, 15))::uuid,
         to_timestamp(1700000000 + n * 0.02), $4, 'shop number ' || n, 1, 'en', '{}',
         '[{"name":"Shop","domains":[{"domain":"shop.com","available":true,"price":"$9.00"}]}]'
       FROM generate_series($1::bigint, $2::bigint - 1) n`,
      [filled, records, account, id],
    )
    await world.owner.query('VACUUM ANALYZE history')
    filled = records
    const cost = async (path: string) => {
      // Once before, so that the connection has read its catalogues.
      await askAll(node.url, [{ key, path }])
      await postgres.query('SELECT pg_stat_statements_reset()')
      await askAll(
        node.url,
        Array.from({ length: ASKED }, () => ({ key, path })),
      )
      const { rows } = await postgres.query<{ pages: string }>(
        `SELECT sum(shared_blks_hit + shared_blks_read) / sum(calls) AS pages FROM pg_stat_statements
         WHERE query LIKE 'SELECT id, created_at, key_id%FROM history%ORDER BY id DESC%'`,
      )
      return Number(rows[0]?.pages)
    }
    const firstPage = await cost('/v1/history?limit=20')
    const until = new Date(1_700_000_000_000 + (records / 2) * 20).toISOString()
    const deepPage = await cost(`/v1/history?limit=20&until=${until}`)
    const textThatIsNowhere = await cost('/v1/history?limit=20&q=nowhere')
    series.push({ records, firstPage, deepPage, textThatIsNowhere })
  }
  return series
}
