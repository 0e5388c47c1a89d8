/**
 * What happens when a declared route is used: `perform` is the life of a request.
 *
 * Routes, streams, agents' tools and the items of a batch use it, so it knows nothing of HTTP. What a route writes, what
 * it costs and its stored answer are committed together, or nothing is. Units that were reserved and not spent go back.
 */
import { hash } from 'node:crypto'
import type { Static, TSchema } from 'typebox'
import type { Context } from '../context.ts'
import { canonicalJson } from '../model/canonical-json.ts'
import { isViolationOf, ofAccount, type Statement } from '../platform/db/db.ts'
import type { IdempotencyAttempt, StoredAnswer } from '../platform/idempotency/idempotency.ts'
import { withSpan } from '../platform/tracing/trace-context.ts'
import { Ask, JsonText, type Call, type Committed, type Prepare, type Reservation, type Spending } from './ask.ts'
import { successOf } from './wire/texts.ts'
import type { Answer, AnswerTo, Replies, Route } from './route.ts'

export interface Performed<Data> extends StoredAnswer {
  /** Undefined for a replay. */
  readonly data: Data | undefined
  /** The cursor of the next page, if the route lists one. */
  readonly next: string | null
  readonly isReplay: boolean
  /** In suggestions. */
  readonly cost: number
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
  const replay = (stored: StoredAnswer) => replayOf(route.secret ? withSecret(stored, call, app) : stored)
  if (attempt?.answered) return replay(attempt.answered)
  if (route.method !== 'GET' && !route.reads) app.db.requirePrimary()
  const prepare: Prepare = (answer) => prepareCommit(route, call, answer, { attempt, app })
  for (let tries = 1; ; tries++) {
    await using ask = new Ask<Static<B>, Static<P>, Static<Q>>(call, app, prepare)
    try {
      const answer = await runOrCharge(() => route.run(ask, app), ask, call, app)
      const { stored, cost } = ask.committed ?? (await commit(ask, call, answer, await prepare(answer), app))
      await answer.after?.()
      return { ...stored, data: answer.data, next: ask.next, isReplay: false, cost }
    } catch (error) {
      // Of two requests with one key the database accepts the first.
      const first = await attempt?.answerOfWinner(error)
      if (first) return replay(first)
      const isRaceLost = route.retryOn !== undefined && isViolationOf(error, route.retryOn)
      if (!isRaceLost || tries === TRIES) throw error
    }
  }
}

/** A stream that ends early costs the names that it showed, and leaves nothing else. */
async function runOrCharge<A>(run: () => Promise<A>, ask: Ask, call: Call, app: Context): Promise<A> {
  try {
    const answer = await run()
    if (call.sink?.isGone()) throw new DOMException('the client disconnected', 'AbortError')
    return answer
  } catch (error) {
    const { shown, withdrawn } = call.sink?.sentNames() ?? { shown: [], withdrawn: [] }
    if (ask.reserved && shown.length + withdrawn.length > 0) {
      const sent = { id: chargeIdOf(call), names: shown, withdrawn }
      await pay(ask.reserved, call, [], { spending: ask.reserved.spendingInterrupted(sent), units: shown.length }, app)
    }
    throw error
  }
}

/** In one round trip and one transaction. */
async function commit(
  ask: Ask,
  call: Call,
  { spend }: Answer,
  { stored, writes }: Awaited<ReturnType<Prepare>>,
  app: Context,
): Promise<Committed> {
  if (ask.reserved && spend?.of !== ask.reserved) throw new Error(`${call.operation} reserved units and spends none`)
  if (spend) return { stored, cost: await pay(spend.of, call, writes, spendingOf(spend, call), app) }
  if (writes.length > 0) await app.db.as(call.caller.accountId, writes)
  return { stored, cost: 0 }
}

interface Due {
  readonly spending: Statement
  /** The cost, unless `spending` returns less: names charged to an earlier try cost nothing. */
  readonly units: number
}

