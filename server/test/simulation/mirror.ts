/**
 * The real thing with its likeness beside it: every statement and every script goes to PostgreSQL or Redis and to the
 * memory, and whoever answers otherwise is reported. What the code under test gets is the real answer.
 *
 * One after the other: which of two transactions comes first is for each of the two to say, and they would say different
 * things.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Cache } from '../../src/platform/cache/cache.ts'
import { accountOf, sqlStateOf } from '../../src/platform/db/db.ts'
import type { Acting, Db, Rows, Statement, Transaction } from '../../src/platform/db/db.ts'
import type { MemoryRedis } from './memory-cache.ts'
import type { MemoryPostgres, Tx } from './memory-db.ts'

type Outcome = { readonly rows: Rows<unknown> } | { readonly refused: string }

export function mirrorDb(real: Db, memory: MemoryPostgres, differs: (what: string) => void): Db {
  function compare({ name }: Statement, theirs: Outcome, ours: Outcome): void {
    const [a, b] = [shown(theirs, ours), shown(ours, ours)]
    if (!isDeepStrictEqual(a, b))
      differs(`${name}: PostgreSQL says ${JSON.stringify(a)}, the memory ${JSON.stringify(b)}`)
  }

  function execute(tx: Tx, statement: Statement): Outcome {
    try {
      const rows = memory.execute(tx, statement)
      if (!rows) throw new Error(`${statement.name} waits, and nobody else is there`)
      return { rows }
    } catch (error) {
      return { refused: refusalOf(error) }
    }
  }

  let before: Promise<unknown> = Promise.resolve()
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = before.then(work)
    before = mine.catch(() => {})
    return mine
  }

  const alone: Db['as'] = async (acting, statements) => {
    const tx = memory.begin(accountOf(acting))
    const ours: Outcome[] = []
    for (const statement of statements) {
      ours.push(execute(tx, statement))
      if (ours.some((one) => 'refused' in one)) break
    }
    const refused = ours.find((one) => 'refused' in one)
    if (refused) memory.rollback(tx)
    else memory.commit(tx)
    try {
      const theirs = await real.as(acting, statements)
      statements.forEach((statement, i) =>
        compare(statement, { rows: theirs[i] as Rows<unknown> }, ours[i] ?? { refused: 'nothing' }),
      )
      return theirs
    } catch (error) {
      const last = statements[ours.length - 1]
      if (last) compare(last, { refused: refusalOf(error) }, ours.at(-1) ?? { refused: 'nothing' })
      throw error
    }
  }

  const as: Db['as'] = (acting, statements) => inTurn(() => alone(acting, statements))

  const lookup = <R>(statement: Statement<R>): Promise<Rows<R>> =>
    inTurn(async () => {
      const tx = memory.begin('')
      const ours = execute(tx, statement)
      memory.commit(tx)
      const theirs = await real.lookup(statement)
      compare(statement, { rows: theirs }, ours)
      return theirs
    })

  return {
    ...real,
    as,
    read: as,
    lookup,
    find: lookup,
    transaction: (acting, work) => inTurn(() => held(acting, work)),
  }

  async function held<T>(acting: Acting, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const tx = memory.begin(accountOf(acting))
    try {
      const result = await real.transaction(acting, (theirTx) =>
        work({
          async run(statement) {
            const ours = execute(tx, statement)
            try {
              const theirs = await theirTx.run(statement)
              compare(statement, { rows: theirs }, ours)
              return theirs
            } catch (error) {
              compare(statement, { refused: refusalOf(error) }, ours)
              throw error
            }
          },
        }),
      )
      memory.commit(tx)
      return result
    } catch (error) {
      memory.rollback(tx)
      throw error
    }
  }
}

export function mirrorCache(real: Cache, memory: MemoryRedis, differs: (what: string) => void): Cache {
  const compare = (what: string, a: unknown, b: unknown) => {
    if (!isDeepStrictEqual(a, b)) differs(`${what}: Redis says ${JSON.stringify(a)}, the memory ${JSON.stringify(b)}`)
  }
  return {
    ...real,
    async run(lua, keys, args) {
      // Two clocks are never read at one moment: both scripts are told it.
      const [seconds, micros] = [args.length + 1, args.length + 2]
      const timed = lua.replaceAll(`redis.call('TIME')`, `{ ARGV[${seconds}], ARGV[${micros}] }`)
      const at = Date.now()
      const told = timed === lua ? args : [...args, Math.floor(at / 1000), (at % 1000) * 1000]
      const ours = memory.run(timed, keys, told)
      const theirs = await real.run(timed, keys, told)
      compare(lua, theirs, ours)
      return theirs
    },
    async claim(key, value, ttlMs) {
      const ours = memory.call('SET', [key, value, 'PX', String(ttlMs), 'NX', 'GET'])
      const theirs = await real.claim(key, value, ttlMs)
      compare('claim', theirs, ours === false ? null : ours)
      return theirs
    },
    async release(key, value) {
      if (memory.call('GET', [key]) === value) memory.call('DEL', [key])
      await real.release(key, value)
    },
  }
}

function refusalOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  const constraint = cause instanceof Error && 'constraint' in cause ? cause.constraint : ''
  return `${sqlStateOf(cause)} ${typeof constraint === 'string' ? constraint : ''}`.trim() || String(error)
}

// Read off a clock of the database's own, or written by who is not waited for.
const BY_ITS_CLOCK = new Set(['ttl_ms', 'read_at', 'revoked_at', 'last_used_at', 'enqueue_jobs', 'finish_job'])

/** PostgreSQL writes the same JSON with other spaces. */
function comparable(cell: unknown): unknown {
  if (Buffer.isBuffer(cell)) return cell.toString('hex')
  return typeof cell === 'string' && cell.startsWith('{') ? (JSON.parse(cell) as unknown) : cell
}

/** The columns that the memory knows; in an order of their own where the statement has none. */
function shown(outcome: Outcome, known: Outcome): unknown {
  if (!('rows' in outcome)) return outcome
  const [like] = 'rows' in known ? (known.rows.rows as object[]) : []
  const names = Object.keys(like ?? {}).filter((name) => !BY_ITS_CLOCK.has(name))
  const rows = (outcome.rows.rows as Record<string, unknown>[]).map((row) =>
    JSON.stringify(names.map((name) => comparable(row[name]))),
  )
  return { count: outcome.rows.count, rows: rows.toSorted() }
}
