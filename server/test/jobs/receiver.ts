/** Somebody's server that webhooks are sent to, on loopback: what it was sent, and what it says to that. */
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly path: string
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a body is what the test is about
  readonly json: any
}

export interface Receiver extends AsyncDisposable {
  readonly url: string
  /** For NAMEWRIGHT_WEBHOOK_ALLOW. */
  readonly place: string
  /** Everything that came in, whatever was said to it. */
  readonly received: readonly Received[]
  /** Those that were answered with 2xx. */
  readonly accepted: readonly Received[]
  connections(): number
  /** What to say from now on; a status, or whatever the function does. Default 204. */
  answer: number | ((response: ServerResponse, received: Received) => void)
}

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const responses = new Map<Received, ServerResponse>()
  let connections = 0
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const body = Buffer.concat(pieces).toString('utf8')
      const one = {
        headers: request.headers,
        body,
        path: request.url ?? '',
        json: body === '' ? null : JSON.parse(body),
      }
      received.push(one)
      responses.set(one, response)
      const { answer } = receiver
      if (typeof answer === 'function') answer(response, one)
      else response.writeHead(answer).end()
    })
  })
  server.on('connection', () => connections++)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    place: `127.0.0.1:${port}`,
    received,
    get accepted() {
      const isAccepted = (one: Received) => {
        const response = responses.get(one)
        return response !== undefined && response.writableEnded && response.statusCode < 300
      }
      return received.filter(isAccepted)
    },
    connections: () => connections,
    answer: 204,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
  return receiver
}

/** By the official library: throws unless the signature holds. It also refuses what was not signed within five minutes. */
export function verify(secret: string, { headers, body }: Received): unknown {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  return new Webhook(secret).verify(body, Object.fromEntries(names.map((name) => [name, String(headers[name])])))
}

export function idOf({ headers }: Received): string {
  return String(headers['webhook-id'])
}
