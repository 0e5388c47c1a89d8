/**
 * Exchange rates: from the European Central Bank, published on working days, or from the operator's own file.
 *
 * Both are parsed strictly and become fractions of a unit for one US dollar. A rate is used for seven days after its
 * own date and no longer, which covers the longest run of holidays. A wrong amount is worse than a currency that is
 * temporarily not offered.
 */
import { CURRENCIES, isCurrency } from '../../model/money.ts'
import type { Currency, Rate } from '../../model/money.ts'
import { DataError, isDay, isObject } from './fields.ts'
import { ListRefused } from './price-list.ts'

export const RATES_URL = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml'
const RATES_SOURCE = 'European Central Bank'

export interface DatedRate extends Rate {
  readonly asOf: string
  readonly source: string
}
export type Rates = ReadonlyMap<Currency, DatedRate>

const DAY_MS = 86_400_000
const LASTS_DAYS = 7
// A devaluation by half is rare; a misplaced decimal point is more likely. Such a rate is accepted once the old one
// has expired.
const RATE_MOVE = 1.5
// The bank publishes about thirty. A handful is not its list.
const FEWEST_RATES = 10

const RATE = String.raw`<Cube currency=['"]([A-Z]{3})['"] rate=['"](\d{1,7}(?:\.\d{1,8})?)['"]\s*/>`
const DOCUMENT = new RegExp(
  String.raw`^\s*<\?xml [^>]*\?>\s*<gesmes:Envelope [^>]*>(?:(?!<Cube)[^])*<Cube>\s*<Cube time=['"]([\d-]{10})['"]>((?:\s*${RATE})+)\s*</Cube>\s*</Cube>\s*</gesmes:Envelope>\s*$`,
)

/** Throws ListRefused. */
export function parseBankRates(text: string, nowMs: number): Rates {
  const [, asOf, list = ''] = DOCUMENT.exec(text) ?? []
  if (!isDay(asOf)) throw new ListRefused('it is not a list of rates')
  if (isToCome(asOf, nowMs)) throw new ListRefused(`it is of ${asOf}, which is in the future`)
  const perEuro = [...list.matchAll(new RegExp(RATE, 'g'))].map(([, code = '', rate = '']) => [code, rate] as const)
  const byCode = new Map([['EUR', '1'] as const, ...perEuro])
  const dollar = findFraction(byCode.get('USD'))
  if (byCode.size !== perEuro.length + 1) throw new ListRefused('it has a currency twice')
  if (!dollar || perEuro.length < FEWEST_RATES) throw new ListRefused(`it has ${perEuro.length} currencies`)
  const rates = new Map<Currency, DatedRate>()
  for (const [code, decimal] of byCode) {
    const euro = findFraction(decimal)
    if (!euro) throw new ListRefused(`${code} has no rate`)
    if (!isCurrency(code) || code === 'USD') continue
    const numerator = euro.numerator * dollar.denominator
    rates.set(code, { numerator, denominator: euro.denominator * dollar.numerator, asOf, source: RATES_SOURCE })
  }
  return rates
}

/** `{"as_of":"2026-11-15","source":"House bank","rates":{"EUR":"0.9213"}}`: units for one dollar. Throws DataError. */
export function parseOwnRates(file: string, text: string, nowMs: number): Rates {
  const problems: string[] = []
  const rates = new Map<Currency, DatedRate>()
  const { as_of: asOf, source, rates: list, ...strangers } = readObject(file, text)
  if (!isDay(asOf) || isToCome(asOf, nowMs)) problems.push('as_of must be a day such as 2026-11-15, not in the future')
  if (typeof source !== 'string' || source === '') problems.push('source must be a text')
  if (!isObject(list) || Object.keys(list).length === 0) problems.push('rates must be an object of codes and rates')
  for (const name of Object.keys(strangers)) problems.push(`${name} is not a field`)
  for (const [code, decimal] of Object.entries(isObject(list) ? list : {})) {
    const rate = findFraction(decimal)
    if (!isCurrency(code) || code === 'USD') problems.push(`${code} is not one of ${CURRENCIES.slice(1).join(', ')}`)
    else if (!rate) problems.push(`${code} must be a positive decimal such as "0.9213"`)
    else rates.set(code, { ...rate, asOf: String(asOf), source: String(source) })
  }
  if (problems.length > 0) throw new DataError(problems.map((problem) => `${file}: ${problem}`).join('\n'))
  return rates
}

/** The new rates over the old ones; rates with an implausible change stay as they were and are named. */
export function mergeRates(old: Rates, list: Rates, nowMs: number): { rates: Rates; skipped: readonly Currency[] } {
  const skipped = [...list].flatMap(([code, rate]) => {
    const before = old.get(code)
    return before && isFresh(before, nowMs) && isFar(before, rate) ? [code] : []
  })
  const accepted = [...list].filter(([code]) => !skipped.includes(code))
  return { rates: new Map([...old, ...accepted]), skipped }
}

export function isFresh({ asOf }: DatedRate, nowMs: number): boolean {
  // The day itself and seven more.
  return nowMs < Date.parse(asOf) + (1 + LASTS_DAYS) * DAY_MS
}

/** It may already be tomorrow in the time zone of the rates. */
function isToCome(day: string, nowMs: number): boolean {
  return Date.parse(day) > nowMs + DAY_MS
}

function isFar(before: Rate, after: Rate): boolean {
  const ratio = Number(after.numerator * before.denominator) / Number(after.denominator * before.numerator)
  return ratio > RATE_MOVE || ratio < 1 / RATE_MOVE
}

/** "171.94" as 17194/100; undefined for zero and for anything that is not a decimal. */
function findFraction(decimal: unknown): Rate | undefined {
  const text = typeof decimal === 'number' ? String(decimal) : decimal
  if (typeof text !== 'string' || !/^\d{1,7}(?:\.\d{1,8})?$/.test(text)) return undefined
  const [whole = '', part = ''] = text.split('.')
  const numerator = BigInt(whole + part)
  return numerator > 0n ? { numerator, denominator: 10n ** BigInt(part.length) } : undefined
}

function readObject(file: string, text: string): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(text) as unknown
    if (isObject(value)) return value
  } catch {
    // Reported below, with the same message as for any other JSON.
  }
  throw new DataError(`${file}: must be one JSON object`)
}
