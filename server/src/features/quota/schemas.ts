/** The queries and responses of usage: of GET /v1/usage, and of an account in the settings. */
import { Type } from 'typebox'
import { closed, nullable, success } from '../../http/wire/schemas.ts'

export const UsageQuery = Type.Object(
  {
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 62, description: 'Number of days, including today. Default 31.' }),
    ),
  },
  closed,
)

const suggestions = Type.Integer({ minimum: 0 })
const left = Type.Union([suggestions, Type.Null()], { description: 'null: unlimited.' })
const limit = Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description: 'null: unlimited.' })
const leftOfPeriods = Type.Object({ day: left, month: left }, closed)
const use = {
  days: Type.Array(Type.Object({ day: Type.String({ format: 'date' }), suggestions }, closed), {
    description: 'Newest first, including days without usage.',
  }),
  today: suggestions,
  this_month: suggestions,
}

const KeyUsage = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    ...use,
    left: leftOfPeriods,
    limits: Type.Object(
      { per_minute: Type.Integer(), burst: Type.Integer(), per_day: limit, per_month: limit },
      { ...closed, description: 'Quota of this key. The limits of the account also apply.' },
    ),
  },
  { ...closed, $id: 'KeyUsage' },
)
const AccountUsage = Type.Object(
  {
    ...use,
    left: leftOfPeriods,
    checks: Type.Object(
      { today: Type.Integer({ minimum: 0 }), left },
      { ...closed, description: 'Checked domains, of all keys, applications and members together.' },
    ),
    limits: Type.Object(
      {
        names_per_day: limit,
        names_per_month: limit,
        requests_per_minute: limit,
        checks_per_day: limit,
        keys: limit,
        webhooks: limit,
        applications: limit,
        running_batches: limit,
        open_streams: limit,
        history_bytes: limit,
        batch_bytes: limit,
        answer_bytes: limit,
        favorites: limit,
      },
      { ...closed, description: 'Limits that the operator sets for all keys, applications and members together.' },
    ),
  },
  { ...closed, $id: 'AccountUsage' },
)

export const UsageAnswer = success(
  Type.Object({ usage: Type.Object({ key: KeyUsage, account: AccountUsage }, closed) }, closed),
  'UsageAnswer',
)

const requests = Type.Integer({ minimum: 0 })
export const AccountUsageAnswer = success(
  Type.Object(
    {
      usage: Type.Object(
        {
          account: Type.Object(use, closed),
          keys: Type.Array(
            Type.Object(
              { id: Type.String(), name: Type.String(), client_id: nullable(Type.String()), ...use },
              { ...closed, $id: 'KeyUse' },
            ),
          ),
          endpoints: Type.Array(
            Type.Object(
              {
                key_id: Type.String(),
                endpoint: Type.String({ description: '`POST /v1/generate`.' }),
                days: Type.Array(
                  Type.Object({ day: Type.String({ format: 'date' }), requests, failed: requests }, closed),
                ),
              },
              { ...closed, $id: 'EndpointUse' },
            ),
          ),
        },
        { ...closed, $id: 'Usage' },
      ),
    },
    closed,
  ),
  'UsageOfAccount',
)
