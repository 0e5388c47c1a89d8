/**
 * A shot is one request as it is written to a socket, made from one operation of the OpenAPI document, or from one tool
 * of /mcp.
 *
 * Ids, keys and cursors stand in it as marks, `@@mine.favorites.0@@`, which are filled in when it is sent: so the same
 * seed makes the same shots in every world, and what a shot was shrunk to can be read.
 */
import fc from 'fast-check'
import { createMaker } from './from-schema.ts'
import type { Hints, Maker, Schema } from './from-schema.ts'
import { hostileText, longText, noJson, oddJson, oddName, oddText } from './hostile.ts'

export interface Operation {
  readonly method: string
  /** With its parameters in braces. */
  readonly path: string
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[]
  readonly body: Schema | undefined
  /** Of a request to /mcp. */
  readonly tool?: string
}

export type Delivery =
  | { readonly how: 'whole' | 'drip' | 'expect' | 'pipelined' | 'chunked' | 'old' }
  | { readonly how: 'pieces'; readonly at: readonly number[] }
  /** Part of it, then the end, or nothing any more. */
  | { readonly how: 'cut' | 'hang up'; readonly part: number }
  /** A Content-Length that is wrong by so much. */
  | { readonly how: 'lie'; readonly by: number }
  | { readonly how: 'mess'; readonly headers: readonly string[]; readonly body: string }

export const ENCODINGS = ['as it is', 'byte order mark', 'utf-16', 'latin1', 'broken', 'overlong', 'gzip'] as const

export interface Shot {
  /** `POST /v1/generate`, as the document has it. */
  readonly operation: string
  readonly method: string
  /** As it stands in the request line, one byte for each character. */
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | undefined
  readonly encoding: (typeof ENCODINGS)[number]
  readonly delivery: Delivery
}

const mark = (name: string) => `@@${name}@@`
const ids = (kind: string, mine = 6) =>
  fc.oneof(
    { weight: mine, arbitrary: fc.integer({ min: 0, max: 3 }).map((n) => mark(`mine.${kind}.${n}`)) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 1 }).map((n) => mark(`theirs.${kind}.${n}`)) },
    { weight: 1, arbitrary: fc.uuid() },
  )

const label = fc.oneof(
  fc.constantFrom('mayfly', 'about', 'zzqxv', 'a', 'xn--bcher-kva', 'bücher', 'ﬁsh', '日本', 'a-b', 'x'.repeat(63)),
  fc.lorem({ maxCount: 1 }).map((word) => word.replace(/\W/g, '').toLowerCase() || 'a'),
)
const domain = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(label, fc.constantFrom('com', 'net', 'io', 'de', 'co.uk', 'org', 'COM'))
      .map((parts) => parts.join('.')),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'mayfly.com.',
      'www.mayfly.com',
      'co.uk',
      'com',
      'mayfly',
      'mayfly.nosuchsuffix',
      'http://mayfly.com/',
      'mayfly。com',
      '1.1.1.1',
    ),
  },
  { weight: 1, arbitrary: oddText.map((text) => `${text}.com`) },
)
const words = fc.constantFrom(
  'a garden shop',
  'bakery in a small town',
  'ein Laden für Fahrräder',
  'logiciel de comptabilité pour artisans',
  '猫のためのカフェ',
  'متجر للكتب',
  'fast cheap cloud database for teams who hate downtime',
)
const cursor = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('history', 'favorites', 'deliveries').map((list) => mark(`cursor.mine.${list}`)),
  },
  { weight: 1, arbitrary: fc.constantFrom('history', 'favorites').map((list) => mark(`cursor.theirs.${list}`)) },
  { weight: 1, arbitrary: fc.constantFrom('A', '=', '%3d', '/').map((more) => mark('cursor.mine.history') + more) },
  { weight: 1, arbitrary: fc.base64String({ minLength: 4, maxLength: 60 }) },
)

