/**
 * Compares verdicts with domains whose state is known, and counts what is wrong. The caller does the lookups.
 *
 * Registered, held and reserved domains stand in `known-domains.jsonl`. Free domains cannot: a published one is soon
 * registered by somebody. They are made for each run, from its date and a seed that nobody knows before.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { CheckedDomain } from '../../sdk/src/api-types.ts'

/**
 * `parked`: registered, but without a website or not even in DNS. `premium`: sold, but not at the list price.
 * `reserved`: nobody can register it.
 */
export type KnownState = 'taken' | 'parked' | 'premium' | 'reserved' | 'free'

export interface KnownDomain {
  readonly domain: string
  readonly state: KnownState
  /** The day on which this was known, as YYYY-MM-DD. */
  readonly as_of: string
  readonly why?: string
}

export interface VerdictToProve {
  readonly available: boolean
  readonly status: NonNullable<CheckedDomain['status']> | 'unproven'
  readonly confidence?: 'definitive' | 'likely' | undefined
}

export type Outcome = 'right' | 'wrong_available' | 'wrong_taken' | 'undetermined'

export interface Mistake extends KnownDomain {
  /** What the domain was called. */
  readonly status: VerdictToProve['status']
}

export interface ProofReport {
  readonly checked: number
  readonly right: number
  /** Domains that nobody can register at the list price, called available. */
  readonly wrongAvailable: number
  /** Free domains, called anything that is not available. */
  readonly wrongTaken: number
  /** Domains without a definite verdict. */
  readonly undetermined: number
  readonly seconds: number
  /** The oldest day in the list; undefined if it is empty. */
  readonly asOf: string | undefined
  /** The oldest state was known more than a year ago. */
  readonly isOutdated: boolean
  readonly mistakes: readonly Mistake[]
  readonly open: readonly string[]
}

const DAY_MS = 24 * 60 * 60_000
const OUTDATED_AFTER_MS = 365 * DAY_MS
const STATES: ReadonlySet<string> = new Set<KnownState>(['taken', 'parked', 'premium', 'reserved', 'free'])
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/
const DAY = /^\d{4}-\d{2}-\d{2}$/

// With the 52 of the list these are 60 lookups. Most of them have one price for all names and an RDAP service.
const FREE_SUFFIXES = ['com', 'net', 'org', 'io', 'dev', 'app', 'ai', 'de']
// 26 × 36^19 labels: nobody has registered one of them by accident.
const FREE_LENGTH = 20
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const CHARACTERS = `${LETTERS}0123456789`

/** They stand beside this file, and beside the program in the package. */
export function readKnownDomains(): KnownDomain[] {
  return parseKnownDomains(readFileSync(new URL('known-domains.jsonl', import.meta.url), 'utf8'))
}

/** A wrong line would make a right verdict look wrong, so nothing is skipped. */
export function parseKnownDomains(text: string): KnownDomain[] {
  const seen = new Set<string>()
  return text
    .trimEnd()
    .split('\n')
    .map((line, i) => {
      const known = knownIn(line)
      if (known === undefined) throw new Error(`line ${i + 1} of the known domains is not a known domain: ${line}`)
      if (seen.has(known.domain)) throw new Error(`line ${i + 1} of the known domains repeats ${known.domain}`)
      seen.add(known.domain)
      return known
    })
}

/** The same seed makes the same domains on the same day (UTC), and others on the next. */
export function makeFreeDomains(seed: string, now: number, suffixes: readonly string[] = FREE_SUFFIXES): KnownDomain[] {
  const asOf = dayOf(now)
  return suffixes.map((suffix) => {
    const bytes = createHash('sha256').update(`${seed} ${asOf} ${suffix}`).digest()
    const label = Array.from({ length: FREE_LENGTH }, (_, i) => {
      const allowed = i === 0 ? LETTERS : CHARACTERS
      return allowed.charAt((bytes[i] ?? 0) % allowed.length)
    }).join('')
    return { domain: `${label}.${suffix}`, state: 'free', as_of: asOf, why: 'Made at random for this run' }
  })
}

