/** What the settings take and show of people, their accounts, and the members of these. */
import { Type, type TSchema } from 'typebox'
import { closed, Email, Name, nullable, RowTime, success } from '../../http/wire/schemas.ts'
import { ROLES } from '../../model/member.ts'
import { PLAN_COLUMNS } from '../../model/plan.ts'
import { SECURITY_ACTIONS } from '../../model/security-action.ts'

const some = { ...closed, minProperties: 1 }
const answer = <T extends Record<string, TSchema>>(fields: T, id: string) => success(Type.Object(fields, closed), id)

// BCP 47, limited to languages, scripts and countries.
const LanguageTag = Type.String({
  maxLength: 35,
  pattern: '^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$',
  examples: ['de', 'pt-BR', 'zh-Hans'],
})
// A century. To keep more, keep it forever.
const HistoryDays = Type.Integer({ minimum: 0, maximum: 36_500 })
const Role = Type.Enum([...ROLES], { $id: 'Role' })
const InvitedRole = Type.Enum(['viewer', 'member', 'admin'], { $id: 'InvitedRole' })
const PersonName = Type.Object({ id: Type.String(), name: Type.String() }, closed)

export const ProfileBody = Type.Object(
  { name: Type.Optional(Name), language: Type.Optional(nullable(LanguageTag)) },
  some,
)
export const AccountBody = Type.Object({ name: Name }, closed)
export const AccountChangeBody = Type.Object(
  {
    name: Type.Optional(Name),
    language: Type.Optional(nullable(LanguageTag)),
    currency: Type.Optional(nullable(Type.String())),
    history_days: Type.Optional(nullable(HistoryDays)),
  },
  { ...some, $id: 'AccountChange' },
)
export const ChangeEmailsBody = Type.Object({ is_on: Type.Boolean() }, closed)
export const RoleBody = Type.Object({ role: Role }, closed)
export const InvitationBody = Type.Object({ email: Email, role: InvitedRole }, closed)
export const AcceptBody = Type.Object({ token: Type.String({ maxLength: 200 }) }, closed)

export const Me = answer(
  {
    person: Type.Object(
      {
        id: Type.String(),
        email: Type.String(),
        name: Type.String(),
        language: nullable(Type.String()),
        two_factor: Type.Boolean(),
      },
      { ...closed, $id: 'Person' },
    ),
    accounts: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          name: nullable(Type.String({ description: 'null: it was just deleted.' })),
          role: Role,
          own: Type.Boolean({ description: "The person's own account, which nobody else can belong to." }),
        },
        { ...closed, $id: 'Membership' },
      ),
    ),
  },
  'MeAnswer',
)

/** The limits that the operator sets for an account. */
export const AccountLimits = Type.Record(
  Type.Enum([...PLAN_COLUMNS]),
  nullable(Type.Integer({ description: 'null: unlimited.' })),
  { ...closed, $id: 'AccountLimits' },
)
export const Suspension = Type.Object(
  { at: RowTime, reason: nullable(Type.String({ description: "The operator's message to the members." })) },
  { ...closed, $id: 'Suspension' },
)

export const AccountOne = answer(
  {
    account: Type.Object(
      {
        id: Type.String(),
        name: Type.String(),
        language: nullable(Type.String()),
        currency: nullable(Type.String()),
        history_days: nullable(Type.Integer({ description: 'null: for ever. 0: not at all.' })),
        created_at: RowTime,
        role: Role,
        own: Type.Boolean({ description: "The person's own account, which nobody else can belong to." }),
        change_emails: Type.Boolean({ description: 'The person gets emails about changes of watched domains.' }),
        limits: AccountLimits,
        suspended: nullable(Suspension),
      },
      { ...closed, $id: 'AccountSettings' },
    ),
  },
  'AccountAnswer',
)

export const MemberList = answer(
  {
    members: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          name: nullable(Type.String()),
          email: nullable(Type.String()),
          role: Role,
          joined_at: RowTime,
        },
        { ...closed, $id: 'Member' },
      ),
    ),
  },
  'MemberList',
)

export const InvitationList = answer(
  {
    invitations: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          email: Type.String(),
          role: Role,
          created_at: RowTime,
          expires_at: RowTime,
          invited_by: nullable(PersonName),
        },
        { ...closed, $id: 'Invitation' },
      ),
    ),
  },
  'InvitationList',
)
export const InvitationMade = answer(
  {
    invitation: Type.Object(
      {
        id: Type.String(),
        email: Type.String(),
        role: InvitedRole,
        expires_at: RowTime,
        link: Type.Optional(Type.String({ description: 'Only where the service sends no email.' })),
      },
      { ...closed, $id: 'NewInvitation' },
    ),
  },
  'InvitationMade',
)

export const EventsQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  closed,
)
export const EventPage = answer(
  {
    security_events: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          created_at: RowTime,
          action: Type.Enum([...SECURITY_ACTIONS], { $id: 'SecurityAction' }),
          actor: nullable(Type.Object({ id: Type.String(), name: nullable(Type.String()) }, closed)),
          credential: nullable(
            Type.Object(
              { kind: Type.String(), id: nullable(Type.String()), name: nullable(Type.String()) },
              { ...closed, description: 'The session, key or token that was used.' },
            ),
          ),
          application: nullable(Type.Object({ client_id: Type.String(), name: nullable(Type.String()) }, closed)),
          ip: nullable(Type.String()),
          detail: Type.Record(Type.String(), Type.String()),
        },
        { ...closed, $id: 'SecurityEvent' },
      ),
    ),
    next_cursor: nullable(Type.String()),
  },
  'SecurityEventPage',
)
