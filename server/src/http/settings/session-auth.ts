/**
 * Session auth for the settings: a cookie identifies the person, the path names the account, and the person's role in
 * it decides what they may do.
 *
 * A foreign page can make the browser send the cookie. So a change must come from our own pages, by the Origin that
 * browsers add and pages cannot change, and as JSON, which no foreign form can send.
 */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../model/errors.ts'
import type { AccountId } from '../../model/caller.ts'
import { isUuid } from '../../model/id.ts'
import { isAtLeast, type Member, type Role } from '../../model/member.ts'
import type { Person } from '../../model/person.ts'

/** A person, in an account they belong to. */
export interface SignedInMember {
  readonly person: Person
  readonly member: Member
  readonly role: Role
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Allowed also in a suspended account. */
    whileSuspended?: true
  }
  interface FastifyRequest {
    person: Person | null
    signedInMember: SignedInMember | null
  }
}

/** Enforces the entry of the route in `../access.ts`, before its body is read and whatever its handler does. */
export async function authorize(ctx: Context, request: FastifyRequest): Promise<void> {
  await identify(ctx, request)
  const { access } = request.routeOptions.config
  if (access?.by === 'operator') await requireOperator(ctx, request)
  else if (access?.by !== 'session') throw new Error(`${request.routeOptions.url} is under /settings without a session`)
  else if (access.least !== undefined) request.signedInMember = await enter(ctx, request, access.own ?? access.least)
}

/** Before validation, so that a stranger learns nothing about the shape of the body. */
async function identify(ctx: Context, request: FastifyRequest): Promise<void> {
  if (request.method !== 'GET') requireOwnPage(ctx, request)
  const person = await ctx.people.whoIs(headersOf(request))
  if (!person) throw new ApiError('sign_in_required')
  request.person = person
}

export function personOf(request: FastifyRequest): Person {
  if (!request.person) throw new Error('this route has no session auth')
  return request.person
}

/** The person who calls a route of an account. */
export function signedInMemberOf(request: FastifyRequest): SignedInMember {
  if (!request.signedInMember) throw new Error('this route requires no role')
  return request.signedInMember
}

export function requireRole(role: Role, least: Role): void {
  if (!isAtLeast(role, least)) throw new ApiError('insufficient_role', { params: { role: least } })
}

/** Routes of the operator do not exist for anybody else. */
async function requireOperator(ctx: Context, request: FastifyRequest): Promise<void> {
  if (!(await ctx.accounts.isOperator(personOf(request).userId))) throw new ApiError('not_found')
}

/** For the route parameter `account`. An account does not exist for people who do not belong to it. */
async function enter(ctx: Context, request: FastifyRequest, least: Role): Promise<SignedInMember> {
  const person = personOf(request)
  const { account = '' } = request.params as { account?: string }
  const member = { accountId: account as AccountId, userId: person.userId }
  const role = isUuid(account) ? await ctx.members.roleOf(member) : undefined
  if (role === undefined) throw new ApiError('not_found')
  requireRole(role, least)
  await requireActive(ctx, request, member)
  return { person, member, role }
}

/** A suspended account can be read and deleted, but not changed. */
async function requireActive(ctx: Context, request: FastifyRequest, member: Member): Promise<void> {
  if (request.method === 'GET' || request.routeOptions.config.whileSuspended) return
  const { suspension } = await ctx.accounts.standingOf(member)
  if (suspension) throw new ApiError('account_suspended')
}

export function requireOwnPage(ctx: Context, request: FastifyRequest): void {
  if (request.headers.origin !== new URL(ctx.publicUrl).origin) throw new ApiError('cross_site')
}

/** Set by our own server from the connection, never taken from the caller. */
export const ADDRESS_HEADER = 'x-client-address'

/**
 * The headers from which the sign-in server recognizes a person. Others that name addresses or hosts are dropped.
 */
export function headersOf(request: Pick<FastifyRequest, 'headers' | 'ip'>): Headers {
  const headers = new Headers()
  for (const name of PASSED) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  headers.set(ADDRESS_HEADER, request.ip)
  return headers
}

const PASSED = [
  'accept',
  'authorization',
  'content-type',
  'cookie',
  'origin',
  'referer',
  'sec-fetch-mode',
  'sec-fetch-site',
  'user-agent',
]