const HINTS: Hints = {
  description: words,
  domain,
  domains: domain,
  tlds: fc.constantFrom('com', '.net', 'io', 'de', 'co.uk', 'country:de', 'nosuch', 'no:such', 'COM', 'xn--p1ai', 'рф'),
  currency: fc.constantFrom('USD', 'usd', 'EUR', 'JPY', 'XXX'),
  language: fc.constantFrom('en', 'de', 'pt-BR', 'zh-Hans', 'ar', 'x-own', 'en-u-ca-buddhist', 'tlh', 'not a tag'),
  // A host that is not ours is never named, so nothing leaves this machine.
  url: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('', '/', '/a?b=c#d', '/%00', '/ü').map((path) => mark('receiver') + path) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'http://127.0.0.1/',
        'https://[::1]:443/',
        'file:///etc/passwd',
        'https://a:b@localhost/',
        'https://0x7f.1/',
        'javascript:1',
        '//',
        'https://',
      ),
    },
  ),
  webhook_id: ids('webhooks'),
  key_id: ids('keys'),
  cursor,
  q: fc.constantFrom('garden', '%', '_', '\\', 'a%b', '*', 'GARDEN'),
  tag: fc.constantFrom('tag', 'TAG', 'ü'),
  like: label,
  unlike: label,
  include_words: label,
  exclude_words: label,
}
const CHEAP = { count: { min: 1, max: 4 }, deadline_ms: { min: 100, max: 400 } }

/** Which ids a path is about. */
const KINDS: Readonly<Record<string, string>> = {
  history: 'history',
  favorites: 'favorites',
  batches: 'batches',
  webhooks: 'webhooks',
}
// What costs more than others, or is more often wrong before it matters.
const WEIGHTS: Readonly<Record<string, number>> = {
  'POST /v1/generate': 2,
  'POST /v1/domains/check': 3,
  'POST /v1/names/check': 2,
  'POST /v1/favorites': 2,
  'DELETE /v1/history': 0.2,
}

export function createShots(
  operations: readonly Operation[],
  components: Readonly<Record<string, Schema>>,
): fc.Arbitrary<Shot> {
  const maker = createMaker(components, HINTS, CHEAP)
  return fc.oneof(
    ...operations.map((operation) => ({
      weight: Math.ceil(10 * (WEIGHTS[`${operation.method} ${operation.path}`] ?? 1)),
      arbitrary: shotOf(operation, maker),
    })),
  )
}

function shotOf(operation: Operation, maker: Maker): fc.Arbitrary<Shot> {
  const { method, path, body } = operation
  return fc
    .record({
      method: mostly(
        fc.constant(method),
        fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'QUERY', 'TRACE', 'BREW'),
        40,
      ),
      target: targetOf(operation, maker),
      headers: headersOf(operation),
      body: operation.tool === undefined ? bodyOf(body, maker) : messageOf(operation.tool, body ?? {}, maker),
      encoding: mostly(fc.constant<Shot['encoding']>('as it is'), fc.constantFrom(...ENCODINGS), 20),
      delivery: mostly(fc.constant<Delivery>({ how: 'whole' }), delivery, 3),
    })
    .map((shot) => ({
      operation: `${method} ${path}${operation.tool === undefined ? '' : ` ${operation.tool}`}`,
      ...shot,
    }))
}

function mostly<T>(usual: fc.Arbitrary<T>, seldom: fc.Arbitrary<T>, oneIn: number): fc.Arbitrary<T> {
  return fc.oneof({ withCrossShrink: true }, { weight: oneIn - 1, arbitrary: usual }, { weight: 1, arbitrary: seldom })
}

