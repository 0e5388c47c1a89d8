/**
 * What each scope opens: every endpoint under /v1 and every tool of /mcp, tried with each scope alone, with all but the
 * right one, with none and with no credential at all. By keys, and by the access tokens of applications.
 *
 * The node says itself what it serves, so an endpoint or a tool that is new fails here until somebody has decided what
 * it needs, and has written that into docs/permissions.md.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPES } from '../../src/model/caller.ts'
import type { AccountId, Audience, Scope } from '../../src/model/caller.ts'
import { hashOf, makeSecret } from '../../src/model/credential-text.ts'
import { makeId } from '../../src/model/id.ts'
import type { Role } from '../../src/model/member.ts'
import { bare, readPage, rowsOf, sectionOf } from '../docs/pages.ts'
import { shareWorld } from '../shared-world.ts'
import { request, WIDE_QUOTA } from '../world.ts'
import type { Answer, Node, World } from '../world.ts'

const PUBLIC_URL = 'https://names.example.com'
const REFUSED = '403 insufficient_scope'
const FREE = 'free-for-sure-scope.com'
// No row has it: an authorized caller gets 404.
const ID = '0198d2c4-0000-7000-8000-000000000000'

const ENDPOINTS: Readonly<Record<string, Scope>> = {
  'POST /v1/generate': 'generate',
  'POST /v1/domains/check': 'domains:check',
  'POST /v1/names/check': 'domains:check',
  'GET /v1/tlds': 'domains:check',
  'GET /v1/status': 'domains:check',
  'GET /v1/history': 'history:read',
  'GET /v1/history/{id}': 'history:read',
  'DELETE /v1/history': 'history:write',
  'DELETE /v1/history/{id}': 'history:write',
  'GET /v1/favorites': 'favorites:read',
  'GET /v1/favorites/{id}': 'favorites:read',
  'GET /v1/favorites/{id}/changes': 'favorites:read',
  'POST /v1/favorites': 'favorites:write',
  'PATCH /v1/favorites/{id}': 'favorites:write',
  'DELETE /v1/favorites/{id}': 'favorites:write',
  'GET /v1/usage': 'usage:read',
  'GET /v1/batches': 'batches:read',
  'GET /v1/batches/{id}': 'batches:read',
  'GET /v1/batches/{id}/results': 'batches:read',
  'GET /v1/batches/{id}/events': 'batches:read',
  'POST /v1/batches': 'batches:write',
  'POST /v1/batches/{id}/cancel': 'batches:write',
  'DELETE /v1/batches/{id}': 'batches:write',
  'GET /v1/webhooks': 'webhooks',
  'POST /v1/webhooks': 'webhooks',
  'GET /v1/webhooks/{id}': 'webhooks',
  'PATCH /v1/webhooks/{id}': 'webhooks',
  'DELETE /v1/webhooks/{id}': 'webhooks',
  'POST /v1/webhooks/{id}/rotate-secret': 'webhooks',
  'POST /v1/webhooks/{id}/test': 'webhooks',
  'GET /v1/webhooks/{id}/deliveries': 'webhooks',
  'POST /v1/webhooks/{id}/deliveries/{delivery}/replay': 'webhooks',
}
/** The scopes an operation needs besides its own: a batch holds generate requests. */
const ALSO: Readonly<Record<string, readonly Scope[]>> = { 'POST /v1/batches': ['generate'] }
const BODIES: Readonly<Record<string, unknown>> = {
  'POST /v1/generate': { description: 'a bakery', count: 1 },
  'POST /v1/domains/check': { domains: [FREE] },
  'POST /v1/names/check': { names: ['mayfly'], tlds: ['com'] },
  'POST /v1/favorites': { domain: FREE },
  'PATCH /v1/favorites/{id}': { watch: true },
  'POST /v1/batches': { requests: [{ description: 'a bakery', count: 1 }] },
  'POST /v1/webhooks': { url: 'https://hooks.example.com/', events: ['quota.warning'] },
  'PATCH /v1/webhooks/{id}': { enabled: false },
  'POST /v1/webhooks/{id}/rotate-secret': {},
}
const TOOLS: Readonly<Record<string, Scope>> = {
  suggest_domains: 'generate',
  check_domains: 'domains:check',
  check_names: 'domains:check',
  list_favorites: 'favorites:read',
  add_favorite: 'favorites:write',
  get_history: 'history:read',
}
const ARGUMENTS: Readonly<Record<string, unknown>> = {
  suggest_domains: BODIES['POST /v1/generate'],
  check_domains: BODIES['POST /v1/domains/check'],
  check_names: BODIES['POST /v1/names/check'],
  add_favorite: BODIES['POST /v1/favorites'],
}
/** The most that an application may do for a viewer. */
const READ_SCOPES: readonly Scope[] = ['history:read', 'favorites:read', 'batches:read', 'usage:read']

