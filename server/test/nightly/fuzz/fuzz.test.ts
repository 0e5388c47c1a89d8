/**
 * Thousands of requests made from the OpenAPI document and from the tools of /mcp, most of them wrong in one place:
 * every answer is documented, none is a failure of ours, and none tells of our insides or of anybody else.
 *
 * A failing request is printed shrunk and with its seed. `FUZZ_SEED` and `FUZZ_BURSTS` run others.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAnswerCheck } from '../../answer-check.ts'
import { openReceiver } from '../../jobs/receiver.ts'
import type { Receiver } from '../../jobs/receiver.ts'
import { ADMIN_URL } from '../../world.ts'
import { startApp } from '../../start-app.ts'
import type { Answer, Node, World } from '../../world.ts'
import { ERRORS } from '../../source.ts'

const { FUZZ_SEED = '20261115', FUZZ_BURSTS = '4000' } = process.env
const BURST = 8
const RESTOCK_EVERY = 20
const KINDS = ['history', 'favorites', 'batches', 'webhooks'] as const
// What a list is filled up to before it is shot at again.
const FULL = 4
// An account may have twenty webhooks; it is left room to make some.
const MAX_WEBHOOKS = 8
// Two cores are shared with whatever else runs; a node that hangs takes longer than this.
const LATE_MS = 25_000
// Characters. Of a body that it refuses a node reads a megabyte, and then closes the connection.
const MAX_BODY = 200_000

type Kind = (typeof KINDS)[number]

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
}

interface Operation {
  /** `POST /v1/generate`, or `POST /mcp suggest_domains`. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly query: readonly { readonly name: string; readonly schema: Schema }[]
  readonly body: Schema | undefined
}

interface Shot {
  readonly operation: string
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | undefined
  readonly bytes: 'utf-8' | 'utf-16' | 'broken'
}

interface Tenant {
  readonly key: string
  /** Stands in all that they have. */
  readonly word: string
  readonly ids: Map<Kind, string[]>
}

interface DocumentedOperation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

