/**
 * A route of the settings as one declaration: for people, with the cookie of their session. Before `run`, the frame
 * checks the session, the role in the account of the path, a step-up, the body, and the limit for changes; `run` returns
 * what the response shows. The Fastify route and the operation in `api/settings.json` come from the declaration.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Context } from '../context.ts'
import type { AccountId } from '../model/caller.ts'
import type { Member, Role } from '../model/member.ts'
import type { Person } from '../model/person.ts'
import type { SecurityAction } from '../model/security-action.ts'
import type { UsedCredential } from '../platform/audit-log/audit-log.ts'
import type { Statement, Window } from '../platform/db/db.ts'
import { cutPage, linkTo } from './page.ts'
import type { JsonText } from './ask.ts'
import type { DataOf, Replies } from './route.ts'
import type { RouteContext } from './route-context.ts'
import { credentialOf, noteOwn } from './settings/note-own.ts'
import { applyRateLimit } from './settings/rate-limit.ts'
import { authorize, personOf, requireRole, signedInMemberOf } from './settings/session-auth.ts'
import { requireRecent } from './step-up.ts'
import { successOf } from './wire/texts.ts'

interface RoleAccess {
  readonly by: 'session'
  readonly least: Role
  readonly own?: Role
}
type SettingsAccess = RoleAccess | { readonly by: 'session'; readonly least?: never } | { readonly by: 'operator' }

/** At least this role in the account of the path; `own` is enough for what a person created, or for themselves. */
export const role = (least: Role, own?: Role): RoleAccess => ({ by: 'session', least, ...(own && { own }) })
/** Any signed-in person, for their own data. */
export const signedIn = { by: 'session' } as const
/** People who run the installation. The routes do not exist for anybody else. */
export const operator = { by: 'operator' } as const

/** The names in braces. */
type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [N in Name]: string } & ParamsOf<Rest>
  : unknown

/** What a route gets: the request, and the person. */
export class PersonAsk<Body = unknown, Params = unknown, Query = unknown> {
  readonly body: Body
  readonly params: Params
  readonly query: Query
  readonly person: Person
  readonly credential: UsedCredential
  readonly ip: string
  readonly headers: IncomingHttpHeaders
  /** The cursor of the page after the one that `list` returned. */
  next: string | null = null
  protected readonly app: Context
  readonly #routeContext: RouteContext
  readonly #reply: FastifyReply

  constructor(request: FastifyRequest, reply: FastifyReply, app: Context, routeContext: RouteContext) {
    this.body = request.body as Body
    this.params = request.params as Params
    this.query = request.query as Query
    this.person = personOf(request)
    this.credential = credentialOf(this.person)
    this.ip = request.ip
    this.headers = request.headers
    this.app = app
    this.#routeContext = routeContext
    this.#reply = reply
  }

  /** Aborts when the person disconnects. */
  get signal(): AbortSignal {
    return this.#routeContext.disconnectSignalOf(this.#reply)
  }

  /** Where only some requests need a step-up, and the body alone does not tell which. */
  requireRecent(): void {
    requireRecent(this.app, this.person)
  }

  /** Writes to the audit log of the person's own account. `detail` must never hold a secret. */
  noteOwn(action: SecurityAction, detail: Readonly<Record<string, string>> = {}): Promise<void> {
    return noteOwn(this.app, this, this.person, action, detail)
  }

  /**
   * The page, newest first, that `limit` and `cursor` of the query ask for; `rowsIn` reads one row more than shown if
   * there is a next page. A cursor is bound to the name of the list and to the other fields of the query.
   */
  async list<Row extends { readonly id: string }>(
    list: string,
    rowsIn: (window: Window) => Promise<readonly Row[]>,
    defaultLimit?: number,
  ): Promise<readonly Row[]> {
    const { limit = defaultLimit, cursor, ...filter } = this.query as { limit?: number; cursor?: string }
    const page = cutPage(this.#routeContext, { list, account: this.account, filter, limit, cursor })
    const { shown, next } = page.cut(await rowsIn(page.window))
    this.next = next
    return shown
  }

  protected get account(): AccountId {
    return this.person.userId as string as AccountId
  }
}

/** The same for a route of an account. */
export class MemberAsk<Body = unknown, Params = unknown, Query = unknown> extends PersonAsk<Body, Params, Query> {
  readonly member: Member
  readonly role: Role
  readonly #least: Role

