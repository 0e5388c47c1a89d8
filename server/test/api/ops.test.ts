/** The operator's endpoints: liveness, readiness, metrics, and the OpenAPI document. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp } from '../start-app.ts'
import { valuesOf } from './contract.ts'
import type { Node, World } from '../world.ts'

let world: World
let node: Node
let cutOff: Node
beforeAll(async () => {
  world = await startApp({ own: true })
  ;[node, cutOff] = await Promise.all([
    world.startNode(),
    world.startNode({
      NAMEWRIGHT_DATABASE_URL: 'postgres://127.0.0.1:1/nothing',
      NAMEWRIGHT_REDIS_URL: 'redis://127.0.0.1:1',
      NAMEWRIGHT_MIGRATE: 'manual',
    }),
  ])
})
afterAll(() => world[Symbol.asyncDispose]())

describe('health', () => {
  test('/healthz says that the process runs, whatever else is down', async () => {
    for (const one of [node, cutOff]) {
      const answer = await one.call('/healthz')
      expect({ status: answer.status, json: answer.json }).toEqual({ status: 200, json: { status: 'ok' } })
    }
  })

  test('/readyz is 200 with the state of everything it needs', async () => {
    // The test of the resolver may still be under way.
    await expect.poll(async () => (await node.call('/readyz')).json.checks.sources).toBe('ok')
    const { status, json } = await node.call('/readyz')
    expect(status).toBe(200)
    expect(json).toEqual({ status: 'ready', checks: { draining: 'no', database: 'ok', redis: 'ok', sources: 'ok' } })
  })

  test('/readyz is 503 without a database, and says which part is away', async () => {
    const { status, json } = await cutOff.call('/readyz')
    expect(status).toBe(503)
    expect(json.status).toBe('not_ready')
    expect(json.checks).toMatchObject({ draining: 'no', database: 'unreachable', redis: 'unreachable' })
  })
})

describe('/metrics', () => {
  test('is Prometheus text, line by line', async () => {
    await node.call('/v1/nowhere')
    const answer = await fetch(node.metricsUrl)
    const { status, headers } = answer
    const text = await answer.text()
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    const sample = /^[a-z_][a-z0-9_]*(\{[a-z_]+="[^"\n]*"(,[a-z_]+="[^"\n]*")*\})? (-?\d[\d.e+-]*|[+-]?Inf|NaN|Nan)$/i
    for (const line of text
      .trimEnd()
      .split('\n')
      .filter((one) => one !== '')) {
      expect(line).toMatch(line.startsWith('#') ? /^# (HELP|TYPE) [a-z_][a-z0-9_]* ./i : sample)
    }
  })

  test('counts requests by route and status, and suggestions', async () => {
    const { secret: key } = await world.makeKey(await world.makeAccount())
    await node.call('/v1/generate', { key, body: { description: 'a bakery', count: 4, deadline_ms: 30_000 } })
    await node.call('/v1/history/0198d2c4-0000-7000-8000-000000000000', { key })
    const text = await node.metrics()
    expect(text).toMatch(/_count\{method="POST",route="\/v1\/generate",status="200"\} 1\n/)
    expect(text).toMatch(/_count\{method="GET",route="\/v1\/history\/:id",status="404"\} 1\n/)
    expect(text).toMatch(/^namewright_suggestions_total 4$/m)
    expect(text).not.toContain('0198d2c4')
    expect(text).not.toContain(key)
  })

  test('tells that Redis is away', async () => {
    expect(await node.metrics()).toMatch(/^namewright_redis_up 1$/m)
    expect(await cutOff.metrics()).toMatch(/^namewright_redis_up 0$/m)
  })
})

describe('the contract', () => {
  test('/openapi.json is OpenAPI 3.1, without a login, with the four endpoints', async () => {
    const { status, headers, json } = await node.call('/openapi.json')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(json.openapi).toMatch(/^3\.1\.\d+$/)
    expect(json.info).toMatchObject({ title: expect.any(String), version: expect.any(String) })
    expect(json.paths['/v1/generate']).toHaveProperty('post')
    expect(json.paths['/v1/history']).toHaveProperty('get')
    expect(Object.keys(json.paths['/v1/favorites']).toSorted()).toEqual(['get', 'post'])
  })

  test('/openapi.json refers to nothing that is not in it', async () => {
    const { text, json } = await node.call('/openapi.json')
    const referred = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref ?? '')
    expect(referred.length).toBeGreaterThan(5)
    for (const ref of referred) {
      expect(ref).toMatch(/^#\/components\/(?:schemas|headers|responses|pathItems)\/[\w-]+$/)
      const [kind = '', name = ''] = ref.split('/').slice(-2)
      expect(json.components[kind]).toHaveProperty(name)
    }
  })

  test.each(['/docs/', '/docs/errors'])('%s is a page that loads nothing from another host', async (path) => {
    const { status, headers, text } = await node.call(path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/html/)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(text).not.toMatch(/<iframe|@import|url\(/i)
    const addresses = [...text.matchAll(/<(?!a\b)[^>]*\s(?:src|href|action|data|poster|srcset)="([^"]+)"/gi)]
    expect(addresses.length).toBeGreaterThan(3)
    for (const [, address = ''] of addresses) expect(address).toMatch(/^(?:data:|\/(?!\/))/)
  })

  test('every link of the pages leads somewhere', async () => {
    const { text } = await node.call('/docs')
    for (const [, anchor = ''] of text.matchAll(/href="#([^"]+)"/g)) expect(text).toContain(`id="${anchor}"`)
    for (const [, path = ''] of text.matchAll(/href="(\/[^"]+)"/g)) expect((await node.call(path)).status).toBe(200)
  })

  test('/docs/errors has every code', async () => {
    const { text } = await node.call('/docs/errors')
    for (const code of valuesOf('Error', 'code')) expect(text).toContain(`id="${code}"`)
  })
})
