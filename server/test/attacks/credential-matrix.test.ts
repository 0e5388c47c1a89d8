/**
 * Every route of a real node with every kind of token of every role: the full matrix, each cell a request that is really
 * sent. What should come of it is written here by itself, so that a mistake in the service's own table shows. What the
 * session of a role opens is in ../auth/role-matrix.
 *
 * The list of routes is that of `namewright-server routes`. A new one fails here until somebody has written down who may
 * call it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  ACCESS,
  type AccountId,
  createHttpServer,
  enforceAccess,
  hashOf,
  makeId,
  makeSecret,
  openContext,
  openLog,
  type Role,
  ROLES,
  type Scope,
  SCOPES,
} from '../source.ts'
import { readConfig } from '../read-config.ts'
import { LISTED_ROUTES } from '../listed-routes.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, Reply, SignedIn } from '../people-world.ts'
import { WIDE_QUOTA } from '../world.ts'

const routes = LISTED_ROUTES.map(({ name }) => name)
const PAGE_ORIGIN = 'https://shop.example.com'
// Nobody has it: whoever is authorized learns that, and nobody else.
const ID = '0198d2c4-0000-7000-8000-000000000000'
const FREE = 'free-for-sure-matrix.com'

const READING: readonly Scope[] = ['history:read', 'favorites:read', 'batches:read', 'usage:read']
const NO_WEBHOOKS: readonly Scope[] = SCOPES.filter((scope) => scope !== 'webhooks')
const TOOL_SCOPES: readonly Scope[] = ['generate', 'domains:check', 'history:read', 'favorites:read', 'favorites:write']

/** What each credential may do at `/v1` and at `/mcp` when it was given every scope; none: it is no credential there. */
interface Expected {
  readonly v1?: readonly Scope[]
  readonly mcp?: readonly Scope[]
}
const CREDENTIALS: Readonly<Record<string, Expected>> = {
  key: { v1: SCOPES, mcp: SCOPES },
  'publishable key': { v1: ['generate', 'domains:check'] },
  'client token': { v1: SCOPES, mcp: SCOPES },
  'app session of a viewer': { v1: READING },
  'app session of a member': { v1: NO_WEBHOOKS },
  'app session of an admin': { v1: NO_WEBHOOKS },
  'app session of an owner': { v1: NO_WEBHOOKS },
  'app session of somebody removed': {},
  'OAuth token of a viewer': { v1: READING },
  'OAuth token of a member': { v1: NO_WEBHOOKS },
  'OAuth token of an admin': { v1: SCOPES },
  'OAuth token of an owner': { v1: SCOPES },
  'OAuth token of somebody removed': {},
  'MCP token of a viewer': { mcp: ['history:read', 'favorites:read'] },
  'MCP token of a member': { mcp: TOOL_SCOPES },
  'MCP token of an admin': { mcp: TOOL_SCOPES },
  'MCP token of an owner': { mcp: TOOL_SCOPES },
  'MCP token of somebody removed': {},
}

