/** The request and response schemas of the routes, from which `api/openapi.json` is generated. */
import { Type, type Static, type TSchema } from 'typebox'
import { STYLES } from '@namewright/names'
import { SCOPES } from '../../model/caller.ts'
import { ERRORS, FIELD_CODES } from '../../model/errors.ts'
import { INCLUDES, ORIGINS, REJECTIONS, TROUBLES } from '../../model/generate-request.ts'
import { NAMESPACE_RULES, NAMESPACE_STATUSES } from '../../model/namespace-verdict.ts'

export const closed = { additionalProperties: false }
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
export const success = <T extends TSchema>(data: T, id: string) =>
  Type.Object({ status: Type.Literal('success'), data }, { ...closed, $id: id })
export const text = (most: number, about?: string) =>
  Type.String({ minLength: 1, maxLength: most, ...(about === undefined ? {} : { description: about }) })
const words = (about: string) => Type.Array(text(40), { maxItems: 20, description: about })

export const GenerateBody = Type.Object(
  {
    description: Type.String({
      minLength: 1,
      description: 'Description of the project, in any language: 1 to 2000 characters, trimmed.',
    }),
    count: Type.Integer({ minimum: 1, maximum: 100, description: 'Number of suggestions.' }),
    candidates: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        minItems: 1,
        maxItems: 100,
        description:
          'Names of your own, 1 to 100 characters each, with at most 5 suffixes in the request. They are checked like names of the service, and each is in `suggestions`, in your order, or in `rejected`. A name with a suffix (`crumbfolk.io`) is checked under that suffix. Each valid candidate counts one daily check for each suffix.',
      }),
    ),
    fill: Type.Optional(
      Type.Boolean({
        description: 'With candidates: add names of the service until there are `count`. Default false.',
      }),
    ),
    language: Type.Optional(
      text(35, 'BCP 47 language of the names and texts. Default: of the description, and of the headers.'),
    ),
    tlds: Type.Optional(
      Type.Array(text(63), {
        minItems: 1,
        maxItems: 50,
        uniqueItems: true,
        description: 'Suffixes or presets, best first.',
      }),
    ),
    styles: Type.Optional(Type.Array(Type.Enum([...STYLES]), { minItems: 1, uniqueItems: true })),
    include_words: Type.Optional(words('Every name contains one of these words.')),
    exclude_words: Type.Optional(words('No name contains any of these words.')),
    min_length: Type.Optional(Type.Integer({ minimum: 1, maximum: 63 })),
    max_length: Type.Optional(Type.Integer({ minimum: 1, maximum: 63 })),
    hyphens: Type.Optional(Type.Boolean({ description: 'Names may contain hyphens. Default false.' })),
    digits: Type.Optional(Type.Boolean({ description: 'Names may contain digits. Default false.' })),
    idn: Type.Optional(Type.Boolean({ description: 'Names may contain letters other than a to z. Default false.' })),
    country: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z]{2}$',
        examples: ['DE', 'fr'],
        description:
          'ISO 3166-1 country code of the registrant. Its suffix is also offered. Domains that need presence in another country are `restricted`.',
      }),
    ),
    currency: Type.Optional(Type.String({ description: 'ISO 4217. Default USD.' })),
    max_price: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1_000_000, description: 'Maximum amount due today, for the shortest term.' }),
    ),
    max_price_5y: Type.Optional(
      Type.Number({ minimum: 0, maximum: 5_000_000, description: 'Maximum total price of at least five years.' }),
    ),
    premium: Type.Optional(Type.Boolean({ description: 'Include premium domains. Default false.' })),
    only_available: Type.Optional(
      Type.Boolean({ description: 'Default true: each suggestion has a domain that can be registered.' }),
    ),
    verify: Type.Optional(
      Type.Enum(['fast', 'full'], { description: 'full: bypass caches and ask the registrar or registry again.' }),
    ),
    quality: Type.Optional(
      Type.Enum(['fast', 'best'], {
        description: 'fast: do not wait for the language model of the service, if it has one. Default best.',
      }),
    ),
    deadline_ms: Type.Optional(
      Type.Integer({ minimum: 100, maximum: 30_000, description: 'Default 2500, or 10000 with a language model.' }),
    ),
    variants: Type.Optional(
      Type.Boolean({ description: 'Offer variants such as getmayfly.com if mayfly.com is taken.' }),
    ),
    like: Type.Optional(words('Names that you like. New names resemble them.')),
    unlike: Type.Optional(words('Names that you dislike. New names avoid their style.')),
    seed: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
    include: Type.Optional(Type.Array(Type.Enum([...INCLUDES]), { uniqueItems: true })),
  },
  {
    ...closed,
    $id: 'GenerateRequest',
    examples: [{ description: 'a bakery that delivers sourdough by bicycle', count: 5, tlds: ['com', 'shop'] }],
  },
)
export type GenerateBody = Static<typeof GenerateBody>

