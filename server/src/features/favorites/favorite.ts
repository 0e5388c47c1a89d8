/** What a favorite is: out of a request, with what is known of its domain now, and as callers see it. */
import { domainToUnicode } from 'node:url'
import { isNamedRegistrable } from '../../engines/availability/availability.ts'
import { ApiError } from '../../model/errors.ts'
import type { App } from '../../http/route.ts'
import { behindLabel, findDomain, type Domain, type Suffix } from '../../model/domain.ts'
import { makeId } from '../../model/id.ts'
import { seenText, seenWithStatus } from '../../model/offer.ts'
import type { ChangeRow, FavoriteRow } from './rows.ts'
import type { Change, Favorite, FavoriteBody } from './schemas.ts'

export interface Draft extends Omit<FavoriteRow, 'id' | 'domain' | 'created_at' | 'saved' | 'current'> {
  readonly domain: Domain
  readonly suffix: Suffix
}

/** Fails with invalid_request. */
export function parseDraft(body: FavoriteBody, prices: App['prices']): Draft {
  const refuse = (code: 'invalid_domain' | 'unknown_suffix', value: string) =>
    new ApiError('invalid_request', { fields: [{ pointer: '/domain', code, params: { value } }] })
  const domain = findDomain(body.domain)
  // The domain may itself be a suffix, such as co.uk, which nobody can register.
  if (!domain || prices.findSuffix(domain)) throw refuse('invalid_domain', body.domain)
  const suffix = prices.suffixOf(domain)
  if (!suffix) throw refuse('unknown_suffix', behindLabel(domain))
  const { name = readable(domain), note = null, tags = [], watch = false } = body
  return { domain, suffix, name, note, tags, watch }
}

/** The label in Unicode, as a person would write it. */
function readable(domain: Domain): string {
  return domainToUnicode(domain.slice(0, domain.indexOf('.')))
}

interface Look {
  readonly deadlineMs: number
  readonly fairnessKey: string
  readonly signal: AbortSignal
}

/** Checks the domain. Returns JSON text. */
export async function look(app: App, { domain, suffix }: Draft, options: Look): Promise<string> {
  const verdicts = await app.availability.check([domain], { ...options, depth: 'confirm', fresh: false })
  options.signal.throwIfAborted()
  const verdict = verdicts.get(domain)
  if (!verdict) throw new Error(`${domain} was checked but has no result`)
  const offer = app.prices.findDomainOffer(suffix, verdict) ?? app.prices.listOfferOf(suffix)
  return seenText(verdict, isNamedRegistrable(verdict, app.availabilityMode), offer)
}

export function newFavorite(draft: Draft, seen: string, at: number): FavoriteRow {
  const { suffix: _, ...fields } = draft
  return { id: makeId(at), ...fields, created_at: new Date(at), saved: seen, current: seen }
}

export function shown(row: FavoriteRow, prices: App['prices']): Favorite {
  const { id, domain, name, note, tags, watch, created_at: createdAt, saved, current } = row
  return {
    id,
    domain,
    name,
    note,
    tags,
    watch,
    created_at: createdAt.toISOString(),
    term_years: prices.termOf(behindLabel(domain) as Suffix).termYears,
    saved: readSeen(saved),
    current: readSeen(current),
  }
}

export function shownChange({ id, created_at: createdAt, kind, before, after }: ChangeRow): Change {
  return { id, created_at: createdAt.toISOString(), kind, before: readSeen(before), after: readSeen(after) }
}

/** `seen`: as `seenText` wrote it. */
function readSeen(seen: string): Favorite['saved'] {
  return JSON.parse(seenWithStatus(seen)) as Favorite['saved']
}
