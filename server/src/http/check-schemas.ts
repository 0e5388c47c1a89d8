/** The shapes of POST /v1/domains/check. */
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { closed, DomainStatus, Instant, Price, Pricing, success } from '../wire/schemas.ts'

/** Without streaming. A stream sends each result as soon as it is there, so it accepts more. */
export const MAX_DOMAINS = 200
export const MAX_STREAMED = 1000

export const CheckBody = Type.Object(
  {
    domains: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
      minItems: 1,
      maxItems: MAX_STREAMED,
      description: `Up to ${MAX_DOMAINS}; up to ${MAX_STREAMED} when the response is streamed.`,
    }),
    verify: Type.Optional(
      Type.Enum(['fast', 'full'], { description: 'full: bypass caches and ask the registrar or registry again.' }),
    ),
    for_sale: Type.Optional(
      Type.Boolean({ description: 'Also check whether the owner offers a taken domain for sale (RFC 10023).' }),
    ),
    deadline_ms: Type.Optional(Type.Integer({ minimum: 100, maximum: 30_000, description: 'Default 2500.' })),
  },
  { ...closed, $id: 'CheckRequest' },
)
export type CheckBody = Static<typeof CheckBody>

export const CheckedDomain = Type.Object(
  {
    input: Type.String({ description: 'The input as it was sent.' }),
    domain: Type.String(),
    available: Type.Boolean(),
    status: DomainStatus,
    confidence: Type.Enum(['definitive', 'likely']),
    sources: Type.Array(Type.String()),
    checked_at: Instant,
    expires_at: Instant,
    price: Type.Union([Price, Type.Null()], {
      description: 'null if there is no price: the domain is invalid or unsupported.',
    }),
    pricing: Type.Union([Pricing, Type.Null()]),
    for_sale: Type.Optional(
      Type.Object(
        { text: Type.Optional(Type.String()), uri: Type.Optional(Type.String()), value: Type.Optional(Type.String()) },
        { ...closed, description: 'Text published by the owner of the domain. Not verified.' },
      ),
    ),
  },
  { ...closed, $id: 'CheckedDomain' },
)
export const CheckAnswer = success(Type.Object({ domains: Type.Array(CheckedDomain) }, closed), 'CheckAnswer')