function bodyOf(schema: Schema | undefined, maker: Maker): fc.Arbitrary<string | undefined> {
  if (schema === undefined) return mostly<string | undefined>(fc.constant(undefined), fc.oneof(oddJson, noJson), 20)
  return fc.oneof<fc.WeightedArbitrary<string | undefined>[]>(
    { weight: 15, arbitrary: maker.valid(schema) },
    { weight: 9, arbitrary: maker.spoiled(schema) },
    { weight: 2, arbitrary: noJson },
    { weight: 1, arbitrary: oddJson },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )
}

/** JSON-RPC, right or almost. */
function messageOf(tool: string, schema: Schema, maker: Maker): fc.Arbitrary<string | undefined> {
  const call = fc
    .tuple(fc.oneof(maker.valid(schema), maker.spoiled(schema)), mostly(fc.constant(JSON.stringify(tool)), oddJson, 12))
    .map(([args, name]) => `"method":"tools/call","params":{"name":${name},"arguments":${args}}`)
  const other = fc.oneof(
    fc.constantFrom(
      '"method":"tools/list"',
      '"method":"ping"',
      '"method":"initialize","params":{}',
      '"method":"notifications/initialized"',
    ),
    fc.tuple(hostileText, oddJson).map(([name, params]) => `"method":${JSON.stringify(name)},"params":${params}`),
  )
  const id = mostly(fc.constantFrom('1', '"a"'), oddJson, 8)
  const message = fc
    .tuple(mostly(call, other, 4), id, mostly(fc.constant('"2.0"'), oddJson, 12))
    .map(([what, number, version]) => `{"jsonrpc":${version},"id":${number},${what}}`)
  return mostly<string | undefined>(
    message,
    fc.oneof(
      noJson,
      oddJson,
      message.map((one) => `[${one}]`),
    ),
    12,
  )
}

function targetOf({ path, parameters }: Operation, maker: Maker): fc.Arbitrary<string> {
  const [, , area = ''] = path.split('/')
  const place = (name: string) =>
    mostly(
      // Two ids that belong together: each is right more often, so that both are.
      path.includes('{delivery}')
        ? ids(name === 'delivery' ? 'deliveries' : 'senders', 24)
        : ids(KINDS[area] ?? 'history'),
      fc.oneof(
        fc.oneof(oddText, longText).map(encoded),
        fc.constantFrom('%', '%zz', '%c3', '%00', '%2e%2e', '..', '%2F', 'a;b', 'A'.repeat(9_000), 'nonsense'),
      ),
      8,
    )
  const segments = path.split('/').map((part) => (part.startsWith('{') ? place(part.slice(1, -1)) : fc.constant(part)))
  const asked = parameters
    .filter((one) => one.in === 'query')
    .map(({ name, schema }) =>
      mostly<string | undefined>(
        fc.constant(undefined),
        maker.text(schema, name).map((text) => `${name}=${encoded(text)}`),
        4,
      ),
    )
  const odd = fc.oneof(
    fc.tuple(oddName, oddText).map(([name, text]) => `${encoded(name)}=${encoded(text)}`),
    fc.constantFrom(
      'limit=1&limit=2',
      'limit[]=1',
      'limit',
      '=',
      '&&&',
      '%',
      'q=%ff%fe',
      'q=%c0%80',
      'q=\u00ff',
      '__proto__[a]=1',
      'cursor=',
      `q=${'a&'.repeat(2_000)}`,
    ),
  )
  const query = fc
    .tuple(fc.tuple(...asked), mostly<string | undefined>(fc.constant(undefined), odd, 8))
    .map(([usual, more]) => [...usual, more].filter((one) => one !== undefined).join('&'))
  const shape = mostly(fc.constant(''), fc.constantFrom('/', '//', '#a', '?', ';a', '\\', '%20', '/.', '/..'), 25)
  return fc
    .tuple(fc.tuple(...segments), query, shape)
    .map(([parts, asking, tail]) => `${parts.join('/')}${tail}${asking === '' ? '' : `?${asking}`}`)
}

