/**
 * The offered suffixes and their prices. A suffix without a price is not offered; its domains can be checked if it is in
 * the root zone (`data/root-zone.json`).
 *
 * There are three layers, and the later one wins: the shipped catalogue (`data/suffixes.jsonl`), the price lists of
 * the day, the operator's own file. `refresh` and `reload` replace a layer and then the whole table, by one
 * assignment. An implausible list or file is reported and the last good one stays, with its date.
 *
 * Prices are kept in the currency in which they are sold, nearly always US dollars. Another currency, and every suffix
 * that is sold in it, is offered only while its exchange rate is at most seven days old.
 * Premium prices of single domains are not here: only a registrar has them. `convert` is for them too.
 */
import { readData } from '../../data.ts'
import { behindLabel, isSuffix, type Domain, type Suffix } from '../../model/domain.ts'
import type { Eligibility } from '../../model/eligibility.ts'
import { CURRENCIES, exchange, USD_RATE, type Currency, type Money, type Rate } from '../../model/money.ts'
import type { Offer } from '../../model/offer.ts'
import type { Seller } from '../../model/seller.ts'
import type { Verdict } from '../../model/verdict.ts'
import { listBill, quotedBill } from './bill.ts'
import { parseCatalogue } from './catalogue.ts'
import { createDailyLists } from './daily-lists.ts'
import { parseEligibilityRules } from './eligibility-rules.ts'
import type { FetchFeed } from './feed.ts'
import { openOwnFile } from './own-file.ts'
import { applyOwnPrices, NO_OWN_PRICES, parseOwnPrices } from './own-prices.ts'
import { createPresets } from './presets.ts'
import { PORKBUN } from './porkbun-list.ts'
import { judgePriceList } from './price-list.ts'
import type { PriceListSource } from './price-list.ts'
import { ONE_YEAR, type ListPrice, type PriceRow, type SuffixFacts, type Term } from './price-row.ts'
import { isFresh, mergeRates, parseBankRates, parseOwnRates, RATES_URL, type Rates } from './rates.ts'
import { passedOver, type OnReport } from './report.ts'
import { createSellers, type Registrar, type SellerOf, type SellersOptions } from './sellers.ts'
import { parseTerms } from './terms.ts'

export interface Prices {
  /** The list prices of a suffix that `findSuffix` knows, in a currency that `findCurrency` knows. */
  listOfferOf(suffix: Suffix, currency?: Currency): Offer
  /**
   * The quote for this exact domain, or else the list prices of its suffix. Undefined if the quote cannot be converted
   * to the currency.
   */
  findDomainOffer(suffix: Suffix, verdict: Pick<Verdict, 'price' | 'status'>, currency?: Currency): Offer | undefined
  findSuffix(text: string): Suffix | undefined
  /** Also a suffix of the root zone without a price, unless the operator withholds it. */
  findCheckable(text: string): Suffix | undefined
  /** For how long a domain under a suffix must be bought at least. */
  termOf(suffix: Suffix): Term
  /** Where a domain under a suffix without a price can be registered. */
  sellerOf(suffix: Suffix, verdict: Pick<Verdict, 'sources'>): Seller
  /** Every registrar whose search we know. */
  readonly registrars: readonly Registrar[]
  /** Who may register under a suffix that was ever on offer. Undefined: everybody, as far as we know. */
  eligibilityOf(suffix: Suffix): Eligibility | undefined
  /** The part after the first label, if it is a known suffix. */
  suffixOf(domain: Domain): Suffix | undefined
  /** The suffixes of "startup" or "country:de". */
  findPreset(name: string): readonly Suffix[] | undefined
  readonly presets: readonly string[]
  /** `country:de`, for every country whose suffix is known. */
  readonly countryPresets: readonly string[]
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
  readonly priceLists?: readonly PriceListSource[] | undefined
  readonly ratesUrl?: string | undefined
  /** A folder for the last good copies; absent: they are kept in memory only. */
  readonly copies?: string | undefined
  readonly register?: SellersOptions
  readonly now?: () => number
  readonly onReport?: OnReport
}

