/**
 * The door of the settings: a cookie says who somebody is, the account in the address says where they want in, and
 * their role there says what they may do.
 *
 * A cookie is sent by whoever makes the browser send it. So whatever changes something must come from our own pages,
 * by the Origin that browsers add and pages cannot change, and as JSON, which no foreign form can send.
 */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import type { AccountId } from '../../model/caller.ts'
import { isUuid } from '../../model/id.ts'
import { isAtLeast } from '../../model/member.ts'
import type { Member, Role } from '../../model/member.ts'
import type { Person } from '../../people/people.ts'
import { headersOf } from '../passing-on.ts'

/** Somebody, in an account they belong to. */
export interface Entrant {
  readonly person: Person
  readonly member: Member
  readonly role: Role
}

declare module 'fastify' {
  interface FastifyRequest {
    person: Person | null
  }
}

/** Before the body is read: a stranger learns nothing about what it should look like. */
export async function recognize(ctx: Context, request: FastifyRequest): Promise<void> {
  if (request.method !== 'GET') requireOwnPage(ctx, request)
  const person = await ctx.people.whoIs(headersOf(request))
  if (!person) throw new ApiError('sign_in_required')
  request.person = person
}

export function personOf(request: FastifyRequest): Person {
  if (!request.person) throw new Error('this route is not behind the door of the settings')
  return request.person
}

/** For the route parameter `account`. An account that one does not belong to is not there. */
export async function enter(ctx: Context, request: FastifyRequest, least: Role): Promise<Entrant> {
  const person = personOf(request)
  const { account = '' } = request.params as { account?: string }
  const member = { accountId: account as AccountId, userId: person.userId }
  const role = isUuid(account) ? await ctx.members.roleOf(member) : undefined
  if (role === undefined) throw new ApiError('not_found')
  if (!isAtLeast(role, least)) throw new ApiError('insufficient_role', { params: { role: least } })
  return { person, member, role }
}

export function requireOwnPage(ctx: Context, request: FastifyRequest): void {
  if (request.headers.origin !== new URL(ctx.publicUrl).origin) throw new ApiError('cross_site')
}
