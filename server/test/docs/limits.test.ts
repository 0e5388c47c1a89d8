/**
 * docs/limits.md has every limit: those of requests are held against the contract, in both directions, and the others
 * against the constants in the source that make them.
 */
import { describe, expect, test } from 'vitest'
import { FIRST_QUOTA } from '../../src/model/caller.ts'
import { ATTEMPT_LIMITS } from '../../src/http/attempts.ts'
import { NEW_VOTER_OF_ADDRESS, NEW_VOTER_OF_SHARE } from '../../src/http/routes/shares.ts'
import { CONFIRM_LIMIT } from '../../src/http/pages/confirm-email.ts'
import { GUESSES } from '../../src/http/step-up.ts'
import { SETTINGS } from '../../src/platform/config/settings.ts'
import { bare, readPage, sectionOf } from './pages.ts'

interface Schema {
  readonly $ref?: string
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly [bound: string]: unknown
}

interface Operation {
  readonly parameters?: readonly { name: string; in: string; schema: Schema }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

const page = readPage('docs/limits.md')
const contract = JSON.parse(readPage('api/openapi.json')) as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const cellsOf = (section: string) =>
  sectionOf(page, section)
    .split('\n')
    .filter((line) => /^\| (?!-)/.test(line))
    .slice(1)
    .map((line) => line.slice(1, -1).split('|'))
    .map((cells) => cells.map((cell) => cell.trim()))

function resolve(schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : resolve(contract.components.schemas[name] ?? {})
}

/** The numbers that a reader has to know: every upper bound, and a lower one that is more than “some”. */
function boundsOf(given: Schema): number[] {
  const schema = resolve(given)
  const lower = ['minimum', 'minLength', 'minItems'].map((name) => Number(schema[name] ?? 0)).filter((one) => one > 1)
  const upper = ['maximum', 'maxLength', 'maxItems'].flatMap((name) =>
    schema[name] === undefined ? [] : [Number(schema[name])],
  )
  const own = [...lower, ...upper]
  const inner = [...(schema.items && own.length > 0 ? [schema.items] : []), ...(schema.anyOf ?? [])]
  return [...new Set([...own, ...inner.flatMap(boundsOf)])]
}

const limited = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { parameters = [], requestBody }]) => {
    const body = resolve(requestBody?.content['application/json']?.schema ?? {})
    const fields = Object.entries(body.properties ?? {}).map(([name, schema]) => ({ name, schema }))
    return [...parameters, ...fields]
      .map(({ name, schema }) => ({ request: `${method.toUpperCase()} ${path}`, name, bounds: boundsOf(schema) }))
      .filter(({ bounds }) => bounds.length > 0)
  }),
)
const written = cellsOf("## Of a request's fields").map(([request = '', field = '', limit = '']) => ({
  request: bare(request),
  name: bare(field),
  limit,
}))

/** A row for the request itself comes before one for all of its kind. */
function rowFor(request: string, name: string) {
  const isHere = (row: { request: string }) =>
    row.request === request ||
    (row.request === 'every list' && request.startsWith('GET ')) ||
    (row.request === 'every POST' && request.startsWith('POST '))
  const rows = written.filter((row) => row.name === name && isHere(row))
  return rows.find((row) => row.request === request) ?? rows[0]
}

describe('of a request', () => {
  test.for(limited)('$request: $name is limited by $bounds', ({ request, name, bounds }) => {
    const row = rowFor(request, name)
    expect(row, `add a row for ${request} and ${name} to docs/limits.md`).toBeDefined()
    const numbers = (row?.limit.match(/\d+/g) ?? []).map(Number)
    expect(numbers).toEqual(expect.arrayContaining(bounds))
  })

  test('no row is about something that the contract does not limit', () => {
    const used = new Set(limited.map(({ request, name }) => rowFor(request, name)))
    // The schema has no upper bound for it, because it counts after trimming.
    used.add(rowFor('POST /v1/generate', 'description'))
    expect(written.filter((row) => !used.has(row))).toEqual([])
  })
})

/** A number as the source has it: `30 * 86_400`. */
function constant(file: string, name: string): number {
  const source = readPage(`server/src/${file}`)
  const found = new RegExp(`\\b${name}(?:: [^=]+)? = ([\\d_]+(?: \\* [\\d_]+)*)`).exec(source)?.[1]
  if (found === undefined) throw new Error(`${file} has no ${name}`)
  return found
    .replaceAll('_', '')
    .split(' * ')
    .reduce((product, factor) => product * Number(factor), 1)
}

const paceOf = ({ burst, perHour }: { burst: number; perHour: number }) => `${burst} at once and ${perHour} an hour`
const [KIB, MINUTE, HOUR, DAY] = [1024, 60, 3_600, 86_400]

