/**
 * The roles in an account. They are ordered: each includes the permissions of the one below it. `permissions.ts` and
 * `http/access.ts` define the permissions.
 *
 * A viewer reads; a member uses the service (and may authorize an application within the account); an admin manages
 * keys, applications, people and settings; an owner also manages ownership and can delete the account.
 */
import type { AccountId } from './caller.ts'

export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

/** A person; also the id of the person's own account. */
export type UserId = string & { readonly __userId: true }

/** A person acting in an account: the database authorizes them only while they are a member. */
export interface Member {
  readonly accountId: AccountId
  readonly userId: UserId
}

export function isAtLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least)
}

/** A person's own account: nobody can be invited to it, and it exists as long as the person does. */
export function isOwnAccount({ accountId, userId }: Member): boolean {
  return (accountId as string) === (userId as string)
}
