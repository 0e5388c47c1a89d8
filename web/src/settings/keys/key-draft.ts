/** A key while it is being written, and what is sent of it: all of a new one, of another only what was changed. */
import { NamewrightError } from '@namewright/client'
import { PUBLISHABLE_SCOPES } from '../../api/keys.ts'
import { SCOPES, type Key, type Scope } from '../../api/settings-types.ts'
import { say } from '../../i18n/i18n.ts'
import { linesOf } from '../programs/lines.ts'
import { FIRST_QUOTA, quotaBodyOf, quotaDraftOf, type QuotaDraft } from '../programs/quota-draft.ts'
import { purposeOf, scopesFor, type Purpose } from '../programs/scopes.ts'

export type End = 'keep' | 'never' | '30' | '90' | 'date'

export interface KeyDraft {
  readonly name: string
  /** A publishable key stands in web pages, where everybody can read it. */
  readonly kind: 'secret' | 'publishable'
  readonly purpose: Purpose
  /** Where the purpose is a custom one. */
  readonly scopes: readonly Scope[]
  readonly quota: QuotaDraft
  readonly end: End
  /** `2027-01-31`, where the end is a date. */
  readonly date: string
  readonly addresses: string
  readonly origins: string
}

const DAY_MS = 86_400_000

export const NEW_KEY: KeyDraft = {
  name: '',
  kind: 'secret',
  purpose: 'all',
  scopes: SCOPES,
  quota: FIRST_QUOTA,
  end: 'never',
  date: '',
  addresses: '',
  origins: '',
}

export function draftOf(key: Key): KeyDraft {
  return {
    name: key.name,
    kind: key.origins.length > 0 ? 'publishable' : 'secret',
    purpose: key.origins.length > 0 ? 'custom' : purposeOf(key.scopes),
    scopes: key.scopes,
    quota: quotaDraftOf(key.quota),
    end: key.expires_at === null ? 'never' : 'keep',
    date: '',
    addresses: key.allowed_ips.join('\n'),
    origins: key.origins.join('\n'),
  }
}

/** Fails as the service would: without a page it would make a secret key of one that was to be published. */
export function keyBodyOf(draft: KeyDraft, now: number) {
  const { name, kind, purpose, scopes, quota, end, addresses, origins } = draft
  const isPublishable = kind === 'publishable'
  if (isPublishable && linesOf(origins).length === 0) {
    const message = say('keys.originsMissing')
    const errors = [{ pointer: '/origins', code: 'too_few', message }] as const
    throw new NamewrightError('invalid_request', 422, message, { errors })
  }
  const within = isPublishable ? PUBLISHABLE_SCOPES : SCOPES
  return {
    name: name.trim(),
    scopes: (isPublishable ? scopes : scopesFor(purpose, scopes)).filter((scope) => within.includes(scope)),
    quota: quotaBodyOf(quota),
    allowed_ips: linesOf(addresses),
    ...(isPublishable ? { origins: linesOf(origins) } : {}),
    ...(end === 'keep' ? {} : { expires_at: endOf(draft, now) }),
  }
}

/** Only what differs from the key as it is; undefined where nothing does. */
export function keyChangeOf(draft: KeyDraft, key: Key, now: number): object | undefined {
  const wanted = keyBodyOf(draft, now)
  const changed = Object.entries(wanted).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(key[name as keyof typeof wanted & keyof Key]),
  )
  return changed.length === 0 ? undefined : Object.fromEntries(changed)
}

function endOf({ end, date }: KeyDraft, now: number): string | null {
  if (end === 'never' || end === 'keep') return null
  if (end !== 'date') return new Date(now + Number(end) * DAY_MS).toISOString()
  // Until the day is over where the reader is. What is no date is refused by the service, in words.
  const moment = new Date(`${date}T23:59:59`)
  return Number.isNaN(moment.getTime()) ? date : moment.toISOString()
}
