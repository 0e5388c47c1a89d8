/** Connections to some nodes, used in turn. */
import { Pool } from 'undici'
import type { Send } from './operation.ts'

export function openLine(urls: readonly string[], connections: number): { send: Send } & AsyncDisposable {
  const pools = urls.map((url) => new Pool(url, { connections, pipelining: 1 }))
  let turn = 0
  return {
    async send({ method, path, secret, body, idempotencyKey }, timeoutMs) {
      const pool = pools[turn++ % pools.length]
      if (!pool) throw new Error('there is nobody to call')
      const answer = await pool.request({
        method,
        path,
        headers: {
          authorization: `Bearer ${secret}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.timeout(timeoutMs),
      })
      return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(pools.map((pool) => pool.destroy()))
    },
  }
}