describe('of everything else', () => {
  test.each([
    ['Of HTTP', 'body', `${constant('http/body.ts', 'BODY_LIMIT') / KIB} KiB`],
    ['Of HTTP', 'body of a check', `${constant('http/routes/domains.ts', 'BODY_LIMIT') / KIB} KiB`],
    ['Of HTTP', 'body of a batch', `${constant('http/batches/read-body.ts', 'BATCH_BODY_LIMIT') / KIB / KIB} MiB`],
    ['Of HTTP', 'nesting depth of a body', `${constant('http/body.ts', 'DEPTH_LIMIT')} levels`],
    ['Of HTTP', 'time to receive the headers', `${constant('http/listener.ts', 'HEADERS_TIMEOUT_MS') / 1000} seconds`],
    ['Of HTTP', 'time to receive the request', `${constant('http/listener.ts', 'REQUEST_TIMEOUT_MS') / 1000} seconds`],
    ['Of HTTP', 'idle connection timeout', `${constant('http/listener.ts', 'KEEP_ALIVE_MS') / 1000} seconds`],
    ['Of HTTP', 'connections per address', SETTINGS.NAMEWRIGHT_CONNECTIONS_PER_ADDRESS.default],
    ['Of HTTP', 'concurrent request bodies per address', SETTINGS.NAMEWRIGHT_BODIES_PER_ADDRESS.default],
    ['Of HTTP', 'event streams per key', SETTINGS.NAMEWRIGHT_STREAMS_PER_KEY.default],
    ['Of HTTP', 'event streams per account', SETTINGS.NAMEWRIGHT_STREAMS_PER_ACCOUNT.default],
    ['Of a key', 'requests per minute', String(FIRST_QUOTA.perMinute)],
    ['Of a key', 'burst', String(FIRST_QUOTA.burst)],
    ['Of a key', 'suggestions per day', String(FIRST_QUOTA.perDay)],
    [
      'Of a key',
      'old secret after a rotation',
      `${constant('http/settings/keys.ts', 'DEFAULT_GRACE_SECONDS') / HOUR} hours`,
    ],
    [
      'Of people and applications',
      'password',
      `${constant('identity/people/password.ts', 'PASSWORD_MIN')} to ${constant('identity/people/password.ts', 'PASSWORD_MAX')} characters`,
    ],
    ['Of people and applications', 'session', `${constant('identity/people/auth.ts', 'SESSION_SECONDS') / DAY} days`],
    [
      'Of people and applications',
      'recent sign-in',
      `${constant('identity/people/conventions.ts', 'RECENT_SECONDS') / MINUTE} minutes`,
    ],
    [
      'Of people and applications',
      'link to confirm an address or reset a password',
      `${constant('identity/people/emailed-links.ts', 'LINK_SECONDS') / HOUR} hour`,
    ],
    [
      'Of people and applications',
      'invitation',
      `${constant('tenancy/members/invitations.ts', 'LASTS_MS') / DAY / 1000} days`,
    ],
    [
      'Of people and applications',
      'authorization code',
      `${constant('identity/people/authorization-server.ts', 'CODE_SECONDS')} seconds`,
    ],
    [
      'Of people and applications',
      'access token',
      `${constant('identity/people/authorization-server.ts', 'ACCESS_SECONDS') / HOUR} hour`,
    ],
    [
      'Of people and applications',
      'refresh token',
      `${constant('identity/people/authorization-server.ts', 'REFRESH_SECONDS') / DAY} days`,
    ],
    [
      'Of people and applications',
      'webhooks per account',
      String(constant('automation/webhooks/webhooks.ts', 'MAX_WEBHOOKS')),
    ],
    [
      'Of time',
      'deadline of a generate or check request',
      `${constant('http/routes/domains.ts', 'DEFAULT_DEADLINE_MS')} milliseconds`,
    ],
    ['Of time', 'a revoked key or token', `${constant('tenancy/keys/credential-cache.ts', 'TRUST_MS') / 1000} second`],
    ['Of time', 'usage by day', `${constant('tenancy/quota/block.ts', 'KEEP_MS') / DAY / 1000} days`],
    ['Of people and applications', 'names per share', String(constant('http/share-draft.ts', 'MAX_NAMES'))],
    [
      'Of people and applications',
      'searches for further names per share',
      String(constant('library/shares/further-names.ts', 'MAX_BATCHES')),
    ],
    ['Of people and applications', 'voters per share', String(constant('library/shares/voting.ts', 'MAX_VOTERS'))],
    [
      'Of people and applications',
      'new voters per share',
      `${paceOf(NEW_VOTER_OF_ADDRESS)} from one address; ${paceOf(NEW_VOTER_OF_SHARE)} from all of them`,
    ],
    ['Of people and applications', 'comments per share', String(constant('library/shares/voting.ts', 'MAX_COMMENTS'))],
    ['Of time', 'usage by endpoint', `${constant('tenancy/traffic/traffic.ts', 'KEEP_MS') / DAY / 1000} days`],
    ['Of time', 'a share', `${constant('http/share-draft.ts', 'DEFAULT_DAYS')} days`],
    ['Of time', 'a batch and its results', `${SETTINGS.NAMEWRIGHT_BATCH_DAYS.default} days`],
    ['Of time', 'the audit log', `${constant('tenancy/audit-log/audit-log.ts', 'KEEP_MS') / DAY / 1000} days`],
  ])('%s: %s is %s', (section, what, value) => {
    const row = cellsOf(`## ${section}`).find(([first]) => first === what)
    expect(row?.[1]).toMatch(new RegExp(`^${value}(?!\\d)`))
  })

  test('password attempts and emails have the limits of their routes', () => {
    const rows = new Map(cellsOf('## Of people and applications').map(([what, limit]) => [what, limit]))
    const said = (route: string, whom: string) => {
      const limit = ATTEMPT_LIMITS[route]
      return `${limit?.address[0]} an hour from one address, ${limit?.meant?.[1]} an hour ${whom} one person`
    }
    expect(rows.get('password attempts')).toBe(said('POST /sign-in/email', 'for'))
    const { address, meant } = CONFIRM_LIMIT
    expect(rows.get('password attempts on a confirmation link')).toBe(
      `${address[0]} an hour from one address, ${meant[1]} an hour for one link`,
    )
    const guesses = `${GUESSES.perHour} an hour for one person, then the session ends`
    expect(rows.get('attempts with a session (step-up, password, 2FA)')).toBe(guesses)
    expect(rows.get('emails on request')).toBe(said('POST /request-password-reset', 'to'))
  })
})
