/** The command while the service cannot write: it waits as long as a database failover takes. */
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { runCli } from './harness.ts'

afterEach(() => void vi.useRealTimers())

test('a search is tried again with the same key, after Retry-After, for up to 30 seconds', async () => {
  const keys: (string | null)[] = []
  const done = { event: 'done', id: 's.1', data: { status: 'success', data: { suggestions: [] } } }
  const refusal = { status: 'error', error: { code: 'unavailable', message: 'later', request_id: 'r', docs: '' } }
  const outside = {
    async fetch(_url: string, init: { headers: Record<string, string> }) {
      keys.push(new Headers(init.headers).get('idempotency-key'))
      if (keys.length === 3) return new Response(`${JSON.stringify(done)}\n`)
      return Response.json(refusal, { status: 503, headers: { 'retry-after': '12' } })
    },
  }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const env = { NAMEWRIGHT_URL: 'http://127.0.0.1:1', NAMEWRIGHT_API_KEY: 'nw_test' }
  const ran = runCli(['suggest', 'a bakery'], { env, outside })
  // The random part of the waits is at most 200 and 400 ms.
  for (const tries of [1, 2]) {
    while (keys.length < tries) await turn()
    await vi.advanceTimersByTimeAsync(11_000)
    expect(keys).toHaveLength(tries)
    await vi.advanceTimersByTimeAsync(1_500)
  }
  expect((await ran).stderr).toBe('')
  expect(keys).toEqual([expect.any(String), keys[0], keys[0]])
})
