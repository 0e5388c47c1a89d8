/**
 * The loopback redirect URI of the sign-in (RFC 8252 §7.3): a server on this machine for one authorization response.
 *
 * A request with another state gets an error and does not end the wait, because another page in the browser may send it.
 */
import { timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CliError, EXIT } from './exit.ts'

export interface Loopback {
  readonly port: number
  /** The redirect URL with this state. */
  wait(state: string, signal: AbortSignal): Promise<URL>
  close(): void
}

// Long enough to find a password.
const SIGN_IN_MS = 10 * 60_000

export async function openLoopback(): Promise<Loopback> {
  let waiting: { readonly state: string; readonly resolve: (returned: URL) => void } | undefined
  const server = createServer((request, response) => {
    const returned = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (request.method !== 'GET' || returned.pathname !== '/callback') return reply(response, 404, 'Not found.')
    if (!waiting || !isSame(returned.searchParams.get('state') ?? '', waiting.state))
      return reply(response, 400, 'This response belongs to another sign-in.')
    const { resolve } = waiting
    const text = returned.searchParams.has('error')
      ? 'Access was denied. You can close this page.'
      : 'Access was granted. You can close this page and return to the terminal.'
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
      let abort = () => {}
      try {
        return await new Promise<URL>((resolve, reject) => {
          waiting = { state, resolve }
          abort = () => reject(signal.reason as Error)
          const late = new CliError(EXIT.auth, 'The sign-in in the browser was not completed within ten minutes.')
          timer = setTimeout(() => reject(late), SIGN_IN_MS)
          signal.addEventListener('abort', abort, { once: true })
          if (signal.aborted) abort()
        })
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
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
