/** Traces: a real node, and a collector on loopback that reads what it sends. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startCollector } from './collector.ts'
import type { Collected, Collector } from './collector.ts'
import { startApp } from './start-app.ts'
import type { Node, World } from './world.ts'

const DESCRIPTION = 'a bakery for sourdough enthusiasts in Lisbon'

// Several start nodes of their own, which takes long on a busy machine.
vi.setConfig({ testTimeout: 90_000 })

let world: World
let collector: Collector
let node: Node
let key: string
beforeAll(async () => {
  ;[world, collector] = await Promise.all([startApp({ own: true }), startCollector()])
  node = await world.startNode({ NAMEWRIGHT_OTLP_URL: collector.url, NAMEWRIGHT_TRACE_SHARE: '0' })
  key = (await world.makeKey(await world.makeAccount())).secret
})
beforeEach(() => collector.answer(200))
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await collector[Symbol.asyncDispose]()
})

let numbers = 0
/** Spans of an earlier test may arrive in the next one. */
const recorded = new Set<string>()
/** A trace of our own, so that no other test's spans are in it. */
function newTrace(flags = '01') {
  const traceId = (++numbers).toString(16).padStart(32, 'a')
  const spanId = (++numbers).toString(16).padStart(16, 'b')
  if (flags === '01') recorded.add(traceId)
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}` } }
}

const spansOf = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId)

/** Until the span of the request itself is there: it is the last to end. */
async function traceOf(traceId: string): Promise<{ root: Collected; spans: readonly Collected[] }> {
  await expect.poll(() => spansOf(traceId).some(({ kind }) => kind === 2), { timeout: 10_000 }).toBe(true)
  const spans = spansOf(traceId)
  const root = spans.find(({ kind }) => kind === 2)
  if (!root) throw new Error('no span of a request')
  return { root, spans }
}

test('a generate request is one trace: the request, its steps below it, and what they asked', async () => {
  const { traceId, spanId, headers } = newTrace()
  const answer = await node.call('/v1/generate', {
    key,
    headers,
    body: { description: DESCRIPTION, count: 4, verify: 'full' },
  })
  expect(answer.status).toBe(200)
  const { root, spans } = await traceOf(traceId)
  expect(root).toMatchObject({
    name: 'POST /v1/generate',
    parentSpanId: spanId,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/v1/generate',
      'http.response.status_code': '200',
      'namewright.request_id': answer.headers.get('x-request-id'),
    },
  })
  const below = (parent: Collected) => spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId)
  const steps = new Set(below(root).map(({ name }) => name))
  for (const step of ['quota.reserve', 'names.propose', 'availability.check', 'history.commit']) {
    expect(steps).toContain(step)
  }
  const check = spans.find(({ name }) => name === 'availability.check')
  expect(Number(check?.attributes['domains'])).toBeGreaterThan(0)
  const dns = check && below(check).find(({ name }) => name === 'ask dns')
  expect(Number(dns?.attributes['asked'])).toBeGreaterThan(0)
  const commit = spans.find(({ name }) => name === 'history.commit')
  const [sql] = commit ? below(commit) : []
  expect(sql).toMatchObject({ name: 'sql', kind: 3, attributes: { 'db.system.name': 'postgresql' } })
  expect(sql?.attributes['db.operation.name']).toBe('history_insert quota_block_spend')
  expect(spans.map(({ name }) => name)).toContain('redis script')
  for (const span of spans) expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano))
})

test('no description, key, suggested name or account is in what is sent', async () => {
  const { traceId, headers } = newTrace()
  const body = { description: DESCRIPTION, count: 5, deadline_ms: 20_000 }
  const { json } = await node.call('/v1/generate', { key, headers, body })
  await node.call('/v1/domains/check', { key, headers, body: { domains: ['told-to-nobody.com'] } })
  await node.call('/v1/history?q=sourdough', { key, headers })
  await expect.poll(() => spansOf(traceId).filter(({ kind }) => kind === 2).length, { timeout: 10_000 }).toBe(3)
  const sent = collector.texts.join('\n')
  const names = json.data.suggestions.map(({ name }: { name: string }) => name.toLowerCase())
  expect(names).toHaveLength(5)
  for (const secret of [key, DESCRIPTION, 'sourdough', 'told-to-nobody', ...names]) {
    expect(sent.toLowerCase()).not.toContain(secret.toLowerCase())
  }
})

test('a caller who says that the trace is not recorded is believed, and the share holds for who says nothing', async () => {
  const quiet = newTrace('00')
  const before = collector.spans.length
  await node.call('/v1/tlds', { key, headers: quiet.headers })
  await node.call('/v1/tlds', { key })
  const loud = newTrace()
  await node.call('/v1/tlds', { key, headers: loud.headers })
  await traceOf(loud.traceId)
  const others = collector.spans.slice(before).filter(({ traceId }) => !recorded.has(traceId))
  expect(others).toEqual([])
})

test.each(['', '00-0-0-01', `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`, `ff-${'a'.repeat(32)}-${'b'.repeat(16)}-01`])(
  'a traceparent that is none is as if there were none: %s',
  async (traceparent) => {
    const before = collector.spans.length
    expect((await node.call('/v1/tlds', { key, headers: { traceparent } })).status).toBe(200)
    const loud = newTrace()
    await node.call('/v1/tlds', { key, headers: loud.headers })
    await traceOf(loud.traceId)
    expect(collector.spans.slice(before).every(({ traceId }) => recorded.has(traceId))).toBe(true)
  },
)

test('with a share of 1 every request is traced, each as a trace of its own', async () => {
  const all = await world.startNode({ NAMEWRIGHT_OTLP_URL: collector.url, NAMEWRIGHT_TRACE_SHARE: '1' })
  const before = collector.spans.length
  for (let i = 0; i < 3; i++) await all.call('/healthz')
  // On its way out it sends what it has.
  await all.stop()
  const ours = collector.spans.slice(before).filter(({ name }) => name === 'GET /healthz')
  expect(new Set(ours.map(({ traceId }) => traceId)).size).toBe(3)
})

test('a job links to the trace of the request that asked for it', async () => {
  const { traceId, headers } = newTrace()
  const body = { requests: [{ description: DESCRIPTION, count: 2 }] }
  const created = await node.call('/v1/batches', { key, headers, body })
  expect(created.status).toBe(202)
  const worker = await world.startWorker({ NAMEWRIGHT_OTLP_URL: collector.url, NAMEWRIGHT_TRACE_SHARE: '0' })
  const jobs = () => collector.spans.filter(({ links }) => links.some((link) => link.traceId === traceId))
  await expect.poll(() => jobs().length, { timeout: 20_000 }).toBeGreaterThan(0)
  const [job] = jobs()
  expect(job).toMatchObject({ name: 'job batch', kind: 5 })
  expect(job?.traceId).not.toBe(traceId)
  const steps = collector.spans.filter((span) => span.traceId === job?.traceId).map(({ name }) => name)
  expect(steps).toContain('names.propose')
  await worker.stop()
})

test('a collector that refuses or is away costs spans and nothing else, and the log says so once', async () => {
  collector.answer(503)
  const refused = await world.startNode({ NAMEWRIGHT_OTLP_URL: collector.url, NAMEWRIGHT_TRACE_SHARE: '1' })
  const unreachable = await world.startNode({ NAMEWRIGHT_OTLP_URL: 'http://127.0.0.1:1', NAMEWRIGHT_TRACE_SHARE: '1' })
  for (const one of [refused, unreachable]) {
    for (let i = 0; i < 5; i++) expect((await one.call('/v1/tlds', { key })).status).toBe(200)
    await expect.poll(() => one.output(), { timeout: 10_000 }).toContain('trace spans dropped')
    expect((await one.call('/v1/tlds', { key })).status).toBe(200)
    expect(await one.stop()).toBe(0)
    expect(one.output().match(/trace spans dropped/g)).toHaveLength(1)
  }
})

test('what a traced request logs carries its request id and its trace id', async () => {
  const cutOff = await world.startNode({
    NAMEWRIGHT_OTLP_URL: collector.url,
    NAMEWRIGHT_ACCESS_LOG: 'all',
    NAMEWRIGHT_DATABASE_URL: 'postgres://127.0.0.1:1/nothing',
    NAMEWRIGHT_MIGRATE: 'manual',
  })
  const { traceId, headers } = newTrace()
  const answer = await cutOff.call('/v1/tlds', { key, headers: { ...headers, 'x-request-id': 'find-me' } })
  expect(answer.status).toBe(503)
  const lines = () =>
    cutOff
      .output()
      .split('\n')
      .filter((line) => line.includes('find-me'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  await expect.poll(() => lines().map(({ msg }) => msg)).toEqual(['dependency unavailable', 'request'])
  for (const line of lines()) expect(line).toMatchObject({ request_id: 'find-me', trace_id: traceId })
  expect(lines()[1]).toMatchObject({ method: 'GET', route: '/v1/tlds', status: 503, ms: expect.any(Number) })
})
