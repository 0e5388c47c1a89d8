/** GET /v1/tlds: the suffixes on offer, most popular first, with their prices. */
import { domainToUnicode } from 'node:url'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { ApiError } from '../../model/errors.ts'
import type { FieldError } from '../../model/errors.ts'
import { formatPrice } from '../../model/money.ts'
import type { Currency } from '../../model/money.ts'
import type { Prices } from '../../engines/prices/prices.ts'
import { parseCurrency } from '../../http/wire/currency.ts'
import { pricingOf } from '../../http/wire/texts.ts'
import { closed, EligibilityFields, Price, Pricing, success } from '../../http/wire/schemas.ts'

export const TldQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default: all suffixes.' })),
    q: Type.Optional(Type.String({ minLength: 1, maxLength: 63, description: 'Search text within the suffix.' })),
    currency: Type.Optional(Type.String({ description: 'ISO 4217. Default USD.' })),
  },
  closed,
)
export type TldQuery = Static<typeof TldQuery>

const Tld = Type.Object(
  {
    suffix: Type.String(),
    price: Price,
    pricing: Pricing,
    term_years: Type.Integer({ minimum: 1, description: 'The shortest registration term, in years.' }),
    eligibility: Type.String({ description: 'Who can register: open, or the code of an eligibility rule.' }),
    eligible_countries: EligibilityFields.eligible_countries,
    idn: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'Whether internationalized names (IDN) can be registered; null: unknown.',
    }),
    popularity: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description: 'Popularity rank; 1 is the most popular. null: not ranked.',
    }),
  },
  { ...closed, $id: 'Tld' },
)

export const TldAnswer = success(
  Type.Object(
    {
      tlds: Type.Array(Tld),
      currencies: Type.Array(Type.String(), { description: 'The supported values of `currency`.' }),
    },
    closed,
  ),
  'TldAnswer',
)

type SuffixEntry = ReturnType<Prices['list']>[number]

/** Throws invalid_request for a currency without a rate. `at`: now, in milliseconds. */
export function tldsOf(prices: Prices, { q, limit, currency: code }: TldQuery, at: number) {
  const problems: FieldError[] = []
  const currency = parseCurrency(prices, code, '?currency', problems)
  if (problems.length > 0) throw new ApiError('invalid_request', { fields: problems })
  const part = q?.trim().toLowerCase().replace(/^\./, '') ?? ''
  const found = prices.list().filter(({ suffix }) => matches(suffix, part))
  const tlds = found.slice(0, limit).map((facts) => tldOf(facts, prices, currency, at))
  return { tlds, currencies: prices.currencies() }
}

/** People may write a suffix in their own script. */
function matches(suffix: string, part: string): boolean {
  return suffix.includes(part) || (suffix.includes('xn--') && domainToUnicode(suffix).includes(part))
}

function tldOf(
  { suffix, termYears, eligibility, idn, popularity }: SuffixEntry,
  prices: Prices,
  currency: Currency,
  at: number,
) {
  const offer = prices.listOfferOf(suffix, currency)
  const countries = prices.eligibilityOf(suffix)?.countries
  return {
    suffix,
    price: formatPrice(offer.due),
    pricing: pricingOf(offer, at),
    term_years: termYears,
    eligibility,
    ...(countries ? { eligible_countries: countries } : {}),
    idn,
    popularity,
  }
}
