/** What a checker of protocols asks of POST /mcp, message by message and without the client library. */
import { tokensOf } from '../../../scripts/tokens.ts'
import { request as rawRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectError } from '../expect-error.ts'
import { message, META, post, validatorOf } from '../mcp-client.ts'
import { startApp } from '../start-app.ts'
import type { Call, Node, World } from '../world.ts'

const PUBLIC_URL = 'https://names.example.com'
const NEW = { 'mcp-protocol-version': '2026-07-28' }
const PING = message('ping')
const LIST = message('tools/list')

let world: World
let node: Node
let key: string
beforeAll(async () => {
  world = await startApp({ settings: { NAMEWRIGHT_PUBLIC_URL: PUBLIC_URL } })
  node = await world.startNode()
  key = (await world.makeKey(await world.makeAccount())).secret
})
afterAll(() => world[Symbol.asyncDispose]())

const send = (body: unknown, headers: Record<string, string> = {}, more: Call = {}) =>
  post(node, key, body, { headers, ...more })

/** With everything the newer revision asks for. */
const sendNew = (method: string, params: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  send(message(method, { _meta: META, ...params }), { ...NEW, 'mcp-method': method, ...headers })

const faultOf = async (answer: ReturnType<typeof send>) => {
  const { status, json } = await answer
  return [status, json?.error?.code]
}

/** A header that fetch would not let us choose. */
function sendTo(host: string, headers: Record<string, string> = {}): Promise<{ status: number; code: string }> {
  const { hostname, port } = new URL(node.url)
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; code: string }>()
  const sent = rawRequest({ hostname, port, path: '/mcp', method: 'POST' }, (response) => {
    let text = ''
    response.setEncoding('utf8').on('data', (part: string) => (text += part))
    response.on('end', () => {
      const { error } = JSON.parse(text) as { error?: { code: string } }
      resolve({ status: response.statusCode ?? 0, code: error?.code ?? '' })
    })
  })
  sent.on('error', reject)
  for (const [name, value] of Object.entries({ host, 'content-type': 'application/json', ...headers }))
    sent.setHeader(name, value)
  sent.end(JSON.stringify(LIST))
  return promise
}

describe('the list of tools', () => {
  // oxlint-disable-next-line typescript/no-explicit-any -- a document as it came
  let tools: any[]
  beforeAll(async () => {
    tools = (await send(LIST)).json.result.tools
  })

  test('has three, whose names everybody can use', () => {
    expect(tools.map(({ name }) => name)).toEqual(['suggest_names', 'check', 'saved'])
    for (const { name } of tools) expect(name).toMatch(/^[a-z_]{1,64}$/)
  })

  test('is the file that was published, as is that of prompts', async () => {
    // Changed on purpose, `pnpm test server/test/api/mcp-protocol.test.ts -u` writes it anew.
    const { prompts } = (await send(message('prompts/list'))).json.result
    await expect(`${JSON.stringify({ tools, prompts }, null, 2)}\n`).toMatchFileSnapshot('golden/mcp-lists.txt')
  })

  test('is the same in both revisions, and says how long it may be kept', async () => {
    const { result } = (await sendNew('tools/list')).json
    expect(result.tools).toEqual(tools)
    expect(result).toMatchObject({ resultType: 'complete', ttlMs: 3_600_000, cacheScope: 'public' })
    expect(result.nextCursor).toBeUndefined()
  })

  test('has only schemas that are valid and say nothing in a dialect', () => {
    for (const { inputSchema, outputSchema } of tools) {
      expect(outputSchema).toBeUndefined()
      expect(() => validatorOf(inputSchema)).not.toThrow()
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(JSON.stringify(inputSchema)).not.toMatch(/"(?:\$id|\$ref|pattern)":/)
    }
  })

  test('has flat parameters, each with a word about it', () => {
    for (const { name, inputSchema } of tools) {
      for (const [parameter, property] of Object.entries<Record<string, unknown>>(inputSchema.properties)) {
        const where = `${name}.${parameter}`
        expect(property.description, where).toMatch(/^.{10,340}$/)
        const kinds = property.anyOf ?? [property.items ?? property]
        for (const kind of kinds as { type?: string; enum?: string[] }[]) {
          expect(kind.enum ? 'string' : kind.type, where).toMatch(/^(?:string|integer|number|boolean|null|object)$/)
        }
      }
    }
  })

  test('tells truly what each tool does to the world', () => {
    // What is absent has the default of the protocol: neither read-only nor idempotent, in an open world.
    expect(Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]))).toEqual({
      // Spends and records, every time anew.
      suggest_names: { destructiveHint: false },
      check: { readOnlyHint: true },
      // The same domain again changes nothing.
      saved: { destructiveHint: false, idempotentHint: true },
    })
  })

  test('leaves an agent room to think: 1,500 tokens at most, counted with four bytes each', () => {
    expect(tokensOf({ tools })).toBeLessThanOrEqual(1_500)
  })
})

