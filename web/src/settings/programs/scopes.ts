/** What a program may do, in plain words, and the usual sets of it. */
import { PUBLISHABLE_SCOPES } from '../../api/keys.ts'
import { SCOPES, type Scope } from '../../api/settings-types.ts'
import type { TextId } from '../../i18n/i18n.ts'

export const SCOPE_TEXTS: Readonly<Record<Scope, TextId>> = {
  generate: 'scopes.generate',
  'domains:check': 'scopes.domainsCheck',
  'history:read': 'scopes.historyRead',
  'history:write': 'scopes.historyWrite',
  'favorites:read': 'scopes.favoritesRead',
  'favorites:write': 'scopes.favoritesWrite',
  'batches:read': 'scopes.batchesRead',
  'batches:write': 'scopes.batchesWrite',
  webhooks: 'scopes.webhooks',
  'usage:read': 'scopes.usageRead',
}

export type Purpose = 'all' | 'read' | 'names' | 'custom'

const READING = SCOPES.filter((scope) => scope.endsWith(':read'))

const SETS: Readonly<Record<Exclude<Purpose, 'custom'>, readonly Scope[]>> = {
  all: SCOPES,
  read: READING,
  names: PUBLISHABLE_SCOPES,
}

export function scopesFor(purpose: Purpose, chosen: readonly Scope[]): readonly Scope[] {
  return purpose === 'custom' ? chosen : SETS[purpose]
}

export function purposeOf(scopes: readonly Scope[]): Purpose {
  const found = (['all', 'read', 'names'] as const).find((purpose) => isSameSet(SETS[purpose], scopes))
  return found ?? 'custom'
}

export const mayDoAll = (scopes: readonly Scope[]): boolean => isSameSet(scopes, SCOPES)

function isSameSet(one: readonly Scope[], other: readonly Scope[]): boolean {
  return one.length === other.length && one.every((scope) => other.includes(scope))
}
