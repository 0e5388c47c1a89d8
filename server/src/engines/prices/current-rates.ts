/** The exchange rates in use: the operator's own if they are fresh, otherwise the bank's. */
import { CURRENCIES, USD_RATE } from '../../model/money.ts'
import type { Currency, Rate } from '../../model/money.ts'
import { openOwnFile } from './own-file.ts'
import { isFresh, mergeRates, parseBankRates, parseOwnRates } from './rates.ts'
import type { Rates } from './rates.ts'
import { passedOver } from './report.ts'
import type { OnReport } from './report.ts'

export interface CurrentRates {
  /** Undefined if there is none of the last seven days. */
  find(currency: Currency): Rate | undefined
  /** The last known rate, for a request that began while it was fresh. */
  findLast(currency: Currency): Rate | undefined
  list(): readonly Currency[]
  /** Applies a list of the bank and returns a summary. Throws ListRefused. */
  take(text: string): string
  reload(): Promise<void>
}

export async function openCurrentRates(options: {
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
