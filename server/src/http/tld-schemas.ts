/** The shapes of GET /v1/tlds. */
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { closed, EligibilityFields, Price, Pricing, success } from '../wire/schemas.ts'

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