let receiver: Receiver
let world: World
let node: Node
let mine: Tenant
let theirs: Tenant
let operations: readonly Operation[]
let schemas: Readonly<Record<string, Schema>>
let checkAnswer: (method: string, path: string, answer: Answer) => void
beforeAll(async () => {
  receiver = await openReceiver()
  world = await startApp({ own: true, settings: { NAMEWRIGHT_WEBHOOK_ALLOW: receiver.place } })
  node = await world.startNodeProcess()
  mine = await makeTenant('mine')
  theirs = await makeTenant(`needle${randomBytes(6).toString('hex')}`)
  for (const tenant of [mine, theirs]) await stock(tenant)
  const { json } = await node.call('/openapi.json')
  schemas = json.components.schemas
  operations = [...routesOf(json.paths), ...(await findTools())]
  checkAnswer = await createAnswerCheck(node.url)
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

test('whatever is sent is understood or refused, and leaves the node as it was', { timeout: 1_800_000 }, async () => {
  const before = await everythingOf(theirs)
  const statuses = new Map<string, Set<number>>()
  const shots = fc.array(fc.oneof(...operations.map(weighted)), { minLength: 1, maxLength: BURST, size: 'max' })
  let bursts = 0
  await fc.assert(
    fc.asyncProperty(shots, async (burst) => {
      if (bursts++ % RESTOCK_EVERY === 0) await stock(mine)
      const faults = await Promise.all(
        burst.map(async (shot) => {
          const answer = await sendPatiently(shot)
          const kinds = statuses.get(shot.operation) ?? new Set()
          statuses.set(shot.operation, kinds.add(Math.floor(answer.status / 100)))
          return faultsOf(shot, answer)
        }),
      )
      expect(faults.flat()).toEqual([])
    }),
    { seed: Number(FUZZ_SEED), numRuns: Number(FUZZ_BURSTS) },
  )
  expect(await everythingOf(theirs)).toEqual(before)
  const logged = node.output().split('\n')
  expect(logged.filter((line) => /"level":(?:50|60)/.test(line))).toEqual([])
  // A request that fails authorization tests nothing but the authorization. No two ids fit each other by chance.
  for (const { name } of operations.filter(({ path }) => !path.includes('{delivery}')))
    expect([...(statuses.get(name) ?? [])], name).toEqual(expect.arrayContaining([2, 4]))
})

async function makeTenant(word: string): Promise<Tenant> {
  const { secret } = await world.makeKey(await world.makeAccount({ name: word }))
  return { key: secret, word, ids: new Map() }
}

/** Makes again what shots have deleted. */
async function stock({ key, word, ids }: Tenant): Promise<void> {
  const call = async (path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') => {
    const answer = await node.call(path, { key, body, method })
    // Of webhooks so many changes are allowed in an hour, shots included; then what is there has to do.
    if (answer.status >= 400 && ![404, 429].includes(answer.status)) throw new Error(`${path}: ${answer.text}`)
    return answer.json?.data
  }
  const make: Record<Kind, (n: number) => Promise<unknown>> = {
    history: (n) => call('/v1/generate', { description: `a garden shop, ${word} ${n}`, count: 2 }),
    favorites: (n) => call('/v1/favorites', { domain: `${word}-${Date.now()}-${n}.com`, note: word, tags: [word] }),
    batches: () => call('/v1/batches', { requests: [{ description: `a bakery, ${word}`, count: 1 }] }),
    webhooks: () => call('/v1/webhooks', { url: `${receiver.url}/${word}`, events: ['batch.completed'] }),
  }
  for (const kind of KINDS) {
    const list = async () => ((await call(`/v1/${kind}`))[kind] as { id: string }[]).map(({ id }) => id)
    const there = await list()
    for (let n = there.length; n < FULL; n++) await make[kind](n)
    if (kind === 'webhooks')
      for (const id of there.slice(MAX_WEBHOOKS)) await call(`/v1/webhooks/${id}`, undefined, 'DELETE')
    ids.set(kind, (await list()).slice(0, FULL))
  }
}

const everythingOf = ({ key }: Tenant) =>
  Promise.all(KINDS.map(async (kind) => (await node.call(`/v1/${kind}`, { key })).json.data[kind] as unknown))

const routesOf = (paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      query: parameters.filter((one) => one.in === 'query'),
      body: requestBody?.content['application/json']?.schema,
    })),
  )

async function findTools(): Promise<Operation[]> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  const headers = { accept: 'application/json, text/event-stream' }
  const { json } = await node.call('/mcp', { key: mine.key, body, headers })
  const tools = json.result.tools as { name: string; inputSchema: Schema }[]
  return tools.map(({ name, inputSchema }) => ({
    name: `POST /mcp ${name}`,
    method: 'POST',
    path: '/mcp',
    query: [],
    body: inputSchema,
  }))
}

/** Texts that have broken other services, short enough to stand anywhere. */
const SPACED = ['', ' ', '\0', 'a\0b', '\u0001\u0085', '\r\nX-Injected: yes\r\n', '\u2028', '\ud800', "' OR '1'='1"]
const UNSPACED = `\u202egnp.exe\u202c ad\u200bmin\ufeff \u{e0041} مرحبا 日本語 👩‍👩‍👧‍👦🇩 İıſKÅﬁß раураӏ.com a。com %00%ff%zz ../../../etc/passwd
  __proto__ constructor null NaN \\u0000 " $&$\`$1 {limit}{expected} %s%n <script> =1+1 xn--99999999 . .. - * _`
