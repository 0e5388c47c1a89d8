/** What a node and a worker report at /metrics, and that the manual says the same. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { bare, readPage, rowsOf, sectionOf } from '../docs/pages.ts'
import { startApp } from '../start-app.ts'
import type { Node, World } from '../world.ts'

// Some start workers of their own, which takes long on a busy machine.
vi.setConfig({ testTimeout: 90_000 })

const page = readPage('docs/operating/metrics.md')
const METRICS = rowsOf(sectionOf(page, '## Metrics')).map(([name = '', kind = '', labels = '']) => ({
  name,
  kind,
  labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label),
}))
const RENAMED = rowsOf(sectionOf(page, '## Renamed metrics')).map(([old = '', current = '']) => ({
  old,
  current: bare(current),
}))

let world: World
let node: Node
let key: string
beforeAll(async () => {
  world = await startApp({ own: true })
  node = await world.startNode()
  key = (await world.makeKey(await world.makeAccount())).secret
})
afterAll(() => world[Symbol.asyncDispose]())

const read = () => node.metrics()

test('every metric of the list is there with its kind, and none of ours that is not on it', async () => {
  const found = [...(await read()).matchAll(/^# TYPE (namewright_\w+) (\w+)$/gm)].map(([, name, kind]) => [name, kind])
  const kindOf = (name: string) => METRICS.find((one) => one.name === name)?.kind
  expect(METRICS.length).toBeGreaterThan(30)
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries([
      ...METRICS.map(({ name, kind }) => [name, kind]),
      ...RENAMED.map(({ old, current }) => [old, kindOf(current)]),
    ]),
  )
})

test('every series has the labels of the list', async () => {
  await node.call('/v1/domains/check', { key, body: { domains: ['looked-up-for-labels.com'] } })
  const series = [...(await read()).matchAll(/^(namewright_\w+?)(?:_bucket|_sum|_count)?(?:\{(.*)\})? \S+$/gm)]
  const labelsOf = (inside = '') => [...inside.matchAll(/(\w+)="/g)].map(([, label = '']) => label)
  const met = new Set<string>()
  for (const [line, short = '', inside] of series) {
    const whole = line.replace(/[{ ].*/, '')
    const name = RENAMED.find(({ old }) => old === whole || old === short)?.current ?? whole
    const metric = METRICS.find((one) => one.name === name) ?? METRICS.find((one) => one.name === short)
    expect(
      labelsOf(inside)
        .filter((label) => label !== 'le')
        .toSorted(),
      line,
    ).toEqual(metric?.labels.toSorted())
    if (metric) met.add(metric.name)
  }
  expect(met.size).toBeGreaterThan(20)
})

test('a renamed metric has the same series under its old name', async () => {
  await node.call('/v1/domains/check', { key, body: { domains: ['looked-up-under-both-names.com'] } })
  const lines = (await read()).split('\n')
  for (const { old, current } of RENAMED) {
    const seriesOf = (name: string) =>
      lines.filter((line) => new RegExp(`^${name}[ {]`).test(line)).map((line) => line.slice(name.length))
    expect(seriesOf(old), old).toEqual(seriesOf(current))
    expect(lines).toContain(`# HELP ${old} Deprecated: use ${current}.`)
  }
  expect(lines.some((line) => line.startsWith('namewright_source_questions_total{'))).toBe(true)
})

test('errors are counted by their code, and what was only refused is no request of the quota', async () => {
  await node.call('/v1/history')
  await node.call('/v1/generate', { key, body: { description: '' } })
  const poor = (
    await world.makeKey(await world.makeAccount(), { quota: { perMinute: 100, burst: 100, perDay: 1, perMonth: null } })
  ).secret
  await node.call('/v1/generate', { key: poor, body: { description: 'a bakery', count: 5 } })
  const text = await read()
  expect(text).toMatch(/^namewright_refusals_total\{code="missing_token"\} 1$/m)
  expect(text).toMatch(/^namewright_refusals_total\{code="invalid_request"\} 1$/m)
  expect(text).toMatch(/^namewright_refusals_total\{code="quota_exceeded"\} 1$/m)
})

test('what the parts of a node know of themselves is read at each look', async () => {
  await node.call('/v1/domains/check', { key, body: { domains: ['looked-up-by-metrics.com'], deadline_ms: 30_000 } })
  await node.call('/v1/domains/check', { key, body: { domains: ['looked-up-by-metrics.com'], deadline_ms: 30_000 } })
  const text = await read()
  expect(text).toMatch(/^namewright_primary_down 0$/m)
  expect(text).toMatch(/^namewright_pool_connections\{state="idle"\} [1-9]/m)
  expect(text).toMatch(/^namewright_pool_waiting 0$/m)
  expect(text).toMatch(/^namewright_naming_queue 0$/m)
  expect(text).toMatch(/^namewright_cache_lookups_total\{cache="memory",outcome="hit"\} [1-9]/m)
  expect(text).toMatch(/^namewright_source_requests_total\{kind="dns",source="[^"]+",outcome="answered"\} [1-9]/m)
  expect(text).toMatch(/^namewright_source_seconds_total\{kind="dns",source="[^"]+"\} [\d.e-]+$/m)
  expect(text).toMatch(/^namewright_source_paused\{kind="dns",source="[^"]+"\} 0$/m)
  expect(text).toMatch(/^namewright_price_age_seconds \d/m)
  expect(text).toMatch(/^namewright_jobs\{queue="webhook",state="waiting"\} 0$/m)
  expect(text).toMatch(/^namewright_job_oldest_seconds\{queue="batch"\} 0$/m)
  expect(text).toMatch(/^namewright_webhook_deliveries_total\{outcome="failed"\} 0$/m)
})

test('what a node does not have is not told as 0', async () => {
  const text = await read()
  expect(text).not.toMatch(/^namewright_certificate_expires_seconds \d/m)
  expect(text).not.toMatch(/^namewright_data_free_ratio \d/m)
})

test('a job that nobody takes shows by its age', async () => {
  await node.call('/v1/batches', { key, body: { requests: [{ description: 'a bakery', count: 1 }] } })
  const oldest = async () => Number(/^namewright_job_oldest_seconds\{queue="batch"\} (\d+)$/m.exec(await read())?.[1])
  await expect.poll(oldest, { timeout: 50_000, interval: 500 }).toBeGreaterThan(0)
})

test('a worker has a port of its own where one is wished for, and answers nothing else there', async () => {
  const worker = await world.startWorker({ NAMEWRIGHT_WORKER_PORT: '0' })
  const url = /"url":"([^"]+)","msg":"worker listening"/.exec(worker.output())?.[1] ?? ''
  const get = async (path: string) => {
    const answer = await fetch(`${url}${path}`)
    return { status: answer.status, text: await answer.text() }
  }
  expect(await get('/healthz')).toEqual({ status: 200, text: '{"status":"ok"}' })
  expect((await get('/readyz')).status).toBe(200)
  const metrics = await get('/metrics')
  expect(metrics.text).toMatch(/^namewright_jobs\{queue="watch",state="waiting"\} \d/m)
  expect(metrics.text).toMatch(/^namewright_redis_up 1$/m)
  expect((await get('/v1/tlds')).status).toBe(404)
  expect(await worker.stop()).toBe(0)
})

test('a worker without the setting opens no port', async () => {
  const worker = await world.startWorker()
  expect(worker.output()).not.toContain('worker listening')
  await worker.stop()
})
