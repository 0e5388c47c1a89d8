/**
 * The address that the browser comes back to (RFC 8252 §7.3): a server on this machine, for one answer.
 *
 * Whoever comes with another state is told so and does not end the waiting: a page in the same browser may try.
 */
import { timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CliError, EXIT } from './exit.ts'

export interface Loopback {
  readonly port: number
  /** The address that the browser came back to, with this state in it. */
  wait(state: string, signal: AbortSignal): Promise<URL>
  close(): void
}

// As long as somebody may look for a password.
const PATIENCE_MS = 10 * 60_000

export async function openLoopback(): Promise<Loopback> {
  let waiting: { readonly state: string; readonly resolve: (returned: URL) => void } | undefined
  const server = createServer((request, response) => {
    const returned = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (request.method !== 'GET' || returned.pathname !== '/callback')
      return reply(response, 404, 'There is nothing here.')
    if (!waiting || !isSame(returned.searchParams.get('state') ?? '', waiting.state))
      return reply(response, 400, 'That is the answer to another question.')
    const { resolve } = waiting
    const text = returned.searchParams.has('error')
      ? 'It was not allowed. You can close this page.'
      : 'That is all. You can close this page and go back to the terminal.'
    reply(response, 200, text, () => resolve(returned))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    async wait(state, signal) {
      let timer: ReturnType<typeof setTimeout> | undefined
      let giveUp = () => {}
      try {
        return await new Promise<URL>((resolve, reject) => {
          waiting = { state, resolve }
          giveUp = () => reject(signal.reason as Error)
          const late = new CliError(EXIT.auth, 'Nobody came back from the browser in ten minutes.')
          timer = setTimeout(() => reject(late), PATIENCE_MS)
          signal.addEventListener('abort', giveUp, { once: true })
          if (signal.aborted) giveUp()
        })
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', giveUp)
      }
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

function reply(response: ServerResponse, status: number, text: string, then?: () => void): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'",
    'referrer-policy': 'no-referrer',
    connection: 'close',
  })
  response.end(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Namewright</title><p>${text}</p></html>`,
    then,
  )
}