export const Price = Type.String({
  pattern: '^(?:R?\\p{Sc}|[A-Z]{3})\\d+\\.\\d{2}$',
  description: 'Symbol and amount: $12.99, R$12.99, CHF12.99.',
})
export const Instant = Type.String({ format: 'date-time' })
/** The same, for a row that is sent as it was read. */
export const RowTime = Type.Unsafe<Date>(Instant)
export const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', examples: ['My site'] })
// An address that can receive email: no quoted names, no IP address as a host.
export const Email = Type.String({ maxLength: 254, format: 'email', pattern: '^[^"]+@[^[]+$' })
export const Scope = Type.Enum([...SCOPES], { $id: 'Scope' })
export const Scopes = (least: number) =>
  Type.Array(Scope, { minItems: least, maxItems: SCOPES.length, uniqueItems: true })
/** The data of a change that has nothing to show. */
export const Done = success(Type.Object({}, closed), 'Done')

export const Pricing = Type.Object(
  {
    currency: Type.String(),
    registration_minor: Type.Integer({ description: 'For one year, also where more than one must be bought.' }),
    renewal_minor: Type.Integer({ description: 'For one year.' }),
    transfer_minor: Type.Integer(),
    transfer_estimated: Type.Optional(
      Type.Literal(true, {
        description: 'No source says what a transfer costs: `transfer_minor` is the renewal price.',
      }),
    ),
    term_years: Type.Integer({ minimum: 1, description: 'The shortest registration, in years.' }),
    due_minor: Type.Integer({ description: 'What is charged today, for `term_years`.' }),
    renews_at_minor: Type.Integer({ description: 'What one renewal costs.' }),
    renewal_years: Type.Integer({ minimum: 1, description: 'How many years one renewal adds.' }),
    total_5y_minor: Type.Integer({ description: 'The registration and the renewals for at least five years.' }),
    kind: Type.Enum(['list', 'quote'], {
      description: 'list: the list price of the suffix. quote: the price of the registrar for this exact domain.',
    }),
    registrar: Type.String(),
    as_of: Type.String(),
    outdated: Type.Optional(
      Type.Literal(true, { description: 'The list price is older than 180 days: show `as_of` beside it.' }),
    ),
  },
  {
    ...closed,
    $id: 'Pricing',
    description: 'Amounts are integers in the minor unit of the currency (ISO 4217): 1499 for $14.99, 1500 for ¥1500.',
  },
)

export const DomainStatus = Type.Enum([
  'available',
  'premium',
  'for_sale',
  'taken',
  'reserved',
  'restricted',
  'unsupported',
  'invalid',
  'unknown',
])

/** For a domain that can be registered, with `include: ["register"]`. */
export const RegisterFields = {
  register_url: Type.Optional(Type.String({ description: 'Where it can be registered: the search of a registrar.' })),
  registrar: Type.Optional(
    Type.String({
      description:
        'Whose page that is: the registrar of this service, one with a dated price for the suffix, one that confirmed the domain, or `IANA`, whose page links the registry.',
    }),
  ),
}

