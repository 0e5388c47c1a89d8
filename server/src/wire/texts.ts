/** Rich truth inside, narrow wire outside: the narrowing happens here and nowhere else. */
import type { FavoriteRow } from '../favorites/favorites.ts'
import type { Checked } from '../check-domains.ts'
import type { Generated } from '../generate.ts'
import type { HistoryRow } from '../history/history.ts'
import type { Ask, DomainOffer, Suggestion } from '../model/ask.ts'
import { formatPrice } from '../model/money.ts'
import type { Candidate, Origin } from '../model/name.ts'
import { totalOf } from '../model/offer.ts'
import type { Offer } from '../model/offer.ts'
import type { Verdict } from '../model/verdict.ts'
import { fillIn } from './language.ts'
import type { Messages } from './language.ts'
import type { ChangeRow } from '../watch/changes.ts'

/** Answers are spliced from texts that are JSON already; `data` must be one. */
export function successOf(data: string): string {
  return `{"status":"success","data":${data}}`
}

export function suggestionsText({ suggestions }: Generated, ask: Ask, messages: Messages): string {
  return JSON.stringify(suggestions.map((suggestion) => suggestionEntry(suggestion, ask, messages)))
}

/** The whole of `data`, around the text of its suggestions. */
export function generatedText({ shortfall }: Generated, suggestions: string): string {
  return `{"suggestions":${suggestions}${shortfall ? `,"shortfall":${JSON.stringify(shortfall)}` : ''}}`
}

export function suggestionEntry({ candidate, domains }: Suggestion, { include }: Ask, messages: Messages) {
  return {
    name: candidate.name,
    domains: domains.map((entry) => domainEntry(entry, include)),
    ...(include.includes('score') ? { score: candidate.score } : {}),
    ...(include.includes('rationale') ? { rationale: rationaleOf(candidate.origin, messages) } : {}),
    ...(include.includes('sound') ? { sound: soundEntry(candidate.sound) } : {}),
    ...(include.includes('risks') ? { risks: candidate.risks } : {}),
  }
}

function soundEntry(sound: Candidate['sound']) {
  if (!sound) return null
  const { syllables, said, spelledAsHeard } = sound
  return { syllables, said, spelled_as_heard: spelledAsHeard }
}

function domainEntry({ verdict, registrable, offer }: DomainOffer, include: Ask['include']) {
  const entry = { domain: verdict.domain, available: registrable, price: formatPrice(offer.registration) }
  if (include.length === 0) return entry
  return {
    ...entry,
    ...(include.includes('evidence') ? evidenceOf(verdict) : {}),
    ...(include.includes('pricing') ? { pricing: pricingOf(offer, verdict) } : {}),
  }
}

export function checkedText(checked: readonly Checked[]): string {
  return JSON.stringify(checked.map(checkedEntry))
}

export function checkedEntry({ input, verdict, registrable, offer, forSale }: Checked) {
  return {
    input,
    domain: verdict.domain,
    available: registrable,
    ...evidenceOf(verdict),
    price: offer ? formatPrice(offer.registration) : null,
    pricing: offer ? pricingOf(offer, verdict) : null,
    ...(forSale ? { for_sale: forSale } : {}),
  }
}

function evidenceOf(verdict: Verdict) {
  return {
    status: verdict.status,
    confidence: verdict.confidence,
    sources: verdict.sources,
    checked_at: new Date(verdict.checkedAt).toISOString(),
    expires_at: new Date(verdict.expiresAt).toISOString(),
  }
}

function pricingOf(offer: Offer, { checkedAt }: Verdict) {
  const { registration, renewal, transfer, source, asOf, years, isQuote } = offer
  return {
    currency: registration.currency,
    registration_minor: registration.minor,
    renewal_minor: renewal.minor,
    transfer_minor: transfer.minor,
    years,
    total_5y_minor: totalOf(offer).minor,
    kind: isQuote ? 'quote' : 'list',
    registrar: source,
    as_of: isQuote ? new Date(checkedAt).toISOString() : asOf,
  }
}

function rationaleOf({ style, parts, because, image }: Origin, { rationale }: Messages): string {
  const [first = '', second = ''] = parts
  // A finished coinage has one part, and nothing to say of a second.
  const isWhole = second === '' && rationale[style].includes('{second}')
  return [
    fillIn(rationale[isWhole ? 'invented' : style], { first, second }),
    ...(image === undefined ? [] : [fillIn(rationale.image, { image })]),
    ...(because === undefined ? [] : [fillIn(rationale.because, { because })]),
  ].join(' ')
}

/** The two jsonb columns come as text and go out as text. */
export function historyText(row: HistoryRow): string {
  const { id, created_at, description, count, language, key_id, options, suggestions } = row
  const head = JSON.stringify({ id, created_at, description, count, language, key_id })
  return `${head.slice(0, -1)},"options":${options},"suggestions":${suggestions}}`
}

export function changeText({ before, after, ...row }: ChangeRow): string {
  return `${JSON.stringify(row).slice(0, -1)},"before":${before},"after":${after}}`
}

export function favoriteText(row: FavoriteRow): string {
  const { id, domain, name, note, tags, watch, created_at, saved, current } = row
  const head = JSON.stringify({ id, domain, name, note, tags, watch, created_at })
  return `${head.slice(0, -1)},"saved":${saved},"current":${current}}`
}