const SCOPE_OF: Readonly<Record<string, Scope>> = {
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
/** A tool, or the tool and the action. */
const TOOLS: Readonly<Record<string, Scope>> = {
  suggest_names: 'generate',
  check: 'domains:check',
  'saved list': 'favorites:read',
  'saved add': 'favorites:write',
}

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

let at: PeopleWorld
let served: readonly string[]
let account: AccountId
let people: Readonly<Record<Role | 'outsider', SignedIn>>
const credentials = new Map<string, string>()

beforeAll(async () => {
  at = await startApp({ people: true })
  await using ctx = await openContext(readConfig({ ...at.world.env }), openLog('silent'))
  const server = await createHttpServer(ctx, { tls: undefined, version: '0' })
  await server.app.ready()
  served = server.routes()
  await server.app.close()
  const [viewer, member, admin, owner, outsider] = await Promise.all(
    ['Viewer', 'Member', 'Admin', 'Owner', 'Outsider'].map((name) => at.signUp(name)),
  )
  if (!viewer || !member || !admin || !owner || !outsider) throw new Error('somebody is missing')
  people = { viewer, member, admin, owner, outsider }
  account = await makeTeam()
  await makeCredentials()
})
afterAll(() => at[Symbol.asyncDispose]())

async function makeTeam(): Promise<AccountId> {
  const team = await at.world.makeAccount()
  for (const role of ROLES) {
    await at.world.owner.query('INSERT INTO member VALUES ($1, $2, $3, now())', [team, people[role].userId, role])
  }
  return team
}

async function makeCredentials(): Promise<void> {
  for (const scopes of [SCOPES, ...SCOPES.map((scope) => SCOPES.filter((one) => one !== scope))]) {
    const without = SCOPES.find((scope) => !scopes.includes(scope)) ?? ''
    const keep = (name: string, secret: string) => credentials.set(`${name} ${without}`, secret)
    keep('key', (await at.world.makeKey(account, { scopes })).secret)
    const publishable = scopes.filter((scope) => ['generate', 'domains:check'].includes(scope))
    const spec = { scopes: publishable, allowedOrigins: [PAGE_ORIGIN] }
    keep('publishable key', (await at.world.makeKey(account, spec)).secret)
    keep('client token', await makeToken({ audiences: ['v1', 'mcp'], scopes }))
    for (const role of ROLES) {
      const { userId } = people[role]
      const whose = `of ${/^[ao]/.test(role) ? 'an' : 'a'} ${role}`
      keep(`app session ${whose}`, await makeToken({ audiences: ['v1'], scopes, userId, clientId: 'namewright-web' }))
      keep(`OAuth token ${whose}`, await makeToken({ audiences: ['v1'], scopes, userId }))
      keep(`MCP token ${whose}`, await makeToken({ audiences: ['mcp'], scopes, userId }))
    }
    // Whoever was removed is as the outsider: a person of the service, and no member.
    const { userId } = people.outsider
    const whose = 'of somebody removed'
    keep(`app session ${whose}`, await makeToken({ audiences: ['v1'], scopes, userId, clientId: 'namewright-web' }))
    keep(`OAuth token ${whose}`, await makeToken({ audiences: ['v1'], scopes, userId }))
    keep(`MCP token ${whose}`, await makeToken({ audiences: ['mcp'], scopes, userId }))
  }
}

/** A token with these scopes, of an application that the account lets do everything. */
async function makeToken(wanted: {
  audiences: readonly string[]
  scopes: readonly Scope[]
  userId?: string
  clientId?: string
}): Promise<string> {
  const { audiences, scopes, userId, clientId = makeId(Date.now()) } = wanted
  await at.world.keys.grant(account, { clientId, name: 'robot', scopes: SCOPES, quota: WIDE_QUOTA })
  await at.world.owner.query(
    `INSERT INTO people.oauth_client (id, client_id, redirect_uris, reference_id) VALUES ($1, $1, '[]', $2)
     ON CONFLICT DO NOTHING`,
    [clientId, account],
  )
  const token = makeSecret('nwa')
  await at.world.owner.query(
    `INSERT INTO people.oauth_access_token
       (id, token, client_id, user_id, reference_id, resources, scopes, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now(), now() + interval '1 hour')`,
    [
      makeId(Date.now()),
      hashOf(token).toString('hex'),
      clientId,
      userId,
      account,
      JSON.stringify(audiences.map((audience) => `${at.url}/${audience}`)),
      JSON.stringify(scopes),
    ],
  )
  return token
}

interface Cell {
  readonly route: string
  readonly credential: string
  readonly expected: string
  readonly send: () => Promise<string>
}

function pathOf(route: string): string {
  const [, path = ''] = route.split(' ')
  return path
    .replace('{account}', account)
    .replaceAll(/\{\w+\}/g, ID)
    .replace('*', 'none')
}

async function sendWith(route: string, token?: string): Promise<Reply> {
  const [method = ''] = route.split(' ')
  const body = BODIES[route]
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    // A publishable key counts only in its pages; our own pages count everywhere else.
    ...(route.includes(' /v1/') ? { origin: PAGE_ORIGIN } : {}),
  }
  return askUntilServed(() =>
    at.visitor().ask(pathOf(route), { method, ...(body === undefined ? {} : { body }), headers }),
  )
}

/** A node that is too busy answers 503 before it has read the credential; what is closed for good stays 503. */
async function askUntilServed(ask: () => Promise<Reply>): Promise<Reply> {
  let reply = await ask()
  for (let more = 50; more > 0 && reply.status === 503; more--) {
    await sleep(200)
    reply = await ask()
  }
  return reply
}

/** `in`: authorized, whatever came of it then. */
function resultOf({ status, json }: Reply): string {
  return status === 401 || status === 403 ? `${status} ${json?.error?.code}` : 'in'
}

