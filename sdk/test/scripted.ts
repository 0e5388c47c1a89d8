/** A server on loopback with scripted replies, in order. Records the requests. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readAll } from 'node:stream/consumers'

export interface RecordedRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly at: number
}

export type Reply = (response: ServerResponse, request: RecordedRequest) => void

export interface Scripted extends AsyncDisposable {
  readonly url: string
  readonly requests: readonly RecordedRequest[]
}

/** The last reply is repeated. */
export async function openScripted(...replies: readonly Reply[]): Promise<Scripted> {
  const requests: RecordedRequest[] = []
  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = performance.now()
    const body = await readAll(request)
    const { method = '', url = '', headers } = request
    const one = { method, url, headers, body, at }
    requests.push(one)
    replies[Math.min(requests.length, replies.length) - 1]?.(response, one)
  }
  const server = createServer((request, response) => {
    // The client has disconnected.
    reply(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

export const success = (data: object = {}): Reply => json(200, { status: 'success', data })

export const refuse = (status: number, code: string, headers: Record<string, string> = {}): Reply =>
  json(status, { status: 'error', error: { code, message: `it is ${code}`, request_id: 'req-1', docs: '' } }, headers)

export const reset: Reply = (response) => void response.socket?.resetAndDestroy()
export const silence: Reply = () => {}

/** A stream of events; `end` runs after the last. */
export const lines =
  (events: readonly object[], end: (response: ServerResponse) => void = (response) => void response.end()): Reply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    const text = events.map((event) => `${JSON.stringify(event)}\n`).join('')
    response.write(text, () => end(response))
  }