const MATRIX = [
  ...Object.entries(ENDPOINTS).map(([operation, scope]) => ({ door: operation, scope, audience: 'v1' as const })),
  ...Object.entries(TOOLS).map(([operation, scope]) => ({ door: operation, scope, audience: 'mcp' as const })),
]

let world: World
let node: Node
let account: AccountId
beforeAll(async () => {
  world = await shareWorld({ NAMEWRIGHT_PUBLIC_URL: PUBLIC_URL })
  node = await world.startNode()
  account = await world.makeAccount()
})
afterAll(() => world[Symbol.asyncDispose]())

/** `in`, or the refusal. */
async function outcomeAt(operation: string, credential?: string): Promise<string> {
  return operation.includes(' ') ? outcomeOf(await askEndpoint(operation, credential)) : callTool(operation, credential)
}

function askEndpoint(operation: string, credential?: string): Promise<Answer> {
  const [method = '', path = ''] = operation.split(' ')
  const key = credential === undefined ? {} : { key: credential }
  return node.call(path.replaceAll(/\{\w+\}/g, ID), { method, body: BODIES[operation], ...key })
}

async function callTool(name: string, credential?: string): Promise<string> {
  const params = { name, arguments: ARGUMENTS[name] ?? {} }
  const answer = await talk({ method: 'tools/call', params }, credential)
  // An application is refused by HTTP, so that it can ask for more; a key by the tool.
  if (answer.status !== 200) return outcomeOf(answer)
  const { isError = false, _meta: meta } = answer.json.result
  return isError ? `403 ${meta['namewright/error'].code}` : 'in'
}

function talk(message: object, credential?: string): Promise<Answer> {
  const key = credential === undefined ? {} : { key: credential }
  return request(node.url, '/mcp', { body: { jsonrpc: '2.0', id: 1, ...message }, ...key })
}

function outcomeOf({ status, json }: Answer): string {
  const code = json?.error?.code
  return status < 300 || code === 'not_found' ? 'in' : `${status} ${code}`
}

/** An application that may do this much here, and a token of it that was given this much. */
async function makeToken(
  given: readonly Scope[],
  { granted = SCOPES, audience = 'v1', by }: { granted?: readonly Scope[]; audience?: Audience; by?: Role } = {},
): Promise<string> {
  const clientId = makeId(Date.now())
  const person = by && (await makeMember(by))
  await world.keys.grant(account, { clientId, name: 'robot', scopes: granted, quota: WIDE_QUOTA })
  await world.owner.query(
    `INSERT INTO people.oauth_client (id, client_id, redirect_uris, reference_id) VALUES ($1, $1, '[]', $2)`,
    [clientId, account],
  )
  const token = makeSecret('nwa')
  const resources = JSON.stringify([`${PUBLIC_URL}/${audience}`])
  await world.owner.query(
    `INSERT INTO people.oauth_access_token
       (id, token, client_id, user_id, reference_id, resources, scopes, created_at, expires_at)
     VALUES ($1, $2, $1, $3, $4, $5, $6, now(), now() + interval '1 hour')`,
    [clientId, hashOf(token).toString('hex'), person, account, resources, JSON.stringify(given)],
  )
  return token
}

async function makeMember(role: Role): Promise<string> {
  const id = makeId(Date.now())
  await world.owner.query(`INSERT INTO people."user" (id, name, email, email_verified) VALUES ($1, 'Ada', $1, true)`, [
    id,
  ])
  await world.owner.query('INSERT INTO member VALUES ($1, $2, $3, now())', [account, id, role])
  return id
}

const makeKey = async (scopes: readonly Scope[]) => (await world.makeKey(account, { scopes })).secret
const without = (scope: Scope) => SCOPES.filter((one) => one !== scope)

type Make = (scopes: readonly Scope[], audience: Audience) => Promise<string>
const CREDENTIALS: readonly (readonly [what: string, make: Make])[] = [
  ['a key', makeKey],
  ['a token that was given few scopes', (scopes, audience) => makeToken(scopes, { audience })],
  [
    'a token of an application that may do little here',
    (granted, audience) => makeToken(SCOPES, { granted, audience }),
  ],
  ['a token that an admin gave', (scopes, audience) => makeToken(scopes, { audience, by: 'admin' })],
]

