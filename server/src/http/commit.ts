/**
 * What happens when a declared route is used: `perform` is the life of a request, `Ask` is what the route gets for it.
 * Routes and agents' tools call it, so it knows nothing of HTTP.
 */
import type { Static, TSchema } from 'typebox'
import type { Context } from '../context.ts'
import { canonicalJson } from '../model/canonical-json.ts'
import type { AccountId, Caller } from '../model/caller.ts'
import { isViolationOf, ofAccount, type Own, type Statement, type Window } from '../platform/db/db.ts'
import type { IdempotencyAttempt, StoredAnswer } from '../platform/idempotency/idempotency.ts'
import { successOf } from './wire/texts.ts'
import { cutPage } from './page.ts'
import type { Answer, AnswerTo, Replies, Route } from './route.ts'
import type { RouteContext } from './route-context.ts'

/** One use of a route, over HTTP or by a tool. */
export interface Call {
  /** Method and path as they were requested. An Idempotency-Key is bound to it. */
  readonly operation: string
  /** Body, params and query are checked by the schemas of the route. */
  readonly body?: unknown
  readonly params?: unknown
  readonly query?: unknown
  readonly caller: Caller
  /** Its Idempotency-Key, if the route heeds one. */
  readonly key?: string | undefined
  readonly cursors: RouteContext['cursors']
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal
}

export interface Performed<Data> extends StoredAnswer {
  /** Undefined for a replay. */
  readonly data: Data | undefined
  /** The cursor of the next page, if the route lists one. */
  readonly next: string | null
  readonly isReplay: boolean
}

/** JSON text that becomes a part of the response unparsed. */
export class JsonText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** What a route gets: the request, and the rows of the caller's account. Used for one try. */
export class Ask<Body = unknown, Params = unknown, Query = unknown> {
  readonly body: Body
  readonly params: Params
  readonly query: Query
  readonly caller: Caller
  /** The cursor of the page after the one that `list` returned. */
  next: string | null = null
  readonly #call: Call
  readonly #app: Context

  constructor(call: Call, app: Context) {
    this.body = call.body as Body
    this.params = call.params as Params
    this.query = call.query as Query
    this.caller = call.caller
    this.#call = call
    this.#app = app
  }

  /** Aborts when the caller disconnects. */
  get signal(): AbortSignal {
    return this.#call.signal
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
    const { limit, cursor, ...rest } = this.query as { readonly limit?: number; readonly cursor?: string }
    const { accountId: account } = this.caller
    const page = cutPage(this.#call, { list, account, filter: { ...rest, ...of }, limit, cursor })
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

  async #read<Row>(statement: Own<Row>): Promise<readonly Row[]> {
    const { accountId } = this.caller
    const [found] = await this.#app.db.read(accountId, [ofAccount(accountId, statement)])
    return found.rows
  }
}

// Whoever loses a race finds the row of the winner, unless that is deleted at once.
const TRIES = 3

/** A stored answer is replayed. Else the route runs, and what it writes is committed with the stored answer, or nothing is. */
export async function perform<B extends TSchema, P extends TSchema, Q extends TSchema, R extends Replies>(
  route: Route<B, P, Q, R>,
  call: Call,
  app: Context,
): Promise<Performed<AnswerTo<R>['data']>> {
  await using attempt = await begin(route, call, app)
  if (attempt?.answered) return replayOf(attempt.answered)
  if (route.method !== 'GET') app.db.requirePrimary()
  for (let tries = 1; ; tries++) {
    const ask = new Ask<Static<B>, Static<P>, Static<Q>>(call, app)
    const answer = await route.run(ask, app)
    const stored = storedOf(answer)
    try {
      await commit(app, call.caller.accountId, answer.statements, attempt?.storing(stored))
      return { ...stored, data: answer.data, next: ask.next, isReplay: false }
    } catch (error) {
      // Of two requests with one key the database accepts the first.
      const first = await attempt?.answerOfWinner(error)
      if (first) return replayOf(first)
      const isRaceLost = route.retryOn !== undefined && isViolationOf(error, route.retryOn)
      if (!isRaceLost || tries === TRIES) throw error
    }
  }
}

/** In one round trip and one transaction. */
async function commit(
  app: Context,
  account: AccountId,
  statements: readonly Own[],
  storing: readonly Statement[] = [],
): Promise<void> {
  const writes = [...statements.map((statement) => ofAccount(account, statement)), ...storing]
  if (writes.length > 0) await app.db.as(account, writes)
}

// A claim lasts a little longer than the longest request. The claim of a dead node then ends soon.
const CLAIM_SLACK_MS = 5_000

type Identified = Pick<Call, 'operation' | 'body' | 'caller'> & { readonly key: string }

/** What a request with an Idempotency-Key is recognized by. */
export function identityOf({ operation, body, caller, key }: Identified) {
  // Visitors with a publishable key must not occupy the idempotency keys of the account's own programs.
  const space = caller.isPublishable ? caller.keyId : undefined
  return { key, space, operation, body: canonicalJson(body ?? null) }
}

async function begin(
  { idempotent }: Pick<Route, 'idempotent'>,
  { operation, body, caller, key }: Call,
  app: Context,
): Promise<IdempotencyAttempt | undefined> {
  if (key === undefined || !idempotent) return undefined
  return beginAttempt(app, caller, identityOf({ operation, body, caller, key }), idempotent.withinMs)
}

/** Fails as `Idempotency.begin` does. */
export function beginAttempt(
  { idempotency }: Pick<Context, 'idempotency'>,
  { accountId, plan }: Caller,
  identity: ReturnType<typeof identityOf>,
  withinMs: number,
): Promise<IdempotencyAttempt> {
  const limit = plan?.answerBytes ?? null
  return idempotency.begin(accountId, { ...identity, maxDurationMs: withinMs + CLAIM_SLACK_MS, limit })
}

function storedOf({ status, data, location }: Answer): StoredAnswer {
  const headers = location === undefined ? {} : { location }
  if (data === undefined) return { status, headers, body: '' }
  return { status, headers, body: successOf(data instanceof JsonText ? data.text : JSON.stringify(data)) }
}

const replayOf = (stored: StoredAnswer) => ({ ...stored, data: undefined, next: null, isReplay: true })
