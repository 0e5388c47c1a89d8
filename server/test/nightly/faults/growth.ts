/**
 * `pnpm exec node server/test/nightly/faults/growth.ts [rows]`: does a page of history cost the same in a small table and in a large one?
 *
 * Fills the history of 100,000 accounts with small records made in SQL, in the order of time, so that the rows of one
 * account lie far apart; then counts the buffers that the statements of `history` itself touch, sent as the service
 * sends them: prepared, under its role, with the account set. Once with 100,000 rows and once with `rows`. Custom and
 * generic plan are both measured, because PostgreSQL goes over to the generic one after five executions.
 *
 * Works in a database of its own and drops it.
 */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { ADMIN_URL, WIDE_QUOTA } from '../../world.ts'
import {
  type AccountId,
  APP_ROLE,
  type Caller,
  type Db,
  type KeyId,
  migrate,
  ofAccount,
  openDb,
  openHistory,
  type Own,
  SCOPES,
  type Statement,
} from '../../source.ts'

const SMALL = 100_000
const ACCOUNTS = 100_000
const PROBE_ROWS = 50
const PAGE = 20

export interface Touched {
  readonly rows: number
  readonly megabytes: number
  readonly seconds: number
  readonly statements: readonly StatementPlan[]
}

export interface StatementPlan {
  readonly what: string
  readonly plan: 'custom' | 'generic'
  readonly buffers: number
  readonly returned: number
  /** Tables that were read, with how. */
  readonly scans: readonly string[]
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly PlanNode[]
}

/** Small first, then large. */
export async function measureGrowth(rows: number): Promise<[Touched, Touched]> {
  const name = `nw_growth_${randomBytes(6).toString('hex')}`
  const url = ADMIN_URL.replace(/[^/]+$/, name)
  const server = new pg.Client(ADMIN_URL)
  await server.connect()
  await server.query(`CREATE DATABASE ${name}`)
  try {
    await migrate(url)
    return [await measure(url, SMALL), await measure(url, rows)]
  } finally {
    await server.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await server.end()
  }
}

async function measure(url: string, rows: number): Promise<Touched> {
  const owner = new pg.Client({ connectionString: url, options: '-c synchronous_commit=off' })
  await owner.connect()
  const startedAt = Date.now()
  await fill(owner, rows)
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  const size = await owner.query<{ bytes: string }>(
    `SELECT sum(pg_total_relation_size(inhrelid)) AS bytes FROM pg_inherits WHERE inhparent = 'history'::regclass`,
  )
  const caller = await callerOf(owner, 0)
  const middle = await owner.query<{ id: string }>(
    'SELECT id FROM history WHERE account_id = $1 ORDER BY id DESC OFFSET 10 LIMIT 1',
    [caller.accountId],
  )
  await owner.end()
  const statements: StatementPlan[] = []
  const db = openDb({ url, poolSize: 1 })
  for (const [what, statement] of statementsOf(db, caller, middle.rows[0]?.id ?? '')) {
    for (const plan of ['custom', 'generic'] as const)
      statements.push(await measurePlan(url, caller, what, statement, plan))
  }
  await db.close()
  return { rows, megabytes: Math.round(Number(size.rows[0]?.bytes) / 1e6), seconds, statements }
}

/** Row n is of account n modulo their number, save that every so many rows one is the probe's, which is account 0. */
async function fill(owner: pg.Client, rows: number): Promise<void> {
  await owner.query('TRUNCATE history')
  const every = rows / PROBE_ROWS
  const atOnce = 500_000
  for (let from = 0; from < rows; from += atOnce) {
    await owner.query(
      `INSERT INTO history
       SELECT ${accountSql('CASE WHEN n % $3 = $3 / 2 THEN 0 ELSE 1 + n % $4 END')},
         (lpad(to_hex(1700000000000 + n * 20), 12, '0') || '7000' || '8' || substr(md5(n::text), 1, 15))::uuid,
         to_timestamp(1700000000 + n * 0.02), '00000000-0000-7000-8000-000000000000', 'shop number ' || n, 1, 'en', '{}',
         '[{"name":"Shop","domains":[{"domain":"shop.com","available":true,"price":"$9.00"}]}]'
       FROM generate_series($1::bigint, $2::bigint - 1) n`,
      [from, Math.min(from + atOnce, rows), every, ACCOUNTS - 1],
    )
  }
  await owner.query('VACUUM ANALYZE history')
}