const oddText = fc.oneof(
  fc.constantFrom(...SPACED),
  fc.constantFrom(...UNSPACED.split(/ |\n +/)),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const piece = fc.constantFrom(' ', '\0', ...'a,\u0301,\u200d👨,\u202ea,a-,ﷺ,.,xn--'.split(','))
const longText = fc.tuple(piece, fc.integer({ min: 10, max: 2_500 })).map(([text, times]) => text.repeat(times))
const hostileText = fc.oneof({ weight: 4, arbitrary: oddText }, { weight: 1, arbitrary: longText })
/** As they stand in JSON: some of these no JavaScript number could be written as. */
const oddNumber = fc.oneof(
  fc.constantFrom(...'0 -0 1e400 1e-400 5e-1 -1 2147483648 9007199254740993'.split(' '), `1${'0'.repeat(400)}`),
  fc.integer().map(String),
)
/** Any JSON, mostly of a kind that was not asked for. */
const oddJson = fc.oneof(
  fc.constantFrom('null', 'true', '[]', '{}', '""', '[null]', '{"":null}', '"1"'),
  hostileText.map((text) => JSON.stringify(text)),
  oddNumber,
  fc.integer({ min: 1, max: 200 }).map((depth) => `${'[{"":'.repeat(depth)}1${'}]'.repeat(depth)}`),
  fc.json({ maxDepth: 3 }),
)
/** No JSON at all, or almost. */
const noJson = fc.oneof(
  fc.constantFrom('', ' ', ...`{ " {"a":1,} {'a':1} 01 NaN {"a":1}{"b":2} {"a":1}\0 <a/> a=1`.split(' ')),
  fc.integer({ min: 1, max: 30_000 }).map((depth) => '['.repeat(depth)),
  fc.integer({ min: 60, max: 140 }).map((kilobytes) => `{"a":"${'x'.repeat(kilobytes * 1024)}"}`),
)

const oneOf = (texts: string) => fc.constantFrom(...texts.split(' '))
const label = oneOf(`mayfly about zzqxv a xn--bcher-kva bücher 日本 a-b ${'x'.repeat(63)}`)
const suffixed = fc.tuple(label, oneOf('com io de co.uk COM')).map((parts) => parts.join('.'))
const domain = mostly(suffixed, oneOf('mayfly.com. co.uk mayfly http://mayfly.com/ mayfly。com 1.1.1.1'), 8)
/** An id as a mark, which is filled in when it is sent: so the same seed makes the same shots in every world. */
const idOf = (kind: string) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.nat(3).map((n) => `@@mine.${kind}.${n}@@`) },
    { weight: 2, arbitrary: fc.nat(3).map((n) => `@@theirs.${kind}.${n}@@`) },
    { weight: 1, arbitrary: fc.uuid() },
  )
/** What a field of that name should be to mean something. */
const HINTS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  description: fc.constantFrom('a garden shop', 'ein Laden für Fahrräder', '猫のためのカフェ', 'متجر للكتب'),
  domain,
  domains: domain,
  names: label,
  tlds: oneOf('com .net io de co.uk country:de nosuch COM рф'),
  currency: oneOf('USD usd EUR XXX'),
  language: oneOf('en de pt-BR zh-Hans x-own not_a_tag'),
  // A host that is not ours is never named, so nothing leaves this machine.
  url: oneOf('@@receiver@@/ @@receiver@@/a?b=c#d http://127.0.0.1/ file:///etc/passwd https://'),
  webhook_id: idOf('webhooks'),
  q: oneOf('garden % _ \\ GARDEN'),
}
const CHEAP: Readonly<Record<string, readonly [number, number]>> = { count: [1, 4], deadline_ms: [100, 400] }

const resolved = (schema: Schema): Schema => schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema

/** A JSON text that the schema allows. Texts and not values, because JSON.stringify cannot write all that breaks. */
function validOf(given: Schema, name = ''): fc.Arbitrary<string> {
  const schema = resolved(given)
  const { minimum = -1_000, maximum = 1_000, minLength = 0, maxLength = 3_000, minItems = 0, maxItems = 6 } = schema
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => validOf(one, name)))
  if (schema.enum) return fc.constantFrom(...schema.enum.map((one) => JSON.stringify(one)))
  if (schema.const !== undefined) return fc.constant(JSON.stringify(schema.const))
  switch (schema.type) {
    case 'string': {
      const fitting = hostileText.map((text) => Array.from(text).slice(0, maxLength).join('').padEnd(minLength, 'x'))
      const words = fc.lorem({ maxCount: 5 }).map((text) => text.slice(0, maxLength))
      const usual = HINTS[name] ?? patternOf(schema) ?? words
      return mostly(usual, fitting, 3).map((text) => JSON.stringify(text))
    }
    case 'integer':
    case 'number': {
      const [least, most] = CHEAP[name] ?? [minimum, maximum]
      const within = { min: Math.max(least, Math.ceil(minimum)), max: Math.min(most, Math.floor(maximum)) }
      return fc.integer(within).map(String)
    }
    case 'boolean':
      return fc.constantFrom('true', 'false')
    case 'null':
      return fc.constant('null')
    case 'array': {
      const some = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 6)) }
      return fc.array(validOf(schema.items ?? {}, name), some).map((items) => `[${items.join()}]`)
    }
    case 'object':
      return fieldsOf(schema).map(written)
    default:
      return oddJson
  }
}

