/**
 * A route as one declaration: its path, access, words, schemas and work. The Fastify route, the access check and the
 * OpenAPI operation come from it. `perform` in `commit.ts` is what a request goes through.
 */
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Context } from '../context.ts'
import { ApiError } from '../model/errors.ts'
import type { Scope } from '../model/caller.ts'
import type { Own } from '../platform/db/db.ts'
import type { Access } from './access.ts'
import { sessionOf } from './auth.ts'
import { perform, type Ask, type Call, type JsonText } from './commit.ts'
import { linkTo } from './page.ts'
import type { RouteContext } from './route-context.ts'

export { JsonText } from './commit.ts'
/** What the service consists of. */
export type { Context as App } from '../context.ts'

export type Replies = Readonly<Record<number, TSchema>>

export interface Answer<Status = number, Data = unknown> {
  readonly status: Status
  readonly data: Data
  readonly statements: readonly Own[]
  readonly location?: string | undefined
}

/** What is sent may be read-only. */
export type Shown<T> = T extends object ? { readonly [K in keyof T]: Shown<T[K]> } : T
/** A schema without data is that of 204. */
export type DataOf<T extends TSchema> =
  Static<T> extends { data: infer Data } ? Shown<Data> | JsonText : unknown extends Static<T> ? unknown : undefined
/** One of the declared replies, with the data of its schema. */
export type AnswerTo<R extends Replies> = { [S in keyof R & number]: Answer<S, DataOf<R[S]>> }[keyof R & number]

/** `statements` are committed before the response is sent. */
export const answer = <const Status extends number, Data>(
  status: Status,
  data: Data,
  statements: readonly Own[] = [],
  { location }: { readonly location?: string } = {},
): Answer<Status, Data> => ({ status, data, statements, location })

export const noContent = answer(204, undefined)

interface Declared<B extends TSchema, P extends TSchema, Q extends TSchema, R extends Replies> {
  /** Parameters are written `{id}`. */
  readonly path: `/v1/${string}`
  /** The name of the function in generated clients. */
  readonly id: string
  readonly summary: string
  /** What a caller should know before using it. */
  readonly description: string
  readonly access: Access
  readonly load?: Pick<FastifyContextConfig, 'priority'>
  /** A unique constraint: whoever loses the race for it runs again. So `run` has no effect but what it answers. */
  readonly retryOn?: string
  readonly body?: B
  readonly params?: P
  readonly query?: Q
  readonly replies: R
  run(ask: Ask<Static<B>, Static<P>, Static<Q>>, app: Context): Promise<AnswerTo<R>>
}

/** A POST says whether it heeds an Idempotency-Key, and how long such a request may take. */
type Method =
  | { readonly method: 'POST'; readonly idempotent: { readonly withinMs: number } | false }
  | { readonly method: 'GET' | 'PATCH' | 'DELETE'; readonly idempotent?: never }

export type Route<
  B extends TSchema = TSchema,
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  R extends Replies = Replies,
> = Declared<B, P, Q, R> & Method

/** Checks the types: each answer has the data of its status, and `ask` what the schemas say. */
export const route = <
  const B extends TSchema,
  const P extends TSchema,
  const Q extends TSchema,
  const R extends Replies,
>(
  declared: Route<B, P, Q, R>,
): Route<B, P, Q, R> => declared

/** A key or token with this scope. */
export const token = (scope: Scope): Access => ({ by: 'token', audience: 'v1', scope })

/** Fails with not_found. */
export function found<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new ApiError('not_found')
  return row
}

export function mount(app: FastifyInstance, ctx: Context, routeContext: RouteContext, routes: readonly Route[]): void {
  for (const one of routes) {
    const { method, idempotent, path, id, summary, description, access, load, body, params, query, replies } = one
    app.route({
      method,
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: {
        access,
        ...load,
        words: { id, description },
        ...(idempotent === false && { idempotencyKey: 'ignored' }),
      },
      schema: {
        summary,
        ...(body && { body }),
        ...(params && { params }),
        ...(query && { querystring: query }),
        response: replies,
      },
      async handler(request, reply) {
        const done = await perform(one, callOf(routeContext, one, request, reply), ctx)
        if (done.isReplay) reply.header('Idempotent-Replayed', 'true')
        if (done.next !== null) reply.header('link', linkTo(done.next, routeContext, request))
        reply.code(done.status).headers(done.headers)
        return done.body === '' ? reply.send() : reply.send(done.body)
      },
    })
  }
}

function callOf(routeContext: RouteContext, { idempotent }: Route, request: FastifyRequest, reply: FastifyReply): Call {
  const { method, url, body, params, query, headers } = request
  const key = idempotent ? headers['idempotency-key'] : undefined
  return {
    operation: `${method} ${url.split('?')[0]}`,
    body,
    params,
    query,
    caller: sessionOf(request).caller,
    key: key === undefined ? undefined : String(key),
    cursors: routeContext.cursors,
    get signal() {
      return routeContext.disconnectSignalOf(reply)
    },
  }
}