describe.each(CREDENTIALS)('with %s', (_what, make) => {
  /** One of each kind, for all operations. */
  const made = new Map<string, Promise<string>>()
  const credentialOf = (scopes: readonly Scope[], audience: Audience): Promise<string> => {
    const name = `${audience} ${scopes.join(' ')}`
    const credential = made.get(name) ?? make(scopes, audience)
    made.set(name, credential)
    return credential
  }

  test.each(MATRIX)('$door opens to $scope and to nothing else', async ({ door: operation, scope, audience }) => {
    const seen: Record<string, string> = {}
    const also = ALSO[operation] ?? []
    for (const one of SCOPES) {
      seen[one] = await outcomeAt(operation, await credentialOf([...new Set([one, ...also])], audience))
    }
    seen['all others'] = await outcomeAt(operation, await credentialOf(without(scope), audience))
    seen['none'] = await outcomeAt(operation, await credentialOf([], audience))
    seen['all'] = await outcomeAt(operation, await credentialOf(SCOPES, audience))
    const expected = Object.keys(seen).map((one) => [one, one === scope || one === 'all' ? 'in' : REFUSED])
    expect(seen).toEqual(Object.fromEntries(expected))
  })
})
test.each(Object.entries(ALSO))('%s opens to nobody without %s, too', async (operation, also) => {
  for (const scope of also) expect(await outcomeAt(operation, await makeKey(without(scope)))).toBe(REFUSED)
})

test.each(MATRIX)('$door is closed to nobody in particular', async ({ door: operation }) => {
  expect(await outcomeAt(operation)).toBe('401 missing_token')
})

test.each(MATRIX)('$door is closed to a token for the other door', async ({ door: operation, audience }) => {
  const other = audience === 'v1' ? 'mcp' : 'v1'
  expect(await outcomeAt(operation, await makeToken(SCOPES, { audience: other }))).toBe('401 invalid_token')
})

test('what a viewer lets an application do is to look', async () => {
  const [v1, mcp] = [
    await makeToken(SCOPES, { by: 'viewer' }),
    await makeToken(SCOPES, { by: 'viewer', audience: 'mcp' }),
  ]
  for (const { door: operation, scope, audience } of MATRIX) {
    const expected = READ_SCOPES.includes(scope) ? 'in' : REFUSED
    expect(`${operation}: ${await outcomeAt(operation, audience === 'v1' ? v1 : mcp)}`).toBe(
      `${operation}: ${expected}`,
    )
  }
})

test('what a member lets an application do is everything but webhooks', async () => {
  const [v1, mcp] = [
    await makeToken(SCOPES, { by: 'member' }),
    await makeToken(SCOPES, { by: 'member', audience: 'mcp' }),
  ]
  for (const { door: operation, scope, audience } of MATRIX) {
    const expected = scope === 'webhooks' ? REFUSED : 'in'
    expect(`${operation}: ${await outcomeAt(operation, audience === 'v1' ? v1 : mcp)}`).toBe(
      `${operation}: ${expected}`,
    )
  }
})

test('a scope that an endpoint answers to for GET, it answers to for HEAD', async () => {
  const readable = MATRIX.filter(({ door: operation }) => operation.startsWith('GET '))
  for (const { door: operation, scope } of readable) {
    const path = operation.replace('GET ', '').replace('{id}', ID)
    const statusOf = async (key: string) => (await request(node.url, path, { method: 'HEAD', key })).status
    expect([operation, await statusOf(await makeKey(without(scope)))]).toEqual([operation, 403])
    expect([operation, await statusOf(await makeKey([scope]))]).toEqual([operation, path.includes(ID) ? 404 : 200])
  }
})

describe('the tables miss nothing and invent nothing:', () => {
  test('the endpoints are those of the contract, with its scopes', async () => {
    const { json } = await node.call('/openapi.json')
    const paths = Object.entries(json.paths as Record<string, Record<string, { security: unknown }>>)
    const served = paths.flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { security }]) => [`${method.toUpperCase()} ${path}`, security]),
    )
    const expected = Object.entries(ENDPOINTS).map(([operation, scope]) => [
      operation,
      [{ key: [] }, { oauth: [scope] }],
    ])
    expect(Object.fromEntries(served)).toEqual(Object.fromEntries(expected))
  })

  test('the tools are those that agents are told of, whatever they may do', async () => {
    const { json } = await talk({ method: 'tools/list' }, await makeKey([]))
    expect(json.result.tools.map(({ name }: { name: string }) => name)).toEqual(Object.keys(TOOLS))
  })

  test('the manual has the same endpoints and tools', () => {
    const scopesOf = (rows: string[][]) =>
      Object.fromEntries(rows.map(([operation = '', scope = '']) => [operation, bare(scope)]))
    const page = readPage('docs/permissions.md')
    expect(scopesOf(rowsOf(sectionOf(page, '## What a scope opens')))).toEqual(ENDPOINTS)
    expect(scopesOf(rowsOf(sectionOf(readPage('docs/mcp.md'), '## Tools')))).toEqual(TOOLS)
  })

  test('every scope that opens nothing yet is known to open nothing', () => {
    const used = new Set([...Object.values(ENDPOINTS), ...Object.values(TOOLS)])
    expect(SCOPES.filter((scope) => !used.has(scope))).toEqual([])
  })
})