function patternOf({ format, pattern }: Schema): fc.Arbitrary<string> | undefined {
  if (format === 'uuid') return fc.uuid()
  if (format === 'date-time') return oneOf('2026-01-01T00:00:00Z 2016-12-31T23:59:60Z 9999-12-31T23:59:59+00:00')
  return pattern === undefined ? undefined : fc.stringMatching(new RegExp(pattern, 'u'), { maxLength: 40 })
}

type Field = readonly [name: string, value: string]
const written = (fields: readonly Field[]) =>
  `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`

const without = (fields: readonly Field[], name: string) => fields.filter(([one]) => one !== name)

/** Of those that may be left out about two, or every request would have something of everything. */
function fieldsOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<Field[]> {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const field = validOf(schema, name).map((value): Field[] => [[name, value]])
    const absent = { weight: required.includes(name) ? 0 : Object.keys(properties).length, arbitrary: fc.constant([]) }
    return fc.oneof(absent, { weight: 2, arbitrary: field })
  })
  return fc.tuple(...fields).map((all) => all.flat())
}

/** Wrong in one place, at any depth, so that the rest of it leads as far in as it can. */
function spoiledOf(given: Schema, name = ''): fc.Arbitrary<string> {
  const schema = resolved(given)
  const { minimum = 0, maximum = 0, maxLength = 3_000, maxItems = 100, properties = {}, required = [] } = schema
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => spoiledOf(one, name)))
  switch (schema.type) {
    case 'object': {
      const replaced = Object.entries(properties).map(([one, of]) =>
        spoiledOf(of, one).map((value) => (fields: Field[]) => [...without(fields, one), [one, value] as const]),
      )
      const added = fc.tuple(oddText, oddJson).map((field) => (fields: Field[]): Field[] => [...fields, field])
      const missing = required.map((one) => fc.constant((fields: Field[]) => without(fields, one)))
      return fc
        .tuple(fieldsOf(schema), fc.oneof(added, ...missing, ...replaced))
        .map(([fields, change]) => written(change(fields)))
    }
    case 'array': {
      const one = validOf(schema.items ?? {}, name)
      const spoiled = fc.tuple(one, spoiledOf(schema.items ?? {}, name)).map((two) => `[${two.join()}]`)
      const tooMany = one.map((text) => `[${`${text},`.repeat(maxItems)}${text}]`)
      return fc.oneof(oddJson, spoiled, tooMany)
    }
    case 'string': {
      const tooLong = fc.constantFrom('x', '𝒳', '\u0301').map((char) => char.repeat(maxLength + 1))
      return fc.oneof(
        oddJson,
        tooLong.map((text) => JSON.stringify(text)),
      )
    }
    case 'integer':
    case 'number':
      return fc.oneof(oddJson, oddNumber, fc.constantFrom(minimum - 1, maximum + 1, minimum + 0.5).map(String))
    default:
      return oddJson
  }
}

function mostly<T, S = T>(usual: fc.Arbitrary<T>, seldom: fc.Arbitrary<S>, oneIn: number): fc.Arbitrary<T | S> {
  const often: fc.WeightedArbitrary<T | S> = { weight: oneIn - 1, arbitrary: usual }
  return fc.oneof({ withCrossShrink: true }, often, { weight: 1, arbitrary: seldom })
}

/** What has a body can be wrong in more ways. */
const weighted = (operation: Operation) => ({ weight: operation.body ? 4 : 1, arbitrary: shotOf(operation) })

