/** What the settings take and show of keys, and of applications, which share most fields with keys. */
import { Type, type Static } from 'typebox'
import { closed, Moment, Name, nullable, RowTime, Scope, Scopes, success } from '../../http/wire/schemas.ts'
import { APPLICATION_POLICIES, DECISIONS } from './application-rules.ts'

// The same maximum as in the operator's command; null is unlimited.
const rate = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })
const budget = nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }))
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

const limits = {
  quota: Type.Optional(QuotaRequest),
  allowed_ips: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 100, uniqueItems: true })),
}
/** The origins of the pages that may use a publishable key. */
const pages = {
  origins: Type.Optional(Type.Array(Type.String({ maxLength: 300 }), { maxItems: 50, uniqueItems: true })),
}
const end = { expires_at: Type.Optional(nullable(Moment)) }

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

const Policy = Type.Enum([...APPLICATION_POLICIES], { $id: 'ApplicationPolicy' })
const Decision = Type.Enum([...DECISIONS], { $id: 'ApplicationDecision' })

export const PolicyBody = Type.Object({ policy: Policy }, closed)

export const RuleBody = Type.Object(
  {
    client_id: Type.String({ minLength: 1, maxLength: 2_000 }),
    decision: nullable(Decision),
  },
  closed,
)

export const Applications = success(
  Type.Object(
    {
      policy: Policy,
      rules: Type.Array(
        Type.Object(
          {
            client_id: Type.String(),
            name: Type.String({ description: "The application's name when the rule was created." }),
            decision: Decision,
            created_at: RowTime,
          },
          { ...closed, $id: 'ApplicationRule' },
        ),
      ),
    },
    { ...closed, $id: 'ApplicationRules' },
  ),
  'ApplicationsAnswer',
)

const amount = nullable(Type.Integer({ description: 'null: unlimited.' }))
const Quota = Type.Object(
  { per_minute: Type.Integer(), burst: Type.Integer(), per_day: amount, per_month: amount },
  { ...closed, $id: 'Quota', description: 'Requests a minute, and suggestions a day and a month.' },
)
const Maker = Type.Object({ id: Type.String(), name: Type.String() }, closed)

/** What keys and applications have in common. */
export const credentialFields = {
  scopes: Type.Array(Scope),
  quota: Quota,
  allowed_ips: Type.Array(Type.String()),
  created_at: RowTime,
  created_by: nullable(Maker),
  last_used_at: nullable(RowTime),
  revoked_at: nullable(RowTime),
  used: Type.Object({ today: Type.Integer(), this_month: Type.Integer() }, closed),
}

const keyFields = {
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String(),
  ...credentialFields,
  origins: Type.Array(Type.String(), {
    description: 'Of the pages that it may be in; none for a key that is secret.',
  }),
  expires_at: nullable(RowTime),
  review: nullable(
    Type.Object(
      { since: RowTime, reason: Type.Literal('creator_lost_access') },
      { ...closed, description: 'Its creator may no longer manage the account, and nobody has decided about it yet.' },
    ),
  ),
}
const Key = Type.Object(keyFields, { ...closed, $id: 'Key' })
const KeyWithSecret = Type.Object({ ...keyFields, secret: Type.String() }, { ...closed, $id: 'KeyWithSecret' })
export const KeyList = success(Type.Object({ keys: Type.Array(Key) }, closed), 'KeyList')
export const KeyOne = success(Type.Object({ key: Key }, closed), 'KeyAnswer')
export const KeyMade = success(Type.Object({ key: KeyWithSecret }, closed), 'KeyMade')

const Retiring = Type.Object(
  {
    prefix: Type.String(),
    expires_at: RowTime,
    last_used_at: nullable(RowTime),
    uses: Type.Array(
      Type.Object(
        { address: Type.String(), user_agent: Type.String(), requests: Type.Integer(), last_used_at: RowTime },
        closed,
      ),
      { description: 'The callers that still use it, most recent first.' },
    ),
  },
  { ...closed, $id: 'Retiring', description: 'A replaced secret that still works.' },
)
export const RetiringList = success(Type.Object({ retiring: Type.Array(Retiring) }, closed), 'RetiringList')
