/** GET /v1/tlds: the suffixes on offer, most popular first, with their prices. */
import { domainToUnicode } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import type { FieldError } from '../../errors.ts'
import { formatPrice } from '../../model/money.ts'
import type { Currency } from '../../model/money.ts'
import type { Prices } from '../../prices/prices.ts'
import { parseCurrency } from '../../wire/currency.ts'
import { TldAnswer, TldQuery } from '../tld-schemas.ts'
import { pricingOf, successOf } from '../../wire/texts.ts'

type SuffixEntry = ReturnType<Prices['list']>[number]

export function tldRoutes(app: FastifyInstance, ctx: Context): void {
  app.get<{ Querystring: TldQuery }>(
    '/v1/tlds',
    {
      schema: { summary: 'Get the suffix catalogue', querystring: TldQuery, response: { 200: TldAnswer } },
    },
    async (request, reply) => {
      const { q, limit, currency: code } = request.query
      const problems: FieldError[] = []
      const currency = parseCurrency(ctx.prices, code, '?currency', problems)
      if (problems.length > 0) throw new ApiError('invalid_request', { fields: problems })
      const part = q?.trim().toLowerCase().replace(/^\./, '') ?? ''
      const found = ctx.prices.list().filter(({ suffix }) => matches(suffix, part))
      const tlds = found.slice(0, limit).map((facts) => tldOf(facts, ctx.prices, currency, ctx.now()))
      return reply.send(successOf(JSON.stringify({ tlds, currencies: ctx.prices.currencies() })))
    },
  )
}

/** People may write a suffix in their own script. */
function matches(suffix: string, part: string): boolean {
  return suffix.includes(part) || (suffix.includes('xn--') && domainToUnicode(suffix).includes(part))
}

/** `at`: now, in milliseconds. */
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
