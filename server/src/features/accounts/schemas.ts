/** Schemas for changes to people, their accounts and the members of these. */
import { Type } from 'typebox'
import type { Static, TSchema } from 'typebox'
import { ROLES } from '../../model/member.ts'
import { closed } from '../../http/wire/schemas.ts'
import { Name } from '../keys/schemas.ts'

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const some = { ...closed, minProperties: 1 }

// BCP 47, limited to languages, scripts and countries.
const LanguageTag = Type.String({
  maxLength: 35,
  pattern: '^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$',
  examples: ['de', 'pt-BR', 'zh-Hans'],
})
// A century. To keep more, keep it forever.
const HistoryDays = Type.Integer({ minimum: 0, maximum: 36_500 })
// An address that can receive email: no quoted names, no IP address as a host.
const Email = Type.String({ maxLength: 254, format: 'email', pattern: '^[^"]+@[^[]+$' })

export const ProfileBody = Type.Object(
  { name: Type.Optional(Name), language: Type.Optional(orNull(LanguageTag)) },
  some,
)
export type ProfileBody = Static<typeof ProfileBody>

export const AccountBody = Type.Object({ name: Name }, closed)
export type AccountBody = Static<typeof AccountBody>

export const AccountChangeBody = Type.Object(
  {
    name: Type.Optional(Name),
    language: Type.Optional(orNull(LanguageTag)),
    currency: Type.Optional(orNull(Type.String())),
    history_days: Type.Optional(orNull(HistoryDays)),
  },
  some,
)
export type AccountChangeBody = Static<typeof AccountChangeBody>

export const ChangeEmailsBody = Type.Object({ is_on: Type.Boolean() }, closed)
export type ChangeEmailsBody = Static<typeof ChangeEmailsBody>

export const RoleBody = Type.Object({ role: Type.Enum([...ROLES]) }, closed)
export type RoleBody = Static<typeof RoleBody>

export const InvitationBody = Type.Object({ email: Email, role: Type.Enum(['viewer', 'member', 'admin']) }, closed)
export type InvitationBody = Static<typeof InvitationBody>

export const EmailBody = Type.Object({ email: Email }, closed)
export type EmailBody = Static<typeof EmailBody>

export const AcceptBody = Type.Object({ token: Type.String({ maxLength: 200 }) }, closed)
export type AcceptBody = Static<typeof AcceptBody>

/** Exactly one of them. */
export const StepUpBody = Type.Union([
  Type.Object({ password: Type.String({ maxLength: 128 }) }, closed),
  Type.Object({ code: Type.String({ maxLength: 32 }) }, closed),
  Type.Object({ passkey: Type.Object({}, { additionalProperties: true }) }, closed),
])
export type StepUpBody = Static<typeof StepUpBody>