/** Marks stay readable. */
function encoded(text: string): string {
  return text
    .split(/(@@[\w.]+@@)/)
    .map((part) => (part.startsWith('@@') ? part : encodeURIComponent(part.toWellFormed())))
    .join('')
}

const header = (name: string, value: fc.Arbitrary<string>, oneIn: number) =>
  fc
    .tuple(mostly(fc.constant(false), fc.constant(true), oneIn), value)
    .map(([isThere, text]) => (isThere ? ([name, text] as const) : undefined))
/** One byte for each character, as a socket gets it. */
const bytes = hostileText.map((text) => Buffer.from(text).toString('latin1').slice(0, 3_000))
const line = bytes.map((text) => text.replace(/[\r\n\0]/g, ''))

function headersOf({ method, parameters, tool }: Operation): fc.Arbitrary<(readonly [string, string])[]> {
  const key = fc.oneof(
    { weight: 24, arbitrary: fc.constant(`Bearer ${mark('key')}`) },
    { weight: 1, arbitrary: fc.constantFrom('narrow', 'page').map((kind) => `Bearer ${mark(`key.${kind}`)}`) },
    {
      weight: 1,
      arbitrary: fc.oneof(
        fc.constantFrom(
          '',
          'Bearer',
          'Bearer ',
          'Basic YTpi',
          'Bearer nw_',
          `Bearer ${mark('key')}x`,
          `Bearer ${'a'.repeat(9_000)}`,
        ),
        line.map((text) => `Bearer ${text}`),
      ),
    },
  )
  const type = mostly(
    fc.constant('application/json'),
    fc.constantFrom(
      'application/json; charset=utf-16',
      'text/plain',
      'application/xml',
      'multipart/form-data; boundary=x',
      'application/json;',
      'application/json, application/json',
      'APPLICATION/JSON',
      '',
      ';',
      'application/x-ndjson',
      'application/problem+json',
    ),
    10,
  )
  const accept = fc.oneof(
    fc.constantFrom(
      '*/*',
      'application/json',
      'application/problem+json',
      'text/html',
      'application/json;q=0',
      ',,;q=',
      'a/b;q=1e400',
      '*/*;q=-1',
    ),
    fc.constantFrom('application/x-ndjson', 'text/event-stream', 'text/event-stream;q=0.5, application/json;q=0.1'),
    fc.integer({ min: 1, max: 700 }).map((times) => 'text/a;q=0.1,'.repeat(times)),
    line,
  )
  const language = fc.oneof(
    fc.constantFrom('de', 'ar, en;q=0.5', 'zh-Hans-CN', 'x', '*', 'tlh;q=2', 'de;q=', 'en-'.repeat(300)),
    fc.integer({ min: 1, max: 2_000 }).map((times) => 'de;q=0.1,'.repeat(times).slice(0, 9_000)),
    line,
  )
  const named = parameters.some(({ name }) => name === 'Idempotency-Key')
  const all = [
    key.map((value) => ['Authorization', value] as const),
    ...(method === 'GET' || method === 'DELETE'
      ? [header('Content-Type', type, 12)]
      : [type.map((value) => ['Content-Type', value] as const)]),
    tool === undefined
      ? header('Accept', accept, 4)
      : fc.constant(['Accept', 'application/json, text/event-stream'] as const),
    header('Accept-Language', language, 6),
    header('Accept-Encoding', fc.constantFrom('gzip', 'identity;q=0', 'br;q=1.5', '*'), 12),
    header(
      'Idempotency-Key',
      fc.oneof(
        fc.integer({ min: 0, max: 30 }).map((n) => `key-${n}`),
        fc.uuid(),
        line,
        longText.map((text) => text.replace(/[^!-~]/g, 'x')),
      ),
      named ? 4 : 20,
    ),
    header(
      'Origin',
      fc.oneof(fc.constantFrom('null', 'https://shop.example', 'https://evil.example', 'http://127.0.0.1'), line),
      12,
    ),
    header(
      'X-Forwarded-For',
      fc.oneof(fc.constantFrom('1.2.3.4', '::1', 'unknown', '1.2.3.4, 5.6.7.8', '999.1.1.1'), line),
      12,
    ),
    header('X-Request-Id', fc.oneof(fc.constantFrom('mine', 'a b', ''), line), 12),
    header('Content-Encoding', fc.constantFrom('gzip', 'br', 'identity', 'x'), 25),
    header('Cookie', line, 25),
    header('Range', fc.constantFrom('bytes=0-1', 'bytes=-9999999999'), 40),
    header('If-None-Match', fc.constantFrom('*', '"x"'), 40),
    header('Upgrade', fc.constantFrom('websocket', 'h2c'), 60),
    header(
      'Mcp-Protocol-Version',
      fc.constantFrom('2025-11-25', '2026-07-28', '1999-01-01'),
      tool === undefined ? 60 : 3,
    ),
    // What no header may be: a control character, a bare end of line, no name, a name with a space.
    header('X-Odd', bytes, 30),
    header('X Odd', fc.constant('a'), 120),
    header('', fc.constant('a'), 120),
    header('Authorization', fc.constant('Bearer nw_second'), 60),
    header('Content-Type', fc.constant('text/plain'), 60),
    header('Accept', fc.constant('application/x-ndjson'), 60),
  ]
  return fc.tuple(...all).map((some) => some.filter((one) => one !== undefined))
}