describe('a message of 2025-11-25', () => {
  test('ping is answered, and what does not exist is -32601', async () => {
    expect((await send(PING)).json).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
    for (const method of ['nothing/here', 'resources/list', 'logging/setLevel'])
      expect(await faultOf(send(message(method)))).toEqual([200, -32_601])
  })

  test.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    // Unknown ones are offered the newest that begins in this way.
    ['1999-01-01', '2025-11-25'],
    ['2099-01-01', '2025-11-25'],
  ])('initialize for %s settles on %s', async (protocolVersion, settled) => {
    const hello = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const answer = await send(message('initialize', hello))
    expect(answer.json.result).toMatchObject({ protocolVersion: settled, serverInfo: { name: 'namewright' } })
    expect(answer.headers.get('mcp-session-id')).toBeNull()
  })

  test.each([
    ['2025-11-25', 200],
    ['2025-06-18', 200],
    ['invalid', 400],
    ['2000-01-01', 400],
    ['2099-01-01', 400],
    // Says that it is of the newer kind, and is not.
    ['2026-07-28', 400],
  ])('with the header MCP-Protocol-Version %s is %d', async (version, status) => {
    const answer = await send(LIST, { 'mcp-protocol-version': version })
    expect(answer.status).toBe(status)
    if (status === 400) expect(answer.json).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } })
  })

  test('without the header is of 2025-03-26, and answered', async () => {
    expect((await send(LIST)).status).toBe(200)
  })
})

describe('a message of 2026-07-28', () => {
  test('server/discover says who we are, and ping is gone', async () => {
    const { result } = (await sendNew('server/discover')).json
    expect(result.supportedVersions).toContain('2026-07-28')
    expect(result.capabilities).toEqual({ tools: { listChanged: false }, prompts: { listChanged: false } })
    expect(await faultOf(sendNew('ping'))).toEqual([404, -32_601])
    expect(await faultOf(sendNew('nothing/here'))).toEqual([404, -32_601])
  })

  test('is refused where its headers say something else, or nothing', async () => {
    const list = message('tools/list', { _meta: META })
    const mismatch = [400, -32_020]
    expect(await faultOf(send(list))).toEqual(mismatch)
    expect(await faultOf(send(list, NEW))).toEqual(mismatch)
    expect(await faultOf(send(list, { ...NEW, 'mcp-method': 'tools/call' }))).toEqual(mismatch)
    expect(await faultOf(send(list, { ...NEW, 'mcp-method': 'TOOLS/LIST' }))).toEqual(mismatch)
    expect(await faultOf(send(list, { 'mcp-protocol-version': '2025-11-25', 'mcp-method': 'tools/list' }))).toEqual(
      mismatch,
    )
    const call = { name: 'saved', arguments: {} }
    expect(await faultOf(sendNew('tools/call', call))).toEqual(mismatch)
    expect(await faultOf(sendNew('tools/call', call, { 'mcp-name': 'check' }))).toEqual(mismatch)
  })

  test('may have its headers in capitals, with spaces, or the name in Base64', async () => {
    const call = { name: 'saved', arguments: {} }
    for (const name of ['saved', '  saved  ', `=?base64?${btoa('saved')}?=`]) {
      const answer = await sendNew('tools/call', call, { 'Mcp-Name': name })
      expect(answer.json.result.structuredContent).toEqual({ favorites: [], next_cursor: null })
    }
    const headers = { 'MCP-PROTOCOL-VERSION': '2026-07-28', 'MCP-METHOD': 'tools/list' }
    expect((await send(message('tools/list', { _meta: META }), headers)).status).toBe(200)
  })

  test('of a version that we do not speak is told which we do', async () => {
    const meta = { ...META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }
    const headers = { 'mcp-protocol-version': '2099-01-01', 'mcp-method': 'tools/list' }
    const answer = await send(message('tools/list', { _meta: meta }), headers)
    expect([answer.status, answer.json.error.code]).toEqual([400, -32_022])
    expect(answer.json.error.data).toEqual({ supported: ['2026-07-28'], requested: '2099-01-01' })
  })

  test('cannot hold a stream open', async () => {
    const answer = await sendNew('subscriptions/listen', { notifications: { toolsListChanged: true } })
    const events = answer.text.split('\n').filter((line) => line.startsWith('data: '))
    expect(events.map((line) => JSON.parse(line.slice(6)).method ?? 'the end')).toEqual([
      'notifications/subscriptions/acknowledged',
      'the end',
    ])
  })
})

describe.each([
  ['of 2025-11-25', {}, {}],
  ['of 2026-07-28', { _meta: META }, NEW],
] as const)('a call %s', (_what, meta, headers) => {
  const call = (params: Record<string, unknown>) =>
    send(message('tools/call', { ...meta, ...params }), {
      ...headers,
      'mcp-method': 'tools/call',
      'mcp-name': String(params.name),
    })

  test('of a tool that does not exist is -32602', async () => {
    expect((await call({ name: 'buy_domain', arguments: {} })).json.error).toMatchObject({ code: -32_602 })
  })

  test('whose arguments are no object is -32602, and one without arguments has none', async () => {
    expect((await call({ name: 'saved', arguments: [] })).json.error).toMatchObject({ code: -32_602 })
    expect((await call({ name: 'saved' })).json.result.structuredContent.favorites).toEqual([])
  })
})

