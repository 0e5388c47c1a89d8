/** Schemas for the applications that an account registers. */
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { closed } from '../../http/wire/schemas.ts'
import { Name, Scopes } from '../keys/schemas.ts'

const redirectUris = Type.Array(Type.String({ maxLength: 2000 }), { maxItems: 20, uniqueItems: true })

export const ClientBody = Type.Object(
  {
    name: Name,
    kind: Type.Enum(['public', 'confidential']),
    redirect_uris: Type.Optional(redirectUris),
    own_scopes: Type.Optional(Scopes(0)),
  },
  closed,
)
export type ClientBody = Static<typeof ClientBody>

export const ClientChangeBody = Type.Object(
  {
    name: Type.Optional(Name),
    redirect_uris: Type.Optional(redirectUris),
    own_scopes: Type.Optional(Scopes(0)),
    enabled: Type.Optional(Type.Boolean()),
  },
  { ...closed, minProperties: 1 },
)
export type ClientChangeBody = Static<typeof ClientChangeBody>