async function callTool(name: string, token?: string): Promise<string> {
  const given: Record<string, unknown> = {
    suggest_names: { description: 'a bakery', count: 1 },
    check: BODIES['POST /v1/domains/check'],
    'saved list': { action: 'list' },
    'saved add': { action: 'add', domain: FREE },
  }
  const params = { name: name.split(' ')[0], arguments: given[name] ?? {} }
  const headers = {
    accept: 'application/json, text/event-stream',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const reply = await askUntilServed(() => at.visitor().ask('/mcp', { body, headers }))
  if (reply.status !== 200) return resultOf(reply)
  const { isError = false, _meta: meta } = reply.json.result
  return isError ? `403 ${meta['namewright/error'].code}` : 'in'
}

function expectedOf(scopes: readonly Scope[] | undefined, scope: Scope): string {
  if (scopes === undefined) return '401 invalid_token'
  return scopes.includes(scope) ? 'in' : '403 insufficient_scope'
}

/** Each with every scope, and with every scope but the one that is needed. */
function tokenCells(route: string, scope: Scope, audience: 'v1' | 'mcp', send: (token?: string) => Promise<string>) {
  const cells: Cell[] = [{ route, credential: 'none', expected: '401 missing_token', send: () => send() }]
  for (const [credential, { [audience]: scopes }] of Object.entries(CREDENTIALS)) {
    cells.push(
      {
        route,
        credential,
        expected: expectedOf(scopes, scope),
        send: () => send(credentials.get(`${credential} `)),
      },
      {
        route,
        credential: `${credential} without ${scope}`,
        expected: expectedOf(scopes && [], scope),
        send: () => send(credentials.get(`${credential} ${scope}`)),
      },
    )
  }
  return cells
}

/** No token is a session. What the path or the body says is never looked at. */
function settingsCells(route: string): Cell[] {
  return ['none', ...Object.keys(CREDENTIALS)].map((credential) => ({
    route,
    credential,
    expected: '401 sign_in_required',
    send: async () => resultOf(await sendWith(route, credentials.get(`${credential} `))),
  }))
}

/** A credential changes nothing where none is required. */
async function publicCells(route: string): Promise<Cell[]> {
  const without = await sendWith(route)
  return Object.keys(CREDENTIALS).map((credential) => ({
    route,
    credential,
    expected: String(without.status),
    send: async () => String((await sendWith(route, credentials.get(`${credential} `))).status),
  }))
}

async function wrongOf(cells: readonly Cell[]): Promise<string[]> {
  const wrong: string[] = []
  const waiting = [...cells]
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let cell = waiting.shift(); cell; cell = waiting.shift()) {
        const result = await cell.send()
        if (result !== cell.expected)
          wrong.push(`${cell.route} with ${cell.credential}: ${result}, not ${cell.expected}`)
      }
    }),
  )
  return wrong
}

const isPublic = (route: string) => !/ \/(?:v1|mcp|settings)(?:\/|$)/.test(route) || isPage(route)
const isSetting = (route: string) => route.includes(' /settings') && !isPage(route)
const isPage = (route: string) => /^GET \/settings(?:\/[a-z]+)?$/.test(route) && route !== 'GET /settings/me'

test('the command lists the routes that a node serves, with the access that is expected here', () => {
  expect(routes.toSorted()).toEqual(served.toSorted())
  // A route that declares its access has no entry, and does not start with one.
  expect(Object.keys(ACCESS).filter((entry) => !served.includes(entry))).toEqual([])
  const byToken = LISTED_ROUTES.filter(({ access }) => access.startsWith('scope'))
  expect(Object.fromEntries(byToken.map(({ name, access }) => [name, access]))).toEqual({
    ...Object.fromEntries(Object.entries(SCOPE_OF).map(([route, scope]) => [route, `scope ${scope}`])),
    'POST /mcp': 'scope of the tool',
  })
  const open = LISTED_ROUTES.filter(({ access }) => access === 'public').map(({ name }) => name)
  expect(open.toSorted()).toEqual([...routes.filter(isPublic), 'OPTIONS /v1/*'].toSorted())
})

test('a route that nobody has written an entry for does not start', () => {
  const app = fastify()
  enforceAccess(app)
  expect(() => app.get('/v1/planted', () => 'open')).toThrow('GET /v1/planted: http/access.ts has no entry')
  expect(() => app.post('/v1/history', () => 'open')).toThrow('POST /v1/history: http/access.ts has no entry')
  const config = { access: { by: 'public' } } as const
  expect(() => app.post('/mcp', { config }, () => 'open')).toThrow('has an entry for this route, which declares')
})

test('every cell of the matrix is as expected', async () => {
  const cells = [
    ...Object.entries(SCOPE_OF).flatMap(([route, scope]) =>
      tokenCells(route, scope, 'v1', async (token) => resultOf(await sendWith(route, token))),
    ),
    ...Object.entries(TOOLS).flatMap(([tool, scope]) =>
      tokenCells(`POST /mcp ${tool}`, scope, 'mcp', (token) => callTool(tool, token)),
    ),
    ...routes.filter(isSetting).flatMap(settingsCells),
    ...(await Promise.all(routes.filter(isPublic).map(publicCells))).flat(),
  ]
  const wrong = await wrongOf(cells)
  console.log(`credential matrix: ${cells.length} cells on ${routes.length} routes, ${wrong.length} wrong`)
  expect(wrong).toEqual([])
  expect(cells.length).toBeGreaterThan(2_500)
}, 120_000)
