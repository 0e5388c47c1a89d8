/**
 * PostgreSQL in memory, every round trip a step of the schedule. Statements are known by their names (`statements/`).
 *
 * READ COMMITTED, as far as our statements can tell: a transaction sees what is committed and what it has written
 * itself; who writes or locks a row that another transaction has, waits for its end and then reads again; who closes a
 * circle of those who wait is refused with 40P01. What fails undoes its whole transaction.
 *
 * Rows are never changed, only replaced; so undoing is putting back.
 */
import { ApiError } from '../../src/errors.ts'
import { accountOf, asUnavailable, NotWritten } from '../../src/platform/db/db.ts'
import type { Acting, Db, Rows, Statement, Transaction } from '../../src/platform/db/db.ts'
import type { Dice } from './dice.ts'
import type { Schedule, SimulatedNode } from './schedule.ts'

export type Row = Readonly<Record<string, unknown>>
type Table = Map<string, Row>

/** What a statement may do. */
export interface Hands {
  /** now(): when the transaction began. */
  readonly now: number
  /** clock_timestamp() */
  readonly clock: number
  /** Of the transaction; empty outside of one. */
  readonly account: string
  rows(table: string): Row[]
  get(table: string, key: string): Row | undefined
  lock(table: string, key: string): void
  put(table: string, key: string, row: Row): void
  /** False when it is there already. */
  insert(table: string, key: string, row: Row): boolean
  remove(table: string, key: string): void
  /** The next number of a sequence; never given back. */
  next(sequence: string): number
}

export type Interpreted = (hands: Hands, values: readonly unknown[]) => { rows?: Row[]; count?: number }

/** As node-postgres reports an error. */
export class Refused extends Error {
  readonly code: string
  readonly constraint: string | undefined

  constructor(code: string, constraint?: string) {
    super(`${code} ${constraint ?? ''}`)
    this.code = code
    this.constraint = constraint
  }
}

/** Somebody else has the row. */
class Wait extends Error {
  readonly holder: Tx

  constructor(holder: Tx) {
    super('wait')
    this.holder = holder
  }
}

export interface Tx {
  readonly startedAt: number
  readonly account: string
  readonly written: Map<string, Map<string, Row | undefined>>
  readonly locks: Set<string>
  waitsFor: Tx | undefined
  state: 'open' | 'over'
}

/** The server: what all nodes share. Nothing here waits. */
export type MemoryPostgres = ReturnType<typeof createMemoryPostgres>