/** Throws a DataError if a shipped file or a file of the operator is wrong. */
export async function openPrices(options: PricesOptions = {}): Promise<Prices> {
  const { send, copies, now = Date.now, onReport = () => {} } = options
  const { catalogue, eligibility, terms, presets, countries, registrars, rootZone } = readFacts()
  const sellers = createSellers(registrars, options.register ?? {})
  const named = createPresets({ presets, countries, suffixes: new Set(catalogue.keys()) })
  const rates = await openCurrentRates({ file: options.ratesFile, now, onReport })
  const own = await openOwnFile({
    file: options.ownFile,
    none: NO_OWN_PRICES,
    parse: (file, text) => parseOwnPrices(file, text, eligibility.codes),
    onRefused: (detail) => onReport({ what: 'own prices', ok: false, detail }),
  })
  let listed: ReadonlyMap<Suffix, PriceRow> = catalogue
  let table = createTable(applyOwnPrices(listed, own.current(), terms), sellers.sellerOf)
  // What is sold in another currency is on offer only while there is a rate for it.
  const isOnOffer = ({ currency }: PriceRow) => rates.find(currency) !== undefined

  const { priceLists = [PORKBUN], ratesUrl = RATES_URL } = options
  /** The last good prices of each list, with the day on which each was read. */
  const lastGood = new Map<PriceListSource, ReadonlyMap<Suffix, ListPrice & { readonly asOf: string }>>()

  function takePriceList(list: PriceListSource, text: string, fetchedAt: number): string {
    const asOf = new Date(fetchedAt).toISOString().slice(0, 10)
    const before = lastGood.get(list)
    const known = new Map(
      [...catalogue].flatMap(([suffix, row]) =>
        row.currency === 'USD' ? [[suffix, baseOf(row, before?.get(suffix))]] : [],
      ),
    )
    const { accepted, skipped } = judgePriceList(known, list.parse(text))
    const read = [...accepted].map(([suffix, price]) => [suffix, { ...price, asOf }] as const)
    lastGood.set(list, new Map([...(before ?? []), ...read]))
    listed = withLists()
    table = createTable(applyOwnPrices(listed, own.current(), terms), sellers.sellerOf, table)
    return `${accepted.size} suffixes of ${asOf}${passedOver(skipped)}`
  }

  /**
   * A list is compared with its own last prices, unless a newer release knows better. It is never compared with another
   * list: two registrars may ask very different prices, and which list arrives first is chance.
   */
  function baseOf(shipped: PriceRow, last: (ListPrice & { readonly asOf: string }) | undefined): ListPrice {
    return last === undefined || last.asOf < shipped.asOf ? shipped : last
  }

  /** The newest price wins, and of the same day that of the later list: a list that fails does not hide the others. */
  function withLists(): ReadonlyMap<Suffix, PriceRow> {
    const rows = new Map(catalogue)
    for (const list of priceLists) {
      for (const [suffix, price] of lastGood.get(list) ?? []) {
        const row = rows.get(suffix)
        // A copy on disk may be older than the catalogue of a newer release.
        if (row && row.asOf <= price.asOf) rows.set(suffix, { ...row, ...price, source: list.source })
      }
    }
    return rows
  }

  const daily = createDailyLists({
    lists: [
      ...priceLists.map((list) => ({
        ...list,
        what: 'price list' as const,
        take: (text: string, fetchedAt: number) => takePriceList(list, text, fetchedAt),
      })),
      { what: 'rates', url: ratesUrl, method: 'GET', copy: 'rates.json', take: (text) => rates.take(text) },
    ],
    send,
    copies,
    now,
    onReport,
  })
  await daily.readStored()

  const findSuffix = (text: string) => {
    const row = table.find(text)
    return row && isOnOffer(row) ? row.suffix : undefined
  }

  const isWithheld = (suffix: Suffix) => 'offered' in (own.current().get(suffix) ?? own.current().get('*') ?? {})

  const isOwn = (suffix: Suffix) => own.current().has(suffix) || own.current().has('*')

  function convert(money: Money, currency: Currency): Money | undefined {
    const [from, to] = [rates.find(money.currency), rates.find(currency)]
    return from && to && exchange(money, from, currency, to)
  }

  function listOfferOf(suffix: Suffix, currency: Currency = 'USD'): Offer {
    const row = table.everOffered.get(suffix)
    const [from, to] = [row && rates.findLast(row.currency), rates.findLast(currency)]
    if (!row || !from || !to)
      throw new Error(`no price for ${suffix} in ${currency}: it should not have passed the parser`)
    return table.offerOf(row, from, currency, to)
  }

  return {
    listOfferOf,
    findDomainOffer(suffix, { price, status }, currency = 'USD') {
      const listOffer = listOfferOf(suffix, currency)
      // The operator's own price wins; but the price of the suffix would be wrong for a premium domain.
      if (!price || (status !== 'premium' && isOwn(suffix))) return listOffer
      const bill = quotedBill(price, listOffer, (money) => convert(money, currency))
      const seller = sellers.sellerOf(suffix, [price.seller, listOffer.source])
      return bill && { ...listOffer, ...bill, source: price.seller, isQuote: true, seller }
    },
    findSuffix,
    findCheckable(text) {
      const suffix = findSuffix(text) ?? rootZone.get(text)
      return suffix === undefined || isWithheld(suffix) ? undefined : suffix
    },
    sellerOf: (suffix, { sources }) => sellers.sellerOf(suffix, sources),
    registrars: sellers.registrars,
    termOf: (suffix) => table.everOffered.get(suffix) ?? terms.get(suffix) ?? ONE_YEAR,
    eligibilityOf(suffix) {
      const { eligibility: code = 'open' } = table.everOffered.get(suffix) ?? {}
      if (code === 'open') return undefined
      const allowed = eligibility.countriesOf(code)
      return allowed ? { code, countries: allowed } : { code }
    },
    suffixOf: (domain) => findSuffix(behindLabel(domain)),
    findPreset(name) {
      const found = named
        .find(name)
        .map(findSuffix)
        .filter((suffix) => suffix !== undefined)
      return found.length > 0 ? found : undefined
    },
    presets: named.names,
    countryPresets: named.countries,
    list: () => table.rows.filter(isOnOffer),
    currencies: () => rates.list(),
    findCurrency: (code) => rates.list().find((currency) => currency === code),
    convert,
    refresh: (signal) => daily.refresh(signal),
    async reload() {
      await rates.reload()
      if (!(await own.reload())) return
      table = createTable(applyOwnPrices(listed, own.current(), terms), sellers.sellerOf, table)
      onReport({ what: 'own prices', ok: true, detail: `${table.rows.length} suffixes on offer` })
    },
  }
}

