/** The shapes of what people change of themselves, of their accounts and of who is in them. */
import { Type } from 'typebox'
import type { Static, TSchema } from 'typebox'
import { ROLES } from '../../model/member.ts'
import { closed } from '../../wire/schemas.ts'
import { Name } from './key-schemas.ts'

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const some = { ...closed, minProperties: 1 }

// BCP 47, as far as its tags name languages, scripts and countries.
const LanguageTag = Type.String({
  maxLength: 35,
  pattern: '^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$',
  examples: ['de', 'pt-BR', 'zh-Hans'],
})
// A century; who wants more keeps it for ever.
const HistoryDays = Type.Integer({ minimum: 0, maximum: 36_500 })
// What one can write a letter to: no quoted names, no numbers for a host.
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
    currency: Type.Optional(orNull(Type.String({ minLength: 3, maxLength: 3 }))),
    history_days: Type.Optional(orNull(HistoryDays)),
  },
  some,
)
export type AccountChangeBody = Static<typeof AccountChangeBody>

export const RoleBody = Type.Object({ role: Type.Enum([...ROLES]) }, closed)
export type RoleBody = Static<typeof RoleBody>

export const InvitationBody = Type.Object({ email: Email, role: Type.Enum(['viewer', 'member', 'admin']) }, closed)
export type InvitationBody = Static<typeof InvitationBody>

export const AcceptBody = Type.Object({ token: Type.String({ maxLength: 200 }) }, closed)
export type AcceptBody = Static<typeof AcceptBody>
