/** POST /v1/generate and /v1/domains/check as streams: what comes when, and that the last word is the whole answer. */
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordsOf, spentBy } from '../readings.ts'
import { ACCEPT, openReading, readPlain, readStream, replayed } from '../stream-reader.ts'
import type { Format, StreamCall, StreamEvent } from '../stream-reader.ts'
import { startApp } from '../start-app.ts'
import { schemaOf } from './contract.ts'
import { WIDE_QUOTA } from '../world.ts'
import type { Node, World } from '../world.ts'

const BODY = { description: 'a bakery that brings bread to your door by bicycle', count: 5, deadline_ms: 30_000 }
const FORMATS: readonly Format[] = ['sse', 'ndjson']

let world: World
let node: Node
let key: string
beforeAll(async () => {
  world = await startApp()
  node = await world.startNode()
  key = (await world.makeKey(await world.makeAccount())).secret
})
afterAll(() => world[Symbol.asyncDispose]())

const generate = (call: Partial<StreamCall> = {}) => readStream(node.url, '/v1/generate', { key, body: BODY, ...call })
const check = (domains: readonly string[], call: Partial<StreamCall> = {}) =>
  readStream(node.url, '/v1/domains/check', { key, body: { domains, deadline_ms: 30_000 }, ...call })
const kindsOf = (events: readonly StreamEvent[]) => events.map(({ event }) => event)

describe.each(FORMATS)('as %s', (format) => {
  test('each suggestion is an event, and done says what the whole answer says, byte for byte', async () => {
    const plain = await readPlain(node.url, '/v1/generate', { key, body: { ...BODY, seed: 7 } })
    const { status, events } = await generate({ format, body: { ...BODY, seed: 7 } })
    expect(status).toBe(200)
    expect(kindsOf(events)).toEqual([...Array.from({ length: 5 }, () => 'suggestion'), 'done'])
    expect(events.at(-1)?.text).toBe(plain.text)
    expect(replayed(events)).toEqual(plain.json.data.suggestions)
  })

  test('the headers are those of the whole answer, and nobody may gather or keep it', async () => {
    const headers = { 'accept-language': 'de', 'x-request-id': 'my-own-id' }
    const plain = await readPlain(node.url, '/v1/generate', { key, body: BODY, headers })
    const stream = await generate({ format, headers })
    for (const name of ['content-language', 'x-request-id', 'cache-control', 'ratelimit-policy']) {
      expect(stream.headers.get(name), name).toBe(plain.headers.get(name))
    }
    expect(stream.headers.get('ratelimit')).toMatch(/^"rate";r=\d+/)
    expect(stream.headers.get('content-type')).toBe(ACCEPT[format])
    expect(stream.headers.get('x-accel-buffering')).toBe('no')
    expect(stream.headers.get('vary')).toBe('Accept, Accept-Language')
  })

  test('ids are one token and a number that counts', async () => {
    const { events } = await generate({ format })
    const [token] = events[0]?.id?.split('.') ?? []
    expect(token).toMatch(/^[\w-]{22}$/)
    expect(events.map(({ id }) => id)).toEqual(events.map((_event, i) => `${token}.${i + 1}`))
    expect((await generate({ format })).events[0]?.id).not.toContain(token)
  })

  test('what is refused before the first byte is refused with its status, as JSON', async () => {
    const { secret: poor } = await world.makeKey(await world.makeAccount(), { quota: { ...WIDE_QUOTA, perDay: 3 } })
    const headers = { accept: ACCEPT[format] }
    const refusals: [number, string, StreamCall][] = [
      [401, 'missing_token', { body: BODY }],
      [400, 'invalid_request', { key, body: { ...BODY, count: 0 } }],
      [429, 'quota_exceeded', { key: poor, body: BODY }],
    ]
    for (const [status, code, call] of refusals) {
      const answer = await node.call('/v1/generate', { headers, ...call })
      expect(answer.status).toBe(status)
      expect(answer.json.error.code).toBe(code)
    }
  })

  test('what goes wrong after the first byte is an event that says what the whole answer would have said', async () => {
    const broken = await startApp()
    const sick = await broken.startNode()
    const account = await broken.makeAccount()
    const { secret } = await broken.makeKey(account, { quota: { ...WIDE_QUOTA, perDay: 5 } })
    await broken.owner.query('ALTER TABLE history RENAME TO gone')
    const failed = await readStream(sick.url, '/v1/generate', { key: secret, body: BODY, format })
    expect(failed.status).toBe(200)
    const error = failed.events.at(-1)
    expect(error).toMatchObject({
      event: 'error',
      id: undefined,
      data: { status: 'error', error: { code: 'internal' } },
    })
    expect(error?.data.error.request_id).toBe(failed.headers.get('x-request-id'))
    expect(kindsOf(failed.events)).not.toContain('done')
    await expect.poll(() => sick.output()).toContain('"msg":"request failed"')
    // What was reserved is there again, all of it.
    await broken.owner.query('ALTER TABLE gone RENAME TO history')
    const again = await readStream(sick.url, '/v1/generate', { key: secret, body: BODY, format })
    expect(again.events.at(-1)?.event).toBe('done')
    expect(await spentBy(broken, account)).toBe(5)
    await broken[Symbol.asyncDispose]()
  })

  test('it costs and leaves what the whole answer costs and leaves', async () => {
    const account = await world.makeAccount()
    const { secret } = await world.makeKey(account)
    await generate({ key: secret, format })
    expect([await spentBy(world, account), await recordsOf(world, account)]).toEqual([5, 1])
  })

  test('check: a domain event per input as its verdict comes, then done', async () => {
    const domains = [
      'no domain',
      'taken-for-sure.com',
      'free-for-sure-stream.com',
      'x.nosuchsuffix',
      'taken-for-sure.com',
    ]
    const { events } = await check(domains, { format })
    const done = events.at(-1)
    expect(done?.event).toBe('done')
    expect(done?.data.data.domains.map(({ input }: { input: string }) => input)).toEqual(domains)
    const received = events.slice(0, -1)
    expect(kindsOf(received)).toEqual(domains.map(() => 'domain'))
    expect(received.map(({ data }) => data.index).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4])
    for (const { data } of received) expect(data.domain).toEqual(done?.data.data.domains[data.index])
    // Domains that need no lookup come first.
    expect(received.slice(0, 2).map(({ data }) => data.domain.status)).toEqual(['invalid', 'unsupported'])
  })

  test('every event is as the contract says', async () => {
    const include = ['evidence', 'pricing', 'score', 'rationale']
    const lines = [
      [Compile(schemaOf('GenerateEvent') as TSchema), await generate({ format, body: { ...BODY, include } })],
      [Compile(schemaOf('CheckEvent') as TSchema), await check(['taken-for-sure.com', 'x'], { format })],
    ] as const
    for (const [schema, { events }] of lines) {
      for (const { event, id, data } of events) {
        const faults = schema.Errors({ event, id, data })
        expect(faults, JSON.stringify(data)).toEqual([])
      }
    }
  })
})

