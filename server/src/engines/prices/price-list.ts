/**
 * A public list of retail prices: what a source declares, and whether a list is plausible.
 *
 * Each source is one file in `lists/`; `lists/lists.ts` names them all. `parse` leaves out everything that is not the
 * price of a DNS suffix. `judgePriceList` compares a list with the current prices: an implausible list is refused as a
 * whole, an implausible single price is skipped. No list may add a suffix: its term and its rules would be guesses.
 */
import type { Suffix } from '../../model/domain.ts'
import type { ListPrice } from './price-row.ts'

export type PriceMap = ReadonlyMap<Suffix, ListPrice>

export interface PriceListSource {
  readonly url: string
  readonly method: 'GET' | 'POST'
  /** The name of its copy on disk. */
  readonly copy: string
  /** Shown beside each price. */
  readonly source: string
  /** Throws ListRefused. */
  readonly parse: (text: string) => PriceMap
}

/** Throws ListRefused. */
export function parseJsonList(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new ListRefused('it is not JSON')
  }
}

/** The list as a whole is refused; the message gives the reason. */
export class ListRefused extends Error {}

// A list that has lost half of the suffixes is truncated or a different list.
const FEWEST = 0.5
// Registries raise prices by about a tenth per year. A median change of a third overnight means another currency,
// another unit or a mistake.
const MEDIAN_MOVE = 1.3
// A single suffix can change owner and price; five times is a misplaced decimal point.
const PRICE_MOVE = 5

export interface Judged {
  /** Only known suffixes. */
  readonly accepted: PriceMap
  readonly skipped: readonly Suffix[]
}

/** Throws ListRefused. */
export function judgePriceList(known: PriceMap, list: PriceMap): Judged {
  const both = [...known].flatMap(([suffix, before]) => {
    const after = list.get(suffix)
    return after ? [{ suffix, before, after }] : []
  })
  if (both.length < known.size * FEWEST) {
    throw new ListRefused(`it has ${both.length} of ${known.size} suffixes`)
  }
  // Renewals: first-year prices change with promotions.
  const median = medianOf(both.map(({ before, after }) => after.renewal / before.renewal))
  if (median > MEDIAN_MOVE || median < 1 / MEDIAN_MOVE) {
    throw new ListRefused(`its prices are ${median.toFixed(2)} times the ones we have`)
  }
  const accepted = both.filter(({ before, after }) => isLikely(before, after))
  const skipped = both.filter(({ before, after }) => !isLikely(before, after))
  return {
    accepted: new Map(accepted.map(({ suffix, after }) => [suffix, after])),
    skipped: skipped.map(({ suffix }) => suffix),
  }
}

/** A first-year price may also change to or from the price of the later years: a promotion that ends or begins. */
function isLikely(before: ListPrice, after: ListPrice): boolean {
  const near = (from: number, to: number) => to <= from * PRICE_MOVE && to >= from / PRICE_MOVE
  const low = Math.min(before.registration, before.renewal)
  const high = Math.max(before.registration, before.renewal)
  const isFirstYear = after.registration <= high * PRICE_MOVE && after.registration >= low / PRICE_MOVE
  const isTransfer = !before.transfer || !after.transfer || near(before.transfer, after.transfer)
  return near(before.renewal, after.renewal) && isFirstYear && isTransfer
}

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 1
}
