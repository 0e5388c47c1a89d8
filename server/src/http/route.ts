/**
 * A route as one declaration: its path, access, words, schemas and work. The Fastify route, the access check and the
 * OpenAPI operation come from it. `perform` in `commit.ts` is what a request goes through.
 */
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Context } from '../context.ts'
import { ApiError } from '../model/errors.ts'
import type { Scope } from '../model/caller.ts'
import type { Own } from '../platform/db/db.ts'
import type { Access } from './access.ts'
import { sessionOf } from './auth.ts'
import type { Ask, Call, JsonText, Spending } from './ask.ts'
import { perform } from './commit.ts'
import { linkTo } from './page.ts'
import type { RouteContext } from './route-context.ts'
import { findFormat } from './stream/format.ts'
import { performStreamed } from './stream/streamed.ts'

export { JsonText } from './ask.ts'
/** What the service consists of. */
export type { Context as App } from '../context.ts'

export type Replies = Readonly<Record<number, TSchema>>

interface AnswerOptions {
  readonly location?: string
  /** What it costs, of what was reserved. */
  readonly spend?: Spending
  /** Its effect in this process, once it is committed: to note a verdict, to wake a worker. Must not fail. */
  readonly after?: () => void | Promise<void>
}

export interface Answer<Status = number, Data = unknown> extends AnswerOptions {
  readonly status: Status
  readonly data: Data
  readonly statements: readonly Own[]
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
  options: AnswerOptions = {},
): Answer<Status, Data> => ({ status, data, statements, ...options })

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
  readonly load?: Pick<FastifyContextConfig, 'priority' | 'pool'> & { readonly bodyBytes?: number }
  /** A unique constraint: whoever loses the race for it runs again. So `run` has no effect but what it answers. */
  readonly retryOn?: string
  /** The events of a stream, if a caller may ask for one. `done` has the body of the answer. */
  readonly events?: TSchema
  /** The answer has texts in the language of the caller. */
  readonly localized?: true
  /** The field `secret` of the answer is stored encrypted. */
  readonly secret?: true
  readonly body?: B
  readonly params?: P
  readonly query?: Q
  readonly replies: R
  run(ask: Ask<Static<B>, Static<P>, Static<Q>>, app: Context): Promise<AnswerTo<R>>
}

/** A POST says whether it heeds an Idempotency-Key, and how long such a request may take. */
type Method<B extends TSchema> =
  | {
      readonly method: 'POST'
      readonly idempotent: { readonly withinMs: number } | Within<B>
      readonly reads?: never
    }
  | {
      readonly method: 'POST'
      readonly idempotent: false
      /** It writes nothing, so it works while the primary is away. */
      readonly reads?: true
    }
  | { readonly method: 'GET' | 'PATCH' | 'DELETE'; readonly idempotent?: never; readonly reads?: never }

// A method, because a list of routes has no common body.
interface Within<B extends TSchema> {
  withinMs(body: Static<B>, app: Context): number
}

export type Route<
  B extends TSchema = TSchema,
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  R extends Replies = Replies,
> = Declared<B, P, Q, R> & Method<B>

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
  for (const one of routes) mountRoute(app, ctx, routeContext, one)
}

/** `more`: what this route needs of Fastify beyond its declaration. */
export function mountRoute(
  app: FastifyInstance,
  ctx: Context,
  routeContext: RouteContext,
  declared: Route,
  more: Partial<RouteOptions> = {},
): void {
  const { method, idempotent, path, id, summary, description, access, events, body, params, query, replies } = declared
  const { bodyBytes, ...load } = declared.load ?? {}
  app.route({
    method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    ...more,
    ...(bodyBytes !== undefined && { bodyLimit: bodyBytes }),
    config: {
      access,
      ...load,
      words: { id, description },
      ...(events && { events }),
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
      const call = callOf(routeContext, declared, request, reply)
      const format = events && findFormat(request.headers.accept)
      if (format) return performStreamed(declared, call, ctx, { routeContext, request, reply, format })
      const done = await perform(declared, call, ctx)
      sessionOf(request).spent = done.cost
      if (done.isReplay) reply.header('Idempotent-Replayed', 'true')
      if (done.next !== null) reply.header('link', linkTo(done.next, routeContext, request))
      reply.code(done.status).headers(done.headers)
      return done.body === '' ? reply.removeHeader('content-type').send() : reply.send(done.body)
    },
  })
}

function callOf(routeContext: RouteContext, { idempotent }: Route, request: FastifyRequest, reply: FastifyReply): Call {
  const { method, url, body, params, query, headers, ip } = request
  const key = idempotent ? headers['idempotency-key'] : undefined
  return {
    operation: `${method} ${url.split('?')[0]}`,
    body,
    params,
    query,
    ip,
    caller: sessionOf(request).caller,
    key: key === undefined ? undefined : String(key),
    cursors: routeContext.cursors,
    get language() {
      return routeContext.languageOf(request)
    },
    get messages() {
      return routeContext.messagesFor(this.language)
    },
    get signal() {
      return routeContext.disconnectSignalOf(reply)
    },
  }
}
