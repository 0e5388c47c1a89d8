/** Parses the body of POST /v1/generate, validates what a schema cannot, and returns the request for the flow. */
import type { NameRequest } from '@namewright/names'
import { minorWithin } from '../../model/money.ts'
import type { Currency } from '../../model/money.ts'
import { ApiError } from '../../model/errors.ts'
import type { FieldError } from '../../model/errors.ts'
import type { Candidates, GenerateRequest } from '../../model/generate-request.ts'
import { behindLabel, findDomain, findLabel, lettersOf } from '../../model/domain.ts'
import type { Label, Suffix } from '../../model/domain.ts'
import { isBarred } from '../../model/eligibility.ts'
import type { Candidate } from '../../model/name.ts'
import { isAffordable } from '../../model/offer.ts'
import type { Prices } from '../../engines/prices/prices.ts'
import { parseCurrency } from '../../http/wire/currency.ts'
import { parseSuffixes, type IgnoredSuffix, type SuffixOptions } from '../../http/wire/suffixes.ts'
import type { GenerateBody } from '../../http/wire/schemas.ts'

const DESCRIPTION_MAX = 2000
const CANDIDATE_MAX = 100
// Each candidate is checked under every suffix.
const SUFFIXES_WITH_CANDIDATES = 5
// A language model gets half of the time, and writes twenty names in a few seconds.
const DEFAULT_DEADLINE_MS = { alone: 2_500, withModel: 10_000 }
// Below three letters nothing is available; more than fifteen are too long to type.
const DEFAULT_LENGTHS = { min: 3, max: 15 }
const LABEL_MAX = 63

export interface GenerateDefaults {
  readonly prices: Prices
  readonly suffixes: readonly Suffix[]
  /** Whether a language model is also asked for names. */
  readonly withModel: boolean
  /** For a request without a deadline whose caller would rather wait, or does not wait at all. */
  readonly deadlineMs?: number
  /** The language of the response's texts. */
  readonly language: string
  /** For callers who get an answer for the other suffixes: takes those that we do not know, which otherwise are refused. */
  readonly ignored?: IgnoredSuffix[]
  /** The account's own; ignored if there is no rate for it today. */
  readonly currency: string | undefined
}

/** Throws invalid_request, which names every wrong field. */
export function parseGenerateRequest(body: GenerateBody, defaults: GenerateDefaults): GenerateRequest {
  const problems: FieldError[] = []
  const description = parseDescription(body.description, problems)
  const language = parseLanguage(body.language, problems)
  const candidates = parseCandidates(body.candidates ?? [], problems)
  const suffixes =
    candidates.length > 0 ? fewSuffixes(body, defaults, problems) : parseSuffixes(body, defaults, problems)
  const asked = body.currency ?? defaults.prices.findCurrency(defaults.currency ?? '')
  const currency = parseCurrency(defaults.prices, asked, '/currency', problems)
  const priceLimits = {
    due: limitOf(body.max_price, currency),
    fiveYears: limitOf(body.max_price_5y, currency),
  }
  const { min_length: minLength = DEFAULT_LENGTHS.min } = body
  const { max_length: maxLength = Math.max(DEFAULT_LENGTHS.max, minLength) } = body
  if (minLength > maxLength) {
    const isOurs = body.min_length === undefined
    problems.push(
      isOurs
        ? { pointer: '/max_length', code: 'too_small', params: { limit: minLength } }
        : { pointer: '/min_length', code: 'min_above_max' },
    )
  }
  if (problems.length > 0) throw new ApiError('invalid_request', { fields: problems })
  const isWithin = (suffix: Suffix) => isAffordable(defaults.prices.listOfferOf(suffix, currency), priceLimits)
  const affordable = suffixes.filter(isWithin)
  const country = body.country?.toUpperCase()
  const isOpen = (suffix: Suffix) => !isBarred(defaults.prices.eligibilityOf(suffix), country)
  const hackSuffixes = body.tlds === undefined ? everySuffix(defaults.prices).filter(isWithin) : affordable
  const { description: _description, count, candidates: _candidates, ...options } = body
  const { quality = 'best' } = body
  const names: NameRequest = {
    description,
    ...(language === undefined ? {} : { language }),
    ...(body.styles === undefined ? {} : { styles: body.styles }),
    includeWords: body.include_words ?? [],
    excludeWords: body.exclude_words ?? [],
    minLength,
    maxLength,
    hyphens: body.hyphens ?? false,
    digits: body.digits ?? false,
    idn: body.idn ?? false,
    ...(body.styles?.includes('domain_hack') === true ? { hackSuffixes: hackSuffixes.filter(isOpen) } : {}),
    like: body.like ?? [],
    unlike: body.unlike ?? [],
    seed: body.seed ?? 0,
  }
  const rules = {
    ...names,
    minLength: body.min_length ?? 1,
    maxLength: body.max_length ?? LABEL_MAX,
    hyphens: body.hyphens ?? true,
    digits: body.digits ?? true,
    idn: body.idn ?? true,
  }
  const isOffered = (suffix: Suffix | undefined) => (suffix === undefined ? affordable.length > 0 : isWithin(suffix))
  return {
    names,
    ...(body.candidates === undefined
      ? {}
      : {
          candidates: {
            names: readCandidates(candidates, defaults.prices, isOffered),
            rules,
            fill: body.fill ?? false,
          },
        }),
    count,
    suffixes: affordable,
    country,
    currency,
    priceLimits,
    onlyAvailable: body.only_available ?? true,
    variants: body.variants ?? false,
    premium: body.premium ?? false,
    verify: body.verify ?? 'fast',
    quality,
    deadlineMs: deadlineOf(body, defaults.withModel, defaults.deadlineMs),
    include: body.include ?? [],
    language: language ?? defaults.language,
    options: JSON.stringify(options),
  }
}