/** Whole or as a stream, a try with an Idempotency-Key costs only the names that no earlier one was charged for. */
function spendingOf({ names, of }: Spending, call: Call): Due {
  const [id, units] = [chargeIdOf(call), names.length]
  if (id === undefined) return { spending: of.spending(units), units }
  const { shown, withdrawn } = call.sink?.sentNames() ?? { shown: [], withdrawn: [] }
  const final = new Set(names)
  // What the stream has shown and its answer does not contain: the reader is told so, if not yet, after the commit.
  const dropped = [...shown, ...withdrawn].filter((name) => !final.has(name))
  return { spending: of.spendingShown({ id, names, withdrawn: dropped }), units }
}

/** Returns the cost: so many of the reserved units are kept. */
async function pay(
  reservation: Reservation,
  { caller }: Call,
  writes: readonly Statement[],
  { spending, units }: Due,
  app: Context,
): Promise<number> {
  try {
    const results = await withSpan('history.commit', () => app.db.as(caller.accountId, [...writes, spending]))
    const [counted] = (results.at(-1)?.rows ?? []) as readonly { units?: number }[]
    const cost = counted?.units ?? units
    reservation.recordCommit(cost)
    return cost
  } catch (error) {
    throw await reservation.recordFailedCommit(error)
  }
}

// A claim lasts a little longer than the longest request. The claim of a dead node then ends soon.
const CLAIM_SLACK_MS = 5_000

/** What a request with an Idempotency-Key is recognized by; undefined without one. */
function identityOf({ operation, body, caller, key }: Call) {
  if (key === undefined) return undefined
  // Visitors with a publishable key must not occupy the idempotency keys of the account's own programs.
  const space = caller.isPublishable ? caller.keyId : undefined
  return { key, space, operation, body: canonicalJson(body ?? null) }
}

/** What identifies a request in all its tries; undefined if it cannot be tried again. */
function chargeIdOf(call: Call): string | undefined {
  const identity = identityOf(call)
  return identity && hash('sha256', JSON.stringify([call.caller.accountId, identity]))
}

/** Fails as `Idempotency.begin` does. */
async function begin(
  { idempotent }: Pick<Route, 'idempotent'>,
  call: Call,
  app: Context,
): Promise<IdempotencyAttempt | undefined> {
  const identity = identityOf(call)
  if (!identity || !idempotent) return undefined
  const { body, caller } = call
  const withinMs = typeof idempotent.withinMs === 'number' ? idempotent.withinMs : idempotent.withinMs(body, app)
  const limit = caller.plan?.answerBytes ?? null
  return app.idempotency.begin(caller.accountId, { ...identity, maxDurationMs: withinMs + CLAIM_SLACK_MS, limit })
}

async function prepareCommit(
  { localized, secret }: Pick<Route, 'localized' | 'secret'>,
  call: Call,
  { status, data, location, statements }: Answer,
  { attempt, app }: { readonly attempt: IdempotencyAttempt | undefined; readonly app: Context },
): ReturnType<Prepare> {
  const text = data === undefined ? '' : data instanceof JsonText ? data.text : JSON.stringify(data)
  const headers = {
    ...(location !== undefined && { location }),
    ...(localized && { 'content-language': call.language, vary: 'Accept-Language' }),
  }
  const stored = { status, headers, body: text && successOf(text) }
  const own = statements.map((statement) => ofAccount(call.caller.accountId, statement))
  const storing = attempt?.storing(secret ? withoutSecret(stored, call, app) : stored) ?? []
  return { stored, writes: [...own, ...storing, ...((await call.with?.(text)) ?? [])] }
}

const SECRET = /(?<="secret":")[^"]*/
const placeOf = ({ caller }: Call) => `answer ${caller.accountId}`

function withoutSecret({ body, ...rest }: StoredAnswer, call: Call, { seal }: Context): StoredAnswer {
  return { ...rest, body: body.replace(SECRET, (secret) => seal.close(secret, placeOf(call)).toString('base64')) }
}

function withSecret({ body, ...rest }: StoredAnswer, call: Call, { seal }: Context): StoredAnswer {
  return { ...rest, body: body.replace(SECRET, (text) => seal.open(Buffer.from(text, 'base64'), placeOf(call)) ?? '') }
}

const replayOf = (stored: StoredAnswer) => ({ ...stored, data: undefined, next: null, isReplay: true, cost: 0 })
