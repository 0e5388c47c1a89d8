/** The shapes of POST /v1/names/check. */
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { LINK_SITES } from './name-links.ts'
import { NAME_INCLUDES } from './names-check-request.ts'
import { closed, NameVerdict, success } from '../../http/wire/schemas.ts'
import { CheckedDomain, MAX_DOMAINS, MAX_STREAMED, RegistrantCountry } from './domain-schemas.ts'

export const NamesBody = Type.Object(
  {
    names: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      minItems: 1,
      maxItems: 20,
      description: 'Labels, or names with spaces: `Blue Heron` is checked as `blueheron`.',
    }),
    tlds: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 63 }), {
        minItems: 1,
        maxItems: 50,
        uniqueItems: true,
        description: `Suffixes or presets, or \`all\`. Names times suffixes: up to ${MAX_DOMAINS}; up to ${MAX_STREAMED} when the response is streamed.`,
      }),
    ),
    include: Type.Optional(
      Type.Array(Type.Enum([...NAME_INCLUDES]), {
        uniqueItems: true,
        description:
          'packages: package registries. code: code hosts. links: where to search for trademarks and users. register: where each available domain can be registered.',
      }),
    ),
    verify: Type.Optional(
      Type.Enum(['fast', 'full'], { description: 'full: bypass caches and ask every source again.' }),
    ),
    country: RegistrantCountry,
    deadline_ms: Type.Optional(Type.Integer({ minimum: 100, maximum: 30_000, description: 'Default 2500.' })),
  },
  { ...closed, $id: 'NamesRequest' },
)
export type NamesBody = Static<typeof NamesBody>

const NameLink = Type.Object(
  { site: Type.Enum([...LINK_SITES]), url: Type.String() },
  { ...closed, $id: 'NameLink', description: 'A search for a person to do. Nothing was asked there.' },
)

export const CheckedName = Type.Object(
  {
    input: Type.String({ description: 'The name as it was sent.' }),
    label: Type.String(),
    domains: Type.Array(CheckedDomain),
    packages: Type.Optional(Type.Array(NameVerdict)),
    code: Type.Optional(Type.Array(NameVerdict)),
    links: Type.Optional(Type.Array(NameLink)),
  },
  { ...closed, $id: 'CheckedName' },
)

export const NamesAnswer = success(Type.Object({ names: Type.Array(CheckedName) }, closed), 'NamesAnswer')
