/** What a caller sees of the names that were found, in an answer and as events. */
import type { NameOrigin } from '@namewright/names'
import type { Static } from 'typebox'
import type { Shown } from '../../http/route.ts'
import type { StreamEvent } from '../../http/stream/frames.ts'
import { markOf, type StreamEncoder } from '../../http/stream/stream-encoder.ts'
import { fillIn, type Messages } from '../../http/wire/language.ts'
import { handlesEntry } from '../../http/wire/namespace-entry.ts'
import type { GenerateAnswer } from '../../http/wire/schemas.ts'
import { evidenceOf, pricingOf, registerOf } from '../../http/wire/texts.ts'
import type { DomainOffer, GenerateRequest, Rejection, Shortfall, Suggestion } from '../../model/generate-request.ts'
import { formatPrice } from '../../model/money.ts'
import type { Generated } from './suggest.ts'

type Asked = Pick<GenerateRequest, 'include'>

/** The suggestions come first: `isShort` of batches reads the beginning of this text. */
export function shown(
  { suggestions, rejected, shortfall, understanding }: Generated,
  asked: Asked,
  messages: Messages,
): Shown<Static<typeof GenerateAnswer>['data']> {
  return {
    suggestions: suggestions.map((one) => suggestionEntry(one, asked, messages)),
    ...(rejected && { rejected: rejected.map((one) => rejectionEntry(one, asked)) }),
    ...(shortfall && { shortfall: shortfallEntry(shortfall, messages) }),
    ...(understanding && { understanding: understandingEntry(understanding) }),
  }
}

function rejectionEntry({ nearest, ...rejection }: Rejection, { include }: Asked) {
  return nearest ? { ...rejection, nearest: domainEntry(nearest, include) } : rejection
}

function understandingEntry({ forWhom, isSure, ...summary }: NonNullable<Generated['understanding']>) {
  return { ...summary, for_whom: forWhom, sure: isSure }
}

/** If only budgets are used up, the caller has nothing to correct: `retry_after` tells when to retry. */
function shortfallEntry(shortfall: Shortfall, messages: Messages) {
  const { reason, sources = [] } = shortfall
  const isBudget = sources.length > 0 && sources.every(({ state }) => state === 'rate_limited')
  const isHinted = reason === 'restricted' || (reason === 'availability_unknown' && !isBudget)
  return { ...shortfall, ...(isHinted && { hint: messages.shortfall[reason] }) }
}

export function suggestionEntry(
  { proposal, domains, origin, handles }: Suggestion,
  { include }: Asked,
  messages: Messages,
) {
  return {
    name: proposal.name,
    domains: domains.map((entry) => domainEntry(entry, include)),
    ...(origin ? { origin } : {}),
    ...(include.includes('score') ? { score: { ...proposal.score } } : {}),
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

export type SuggestionUpdates = [shown: readonly Suggestion[], withdrawn: readonly Suggestion[]]

/**
 * `suggestion` when a name first appears, `domain` when the state of one of its domains changes, `handles` when its packages
 * and accounts have verdicts, `withdrawn` when the name is dropped after all.
 */
export function createSuggestionEncoder(request: Asked, messages: Messages): StreamEncoder<SuggestionUpdates> {
  /** For each name, a hash of each of its domains as it was sent. */
  const sent = new Map<string, readonly string[]>()
  /** For each name, a hash of its handles as they were sent. */
  const sentHandles = new Map<string, string>()
  const current = new Map<string, Suggestion>()
  const updates = new Set<string>()

  function* changesOf(name: string): Iterable<StreamEvent> {
    const suggestion = current.get(name)
    const before = sent.get(name)
    if (!suggestion) {
      sentHandles.delete(name)
      if (sent.delete(name)) yield { event: 'withdrawn', data: JSON.stringify({ name }) }
      return
    }
    const entry = suggestionEntry(suggestion, request, messages)
    const domains = entry.domains.map((domain) => JSON.stringify(domain))
    sent.set(name, domains.map(markOf))
    const handles = entry.handles && JSON.stringify(entry.handles)
    const areHandlesNew = handles !== undefined && markOf(handles) !== sentHandles.get(name)
    if (areHandlesNew) sentHandles.set(name, markOf(handles))
    if (!before) yield { event: 'suggestion', data: JSON.stringify(entry) }
    else {
      for (const [index, domain] of domains.entries()) {
        if (markOf(domain) !== before[index]) yield { event: 'domain', data: domainData(name, index, domain) }
      }
      if (areHandlesNew) yield { event: 'handles', data: `{"name":${JSON.stringify(name)},"handles":${handles}}` }
    }
  }

  return {
    update(found, withdrawn) {
      for (const one of found) current.set(one.proposal.name, one)
      for (const { proposal } of withdrawn) current.delete(proposal.name)
      for (const { proposal } of [...found, ...withdrawn]) updates.add(proposal.name)
    },
    *changes() {
      for (const name of updates) {
        updates.delete(name)
        yield* changesOf(name)
      }
    },
  }
}

function domainData(name: string, index: number, domain: string): string {
  return `{"name":${JSON.stringify(name)},"index":${index},"domain":${domain}}`
}
