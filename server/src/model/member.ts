/**
 * Who may do what in an account. The roles are a ladder: each may do everything the one below it may.
 *
 * A viewer looks; a member uses (and may let an application act within the account); an admin manages keys,
 * applications, people and settings; an owner also decides who owns the account and whether it goes on existing.
 */
import type { AccountId, Scope } from './caller.ts'

export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

/** A person; also the id of the person's own account. */
export type UserId = string & { readonly __userId: true }

/** A person acting in an account: the database lets them in only while they belong to it. */
export interface Member {
  readonly accountId: AccountId
  readonly userId: UserId
}

export function isAtLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least)
}

/** A person's own account: nobody can be invited into it, and it lives as long as the person does. */
export function isOwnAccount({ accountId, userId }: Member): boolean {
  return (accountId as string) === (userId as string)
}

const LOOKING = new Set<Scope>(['history:read', 'favorites:read', 'batches:read', 'usage:read'])

/** What an application may do at most when a person of this role let it in. */
export function scopesWithin(role: Role, scopes: readonly Scope[]): readonly Scope[] {
  return role === 'viewer' ? scopes.filter((scope) => LOOKING.has(scope)) : scopes
}