function shotOf(operation: Operation): fc.Arbitrary<Shot> {
  const { name, method, path, body } = operation
  const given = body && mostly(validOf(body), spoiledOf(body), 2)
  const usual = path === '/mcp' ? messageOf(name.split(' ')[2] ?? '', given ?? oddJson) : given
  const sent = mostly(usual ?? fc.constant(undefined), fc.oneof(oddJson, noJson), 10)
  const inBody = sent.map((text) => text?.slice(0, MAX_BODY))
  return fc.record({
    operation: fc.constant(name),
    method: mostly(fc.constant(method), oneOf('POST PUT PATCH DELETE OPTIONS BREW'), 40),
    target: targetOf(operation),
    headers: headersOf(path),
    body: method === 'GET' ? fc.constant(undefined) : inBody,
    bytes: mostly<Shot['bytes']>(fc.constant('utf-8'), fc.constantFrom('utf-16', 'broken'), 20),
  })
}

function messageOf(tool: string, args: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const called = fc
    .tuple(mostly(fc.constant(JSON.stringify(tool)), oddJson, 12), args)
    .map(([name, given]) => `"method":"tools/call","params":{"name":${name},"arguments":${given}}`)
  const other = oddJson.map((params) => `"method":"initialize","params":${params}`)
  return fc
    .tuple(mostly(fc.constant('"2.0"'), oddJson, 12), mostly(fc.constant('1'), oddJson, 8), mostly(called, other, 8))
    .map(([version, id, what]) => `{"jsonrpc":${version},"id":${id},${what}}`)
}

function targetOf({ path, query }: Operation): fc.Arbitrary<string> {
  const kind = KINDS.find((one) => path.startsWith(`/v1/${one}/`)) ?? 'history'
  const odd = fc.oneof(hostileText.map(encoded), oneOf(`% %zz %00 %2e%2e a;b ${'A'.repeat(9_000)}`))
  const segments = path
    .split('/')
    .map((part) => (part.startsWith('{') ? mostly(idOf(kind), odd, 8) : fc.constant(part)))
  const asked = query.map(({ name, schema }) => {
    const json = fc.oneof(validOf(schema, name), spoiledOf(schema, name))
    const field = json.map((text) => `${name}=${encoded(text.replace(/^"|"$/g, '').slice(0, 9_000))}`)
    return mostly(fc.constant(''), field, 4)
  })
  const more = oneOf(`limit=1&limit=2 limit[]=1 = &&& % q=%ff%fe __proto__[a]=1 q=${'a&'.repeat(2_000)}`)
  const tail = mostly(fc.constant(''), oneOf('/ // #a ;a %20 /..'), 25)
  return fc
    .tuple(fc.tuple(...segments), tail, fc.tuple(...asked, mostly(fc.constant(''), more, 8)))
    .map(([parts, end, fields]) => `${parts.join('/')}${end}?${fields.filter((one) => one !== '').join('&')}`)
}

/** Marks stay readable. */
const encoded = (text: string) =>
  text
    .split(/(@@[\w.]+@@)/)
    .map((part) => (part.startsWith('@@') ? part : encodeURIComponent(part.toWellFormed())))
    .join('')

/** What is usually sent, and what else is sometimes; `*` stands for any line. */
const HEADERS: readonly (readonly [name: string, usual: string, odd: string])[] = [
  ['Authorization', 'Bearer @@key@@', '* Bearer Basic:YTpi Bearer:@@key@@x'],
  ['Content-Type', 'application/json', '* text/plain application/json;charset=utf-16 multipart/form-data ;'],
  ['Accept', 'application/json, text/event-stream;q=0', '* application/problem+json application/x-ndjson a/b;q=1e400'],
  ['Accept-Language', '', `* de ar,en;q=0.5 tlh;q=2 ${'en-'.repeat(300)}`],
  ['Idempotency-Key', '', '* key-1 key-2 key-3'],
  ['Origin', '', '* null https://evil.example'],
  ['X-Forwarded-For', '', '* 1.2.3.4 unknown 999.1.1.1'],
  ['X-Request-Id', '', '*'],
]

function headersOf(path: string): fc.Arbitrary<(readonly [string, string])[]> {
  const bytes = hostileText.map((text) => Buffer.from(text).toString('latin1').slice(0, 3_000))
  const line = bytes.map((text) => text.replace(/[^\t -~\x80-\xff]/g, ''))
  const headers = HEADERS.map(([name, usual, odd]) => {
    const value = name === 'Accept' && path === '/mcp' ? 'application/json, text/event-stream' : usual
    const other = oneOf(odd).chain((text) => (text === '*' ? line : fc.constant(text.replace(':', ' '))))
    return mostly(fc.constant(value), other, 14).map((text) => [name, text] as const)
  })
  return fc.tuple(...headers).map((all) => all.filter(([, value]) => value !== ''))
}

