/** Schemas to create and change keys, and to change what applications may do. */
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { SCOPES } from '../../model/caller.ts'
import { closed } from '../../http/wire/schemas.ts'

export const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', examples: ['My site'] })
export const Scopes = (least: number) =>
  Type.Array(Type.Enum([...SCOPES]), { minItems: least, maxItems: SCOPES.length, uniqueItems: true })

// The same maximum as in the operator's command; null is unlimited.
const rate = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })
const budget = Type.Union([Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }), Type.Null()])
const QuotaRequest = Type.Object(
  {
    per_minute: Type.Optional(rate),
    burst: Type.Optional(rate),
    per_day: Type.Optional(budget),
    per_month: Type.Optional(budget),
  },
  closed,
)
export type QuotaRequest = Static<typeof QuotaRequest>

// PostgreSQL has no year 0, and no time zone is 16 hours or more from UTC.
const Moment = Type.String({ format: 'date-time', pattern: '^(?!0000).*(?:[Zz]|[+-](?:0\\d|1[0-5]):\\d\\d)$' })

const limits = {
  quota: Type.Optional(QuotaRequest),
  allowed_ips: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 100, uniqueItems: true })),
}
/** The origins of the pages that may use a publishable key. */
const pages = {
  origins: Type.Optional(Type.Array(Type.String({ maxLength: 300 }), { maxItems: 50, uniqueItems: true })),
}
const end = { expires_at: Type.Optional(Type.Union([Moment, Type.Null()])) }

export const KeyBody = Type.Object({ name: Name, scopes: Scopes(1), ...limits, ...pages, ...end }, closed)
export type KeyBody = Static<typeof KeyBody>

export const KeyChangeBody = Type.Object(
  { name: Type.Optional(Name), scopes: Type.Optional(Scopes(1)), ...limits, ...pages, ...end },
  { ...closed, minProperties: 1 },
)
export type KeyChangeBody = Static<typeof KeyChangeBody>

const MONTH_SECONDS = 2_592_000
export const RotateBody = Type.Object(
  { grace_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: MONTH_SECONDS })) },
  closed,
)
export type RotateBody = Static<typeof RotateBody>

export const GrantChangeBody = Type.Object(limits, { ...closed, minProperties: 1 })
export type GrantChangeBody = Static<typeof GrantChangeBody>
