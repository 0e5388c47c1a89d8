/** An HTTPS server on loopback that gives every request one prepared response, and records what arrived. */
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import type { Certificate } from '../certificate.ts'
import { readPair } from '../internet/registrar-server.ts'

export interface Replay {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

export interface ReplayedRequest {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface ReplayServer extends AsyncDisposable {
  readonly url: string
  readonly requests: readonly ReplayedRequest[]
  play(replay: Replay): void
}

export async function openReplayServer(certificate: Certificate): Promise<ReplayServer> {
  const requests: ReplayedRequest[] = []
  let next: Replay = { body: '' }
  const server = createServer(readPair(certificate), (request, response) => {
    const { method, url: path, headers } = request
    const answer = (body: string) => {
      requests.push({ method, path, headers, body })
      return response.writeHead(next.status ?? 200, next.headers).end(next.body)
    }
    void readText(request).then(answer)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    requests,
    play: (replay) => void (next = replay),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
