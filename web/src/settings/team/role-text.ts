/** The four roles: what each is called, and what it may do. */
import type { Role } from '../../api/session.ts'
import type { TextId } from '../../i18n/i18n.ts'

export const ROLES: readonly Role[] = ['owner', 'admin', 'member', 'viewer']

export const ROLE_NAMES = {
  owner: 'team.owner',
  admin: 'team.admin',
  member: 'team.member',
  viewer: 'team.viewer',
} as const satisfies Record<Role, TextId>

export const ROLE_TEXTS = {
  owner: 'team.ownerText',
  admin: 'team.adminText',
  member: 'team.memberText',
  viewer: 'team.viewerText',
} as const satisfies Record<Role, TextId>
