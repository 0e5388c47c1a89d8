/**
 * The offered suffixes and their prices. A suffix without a price is not offered.
 *
 * There are three layers, and the later one wins: the shipped catalogue (`data/suffixes.jsonl`), the public price
 * list of the day, the operator's own file. `refresh` and `reload` replace a layer and then the whole table, by one
 * assignment. An implausible list or file is reported and the last good one stays, with its date.
 *
 * Prices are kept in US cents. Another currency is offered only while there is a rate of the last seven days for it.
 * Premium prices of single domains are not here: only a registrar has them. `convert` is for them too.
 */
import { readFile } from 'node:fs/promises'
import { behindLabel } from '../model/domain.ts'
import type { Domain, Suffix } from '../model/domain.ts'
import { exchange } from '../model/money.ts'
import type { Currency, Money } from '../model/money.ts'
import type { Offer } from '../model/offer.ts'
import type { Verdict } from '../model/verdict.ts'
import { parseCatalogue } from './catalogue.ts'
import { openCurrentRates } from './current-rates.ts'
import { createDailyLists } from './daily-lists.ts'
import type { FetchFeed } from './feed.ts'
import { openOwnFile } from './own-file.ts'
import { applyOwnPrices, NO_OWN_PRICES, parseOwnPrices } from './own-prices.ts'
import { createPresets } from './presets.ts'
import { judgePriceList, PRICE_LIST_SOURCE, PRICE_LIST_URL, parsePriceList } from './price-list.ts'
import type { SuffixFacts } from './price-row.ts'
import { RATES_URL } from './rates.ts'
import { passedOver } from './report.ts'
import type { OnReport } from './report.ts'
import { createTable } from './table.ts'

export interface Prices {
  /** For a suffix that `findSuffix` knows, in a currency that `findCurrency` knows. */
  offerOf(suffix: Suffix, currency?: Currency): Offer
  /** The same, or the quote for this exact domain; undefined if it cannot be converted to the currency. */
  offerFor(suffix: Suffix, verdict: Pick<Verdict, 'price' | 'status'>, currency?: Currency): Offer | undefined
  findSuffix(text: string): Suffix | undefined
  /** The part after the first label, if it is a known suffix. */
  suffixOf(domain: Domain): Suffix | undefined
  /** The suffixes of "startup" or "country:de". */
  findPreset(name: string): readonly Suffix[] | undefined
  readonly presets: readonly string[]
  /** Every offered suffix, most popular first. */
  list(): readonly SuffixFacts[]
  /** A currency with a current rate. */
  findCurrency(code: string): Currency | undefined
  currencies(): readonly Currency[]
  /** Undefined if there is no rate for one of the two. */
  convert(money: Money, currency: Currency): Money | undefined
  /** Fetches the daily lists; returns whether all of them were fetched and accepted. Never rejects. */
  refresh(signal: AbortSignal): Promise<boolean>
  /** Reads the operator's own files again if they have changed. */
  reload(): Promise<void>
}

export interface PricesOptions {
  /** JSON or JSON Lines; `own-prices.ts` describes the format. */
  readonly ownFile?: string | undefined
  /** JSON; `rates.ts` describes the format. */
  readonly ratesFile?: string | undefined
  /** Absent: the daily lists are not fetched. */
  readonly send?: FetchFeed | undefined
  readonly priceListUrl?: string | undefined
  readonly ratesUrl?: string | undefined
  /** A folder for the last good copies; absent: they are kept in memory only. */
  readonly copies?: string | undefined
  readonly now?: () => number
  readonly onReport?: OnReport
}

