/**
 * docs/limits.md has every limit: those of requests are held against the contract, in both directions, and the others
 * against the constants in the source that make them.
 */
import { describe, expect, test } from 'vitest'
import { FIRST_QUOTA } from '../../src/model/caller.ts'
import { DOORS } from '../../src/http/attempts.ts'
import { SETTINGS } from '../../src/config/settings.ts'
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

const [KIB, MINUTE, HOUR, DAY] = [1024, 60, 3_600, 86_400]

describe('of everything else', () => {
  test.each([
    ['Of HTTP', 'body', `${constant('http/body.ts', 'BODY_LIMIT') / KIB} KiB`],
    ['Of HTTP', 'body of a check', `${constant('http/routes/domains.ts', 'BODY_LIMIT') / KIB} KiB`],
    ['Of HTTP', 'body of a batch', `${constant('http/batches/read-body.ts', 'BATCH_BODY_LIMIT') / KIB / KIB} MiB`],
    ['Of HTTP', 'depth of a body', `${constant('http/body.ts', 'DEPTH_LIMIT')} levels`],
    ['Of HTTP', 'headers arrive within', `${constant('http/listener.ts', 'HEADERS_TIMEOUT_MS') / 1000} seconds`],
    ['Of HTTP', 'a request arrives within', `${constant('http/listener.ts', 'REQUEST_TIMEOUT_MS') / 1000} seconds`],
    ['Of HTTP', 'an idle connection is kept', `${constant('http/listener.ts', 'KEEP_ALIVE_MS') / 1000} seconds`],
    ['Of a key', 'requests per minute', String(FIRST_QUOTA.perMinute)],
    ['Of a key', 'burst', String(FIRST_QUOTA.burst)],
    ['Of a key', 'suggestions per day', String(FIRST_QUOTA.perDay)],
    [
      'Of a key',
      'after a rotation the old secret lives',
      `${constant('http/settings/keys.ts', 'DEFAULT_GRACE_SECONDS') / HOUR} hours`,
    ],
    [
      'Of people and applications',
      'password',
      `${constant('people/password.ts', 'PASSWORD_MIN')} to ${constant('people/password.ts', 'PASSWORD_MAX')} characters`,
    ],
    ['Of people and applications', 'session', `${constant('people/auth.ts', 'SESSION_SECONDS') / DAY} days`],
    [
      'Of people and applications',
      '“a recent sign-in”',
      `${constant('people/conventions.ts', 'RECENT_SECONDS') / MINUTE} minutes`,
    ],
    [
      'Of people and applications',
      'link that confirms an address or resets a password',
      `${constant('people/auth.ts', 'LINK_SECONDS') / HOUR} hour`,
    ],
    ['Of people and applications', 'invitation', `${constant('members/invitations.ts', 'LASTS_MS') / DAY / 1000} days`],
    [
      'Of people and applications',
      'authorization code',
      `${constant('people/authorization-server.ts', 'CODE_SECONDS')} seconds`,
    ],
    [
      'Of people and applications',
      'access token',
      `${constant('people/authorization-server.ts', 'ACCESS_SECONDS') / HOUR} hour`,
    ],
    [
      'Of people and applications',
      'refresh token',
      `${constant('people/authorization-server.ts', 'REFRESH_SECONDS') / DAY} days`,
    ],
    ['Of people and applications', 'webhooks of an account', String(constant('webhooks/webhooks.ts', 'MOST_WEBHOOKS'))],
    [
      'Of time',
      'a generate or check request',
      `${constant('http/routes/domains.ts', 'DEFAULT_DEADLINE_MS')} milliseconds`,
    ],
    ['Of time', 'a revoked key or token works on for', `${constant('keys/recall.ts', 'TRUST_MS') / 1000} second`],
    ['Of time', 'use by day', `${constant('quota/block.ts', 'KEEP_MS') / DAY / 1000} days`],
    ['Of people and applications', 'voters of a share', String(constant('shares/voting.ts', 'MOST_VOTERS'))],
    ['Of people and applications', 'comments on a share', String(constant('shares/voting.ts', 'MOST_COMMENTS'))],
    ['Of time', 'use by endpoint', `${constant('traffic/traffic.ts', 'KEEP_MS') / DAY / 1000} days`],
    ['Of time', 'a share', `${constant('http/settings/shares.ts', 'DEFAULT_DAYS')} days`],
    ['Of time', 'a batch and its results', `${SETTINGS.NAMEWRIGHT_BATCH_DAYS.default} days`],
    ['Of time', 'the security log', `${constant('security-log/security-log.ts', 'KEEP_MS') / DAY / 1000} days`],
  ])('%s: %s is %s', (section, what, value) => {
    const row = cellsOf(`## ${section}`).find(([first]) => first === what)
    expect(row?.[1]).toMatch(new RegExp(`^${value}(?!\\d)`))
  })

  test('tries at a password and letters are limited as the doors are', () => {
    const rows = new Map(cellsOf('## Of people and applications').map(([what, limit]) => [what, limit]))
    const said = (door: string, whom: string) => {
      const limit = DOORS[door]
      return `${limit?.address[0]} an hour from one address, ${limit?.meant?.[1]} an hour ${whom} one person`
    }
    expect(rows.get('tries at a password')).toBe(said('POST /sign-in/email', 'for'))
    expect(rows.get('letters that somebody asks for')).toBe(said('POST /request-password-reset', 'to'))
  })
})
