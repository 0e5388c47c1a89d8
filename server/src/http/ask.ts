/** What a declared route gets: the request, and the rows and units of the account that sent it. */
import type { Context } from '../context.ts'
import type { Caller } from '../model/caller.ts'
import { ApiError } from '../model/errors.ts'
import { ofAccount, type Own, type Statement, type Transaction, type Window } from '../platform/db/db.ts'
import type { StoredAnswer } from '../platform/idempotency/idempotency.ts'
import { withSpan } from '../platform/tracing/trace-context.ts'
import type { Language, Messages } from './wire/language.ts'
import { cutPage } from './page.ts'
import type { Answer } from './route.ts'
import type { RouteContext } from './route-context.ts'
import type { StreamEncoder } from './stream/stream-encoder.ts'

export type Reservation = Awaited<ReturnType<Context['quota']['reserve']>>

/** The names that an answer costs. Only a reservation makes one. */
export interface Spending {
  readonly names: readonly string[]
  readonly of: Reservation
}

/** The reader of a stream. */
export interface Sink {
  /** Sends what the encoder makes of the updates. */
  show<Updates extends readonly unknown[]>(encoder: StreamEncoder<Updates>): (...updates: Updates) => void
  isGone(): boolean
  /** Names that were sent, and those that were taken back. */
  sentNames(): { readonly shown: readonly string[]; readonly withdrawn: readonly string[] }
}

/** One use of a route, over HTTP, by a tool or by a job. */
export interface Call {
  /** Method and path as they were requested. An Idempotency-Key is bound to it. */
  readonly operation: string
  /** Body, params and query are checked by the schemas of the route. */
  readonly body?: unknown
  readonly params?: unknown
  readonly query?: unknown
  readonly caller: Caller
  /** The address, which counts for visitors. */
  readonly ip?: string
  /** Its Idempotency-Key, if the route heeds one. */
  readonly key?: string | undefined
  readonly cursors?: RouteContext['cursors']
  /** Of the texts in the answer. */
  readonly language: Language
  readonly messages: Messages
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal
  /** For a stream. */
  readonly sink?: Sink
  /** For work whose units are reserved already. */
  readonly quota?: Pick<Context['quota'], 'reserve'>
  /** What else is committed with the answer, whose `data` it gets as JSON text. */
  readonly with?: (data: string) => Promise<readonly Statement[]>
}

/** JSON text that becomes a part of the response unparsed. */
export class JsonText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** What a commit writes besides the spending, and what it stores and sends. */
export type Prepare = (
  answer: Answer,
) => Promise<{ readonly stored: StoredAnswer; readonly writes: readonly Statement[] }>

export interface Committed {
  readonly stored: StoredAnswer
  readonly cost: number
}

/** Used for one try. */
export class Ask<Body = unknown, Params = unknown, Query = unknown> implements AsyncDisposable {
  readonly body: Body
  readonly params: Params
  readonly query: Query
  /** The cursor of the page after the one that `list` returned. */
  next: string | null = null
  reserved: Reservation | undefined
  /** What `transaction` has committed. */
  committed: Committed | undefined
  readonly #call: Call
  readonly #app: Context
  readonly #prepare: Prepare

  constructor(call: Call, app: Context, prepare: Prepare) {
    this.body = call.body as Body
    this.params = call.params as Params
    this.query = call.query as Query
    this.#call = call
    this.#app = app
    this.#prepare = prepare
  }

  get caller(): Caller {
    return this.#call.caller
  }

  get ip(): string | undefined {
    return this.#call.ip
  }

  get language(): Language {
    return this.#call.language
  }

  get messages(): Messages {
    return this.#call.messages
  }

  /** Aborts when the caller disconnects. */
  get signal(): AbortSignal {
    return this.#call.signal
  }

  /** Only if the caller reads a stream. */
  get sink(): Sink | undefined {
    return this.#call.sink
  }

  async find<Row>(statement: Own<Row>): Promise<Row | undefined> {
    return (await this.#read(statement))[0]
  }

  /**
   * The page, newest first, that `limit` and `cursor` of the query ask for. A cursor is bound to the name of the list, to
   * the other fields of the query and to `of`. Fails with invalid_cursor.
   */
  async list<Row extends { readonly id: string }>(
    list: string,
    statementOf: (window: Window) => Own<Row>,
    of: Readonly<Record<string, string>> = {},
  ): Promise<readonly Row[]> {
    const { cursors } = this.#call
    if (!cursors) throw new Error('a list needs cursors')
    const { limit, cursor, ...rest } = this.query as { readonly limit?: number; readonly cursor?: string }
    const { accountId: account } = this.caller
    const page = cutPage({ cursors }, { list, account, filter: { ...rest, ...of }, limit, cursor })
    const { shown, next } = page.cut(await this.#read(statementOf(page.window)))
    this.next = next
    return shown
  }

  /** Writes at once, for an answer that depends on what was there. Returns the first row. */
  async write<Row>(statement: Own<Row>): Promise<Row | undefined> {
    if (this.#call.key !== undefined) throw new Error('beside an Idempotency-Key a write belongs to the answer')
    const { accountId } = this.caller
    const [written] = await this.#app.db.as(accountId, [ofAccount(accountId, statement)])
    return written.rows[0]
  }

  /** Call it before the work. Fails with quota_exceeded. Returns what makes the spending of the answer. */
  async reserve(units: number): Promise<(names: readonly string[]) => Spending> {
    const { quota = this.#app.quota } = this.#call
    const of = await withSpan('quota.reserve', () => quota.reserve(this.caller, units))
    this.reserved = of
    return (names) => ({ names, of })
  }

  /**
   * For an answer that depends on what was written: `work` and what it answers are one transaction. It holds a connection,
   * so nothing else is waited for in it. If it returns an error, what it wrote is committed before the request fails.
   */
  async transaction<A extends Answer>(work: (tx: Transaction) => Promise<A | ApiError>): Promise<A> {
    if (this.reserved) throw new Error('units are spent by an answer, not in a transaction')
    const found = await this.#app.db.transaction(this.caller.accountId, async (tx) => {
      const answer = await work(tx)
      if (answer instanceof ApiError) return answer
      const { stored, writes } = await this.#prepare(answer)
      for (const statement of writes) await tx.run(statement)
      return { answer, stored }
    })
    if (found instanceof ApiError) throw found
    this.committed = { stored: found.stored, cost: 0 }
    return found.answer
  }

  async #read<Row>(statement: Own<Row>): Promise<readonly Row[]> {
    const { accountId } = this.caller
    const [found] = await this.#app.db.read(accountId, [ofAccount(accountId, statement)])
    return found.rows
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.reserved?.[Symbol.asyncDispose]()
  }
}