describe('what is not one message', () => {
  test('is 400 and an error of JSON-RPC, with ours in it', async () => {
    const broken = await send('{"jsonrpc":')
    expect(broken.status).toBe(400)
    expect(broken.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(broken.json).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_700 } })
    expect(broken.json.error.data).toMatchObject({ code: 'invalid_json', request_id: expect.any(String) })
    expect(broken.json.error.message).toBe(
      'The request body is not valid JSON. Check the quotes, commas and brackets, and send the body as UTF-8.',
    )
  })

  test.each([
    ['a batch', [LIST, PING]],
    ['an empty batch', []],
    ['a number', '7'],
    ['null', 'null'],
    ['no JSON-RPC at all', { hello: 'world' }],
    ['of no version', { id: 1, method: 'ping' }],
    ['of version 1', { jsonrpc: '1.0', id: 1, method: 'ping' }],
    ['with null for its id', { jsonrpc: '2.0', id: null, method: 'ping' }],
  ])('%s is -32600', async (_what, body) => {
    expect(await faultOf(send(body))).toEqual([400, -32_600])
  })

  test('is -32600 when empty or too deep', async () => {
    expect(await faultOf(send(undefined, {}, { method: 'POST' }))).toEqual([400, -32_600])
    expect(await faultOf(send(`${'['.repeat(9)}${']'.repeat(9)}`))).toEqual([400, -32_600])
  })

  test('is refused by HTTP when it is no JSON or too large', async () => {
    expectError(await send('a', { 'content-type': 'text/plain' }), 415, 'unsupported_media_type')
    expectError(await send(message('ping', { a: 'x'.repeat(70_000) })), 413, 'body_too_large')
  })
})

test('what needs no answer is 202 and nothing', async () => {
  for (const body of [
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    { jsonrpc: '2.0', method: 'notifications/nobody/knows' },
    { jsonrpc: '2.0', id: 1, result: {} },
  ]) {
    const answer = await send(body)
    expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([202, '', null])
  }
  const noted = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, _meta: META } }
  expect((await send(noted, { ...NEW, 'mcp-method': 'notifications/cancelled' })).status).toBe(202)
})

test.each(['GET', 'DELETE', 'PUT'])('%s is 405', async (method) => {
  const answer = await send(undefined, { accept: 'text/event-stream' }, { method })
  expectError(answer, 405, 'method_not_allowed')
  expect(answer.headers.get('allow')).toBe('POST')
})

test('nothing is remembered: a session is not asked for', async () => {
  const answer = await send(LIST, { 'mcp-session-id': 'of-long-ago' })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('mcp-session-id')).toBeNull()
})

test('an answer is JSON whatever was accepted, is not to be stored, and says what is left of the limits', async () => {
  for (const accept of ['application/json, text/event-stream', 'application/json', '*/*']) {
    const { headers } = await send(LIST, { accept })
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('ratelimit')).toContain('"rate"')
  }
})

describe('whoever comes in through somebody else’s page', () => {
  test.each(['https://evil.example', 'null', 'http://127.0.0.1', `${PUBLIC_URL}.evil.example`, `${PUBLIC_URL}:8443`])(
    'from %s is 403, with a key or without',
    async (origin) => {
      expectError(await send(LIST, { origin }), 403, 'cross_site')
      const { status, code } = await sendTo('127.0.0.1', { origin })
      expect([status, code]).toEqual([403, 'cross_site'])
    },
  )

  test('from our own page is not', async () => {
    expect((await send(LIST, { origin: PUBLIC_URL })).status).toBe(200)
  })

  test.each(['evil.example', 'evil.example:80', 'names.example.com.evil.example', '127.0.0.1.evil.example', 'a b'])(
    'by the name %s is 403, with a key or without',
    async (host) => {
      for (const headers of [{}, { authorization: `Bearer ${key}` }] as Record<string, string>[])
        expect(await sendTo(host, headers)).toEqual({ status: 403, code: 'wrong_host' })
    },
  )

  test.each([
    'names.example.com',
    'NAMES.example.com:443',
    'names.example.com.',
    'localhost:8080',
    '[::1]:8080',
    'web',
  ])('by the name %s is let in, as one that only we have', async (host) => {
    expect((await sendTo(host, { authorization: `Bearer ${key}` })).status).toBe(200)
    expect((await sendTo(host)).status).toBe(401)
  })

  test('cannot say that a proxy meant us', async () => {
    const headers = { 'x-forwarded-host': 'names.example.com', authorization: `Bearer ${key}` }
    expect((await sendTo('evil.example', headers)).code).toBe('wrong_host')
  })
})
