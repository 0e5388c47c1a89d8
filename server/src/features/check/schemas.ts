/** The shapes of POST /v1/domains/check and POST /v1/names/check. */
import { Type, type Static } from 'typebox'
import { ERROR, event, HEARTBEAT, index } from '../../http/stream/schemas.ts'
import {
  closed,
  Confidence,
  DomainStatus,
  EligibilityFields,
  Instant,
  NameVerdict,
  Price,
  Pricing,
  RegisterFields,
  success,
} from '../../http/wire/schemas.ts'
import { LINK_SITES, NAME_INCLUDES } from './check-names.ts'
import { CHECK_INCLUDES } from './shown.ts'

/** Without streaming. A stream sends each result as soon as it is there, so it accepts more. */
export const MAX_DOMAINS = 200
export const MAX_STREAMED = 1000

export const RegistrantCountry = Type.Optional(
  Type.String({
    pattern: '^[A-Za-z]{2}$',
    examples: ['DE', 'fr'],
    description:
      'ISO 3166-1 country code of the registrant. Domains that need presence in another country are `restricted`.',
  }),
)

export const CheckBody = Type.Object(
  {
    domains: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
      minItems: 1,
      maxItems: MAX_STREAMED,
      description: `Up to ${MAX_DOMAINS}; up to ${MAX_STREAMED} when the response is streamed.`,
    }),
    verify: Type.Optional(
      Type.Enum(['fast', 'full'], { description: 'full: bypass caches and ask the registrar or registry again.' }),
    ),
    for_sale: Type.Optional(
      Type.Boolean({
        description: 'Also find offers for taken domains: of the owner (RFC 10023), and of aftermarket vendors.',
      }),
    ),
    country: RegistrantCountry,
    include: Type.Optional(
      Type.Array(Type.Enum([...CHECK_INCLUDES]), {
        uniqueItems: true,
        description: 'register: where each available domain can be registered.',
      }),
    ),
    deadline_ms: Type.Optional(Type.Integer({ minimum: 100, maximum: 30_000, description: 'Default 2500.' })),
  },
  { ...closed, $id: 'CheckRequest', examples: [{ domains: ['storkloom.com', 'storkloom.shop'] }] },
)
export type CheckBody = Static<typeof CheckBody>

const SaleOfferEntry = Type.Object(
  {
    source: Type.String({ description: '`dns` for the record of the owner, otherwise the registrar that lists it.' }),
    vendor: Type.Optional(Type.String({ description: 'The marketplace.' })),
    price: Price,
    currency: Type.String(),
    amount_minor: Type.Integer({ description: 'In the minor unit of the currency.' }),
  },
  { ...closed, $id: 'SaleOffer' },
)

export const CheckedDomain = Type.Object(
  {
    input: Type.String({ description: 'The input as it was sent.' }),
    domain: Type.String(),
    available: Type.Boolean(),
    status: DomainStatus,
    confidence: Type.Optional(Confidence),
    sources: Type.Array(Type.String()),
    checked_at: Instant,
    expires_at: Instant,
    ...EligibilityFields,
    price: Type.Union([Price, Type.Null()], {
      description:
        'null if there is no price: the domain is invalid or unsupported, or nobody of whom we know the price sells its suffix.',
    }),
    pricing: Type.Union([Pricing, Type.Null()]),
    ...RegisterFields,
    for_sale: Type.Optional(
      Type.Object(
        {
          text: Type.Optional(Type.String()),
          uri: Type.Optional(Type.String()),
          value: Type.Optional(Type.String({ description: 'The price as the owner wrote it: USD750.' })),
          offers: Type.Optional(Type.Array(SaleOfferEntry, { description: 'Offers with a price. Not verified.' })),
        },
        { ...closed, description: 'Text published by the owner of the domain, and offers. Not verified.' },
      ),
    ),
  },
  { ...closed, $id: 'CheckedDomain' },
)
export const CheckAnswer = success(Type.Object({ domains: Type.Array(CheckedDomain) }, closed), 'CheckAnswer')

export const CheckEvent = Type.Union(
  [
    event('domain', Type.Object({ index: index('Index in the request.'), domain: CheckedDomain }, closed)),
    event('done', CheckAnswer),
    ERROR,
    HEARTBEAT,
  ],
  { $id: 'CheckEvent', description: 'One event per line.' },
)

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
  { ...closed, $id: 'NamesRequest', examples: [{ names: ['storkloom'], tlds: ['com', 'shop'] }] },
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

export const NamesEvent = Type.Union(
  [
    event(
      'domain',
      Type.Object(
        {
          index: index('All domains of the first name come first, in the order of the suffixes.'),
          domain: CheckedDomain,
        },
        closed,
      ),
    ),
    event('done', NamesAnswer),
    ERROR,
    HEARTBEAT,
  ],
  { $id: 'NamesEvent', description: 'One event per line.' },
)
