/** The shapes of GET /v1/tlds. */
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { closed, Price, Pricing, success } from '../wire/schemas.ts'

export const TldQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default: all of them.' })),
    q: Type.Optional(Type.String({ minLength: 1, maxLength: 63, description: 'Part of the suffix.' })),
    currency: Type.Optional(Type.String({ minLength: 3, maxLength: 3, description: 'ISO 4217. Default USD.' })),
  },
  closed,
)
export type TldQuery = Static<typeof TldQuery>

const Tld = Type.Object(
  {
    suffix: Type.String(),
    price: Price,
    pricing: Pricing,
    term_years: Type.Integer({ minimum: 1, description: 'The shortest term that can be registered.' }),
    eligibility: Type.String({ description: 'Who may register: open, or the code of a rule.' }),
    idn: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'Letters beyond a to z can be registered; null: not known.',
    }),
    popularity: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description: 'Rank; 1 is the most popular. null: not counted.',
    }),
  },
  { ...closed, $id: 'Tld' },
)

export const TldAnswer = success(
  Type.Object(
    {
      tlds: Type.Array(Tld),
      currencies: Type.Array(Type.String(), { description: 'What `currency` may be now.' }),
    },
    closed,
  ),
  'TldAnswer',
)