function readFacts() {
  const eligibility = parseEligibilityRules('data/eligibility.json', readData('eligibility.json'))
  const terms = parseTerms('data/suffix-terms.jsonl', readData('suffix-terms.jsonl'))
  return {
    eligibility,
    terms,
    catalogue: parseCatalogue('data/suffixes.jsonl', readData('suffixes.jsonl'), eligibility.codes, terms),
    presets: JSON.parse(readData('presets.json')) as Record<string, string[]>,
    countries: (JSON.parse(readData('country-suffixes.json')) as { suffixes: Record<string, string> }).suffixes,
    registrars: readData('registrars.json'),
    rootZone: parseRootZone(readData('root-zone.json')),
  }
}

function parseRootZone(text: string): ReadonlyMap<string, Suffix> {
  const { suffixes } = JSON.parse(text) as { suffixes: Record<string, string> }
  const listed = Object.values(suffixes).flatMap((some) => some.split(' '))
  return new Map(listed.filter(isSuffix).map((suffix) => [suffix, suffix]))
}

/**
 * The current prices as one immutable value: what is offered, and what it costs in a currency.
 *
 * A table is never changed, only replaced, so that a request sees one state of it. A suffix from an earlier table can
 * still be priced, so that a request in flight does not fail when a suffix is withdrawn.
 */