export const Confidence = Type.Enum(['definitive', 'likely'], { description: 'Absent if the status is `unknown`.' })

/** Present with the evidence where not everybody can register. */
export const EligibilityFields = {
  eligibility: Type.Optional(
    Type.String({ description: 'The code of the rule about who can register, where there is one.' }),
  ),
  eligible_countries: Type.Optional(
    Type.Array(Type.String(), {
      description: 'ISO 3166-1 codes: the countries whose registrants satisfy the rule, if it is about countries.',
    }),
  ),
}

export const DomainEntry = Type.Object(
  {
    domain: Type.String(),
    available: Type.Boolean({
      description: 'True if the domain can be registered. False if it cannot, or if that is unknown.',
    }),
    price: Price,
    status: Type.Optional(DomainStatus),
    confidence: Type.Optional(Confidence),
    sources: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Sources of the result, such as `dns`, `rdap` or a registrar; only `sandbox` in sandbox mode.',
      }),
    ),
    checked_at: Type.Optional(Instant),
    expires_at: Type.Optional(Instant),
    ...EligibilityFields,
    pricing: Type.Optional(Pricing),
    ...RegisterFields,
  },
  { ...closed, $id: 'DomainEntry' },
)

export const NameVerdict = Type.Object(
  {
    namespace: Type.String({ description: 'Such as `npm` or `github`. More may be added.' }),
    label: Type.String({ description: 'The name as it was looked up there.' }),
    available: Type.Boolean({
      description:
        'Never true only because no entry was found: a namespace refuses names that it does not show. False if `status` is `unknown`, too.',
    }),
    status: Type.Enum([...NAMESPACE_STATUSES]),
    rule: Type.Enum([...NAMESPACE_RULES], { description: 'What decided the status.' }),
    confidence: Type.Optional(Confidence),
    sources: Type.Array(Type.String(), { description: 'Empty if nothing was asked.' }),
    checked_at: Instant,
    expires_at: Instant,
    url: Type.String({ description: 'Where a person can look.' }),
  },
  { ...closed, $id: 'NameVerdict' },
)

export const Handles = Type.Object(
  {
    packages: Type.Array(NameVerdict),
    code: Type.Array(NameVerdict),
  },
  { ...closed, $id: 'Handles', description: 'The name in package registries and at code hosts.' },
)

export const Suggestion = Type.Object(
  {
    name: Type.String(),
    domains: Type.Array(DomainEntry),
    origin: Type.Optional(
      Type.Enum([...ORIGINS], { description: 'Whose name it is. Only in answers to a request with `candidates`.' }),
    ),
    score: Type.Optional(Type.Record(Type.String(), Type.Number())),
    rationale: Type.Optional(Type.String()),
    handles: Type.Optional(Handles),
  },
  { ...closed, $id: 'Suggestion' },
)

const Understanding = Type.Object(
  {
    language: Type.String({ description: 'The detected language.' }),
    subject: nullable(
      Type.String({ description: 'The field of the project, in English; null if none was recognized.' }),
    ),
    does: Type.Array(Type.String(), { description: 'What the project does for people.' }),
    for_whom: Type.Array(Type.String()),
    angles: Type.Array(Type.String(), { description: 'Its manner: family-run, eco, playful.' }),
    ignored: Type.Array(Type.String(), { description: 'Words that were not understood, and words that are negated.' }),
    sure: Type.Boolean({ description: 'Whether the subject is certain enough to use the names written for it.' }),
  },
  { ...closed, $id: 'Understanding' },
)

const Rejected = Type.Object(
  {
    name: Type.String({ description: 'As it was sent.' }),
    reason: Type.Enum([...REJECTIONS], {
      description:
        'excluded: against a rule of the request. duplicate: an earlier candidate has the same domains. unknown: no source could say. not_checked: `count` or the deadline was reached.',
    }),
    nearest: Type.Optional(DomainEntry),
  },
  {
    ...closed,
    $id: 'Rejected',
    description: '`nearest` is a variant of a taken name that can be registered, such as `getmayfly.com`.',
  },
)