export function deadlineOf(
  { deadline_ms: asked, quality = 'best' }: Pick<GenerateBody, 'deadline_ms' | 'quality'>,
  withModel: boolean,
  byDefault?: number,
): number {
  return asked ?? byDefault ?? DEFAULT_DEADLINE_MS[withModel && quality === 'best' ? 'withModel' : 'alone']
}

function parseDescription(text: string, problems: FieldError[]): string {
  // NUL is the only character that PostgreSQL cannot store; a lone surrogate cannot be written as UTF-8.
  const description = text.replaceAll('\0', ' ').toWellFormed().trim()
  const pointer = '/description'
  const length = Array.from(description).length
  if (length === 0) problems.push({ pointer, code: 'too_short', params: { limit: 1 } })
  else if (length > DESCRIPTION_MAX) problems.push({ pointer, code: 'too_long', params: { limit: DESCRIPTION_MAX } })
  else if (!/\p{L}/u.test(description)) problems.push({ pointer, code: 'no_letter' })
  return description
}

/** Returns the names in NFC. */
function parseCandidates(texts: readonly string[], problems: FieldError[]): readonly string[] {
  return texts.map((text, i) => {
    const name = text.normalize('NFC')
    const pointer = `/candidates/${i}`
    const length = Array.from(name).length
    if (length > CANDIDATE_MAX) problems.push({ pointer, code: 'too_long', params: { limit: CANDIDATE_MAX } })
    else if (/\p{Cc}|\p{Cs}/u.test(name)) {
      problems.push({ pointer, code: 'bad_format', params: { expected: 'text without control characters' } })
    }
    return name
  })
}

/** Of the suffixes that the caller does not name, only the first few. */
function fewSuffixes(
  body: Pick<GenerateBody, 'tlds' | 'country'>,
  defaults: SuffixOptions,
  problems: FieldError[],
): readonly Suffix[] {
  const named = parseSuffixes(body, defaults, problems)
  if (named.length <= SUFFIXES_WITH_CANDIDATES) return named
  if (body.tlds !== undefined) {
    problems.push({ pointer: '/tlds', code: 'too_many', params: { limit: SUFFIXES_WITH_CANDIDATES } })
  }
  return named.slice(0, SUFFIXES_WITH_CANDIDATES)
}

/** `isOffered`: whether the suffix, or any that the request has, is within its price limits. */
function readCandidates(
  names: readonly string[],
  prices: Prices,
  isOffered: (suffix: Suffix | undefined) => boolean,
): Candidates['names'] {
  const seen = new Set<string>()
  return names.map((name) => {
    const candidate = readCandidate(name, prices)
    if (!candidate) return { name, reason: 'invalid' }
    const { label, suffix } = candidate
    const key = `${label}.${suffix ?? ''}`
    if (seen.has(key)) return { name, reason: 'duplicate' }
    seen.add(key)
    return isOffered(suffix) ? candidate : { name, reason: 'too_expensive' }
  })
}

function readCandidate(name: string, prices: Prices): Candidate | undefined {
  if (!/[.。．｡]/.test(name)) {
    const label = findLabel(name)
    return label === undefined ? undefined : { name, label, letters: lettersOf(label) }
  }
  const domain = findDomain(name)
  const suffix = domain && prices.findSuffix(behindLabel(domain))
  if (!domain || !suffix) return undefined
  const label = domain.slice(0, -suffix.length - 1) as Label
  return { name, label, letters: lettersOf(label), suffix }
}

function parseLanguage(tag: string | undefined, problems: FieldError[]): string | undefined {
  if (tag === undefined) return undefined
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    problems.push({ pointer: '/language', code: 'bad_format', params: { expected: 'BCP 47 (de, pt-BR, zh-Hans)' } })
    return undefined
  }
}

/** Any suffix may complete a word; only those open to everybody are tried. */
function everySuffix(prices: Prices): Suffix[] {
  return prices.list().flatMap(({ suffix, eligibility }) => (eligibility === 'open' ? [suffix] : []))
}

function limitOf(amount: number | undefined, currency: Currency): number | undefined {
  return amount === undefined ? undefined : minorWithin(amount, currency)
}
