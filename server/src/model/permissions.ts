/**
 * The table of what a credential may do: role × scope × kind of credential.
 *
 * `scopesOf` is used at every use of a credential (`features/keys/resolve-credential.ts`), when an application is
 * granted access (`features/sign-in/give-consent.ts`) and when the web app requests a token, so these can never differ. The
 * settings permissions of a role are in `http/access.ts`, route by route.
 */
import { AUDIENCES, PUBLISHABLE_SCOPES, SCOPES } from './caller.ts'
import type { Audience, CredentialKind, Scope } from './caller.ts'
import { ROLES } from './member.ts'
import type { Role } from './member.ts'

const READ_SCOPES: readonly Scope[] = ['history:read', 'favorites:read', 'batches:read', 'usage:read']
const EXCEPT_WEBHOOKS: readonly Scope[] = SCOPES.filter((scope) => scope !== 'webhooks')

/** Webhooks are for admins, in the settings and everywhere else. */
const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: READ_SCOPES,
  member: EXCEPT_WEBHOOKS,
  admin: SCOPES,
  owner: SCOPES,
}

interface CredentialRule {
  readonly scopes: readonly Scope[]
  readonly audiences: readonly Audience[]
  /** Whether it acts for a person, and so never exceeds the person's current role. */
  readonly followsRole: boolean
}

const CREDENTIAL_RULES: Readonly<Record<CredentialKind, CredentialRule>> = {
  key: { scopes: SCOPES, audiences: AUDIENCES, followsRole: false },
  publishable_key: { scopes: PUBLISHABLE_SCOPES, audiences: ['v1'], followsRole: false },
  app_session: { scopes: EXCEPT_WEBHOOKS, audiences: ['v1'], followsRole: true },
  oauth_token: { scopes: SCOPES, audiences: ['v1'], followsRole: true },
  mcp_token: {
    scopes: ['generate', 'domains:check', 'favorites:read', 'favorites:write'],
    audiences: ['mcp'],
    followsRole: true,
  },
  /** For an application that acts for the account that registered it (client_credentials). */
  client_token: { scopes: SCOPES, audiences: AUDIENCES, followsRole: false },
}

/** The effective scopes for a credential of this kind, used at this audience, by a person of this role. */
export function scopesOf(
  { kind, audience, role }: { kind: CredentialKind; audience: Audience; role?: Role | null },
  scopes: readonly Scope[],
): readonly Scope[] {
  const rule = CREDENTIAL_RULES[kind]
  if (!rule.audiences.includes(audience)) return []
  if (!rule.followsRole) return scopes.filter((scope) => rule.scopes.includes(scope))
  return role ? scopesOfRole(role, scopes).filter((scope) => rule.scopes.includes(scope)) : []
}

export function isUsableAt(kind: CredentialKind, audience: Audience): boolean {
  return CREDENTIAL_RULES[kind].audiences.includes(audience)
}

/** The most that a person of this role may grant an application. */
export function scopesOfRole(role: Role, scopes: readonly Scope[]): readonly Scope[] {
  return scopes.filter((scope) => ROLE_SCOPES[role].includes(scope))
}

/** The lowest role that manages credentials, webhooks and members of an account. */
export const MANAGING_ROLE: Role = 'admin'

/** A person below this role loses what they set up for the account: see `features/accounts/change-membership.ts`. */
export function canManage(role: Role | undefined): boolean {
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(MANAGING_ROLE)
}

export const MANAGING_ROLES: readonly Role[] = ROLES.filter(canManage)