/** A domain without a verdict is undetermined. */
export function judge(state: KnownState, verdict: VerdictToProve | undefined): Outcome {
  if (verdict === undefined) return 'undetermined'
  const { available, status } = verdict
  const isPremium = status === 'premium'
  if (!available && !isPremium && !isDefinite(verdict)) return 'undetermined'
  // Everybody can have a free domain at the list price: "premium" is as wrong as "taken".
  if (state === 'free') return available && !isPremium ? 'right' : 'wrong_taken'
  // "premium" says that it can be registered, which is true only of what is sold at a premium.
  const isOffered = state === 'premium' ? available && !isPremium : available || isPremium
  return isOffered ? 'wrong_available' : 'right'
}

export function prove(
  known: readonly KnownDomain[],
  verdicts: ReadonlyMap<string, VerdictToProve>,
  { elapsedMs, now }: { readonly elapsedMs: number; readonly now: number },
): ProofReport {
  const judged = known.map((one) => {
    const verdict = verdicts.get(one.domain)
    return { one, verdict, outcome: judge(one.state, verdict) }
  })
  const count = (wanted: Outcome) => judged.filter(({ outcome }) => outcome === wanted).length
  // Days in this form sort as text.
  const asOf = known.map(({ as_of: day }) => day).toSorted()[0]
  return {
    checked: known.length,
    right: count('right'),
    wrongAvailable: count('wrong_available'),
    wrongTaken: count('wrong_taken'),
    undetermined: count('undetermined'),
    seconds: Math.round(elapsedMs / 100) / 10,
    asOf,
    isOutdated: asOf !== undefined && now - Date.parse(asOf) > OUTDATED_AFTER_MS,
    mistakes: judged.flatMap(({ one, verdict, outcome }) =>
      outcome.startsWith('wrong') && verdict !== undefined ? [{ ...one, status: verdict.status }] : [],
    ),
    open: judged.flatMap(({ one, outcome }) => (outcome === 'undetermined' ? [one.domain] : [])),
  }
}

/** The report as lines of text, the figures first. */
export function proofLines(report: ProofReport): string[] {
  const { checked, right, wrongAvailable, wrongTaken, undetermined, seconds, asOf, isOutdated, mistakes, open } = report
  const figures: readonly (readonly [string, number])[] = [
    ['right', right],
    ['wrong "available"', wrongAvailable],
    ['wrong "taken"', wrongTaken],
    ['no definite answer', undetermined],
  ]
  return [
    `${checked} domains of known state, checked in ${seconds.toFixed(1)} s`,
    ...figures.map(([what, figure]) => `  ${what.padEnd(20)}${String(figure).padStart(4)}`),
    ...mistakes.map(
      ({ domain, state, status, as_of: day, why }) =>
        `Wrong: ${domain} was called ${status}. It is ${state} (${day}${why === undefined ? '' : `: ${why}`}).`,
    ),
    ...(open.length === 0 ? [] : [`No definite answer: ${open.join(', ')}`]),
    ...(checked > 0 && right + mistakes.length === 0
      ? ['This run proves nothing: no domain got a definite answer.']
      : []),
    ...(isOutdated ? [`The list of known domains is of ${asOf}, more than a year old: update the command.`] : []),
  ]
}

/** Whether a verdict that is not "available" says why: then a free domain with it is called wrongly. */
function isDefinite({ status, confidence }: VerdictToProve): boolean {
  return (status === 'taken' || status === 'for_sale' || status === 'reserved') && confidence !== 'likely'
}

function knownIn(line: string): KnownDomain | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { domain, state, as_of: asOf, why }: Record<string, unknown> = { ...value }
  if (typeof domain !== 'string' || !DOMAIN.test(domain) || !isState(state)) return undefined
  if (typeof asOf !== 'string' || !isDay(asOf)) return undefined
  if (why === undefined) return { domain, state, as_of: asOf }
  return typeof why === 'string' ? { domain, state, as_of: asOf, why } : undefined
}

function isState(value: unknown): value is KnownState {
  return typeof value === 'string' && STATES.has(value)
}

/** Also that the day exists: 2026-02-30 would become a day in March. */
function isDay(text: string): boolean {
  const at = DAY.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(at) && dayOf(at) === text
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
