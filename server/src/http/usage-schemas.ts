/** The shapes of GET /v1/usage. */
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { closed, success } from '../wire/schemas.ts'

export const UsageQuery = Type.Object(
  {
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: 62, description: 'How many, with today. Default 31.' })),
  },
  closed,
)
export type UsageQuery = Static<typeof UsageQuery>

const suggestions = Type.Integer({ minimum: 0 })
const left = Type.Union([suggestions, Type.Null()], { description: 'null: unlimited.' })
const use = {
  days: Type.Array(Type.Object({ day: Type.String({ format: 'date' }), suggestions }, closed), {
    description: 'Newest first, also those without use.',
  }),
  today: suggestions,
  this_month: suggestions,
}

const KeyUsage = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    ...use,
    left: Type.Object({ day: left, month: left }, closed),
  },
  { ...closed, $id: 'KeyUsage' },
)
const AccountUsage = Type.Object(use, { ...closed, $id: 'AccountUsage' })

export const UsageAnswer = success(
  Type.Object({ usage: Type.Object({ key: KeyUsage, account: AccountUsage }, closed) }, closed),
  'UsageAnswer',
)
