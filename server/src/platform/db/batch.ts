/**
 * Several statements in one round trip and one transaction.
 *
 * The usual way to write under row-level security is BEGIN, set_config, the statements, COMMIT: five round trips and as
 * many wake-ups of both processes. The extended protocol makes this unnecessary: everything between two Syncs is one
 * implicit transaction (PostgreSQL manual, "Extended Query"). So the statements are bound and executed in a row with a
 * single Sync after the last. The first failure aborts all of them.
 *
 * node-postgres accepts an object with `submit` in its queue; this is such an object. It parses each named statement
 * once per connection and requests a row description only then.
 */
import pg from 'pg'
import type { Connection, Submittable } from 'pg'
import type { AccountId } from '../../model/caller.ts'

export type SqlValue = string | number | boolean | Date | Buffer | readonly string[] | null | undefined

export interface Statement<Row = unknown> {
  /** Unique per text: it names the prepared statement. */
  readonly name: string
  readonly text: string
  readonly values: readonly SqlValue[]
  /** Allows the whole batch more time than the normal statement timeout. */
  readonly mostMs?: number
  /** Never set; it only carries the type of a row. */
  readonly row?: Row
}

export function sql<Row>(name: string, text: string, values: readonly SqlValue[]): Statement<Row> {
  return { name, text, values }
}

/** A statement on rows of one account: `$1` is the account, which whoever runs it fills in. */
export interface Own<Row = unknown> extends Omit<Statement<Row>, 'values'> {
  /** From `$2` on. */
  readonly more: readonly SqlValue[]
}

export function own<Row>(name: string, text: string, more: readonly SqlValue[]): Own<Row> {
  return { name, text, more }
}

export function ofAccount<Row>(account: AccountId, { more, ...statement }: Own<Row>): Statement<Row> {
  return { ...statement, values: [account, ...more] }
}

/** A page of a list, newest first. Its statement asks for one row more, which tells whether there is a next page. */
export interface Window {
  readonly limit: number
  readonly before?: string
}

export interface Rows<Row> {
  readonly rows: readonly Row[]
  /** Rows returned or written. */
  readonly count: number
}

export type RowsOf<S extends readonly Statement[]> = {
  readonly [I in keyof S]: S[I] extends Statement<infer Row> ? Rows<Row> : never
}

interface ColumnField {
  readonly name: string
  readonly parse: (text: string) => unknown
}

/** Per connection: the statements that the server has parsed, with their result columns. */
export type Parsed = WeakMap<Connection, Map<string, ColumnField[]>>

interface QueryAnswer {
  fields: ColumnField[]
  rows: Record<string, unknown>[]
  count: number
}

export class StatementBatch implements Submittable {
  /** Resolves after Sync, that is after the commit. */
  readonly done: Promise<QueryAnswer[]>
  readonly #statements: readonly Statement[]
  readonly #parsed: Parsed
  readonly #answers: QueryAnswer[] = []
  readonly #settle: { resolve: (answers: QueryAnswer[]) => void; reject: (error: unknown) => void }
  #current = 0
  #fresh: { known: Map<string, ColumnField[]>; names: string[] } | undefined

  constructor(statements: readonly Statement[], parsed: Parsed) {
    this.#statements = statements
    this.#parsed = parsed
    const { promise, resolve, reject } = Promise.withResolvers<QueryAnswer[]>()
    this.done = promise
    this.#settle = { resolve, reject }
  }

  submit(connection: Connection): void {
    let known = this.#parsed.get(connection)
    if (!known) this.#parsed.set(connection, (known = new Map()))
    this.#fresh = { known, names: [] }
    const wire = connection as Connection & { stream: NodeJS.WritableStream & { cork(): void; uncork(): void } }
    wire.stream.cork()
    for (const { name, text, values } of this.#statements) {
      const fields = known.get(name)
      this.#answers.push({ fields: fields ?? [], rows: [], count: 0 })
      if (!fields && !this.#fresh.names.includes(name)) {
        this.#fresh.names.push(name)
        connection.parse({ name, text, types: [] }, true)
      }
      connection.bind({ statement: name, values: values.map(toWire) }, true)
      if (!fields) connection.describe({ type: 'P', name: '' }, true)
      connection.execute({ portal: '', rows: '0' }, true)
    }
    connection.sync()
    wire.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    const answer = this.#answers[this.#current]
    if (answer) answer.fields = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }))
  }

  handleDataRow({ fields: values }: { fields: readonly (string | null)[] }): void {
    const answer = this.#answers[this.#current]
    if (!answer) return
    const row: Record<string, unknown> = {}
    answer.fields.forEach(({ name, parse }, i) => {
      const value = values[i]
      row[name] = value === null || value === undefined ? null : parse(value)
    })
    answer.rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    const answer = this.#answers[this.#current]
    // "INSERT 0 1", "SELECT 20": the last number is the count.
    if (answer) answer.count = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0
    this.#current++
  }

  handleEmptyQuery(): void {
    this.#current++
  }

  handleError(error: unknown): void {
    this.#settle.reject(error)
  }

  handleReadyForQuery(): void {
    this.#statements.forEach(({ name }, i) => {
      const answer = this.#answers[i]
      if (answer && this.#fresh?.names.includes(name)) this.#fresh.known.set(name, answer.fields)
    })
    this.#settle.resolve(this.#answers)
  }
}

const BOOL = 16
const BYTEA = 17
const INT8 = 20
const INT2 = 21
const INT4 = 23
const TEXT_ARRAY: number = 1009
const TIMESTAMPTZ = 1184

/** By type id, as in pg_type. JSON stays text: splicing it into responses costs a seventh of parsing it. */
function parserOf(oid: number): (text: string) => unknown {
  switch (oid) {
    case BOOL:
      return (text) => text === 't'
    case BYTEA:
      return (text) => Buffer.from(text.slice(2), 'hex')
    // Our counters stay far below 2^53.
    case INT2:
    case INT4:
    case INT8:
      return Number
    case TEXT_ARRAY:
      // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- its list of ids leaves the arrays out
      return pg.types.getTypeParser(TEXT_ARRAY)
    // The session runs in UTC, so the text ends in +00.
    case TIMESTAMPTZ:
      return (text) => new Date(`${text.replace(' ', 'T')}:00`)
    default:
      return (text) => text
  }
}

function toWire(value: SqlValue): string | Buffer | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? `{${value.map(arrayItem).join(',')}}` : String(value)
}

function arrayItem(item: string): string {
  return `"${item.replace(/[\\"]/g, '\\$&')}"`
}
