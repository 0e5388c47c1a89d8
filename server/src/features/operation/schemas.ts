/** The answer of GET /v1/status, and what the operator sends and sees in the settings. */
import { Type } from 'typebox'
import { TRUST_STATES } from '../../engines/availability/trust.ts'
import { closed, Instant, nullable, RowTime, success } from '../../http/wire/schemas.ts'
import { AccountLimits, Suspension } from '../accounts/index.ts'
import { DEGRADATIONS, PART_STATES } from './state-of-parts.ts'

const PartState = Type.String({ enum: [...PART_STATES] })

export const Status = success(
  Type.Object(
    {
      audit: Type.Array(
        Type.Object(
          {
            suffix: Type.String(),
            source: Type.String(),
            confirmed: Type.Integer(),
            contradicted: Type.Integer(),
            unanswered: Type.Integer(),
            precision: Type.Union([Type.Number(), Type.Null()], {
              description: 'Share of checked domains that were confirmed.',
            }),
          },
          closed,
        ),
        { description: 'Domains that this node reported as available, checked again later with another source.' },
      ),
      index: Type.Array(Type.Object({ suffix: Type.String(), names: Type.Integer(), snapshot_at: Instant }, closed)),
      redis: Type.Boolean(),
      parts: Type.Object(
        { database: PartState, redis: PartState, registries: PartState, language_model: PartState },
        { ...closed, description: 'Current state of the dependencies of this node. More may be added.' },
      ),
      sources: Type.Array(
        Type.Object(
          {
            source: Type.String({
              description: '`dns` for a resolver, `index`, the name of a registrar, or the host of a registry.',
            }),
            state: Type.String({ enum: [...TRUST_STATES] }),
            since: Instant,
            why: Type.Union([Type.String(), Type.Null()], {
              description: 'Why the source is not trusted, or what of it cannot be used, in English.',
            }),
          },
          closed,
        ),
        {
          description:
            'Whether this node trusts its sources. It tests each source with domains whose status is known. Results of an untrusted or unreachable source count as unknown.',
        },
      ),
      sandbox: Type.Boolean({
        description: 'True in sandbox mode: domains and prices are made up, and no real source is used.',
      }),
      in_force: Type.Array(Type.String({ enum: [...DEGRADATIONS] }), {
        description: 'Active fallbacks while a dependency is down. Empty when all dependencies are healthy.',
      }),
      last_hour: Type.Object(
        { minutes: Type.Integer(), down: Type.Integer() },
        {
          ...closed,
          description:
            'Minutes of the last hour with requests to this node, and minutes in which more than 5 % of the responses failed.',
        },
      ),
    },
    closed,
  ),
  'StatusAnswer',
)

export const SOURCE_KINDS = ['registry', 'registrar', 'dns', 'index', 'namespace', 'cache', 'language_model'] as const
export const SOURCE_STATES = ['well', 'slow', 'unreliable', 'failing', 'resting', 'off'] as const

const Source = Type.Object(
  {
    name: Type.String(),
    kind: Type.Enum([...SOURCE_KINDS]),
    state: Type.Enum([...SOURCE_STATES]),
    asked: Type.Integer(),
    answered: Type.Integer(),
    failed: Type.Integer(),
    last_answer_at: nullable(RowTime),
    detail: nullable(Type.String()),
  },
  { ...closed, $id: 'Source' },
)
export const Sources = success(Type.Object({ sources: Type.Array(Source) }, closed), 'SourceList')

export const AccountsQuery = Type.Object(
  {
    q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  closed,
)

const most = (least: number) => Type.Optional(nullable(Type.Integer({ minimum: least, maximum: 1_000_000_000_000 })))
export const LimitsBody = Type.Object(
  {
    names_per_day: most(0),
    names_per_month: most(0),
    requests_per_minute: most(1),
    checks_per_day: most(0),
    keys: most(0),
    webhooks: most(0),
    applications: most(0),
    running_batches: most(0),
    open_streams: most(0),
    history_bytes: most(0),
    batch_bytes: most(0),
    answer_bytes: most(0),
    favorites: most(0),
  },
  { ...closed, minProperties: 1 },
)

export const SuspendBody = Type.Object({ reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })) }, closed)

const standing = { limits: AccountLimits, suspended: nullable(Suspension) }
const OperatedAccount = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    created_at: RowTime,
    is_visitors: Type.Boolean(),
    people: Type.Integer(),
    keys: Type.Integer(),
    used_today: Type.Integer(),
    used_month: Type.Integer(),
    last_used_at: nullable(RowTime),
    ...standing,
  },
  { ...closed, $id: 'AccountTotals' },
)
export const OperatedAccounts = success(
  Type.Object({ accounts: Type.Array(OperatedAccount), next_cursor: nullable(Type.String()) }, closed),
  'AccountTotalsPage',
)
export const AccountChanged = success(
  Type.Object({ account: Type.Object(standing, closed) }, closed),
  'AccountStanding',
)