export function createMemoryPostgres(options: { now: () => number; statements: ReadonlyMap<string, Interpreted> }) {
  const { now, statements } = options
  const tables = new Map<string, Table>()
  const lockedBy = new Map<string, Tx>()
  const sequences = new Map<string, number>()
  const open = new Set<Tx>()
  let commits = 0

  const tableOf = (name: string): Table => {
    let table = tables.get(name)
    if (!table) tables.set(name, (table = new Map()))
    return table
  }

  function handsOf(tx: Tx, undo: (() => void)[]): Hands {
    function own(table: string): Map<string, Row | undefined> {
      let mine = tx.written.get(table)
      if (!mine) tx.written.set(table, (mine = new Map()))
      return mine
    }

    function lock(table: string, key: string): void {
      const name = `${table} ${key}`
      const holder = lockedBy.get(name)
      if (holder === tx) return
      if (holder) throw new Wait(holder)
      lockedBy.set(name, tx)
      tx.locks.add(name)
    }

    function write(table: string, key: string, row: Row | undefined): void {
      lock(table, key)
      const mine = own(table)
      const [had, before] = [mine.has(key), mine.get(key)]
      undo.push(() => (had ? mine.set(key, before) : mine.delete(key)))
      mine.set(key, row)
    }

    const get = (table: string, key: string) => {
      const mine = tx.written.get(table)
      return mine?.has(key) ? mine.get(key) : tableOf(table).get(key)
    }

    return {
      now: tx.startedAt,
      clock: now(),
      account: tx.account,
      get,
      lock,
      rows(table) {
        const mine = tx.written.get(table)
        if (!mine) return [...tableOf(table).values()]
        const rows = [...tableOf(table)].filter(([key]) => !mine.has(key)).map(([, row]) => row)
        return [...rows, ...mine.values().filter((row) => row !== undefined)]
      },
      put: write,
      insert(table, key, row) {
        lock(table, key)
        if (get(table, key)) return false
        write(table, key, row)
        return true
      },
      remove: (table, key) => write(table, key, undefined),
      next(sequence) {
        const number = (sequences.get(sequence) ?? 0) + 1
        sequences.set(sequence, number)
        return number
      },
    }
  }

  function begin(account: string): Tx {
    const tx: Tx = {
      startedAt: now(),
      account,
      written: new Map(),
      locks: new Set(),
      waitsFor: undefined,
      state: 'open',
    }
    open.add(tx)
    return tx
  }

  function end(tx: Tx): void {
    for (const name of tx.locks) lockedBy.delete(name)
    tx.state = 'over'
    open.delete(tx)
  }

  /** Undefined: it has to wait for another transaction. */
  function execute<R>(tx: Tx, { name, values }: Statement<R>): Rows<R> | undefined {
    const interpreted = statements.get(name)
    if (!interpreted)
      throw new Unknown(`no statement ${name} is known here: write it in server/test/simulation/statements/`)
    const undo: (() => void)[] = []
    tx.waitsFor = undefined
    try {
      const { rows = [], count = rows.length } = interpreted(handsOf(tx, undo), values)
      return { rows: rows as R[], count }
    } catch (error) {
      if (!(error instanceof Wait)) throw error
      for (const one of undo.toReversed()) one()
      for (let one: Tx | undefined = error.holder; one; one = one.waitsFor) if (one === tx) throw new Refused('40P01')
      tx.waitsFor = error.holder
      return undefined
    }
  }

  function commit(tx: Tx): void {
    for (const [name, written] of tx.written) {
      const table = tableOf(name)
      for (const [key, row] of written) {
        if (row) table.set(key, row)
        else table.delete(key)
      }
    }
    if (tx.written.size > 0) commits++
    end(tx)
  }

  return {
    begin,
    execute,
    commit,
    rollback: (tx: Tx) => {
      if (tx.state === 'open') end(tx)
    },
    isReady: (tx: Tx) => tx.waitsFor === undefined || tx.waitsFor.state === 'over',
    /** As when it fails over: whatever is not committed is gone. */
    endAll: () => {
      for (const tx of open) end(tx)
    },
    /** How often anything was changed. */
    commits: () => commits,
    /** For assertions, past every step. */
    rows: (table: string): Row[] => [...tableOf(table).values()],
    set: (table: string, key: string, row: Row): void => void tableOf(table).set(key, row),
  }
}

/** A mistake of the simulation itself. */
export class Unknown extends Error {}

export interface DbFaults {
  isDown: boolean
  /** Whether single connections are lost, too. */
  losesConnections: boolean
}

const LOST_ONE_IN = 30
/** One in so many statements of a batch lets others come in between. */
const PAUSE_ONE_IN = 5

