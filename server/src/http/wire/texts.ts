/** Turns internal results into response bodies. Only this file decides which details leave the service. */
import type { Static } from 'typebox'
import type { NameOrigin, ProjectSummary } from '@namewright/names'
import type { Generated } from '../../features/generate/generate.ts'
import type { HistoryRow } from '../../features/history/history.ts'
import type { Eligibility } from '../../model/eligibility.ts'
import type { GenerateRequest, DomainOffer, Rejection, Shortfall, Suggestion } from '../../model/generate-request.ts'
import { formatPrice } from '../../model/money.ts'
import { correctStoredSuggestions } from '../../model/stored-suggestions.ts'
import { isOutdated, standingOf, totalOf } from '../../model/offer.ts'
import type { Offer } from '../../model/offer.ts'
import { registerUrlOf } from '../../model/seller.ts'
import type { Seller } from '../../model/seller.ts'
import type { Verdict } from '../../model/verdict.ts'
import { fillIn } from './language.ts'
import type { Messages } from './language.ts'
import type { Pricing } from './schemas.ts'
import { handlesEntry } from './namespace-entry.ts'

/** Responses are concatenated from JSON texts; `data` must be one. */
export function successOf(data: string): string {
  return `{"status":"success","data":${data}}`
}

export function suggestionsText({ suggestions }: Generated, request: GenerateRequest, messages: Messages): string {
  return JSON.stringify(suggestions.map((suggestion) => suggestionEntry(suggestion, request, messages)))
}

/** The whole of `data`, around the text of its suggestions. */
export function generatedText(
  { rejected, shortfall, understanding }: Generated,
  suggestions: string,
  { include }: Pick<GenerateRequest, 'include'>,
  messages: Messages,
): string {
  const more = [
    ...(rejected ? [`,"rejected":${rejectedText(rejected, include)}`] : []),
    ...(shortfall ? [`,"shortfall":${shortfallText(shortfall, messages)}`] : []),
    ...(understanding ? [`,"understanding":${understandingText(understanding)}`] : []),
  ]
  return `{"suggestions":${suggestions}${more.join('')}}`
}

function rejectedText(rejected: readonly Rejection[], include: GenerateRequest['include']): string {
  const entry = ({ nearest, ...rejection }: Rejection) =>
    nearest ? { ...rejection, nearest: domainEntry(nearest, include) } : rejection
  return JSON.stringify(rejected.map(entry))
}

function understandingText({ forWhom, isSure, ...summary }: ProjectSummary): string {
  return JSON.stringify({ ...summary, for_whom: forWhom, sure: isSure })
}

/** If only budgets are used up, the caller has nothing to correct: `retry_after` tells when to retry. */
function shortfallText(shortfall: Shortfall, messages: Messages): string {
  const { reason, sources = [] } = shortfall
  const isBudget = sources.length > 0 && sources.every(({ state }) => state === 'rate_limited')
  const isHinted = reason === 'restricted' || (reason === 'availability_unknown' && !isBudget)
  const hint = isHinted ? { hint: messages.shortfall[reason] } : {}
  return JSON.stringify({ ...shortfall, ...hint })
}

export function suggestionEntry(
  { proposal, domains, origin, handles }: Suggestion,
  { include }: GenerateRequest,
  messages: Messages,
) {
  return {
    name: proposal.name,
    domains: domains.map((entry) => domainEntry(entry, include)),
    ...(origin ? { origin } : {}),
    ...(include.includes('score') ? { score: proposal.score } : {}),
    ...(include.includes('rationale') ? { rationale: rationaleOf(proposal.origin, messages) } : {}),
    ...(handles ? { handles: handlesEntry(handles) } : {}),
  }
}

function domainEntry({ verdict, registrable, offer, eligibility }: DomainOffer, include: GenerateRequest['include']) {
  const entry = { domain: verdict.domain, available: registrable, price: formatPrice(offer.due) }
  if (include.length === 0) return entry
  return {
    ...entry,
    ...(include.includes('evidence') ? evidenceOf(verdict, registrable, offer, eligibility) : {}),
    ...(include.includes('pricing') ? { pricing: pricingOf(offer, verdict.checkedAt) } : {}),
    ...(include.includes('register') && registrable ? registerOf(offer.seller, verdict) : {}),
  }
}

export function registerOf(seller: Seller, { domain }: Verdict) {
  return { register_url: registerUrlOf(seller, domain), registrar: seller.name }
}

/** The evidence fields beside `available`, which never contradict it. */
export function evidenceOf(
  verdict: Verdict,
  registrable: boolean,
  offer: Offer | undefined,
  eligibility: Eligibility | undefined,
) {
  return {
    ...standingOf(verdict, registrable, offer),
    sources: verdict.sources,
    checked_at: new Date(verdict.checkedAt).toISOString(),
    expires_at: new Date(verdict.expiresAt).toISOString(),
    ...(eligibility ? { eligibility: eligibility.code } : {}),
    ...(eligibility?.countries ? { eligible_countries: eligibility.countries } : {}),
  }
}

/** `at`: when the price was read, in milliseconds. */
export function pricingOf(offer: Offer, at: number): Static<typeof Pricing> {
  const { registration, renewal, transfer, termYears, due, renewsAt, renewalYears, source, asOf, isQuote } = offer
  return {
    currency: registration.currency,
    registration_minor: registration.minor,
    renewal_minor: renewal.minor,
    transfer_minor: transfer.minor,
    ...(offer.isTransferEstimated ? { transfer_estimated: true as const } : {}),
    term_years: termYears,
    due_minor: due.minor,
    renews_at_minor: renewsAt.minor,
    renewal_years: renewalYears,
    total_5y_minor: totalOf(offer).minor,
    kind: isQuote ? 'quote' : 'list',
    registrar: source,
    as_of: isQuote ? new Date(at).toISOString() : asOf,
    ...(isOutdated(offer, at) ? { outdated: true as const } : {}),
  }
}

/** One line: what the name is made of, how, and which words of the description it comes from. */
function rationaleOf({ style, parts, because, image, reason }: NameOrigin, { rationale }: Messages): string {
  if (reason !== undefined) return reason
  const [first = '', ...rest] = parts
  const second = (style === 'short_phrase' ? rest.join(' ') : rest[0]) ?? ''
  // An invented word has one part, so the text for two parts does not apply; what it was made of says more than its sound.
  const isWhole = second === '' && rationale[style].includes('{second}')
  const isExplained = isWhole && image !== undefined
  return [
    ...(isExplained ? [] : [fillIn(rationale[isWhole ? 'invented' : style], { first, second })]),
    ...(image === undefined ? [] : [fillIn(rationale.image, { image })]),
    ...(because === undefined ? [] : [fillIn(rationale.because, { because })]),
  ].join(' · ')
}

/** The two jsonb columns are read as text and written as text. */
export function historyText(row: HistoryRow): string {
  const { id, created_at, description, count, language, key_id, options, suggestions } = row
  const head = JSON.stringify({ id, created_at, description, count, language, key_id })
  return `${head.slice(0, -1)},"options":${options},"suggestions":${correctStoredSuggestions(suggestions)}}`
}