export const GenerateAnswer = success(
  Type.Object(
    {
      suggestions: Type.Array(Suggestion),
      rejected: Type.Optional(
        Type.Array(Rejected, {
          description: 'The candidates that are not suggested. Only in answers to a request with `candidates`.',
        }),
      ),
      understanding: Type.Optional(Understanding),
      shortfall: Type.Optional(
        Type.Object(
          {
            wanted: Type.Integer(),
            returned: Type.Integer(),
            reason: Type.Enum(['no_more_names', 'deadline', 'max_price', 'restricted', 'availability_unknown']),
            sources: Type.Optional(
              Type.Array(Type.Object({ source: Type.String(), state: Type.Enum([...TROUBLES]) }, closed), {
                description: 'For availability_unknown: the sources that could not be used, and their state.',
              }),
            ),
            retry_after: Type.Optional(
              Type.Integer({
                minimum: 1,
                description: 'Seconds until a rate-limited source can be used again.',
              }),
            ),
            hint: Type.Optional(
              Type.String({
                description: 'For availability_unknown and restricted: what to do, in the language of the response.',
              }),
            ),
          },
          closed,
        ),
      ),
    },
    closed,
  ),
  'GenerateAnswer',
)

// PostgreSQL's calendar has no year 0, and no time zone is 16 hours or more from UTC.
export const Moment = Type.String({ format: 'date-time', pattern: '^(?!0000).*(?:[Zz]|[+-](?:0\\d|1[0-5]):\\d\\d)$' })

export const paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Default 20.' })),
  cursor: Type.Optional(text(200, '`next_cursor` of the previous page.')),
}

export const HistoryQuery = Type.Object(
  {
    ...paging,
    q: Type.Optional(text(200, 'Search text within the description.')),
    since: Type.Optional(Moment),
    until: Type.Optional(Moment),
    key_id: Type.Optional(Type.String({ format: 'uuid' })),
  },
  closed,
)
export type HistoryQuery = Static<typeof HistoryQuery>

const HistoryRecord = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    created_at: Instant,
    description: Type.String(),
    count: Type.Integer(),
    language: Type.String(),
    options: Type.Record(Type.String(), Type.Unknown()),
    key_id: Type.String({ format: 'uuid' }),
    suggestions: Type.Array(Suggestion),
  },
  { ...closed, $id: 'HistoryRecord' },
)
export const HistoryPage = success(
  Type.Object({ history: Type.Array(HistoryRecord), next_cursor: nullable(Type.String()) }, closed),
  'HistoryPage',
)
export const HistoryOne = success(Type.Object({ record: HistoryRecord }, closed), 'HistoryAnswer')
export const ClearQuery = Type.Object(
  { all: Type.Literal(true, { description: 'Must be `true`: every record of the account is deleted.' }) },
  closed,
)
export const HistoryCleared = success(
  Type.Object({ deleted: Type.Integer({ description: 'How many records there were.' }) }, closed),
  'HistoryCleared',
)

/** The schema of 204: there is no body. */
export const NoContent = Type.Null()
export const ById = Type.Object({ id: Type.String() }, closed)

// For code that gets an error code without a status, for example within a stream.
const statuses = Object.fromEntries(Object.entries(ERRORS).map(([code, { status }]) => [code, status]))

export const ErrorAnswer = Type.Object(
  {
    status: Type.Literal('error'),
    error: Type.Object(
      {
        code: Type.Enum(Object.keys(ERRORS), { 'x-status': statuses }),
        message: Type.String(),
        request_id: Type.String(),
        errors: Type.Optional(
          Type.Array(
            Type.Object(
              { pointer: Type.String(), code: Type.Enum([...FIELD_CODES]), message: Type.String() },
              { ...closed, $id: 'FieldError' },
            ),
          ),
        ),
        hint: Type.Optional(Type.String()),
        docs: Type.String(),
      },
      closed,
    ),
  },
  { ...closed, $id: 'Error' },
)