/** A node that has too much to do may say so; a caller tries again. */
async function sendPatiently(shot: Shot): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await send(shot)
    if (answer.status !== 503 || tries === 20 || !answer.text.includes('"overloaded"')) return answer
    await sleep(tries * 50)
  }
}

async function send({ method, target, headers, body, bytes }: Shot): Promise<Answer> {
  const text = Buffer.from(filled(body ?? ''), bytes === 'utf-16' ? 'utf16le' : 'utf8')
  const content = bytes === 'broken' ? Buffer.concat([text, Buffer.from([0xff, 0xc0, 0xaf, 0xed, 0xa0])]) : text
  const response = await fetch(`${node.url}${filled(target)}`, {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, filled(value)]),
    ...(body === undefined ? {} : { body: content }),
    redirect: 'manual',
    signal: AbortSignal.timeout(LATE_MS),
  })
  const answered = await response.text()
  const isJson = /^application\/(?:problem\+)?json/.test(response.headers.get('content-type') ?? '')
  const json: unknown = isJson && answered !== '' ? JSON.parse(answered) : undefined
  return { status: response.status, headers: response.headers, text: answered, json }
}

const filled = (text: string) =>
  text.replaceAll(/@@([\w.]+)@@/g, (_all, mark: string) => {
    const [whose = '', kind = '', n = '0'] = mark.split('.')
    if (whose === 'receiver') return receiver.url
    if (whose === 'key') return mine.key
    return (whose === 'theirs' ? theirs : mine).ids.get(kind as Kind)?.[Number(n)] ?? 'none'
  })

const LEAKS: Readonly<Record<string, RegExp>> = {
  'a stack trace or a path': /\n\s+at |node:internal|node_modules|\.ts:\d+|server\/src|\/root\//,
  SQL: /\bSELECT\b[^"]*\bFROM\b|\bINSERT INTO\b|violates|syntax error at|relation \\"/,
  'a bug of ours': /TypeError|RangeError|SyntaxError|ReferenceError|is not a function|\[object Object\]/,
  'our neighbours': new RegExp(`ECONNREFUSED|127\\.0\\.0\\.1:(?:${new URL(ADMIN_URL).port}|6379|5320)|postgres://`),
}

/** What is wrong with an answer, whatever was asked. */
function faultsOf(shot: Shot, answer: Answer): string[] {
  const { status, headers, text, json } = answer
  const faults: string[] = []
  const isBare = status === 204 || status === 202
  const isStream = /event-stream|ndjson/.test(headers.get('content-type') ?? '')
  if (status >= 500) faults.push(`${status}`)
  if (status < 200 || (status >= 300 && status < 400)) faults.push(`status ${status}`)
  if (headers.get('x-content-type-options') !== 'nosniff') faults.push('no nosniff')
  if (headers.has('x-injected')) faults.push('a caller wrote a header')
  if (!isBare && !isStream && json === undefined) faults.push('no JSON')
  for (const [what, sign] of Object.entries(LEAKS)) if (sign.test(text)) faults.push(`tells ${what}`)
  const isAboutThem = JSON.stringify(shot).includes('theirs.')
  if (text.includes(theirs.word) || (!isAboutThem && [...theirs.ids.values()].flat().some((id) => text.includes(id))))
    faults.push('tells of another account')
  if (!isBare && !isStream) faults.push(...undocumented(shot, answer))
  return faults.map((fault) => `${shot.operation}: ${fault}: ${text.slice(0, 400)}`)
}

function undocumented(shot: Shot, answer: Answer): string[] {
  const code: unknown = answer.json?.error?.code
  const isRight = typeof code !== 'string' || ERRORS[code as keyof typeof ERRORS]?.status === answer.status
  if (answer.status >= 400 && !isRight) return [`has the code ${code}`]
  try {
    checkAnswer(shot.method, filled(shot.target), answer)
    return []
  } catch (error) {
    return [String(error)]
  }
}