function accountSql(number: string): string {
  return `md5((${number})::text)::uuid`
}

async function callerOf(owner: pg.Client, number: number): Promise<Caller> {
  const { rows } = await owner.query<{ id: AccountId }>(`SELECT ${accountSql('$1::int')} AS id`, [number])
  const [row] = rows
  if (!row) throw new Error('a SELECT without FROM has a row')
  const keyId = '00000000-0000-7000-8000-000000000000' as KeyId
  return { accountId: row.id, keyId, scopes: SCOPES, quota: WIDE_QUOTA, historyDays: null }
}

/** What `history` sends, word for word. */
function statementsOf(db: Db, caller: Caller, before: string): [string, Statement][] {
  const history = openHistory({ db, now: Date.now })
  const bound = (statement: Own) => ofAccount(caller.accountId, statement)
  // Kept for longer than the oldest record is old, so that there is nothing to expire and all rows to scan.
  const keeping = { ...caller, historyDays: 36_500 }
  const entry = { description: 'x', count: 1, language: 'en', options: '{}', suggestions: '[]' }
  const [expiring] = history.recording(keeping, entry)
  if (!expiring) throw new Error('an account with a retention expires what is older')
  return [
    ['first page', bound(history.listing(caller, {}, { limit: PAGE }))],
    ['next page', bound(history.listing(caller, {}, { limit: PAGE, before }))],
    ['first page with retention', bound(history.listing(keeping, {}, { limit: PAGE }))],
    ['one record', bound(history.finding(caller, before))],
    ['expiring', bound(expiring)],
  ]
}

async function measurePlan(
  url: string,
  { accountId }: Caller,
  what: string,
  { text, values }: Statement,
  plan: 'custom' | 'generic',
): Promise<StatementPlan> {
  const options = `-c role=${APP_ROLE} -c timezone=UTC -c plan_cache_mode=force_${plan}_plan`
  const client = new pg.Client({ connectionString: url, options })
  await client.connect()
  await client.query('BEGIN')
  await client.query(`SELECT set_config('namewright.account_id', $1, true)`, [accountId])
  await client.query(`PREPARE looked_at AS ${text}`)
  const given = values.map((value) =>
    value === null || value === undefined
      ? 'NULL'
      : pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value)),
  )
  const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE looked_at (${given.join()})`
  // The first execution also fills the caches of the connection, which is not what is asked here.
  await client.query(explain)
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explain)
  await client.query('ROLLBACK')
  await client.end()
  const top = rows[0]?.['QUERY PLAN'][0].Plan
  if (!top) throw new Error('EXPLAIN has a row')
  return {
    what,
    plan,
    buffers: top['Shared Hit Blocks'] + top['Shared Read Blocks'],
    returned: top['Actual Rows'],
    scans: scansOf(top),
  }
}

function scansOf(node: PlanNode): string[] {
  const below = (node.Plans ?? []).flatMap(scansOf)
  const table = node['Relation Name']
  return table === undefined || node['Actual Loops'] === 0 ? below : [`${node['Node Type']} ${table}`, ...below]
}

if (import.meta.main) {
  for (const { rows, megabytes, seconds, statements } of await measureGrowth(Number(process.argv[2] ?? 1_000_000))) {
    console.log(`${rows} rows, ${megabytes} MB, filled in ${seconds} s`)
    for (const { what, plan, buffers, returned, scans } of statements) {
      console.log(
        `  ${what}, ${plan} plan: ${buffers} buffers for ${returned} rows by ${scans.join(', ') || 'nothing'}`,
      )
    }
  }
}