test.each(['application/json', '*/*', 'application/json, text/event-stream', 'text/event-stream;q=0'])(
  'Accept: %s gets the whole answer',
  async (accept) => {
    const answer = await node.call('/v1/generate', { key, body: BODY, headers: { accept } })
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.json.data.suggestions).toHaveLength(5)
  },
)

describe('check', () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => `free-for-sure-${i % 300}.com`)

  test('of 1000 domains is for streams; of 200 for all', async () => {
    const { events } = await check(many(1000))
    expect(kindsOf(events)).toEqual([...many(1000).map(() => 'domain'), 'done'])
    expect(events.at(-1)?.data.data.domains).toHaveLength(1000)
    const whole = await node.call('/v1/domains/check', { key, body: { domains: many(201) } })
    expect(whole.status).toBe(400)
    expect(whole.json.error.errors).toMatchObject([{ pointer: '/domains', code: 'too_many' }])
    expect((await node.call('/v1/domains/check', { key, body: { domains: many(200) } })).status).toBe(200)
    const headers = { accept: ACCEPT.sse }
    const beyond = await node.call('/v1/domains/check', { key, body: { domains: many(1001) }, headers })
    expect(beyond.status).toBe(400)
  })

  test('of 1000 of the longest domains fits into a request', async () => {
    const label = `${'a'.repeat(63)}.`
    const { events } = await check(Array.from({ length: 1000 }, (_, i) => `${label.repeat(3)}${i}`.padEnd(253, 'z')))
    expect(events.at(-1)?.event).toBe('done')
  })
})

describe('with an Idempotency-Key', () => {
  test('a stored answer is one done, whichever way it was first given', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const account = await world.makeAccount()
    const { secret } = await world.makeKey(account)
    const first = await generate({ key: secret, headers })
    expect(first.headers.has('idempotent-replayed')).toBe(false)
    const plain = await node.call('/v1/generate', { key: secret, body: BODY, headers })
    expect(plain.headers.get('idempotent-replayed')).toBe('true')
    expect(plain.text).toBe(first.events.at(-1)?.text)
    for (const format of FORMATS) {
      const again = await generate({ key: secret, headers, format })
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      expect(again.events.map(({ event, text }) => [event, text])).toEqual([['done', plain.text]])
    }
    expect(await spentBy(world, account)).toBe(5)
    const other = { key: secret, body: { ...BODY, count: 4 }, headers: { ...headers, accept: ACCEPT.sse } }
    const mismatch = await node.call('/v1/generate', other)
    expect([mismatch.status, mismatch.json.error.code]).toEqual([422, 'idempotency_mismatch'])
  })

  test('a stream of the whole answer in another language keeps the language of the first', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    await node.call('/v1/generate', { key, body: BODY, headers: { ...headers, 'accept-language': 'fr' } })
    const again = await generate({ headers: { ...headers, 'accept-language': 'de' } })
    expect(again.headers.get('content-language')).toBe('fr')
  })
})

test('a stream that was read to its end leaves the connection to the next request', async () => {
  const { headers } = await generate()
  expect(headers.get('connection')).toBe('keep-alive')
  const reading = await openReading(node.url, '/v1/generate', { key, body: BODY })
  expect((await reading.all()).at(-1)?.event).toBe('done')
})