interface PriceTable {
  /** Most popular first, then alphabetical. */
  readonly rows: readonly PriceRow[]
  find(suffix: string): PriceRow | undefined
  /** `from`: the rate of the currency in which it is sold; `to`: that of `currency`. */
  offerOf(row: PriceRow, from: Rate, currency: Currency, to: Rate): Offer
  readonly everOffered: ReadonlyMap<Suffix, PriceRow>
}

function createTable(offered: ReadonlyMap<Suffix, PriceRow>, sellerOf: SellerOf, before?: PriceTable): PriceTable {
  const everOffered = new Map([...(before?.everOffered ?? []), ...offered])
  // Weak: prices are released together with an old rate.
  const pricedIn = new WeakMap<Rate, Map<PriceRow, { readonly from: Rate; readonly offer: Offer }>>()
  const rank = ({ popularity }: PriceRow) => popularity ?? Infinity
  return {
    rows: [...offered.values()].toSorted((a, b) =>
      rank(a) === rank(b) ? (a.suffix < b.suffix ? -1 : 1) : rank(a) - rank(b),
    ),
    find: (suffix) => offered.get(suffix as Suffix),
    offerOf(row, from, currency, to) {
      let offers = pricedIn.get(to)
      if (!offers) pricedIn.set(to, (offers = new Map()))
      const known = offers.get(row)
      if (known?.from === from) return known.offer
      const offer = { ...priceIn(row, from, currency, to), seller: sellerOf(row.suffix, [row.source]) }
      offers.set(row, { from, offer })
      return offer
    },
    everOffered,
  }
}

function priceIn(row: PriceRow, from: Rate, currency: Currency, to: Rate): Omit<Offer, 'seller'> {
  const money = (minor: number): Money => exchange({ minor, currency: row.currency }, from, currency, to)
  const { renewal, transfer, source, asOf } = row
  return {
    ...listBill(row, money),
    transfer: money(transfer ?? renewal),
    ...(transfer === null ? { isTransferEstimated: true as const } : {}),
    source,
    asOf,
    isQuote: false,
  }
}

/** The exchange rates in use: the operator's own if they are fresh, otherwise the bank's. */
interface CurrentRates {
  /** Undefined if there is none of the last seven days. */
  find(currency: Currency): Rate | undefined
  /** The last known rate, for a request that began while it was fresh. */
  findLast(currency: Currency): Rate | undefined
  list(): readonly Currency[]
  /** Applies a list of the bank and returns a summary. Throws ListRefused. */
  take(text: string): string
  reload(): Promise<void>
}

async function openCurrentRates(options: {
  readonly file: string | undefined
  readonly now: () => number
  readonly onReport: OnReport
}): Promise<CurrentRates> {
  const { file, now, onReport } = options
  let bank: Rates = new Map()
  const own = await openOwnFile<Rates>({
    file,
    none: new Map(),
    parse: (path, text) => parseOwnRates(path, text, now()),
    onRefused: (detail) => onReport({ what: 'own rates', ok: false, detail }),
  })
  const known = (currency: Currency) =>
    [own.current().get(currency), bank.get(currency)].filter((rate) => rate !== undefined)
  const find = (currency: Currency) =>
    currency === 'USD' ? USD_RATE : known(currency).find((rate) => isFresh(rate, now()))

  return {
    find,
    findLast: (currency) => find(currency) ?? known(currency)[0],
    list: () => CURRENCIES.filter((currency) => find(currency) !== undefined),
    take(text) {
      const { rates, skipped } = mergeRates(bank, parseBankRates(text, now()), now())
      bank = rates
      return `${rates.size} currencies${passedOver(skipped)}`
    },
    async reload() {
      if (!(await own.reload())) return
      onReport({ what: 'own rates', ok: true, detail: `${own.current().size} currencies` })
    },
  }
}