/** Throws a DataError if a shipped file or a file of the operator is wrong. */
export async function openPrices(options: PricesOptions = {}): Promise<Prices> {
  const { send, copies, now = Date.now, onReport = () => {} } = options
  const { catalogue, eligibility, presets, countries } = await readData()
  const named = createPresets({ presets, countries, isSuffix: (text) => catalogue.has(text as Suffix) })
  const rates = await openCurrentRates({ file: options.ratesFile, now, onReport })
  const own = await openOwnFile({
    file: options.ownFile,
    none: NO_OWN_PRICES,
    parse: (file, text) => parseOwnPrices(file, text, eligibility),
    onRefused: (detail) => onReport({ what: 'own prices', ok: false, detail }),
  })
  let listed = catalogue
  let table = createTable(applyOwnPrices(listed, own.current()))

  function takePriceList(text: string, fetchedAt: number): string {
    const asOf = new Date(fetchedAt).toISOString().slice(0, 10)
    const { accepted, skipped } = judgePriceList(listed, parsePriceList(text))
    const rows = [...listed].map(([suffix, row]) => {
      const price = accepted.get(suffix)
      // A copy on disk may be older than the catalogue of a newer release.
      const isNewer = price !== undefined && row.asOf <= asOf
      return [suffix, isNewer ? { ...row, ...price, source: PRICE_LIST_SOURCE, asOf } : row] as const
    })
    listed = new Map(rows)
    table = createTable(applyOwnPrices(listed, own.current()), table)
    return `${accepted.size} suffixes of ${asOf}${passedOver(skipped)}`
  }

  const { priceListUrl = PRICE_LIST_URL, ratesUrl = RATES_URL } = options
  const daily = createDailyLists({
    lists: [
      { what: 'price list', url: priceListUrl, method: 'POST', copy: 'price-list.json', take: takePriceList },
      { what: 'rates', url: ratesUrl, method: 'GET', copy: 'rates.json', take: (text) => rates.take(text) },
    ],
    send,
    copies,
    now,
    onReport,
  })
  await daily.readStored()

  const findSuffix = (text: string) => (table.has(text) ? text : undefined)

  const isOwn = (suffix: Suffix) => own.current().has(suffix) || own.current().has('*')

  function convert(money: Money, currency: Currency): Money | undefined {
    const [from, to] = [rates.find(money.currency), rates.find(currency)]
    return from && to && exchange(money, from, currency, to)
  }

  function offerOf(suffix: Suffix, currency: Currency = 'USD'): Offer {
    const rate = rates.findLast(currency)
    const offer = rate && table.findOffer(suffix, currency, rate)
    if (!offer) throw new Error(`no price for ${suffix} in ${currency}: it should not have passed the parser`)
    return offer
  }

  return {
    offerOf,
    offerFor(suffix, { price, status }, currency = 'USD') {
      const list = offerOf(suffix, currency)
      // The operator's own price wins; but the price of the suffix would be wrong for a premium domain.
      if (!price || (status !== 'premium' && isOwn(suffix))) return list
      const [registration, renewal] = [price.registration, price.renewal ?? list.renewal].map((money) =>
        convert(money, currency),
      )
      return (
        registration &&
        renewal && { ...list, registration, renewal, source: price.seller, years: price.years, isQuote: true }
      )
    },
    findSuffix,
    suffixOf: (domain) => findSuffix(behindLabel(domain)),
    findPreset(name) {
      const found = named
        .find(name)
        .map(findSuffix)
        .filter((suffix) => suffix !== undefined)
      return found.length > 0 ? found : undefined
    },
    presets: named.names,
    list: () => table.rows,
    currencies: () => rates.list(),
    findCurrency: (code) => rates.list().find((currency) => currency === code),
    convert,
    refresh: (signal) => daily.refresh(signal),
    async reload() {
      await rates.reload()
      if (!(await own.reload())) return
      table = createTable(applyOwnPrices(listed, own.current()), table)
      onReport({ what: 'own prices', ok: true, detail: `${table.rows.length} suffixes on offer` })
    },
  }
}

async function readData() {
  const read = (file: string) => readFile(new URL(`../../data/${file}`, import.meta.url), 'utf8')
  const [suffixes, rules, presets, countries] = await Promise.all([
    read('suffixes.jsonl'),
    read('eligibility.json'),
    read('presets.json'),
    read('country-suffixes.json'),
  ])
  const eligibility = new Set(Object.keys((JSON.parse(rules) as { rules: object }).rules))
  return {
    eligibility,
    catalogue: parseCatalogue('data/suffixes.jsonl', suffixes, eligibility),
    presets: JSON.parse(presets) as Record<string, string[]>,
    countries: (JSON.parse(countries) as { suffixes: Record<string, string> }).suffixes,
  }
}