const part = fc.double({ min: 0.01, max: 0.99, noNaN: true })
const delivery: fc.Arbitrary<Delivery> = fc.oneof<fc.WeightedArbitrary<Delivery>[]>(
  {
    weight: 4,
    arbitrary: fc.constantFrom('chunked', 'pipelined', 'drip', 'expect', 'old').map((how) => ({ how }) as const),
  },
  {
    weight: 2,
    arbitrary: fc.array(part, { minLength: 1, maxLength: 5 }).map((at) => ({ how: 'pieces', at }) as const),
  },
  { weight: 2, arbitrary: part.map((one) => ({ how: 'cut', part: one }) as const) },
  { weight: 1, arbitrary: part.map((one) => ({ how: 'hang up', part: one }) as const) },
  { weight: 1, arbitrary: fc.constantFrom(-1, 1, 5, -5, 1_000, 1e9, 1e30).map((by) => ({ how: 'lie', by }) as const) },
  {
    weight: 1,
    arbitrary: fc
      .record({
        headers: fc.constantFrom(
          ['Transfer-Encoding: chunked'],
          ['Transfer-Encoding: chunked', 'Content-Length: 3'],
          ['Transfer-Encoding: gzip, chunked'],
          ['Transfer-Encoding: identity'],
          ['Transfer-Encoding:\tchunked '],
          ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'],
          ['Content-Length: 2', 'Content-Length: 3'],
          ['Content-Length: +2'],
          ['Content-Length: -2'],
          ['Content-Length: 0x2'],
          ['Content-Length: 2, 2'],
          ['Trailer: X', 'Transfer-Encoding: chunked'],
        ),
        body: fc.constantFrom(
          '2\r\n{}\r\n0\r\n\r\n',
          '2;a=b\r\n{}\r\n0\r\nX-Trailer: a\r\n\r\n',
          'zz\r\n{}\r\n0\r\n\r\n',
          'ffffffffffffffff\r\n{}',
          '-1\r\n{}\r\n0\r\n\r\n',
          '2\n{}\n0\n\n',
          '2\r\n{}0\r\n\r\n',
          '0\r\n\r\nGET /v1/history HTTP/1.1\r\nHost: x\r\n\r\n',
          `${'0'.repeat(9_000)}2\r\n{}\r\n0\r\n\r\n`,
          `2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
        ),
      })
      .map((mess) => ({ how: 'mess', ...mess }) as const),
  },
)