  constructor(request: FastifyRequest, reply: FastifyReply, app: Context, routeContext: RouteContext) {
    super(request, reply, app, routeContext)
    const { member, role: held } = signedInMemberOf(request)
    this.member = member
    this.role = held
    this.#least = (request.routeOptions.config.access as RoleAccess).least
  }

  /** An entry of the account's audit log, to be committed with the change. `detail` must never hold a secret. */
  note(action: SecurityAction, detail: Readonly<Record<string, string>>): Statement {
    const { credential, ip } = this
    return this.app.auditLog.noting(this.member.accountId, {
      action,
      actor: this.member.userId,
      credential,
      ip,
      detail,
    })
  }

  requireRoleUnlessOwn(isOwn: boolean): void {
    if (!isOwn) requireRole(this.role, this.#least)
  }

  protected override get account(): AccountId {
    return this.member.accountId
  }
}

type AskOf<A extends SettingsAccess, Body, Params, Query> = A extends RoleAccess
  ? MemberAsk<Body, Params, Query>
  : PersonAsk<Body, Params, Query>

export interface SettingsRoute<
  Path extends string = string,
  A extends SettingsAccess = SettingsAccess,
  B extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  R extends Replies = Replies,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Parameters are written `{id}`. */
  readonly path: Path & `/settings/${string}`
  /** The name of the operation in `api/settings.json`. */
  readonly id: string
  readonly summary: string
  readonly access: A
  /** Creates or reveals credentials, or cannot be undone: always, or for these bodies. */
  readonly stepUp?: true | ((body: never) => boolean)
  /** Allowed also in a suspended account. */
  readonly whileSuspended?: true
  /** Counts its uses by itself, and not as changes. */
  readonly ownLimit?: true
  readonly body?: B
  readonly query?: Q
  /** One status, and what it answers. */
  readonly replies: R
  run(
    ask: AskOf<A, Static<B>, ParamsOf<Path>, Static<Q>>,
    app: Context,
  ): Promise<Exclude<DataOf<R[keyof R & number]>, JsonText>>
}

/** Checks the types: the answer has the data of its schema, and `ask` what path, schemas and access say. */
export const settingsRoute = <
  const Path extends string,
  const A extends SettingsAccess,
  const B extends TSchema,
  const Q extends TSchema,
  const R extends Replies,
>(
  declared: SettingsRoute<Path, A, B, Q, R>,
): SettingsRoute<Path, A, B, Q, R> => declared

/** Before the body is read: the session, the role, and a step-up that every request needs. */
export const enterSettings = (ctx: Context) => async (request: FastifyRequest, reply: FastifyReply) => {
  reply.header('Cache-Control', 'no-store')
  await authorize(ctx, request)
  if (request.routeOptions.config.stepUp === true) requireRecent(ctx, personOf(request))
}

export function mountSettings(
  app: FastifyInstance,
  ctx: Context,
  routeContext: RouteContext,
  routes: readonly SettingsRoute[],
): void {
  for (const one of routes) {
    const { method, path, summary, access, stepUp, whileSuspended, ownLimit, body, query, replies } = one
    const status = Number(Object.keys(replies)[0])
    const isLimited = method !== 'GET' && !ownLimit
    app.route({
      method,
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { access, ...(stepUp && { stepUp }), ...(whileSuspended && { whileSuspended }) },
      schema: { summary, ...(body && { body }), ...(query && { querystring: query }), response: replies },
      onRequest: enterSettings(ctx),
      async handler(request, reply) {
        const person = personOf(request)
        if (typeof stepUp === 'function' && stepUp(request.body as never)) requireRecent(ctx, person)
        if (isLimited) await applyRateLimit(ctx, request, person)
        const ask = new ('least' in access ? MemberAsk : PersonAsk)(request, reply, ctx, routeContext)
        const data = await one.run(ask as MemberAsk, ctx)
        if (ask.next !== null) reply.header('link', linkTo(ask.next, routeContext, request))
        reply.code(status)
        return data === undefined ? reply.send() : reply.send(successOf(JSON.stringify(data)))
      },
    })
  }
}
