/** Metrics need no key, so the port that callers reach does not have them, however they are asked for. */
import { beforeAll, expect, test } from 'vitest'
import { startApp } from '../start-app.ts'
import type { Node } from '../world.ts'
import { holdSocket, letGo } from './held-sockets.ts'

let node: Node
beforeAll(async () => {
  node = await (await startApp()).startNode()
})

test.each([
  '/metrics',
  '/%6detrics',
  '/%6Detrics',
  '/metric%73',
  '/metrics/',
  '//metrics',
  '/./metrics',
  '/v1/../metrics',
  '/%2fmetrics',
  '/metrics?x=1',
  '/metrics;x=1',
  '/METRICS',
  'http://localhost/metrics',
])('%s is not there for callers', async (path) => {
  const sent = holdSocket(
    Number(new URL(node.url).port),
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nConnection: close\r\n\r\n`,
  )
  await expect.poll(() => sent.isOpen).toBe(false)
  expect(sent.status).toBeGreaterThanOrEqual(400)
  expect(sent.text).not.toContain('namewright_build_info')
  letGo([sent])
})

test('the listener of the metrics has them, and nothing else', async () => {
  expect(await node.metrics()).toMatch(/^namewright_build_info\{version="[^"]+"\} 1$/m)
  const { origin } = new URL(node.metricsUrl)
  for (const path of ['/', '/healthz', '/v1/tlds', '/openapi.json', '/auth/get-session'])
    expect((await fetch(`${origin}${path}`)).status, path).toBe(404)
})
