/**
 * The body that creates a shared list, from a member or a visitor, and what is stored of it.
 *
 * The facts of a domain are never taken from the body: the service checks every domain itself, mostly from its cache,
 * since a search has just shown it.
 */
import type { Context } from '../../context.ts'
import { ApiError } from '../../model/errors.ts'
import { seenText } from '../../model/offer.ts'
import { plainLine } from '../../model/plain-line.ts'
import { checkDomains } from '../check/index.ts'
import type { SharedName } from './rows.ts'
import { MAX_NAMES, type ShareFieldsBody } from './schemas.ts'
import type { ShareDraft } from './shares.ts'

const DEFAULT_DAYS = 30
// A person waits, as for a page of names.
const CHECK_MS = 2_500

export interface ShareCreator extends Pick<ShareDraft, 'favoriteIds' | 'createdBy'> {
  readonly fairnessKey: string
  readonly signal: AbortSignal
}

/** Fails with invalid_request, which names the first wrong field. */
export async function draftOf(ctx: Context, body: ShareFieldsBody, creator: ShareCreator): Promise<ShareDraft> {
  const { favoriteIds, createdBy, fairnessKey, signal } = creator
  const title = plainLine(body.title)
  if (title === '') throw wrong({ pointer: '/title', code: 'too_short', params: { limit: 1 } })
  const names = body.names ?? []
  if (names.length + favoriteIds.length === 0) throw wrong({ pointer: '/names', code: 'too_few', params: { limit: 1 } })
  if (names.length + favoriteIds.length > MAX_NAMES)
    throw wrong({ pointer: '/names', code: 'too_many', params: { limit: MAX_NAMES } })
  return {
    title,
    message: plainLine(body.message ?? '') || null,
    favoriteIds,
    names: await checkNames(ctx, names, fairnessKey, signal),
    days: body.expires_in_days ?? DEFAULT_DAYS,
    showPrices: body.show_prices ?? true,
    createdBy,
  }
}

async function checkNames(
  ctx: Context,
  names: NonNullable<ShareFieldsBody['names']>,
  fairnessKey: string,
  signal: AbortSignal,
): Promise<readonly SharedName[]> {
  const request = { deadlineMs: CHECK_MS, fresh: false, forSale: false, fairnessKey }
  const inputs = names.map(({ domain }) => domain)
  const checked = inputs.length === 0 ? [] : await checkDomains(ctx, inputs, request, signal)
  const seenAt = new Set<string>()
  return checked.flatMap(({ verdict, registrable, offer }, at) => {
    const name = plainLine(names[at]?.name ?? '')
    if (name === '') throw wrong({ pointer: `/names/${at}/name`, code: 'too_short', params: { limit: 1 } })
    if (!offer) throw wrong({ pointer: `/names/${at}/domain`, code: 'invalid_domain' })
    if (seenAt.has(verdict.domain)) return []
    seenAt.add(verdict.domain)
    return [{ name, domain: verdict.domain, seen: seenText(verdict, registrable, offer) }]
  })
}

type Field = NonNullable<ApiError['detail']['fields']>[number]
const wrong = (field: Field) => new ApiError('invalid_request', { fields: [field] })