/** What one node has of it. */
export function openMemoryDb(options: {
  schedule: Schedule
  dice: Dice
  postgres: MemoryPostgres
  faults: DbFaults
  node: SimulatedNode
  onUnknown: (error: Unknown) => void
}): Db {
  const { schedule, dice, postgres, faults, node, onUnknown } = options
  const isUnreachable = () => faults.isDown || schedule.now() < node.cutOffUntil
  const notWritten = () => new NotWritten('unavailable', { retryAfter: 2 })
  const lost = () => new Error('Connection terminated unexpectedly')
  const isLost = () => faults.losesConnections && dice.oneIn(LOST_ONE_IN)

  function failure(error: unknown): { error: unknown } {
    if (error instanceof Unknown) onUnknown(error)
    return { error }
  }

  /** All of them in one round trip; `tx` is there when it is not to end with them. */
  function send(account: string, statements: readonly Statement[]): Promise<Rows<unknown>[]> {
    let tx: Tx | undefined
    let isSent = false
    const answers: Rows<unknown>[] = []
    return schedule.ask({
      label: `db ${statements.map(({ name }) => name).join(', ')}`,
      node,
      isReady: () => tx === undefined || postgres.isReady(tx),
      abandon: () => tx && postgres.rollback(tx),
      act() {
        if (!isSent && isUnreachable()) return { error: notWritten() }
        isSent = true
        if (isLost() || tx?.state === 'over' || isUnreachable()) {
          if (tx) postgres.rollback(tx)
          schedule.note('      the connection is lost')
          return { error: asUnavailable(lost()) }
        }
        tx ??= postgres.begin(account)
        try {
          for (let statement = statements[answers.length]; statement; statement = statements[answers.length]) {
            const answer = postgres.execute(tx, statement)
            if (!answer) return 'again'
            answers.push(answer)
            if (answers.length < statements.length && dice.oneIn(PAUSE_ONE_IN)) return 'again'
          }
        } catch (error) {
          schedule.note(`      refused: ${String(error)}`)
          postgres.rollback(tx)
          return failure(asUnavailable(error))
        }
        postgres.commit(tx)
        if (!isLost()) return { value: answers }
        schedule.note('      it is committed, and the answer is lost')
        return { error: asUnavailable(lost()) }
      },
    })
  }

  async function transaction<T>(acting: Acting, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const account = accountOf(acting)
    let tx: Tx | undefined
    const abandon = () => tx && postgres.rollback(tx)
    const round = <R>(label: string, act: (tx: Tx) => R | undefined): Promise<R> =>
      schedule.ask<R>({
        label: `db ${label}`,
        node,
        isReady: () => tx === undefined || postgres.isReady(tx),
        abandon,
        act() {
          if (isLost() || !tx || tx.state === 'over' || isUnreachable()) {
            schedule.note('      the connection is lost')
            return { error: lost() }
          }
          try {
            const value = act(tx)
            return value === undefined ? 'again' : { value }
          } catch (error) {
            schedule.note(`      refused: ${String(error)}`)
            return failure(error)
          }
        },
      })
    await schedule.ask<true>({
      label: 'db BEGIN',
      node,
      abandon,
      act() {
        if (isUnreachable()) return { error: notWritten() }
        tx = postgres.begin(account)
        return { value: true }
      },
    })
    try {
      const result = await work({
        run: (statement) => round(statement.name, (open) => postgres.execute(open, statement)),
      })
      await round('COMMIT', (open) => {
        postgres.commit(open)
        if (isLost()) throw lost()
        return true
      })
      return result
    } catch (error) {
      if (tx) postgres.rollback(tx)
      throw asUnavailable(error)
    }
  }

  const as: Db['as'] = async (acting, statements) => (await send(accountOf(acting), statements)) as never
  const lookup = async <R>(statement: Statement<R>) => (await send('', [statement]))[0] as Rows<R>
  const readEach: Db['readEach'] = (statements) =>
    Promise.all([...statements].map(async ([account, statement]) => (await send(account, [statement]))[0] as never))
  const db = {
    as,
    readEach,
    // The standby is as the primary was: it follows it without loss.
    read: as,
    transaction,
    asPerson: () => Promise.reject(new ApiError('internal')),
    lookup,
    find: lookup,
    isUp: async () => !isUnreachable(),
    isPrimaryDown: isUnreachable,
    use: () => ({ open: 0, idle: 0, waiting: 0 }),
    onBack: () => {},
    isPrimary: async () => true,
    close: async () => {},
  }
  return db
}
