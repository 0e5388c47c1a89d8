/**
 * CZDS on loopback: the account API, the list of links and the zones of an approved account, all on one address.
 *
 * It is as strict as the real one (a token for everything, sign-ins limited, If-Modified-Since honoured) and can be
 * made to misbehave: tokens that end early, zones cut off on the way, an error page in place of a zone.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CzdsServer extends AsyncDisposable {
  readonly url: string
  readonly username: string
  readonly password: string
  /** `<method> <path> <status>`, in order. */
  readonly asked: readonly string[]
  /** From now on every token given so far is answered with 401. */
  expireTokens(): void
  setZone(suffix: string, zone: Zone): void
}

export interface Zone {
  readonly gzip: Buffer
  readonly lastModified: Date
  /** `truncated`: the connection ends in the middle. `page`: HTML with status 200. `late`: 503. */
  readonly behaviour?: 'truncated' | 'page' | 'late'
}

export interface CzdsServerOptions {
  readonly signIns?: number
  /** Added to the links, as an attacker in between might. */
  readonly extraLinks?: readonly string[]
  readonly tokenSeconds?: number
  readonly now?: () => number
}

export async function openCzdsServer(options: CzdsServerOptions = {}): Promise<CzdsServer> {
  const { signIns = 8, extraLinks = [], tokenSeconds = 86_400, now = Date.now } = options
  const [username, password] = ['operator@example.test', 'correct horse battery']
  const zones = new Map<string, Zone>()
  const asked: string[] = []
  let tokens = new Set<string>()
  let given = 0

  const server = createServer((request, response) => {
    response.on('finish', () => asked.push(`${request.method} ${request.url} ${response.statusCode}`))
    void answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function answer(request: IncomingMessage, response: ServerResponse) {
    if (request.method === 'POST' && request.url === '/api/authenticate') return signIn(request, response)
    if (!tokens.has((request.headers.authorization ?? '').replace('Bearer ', ''))) return send(response, 401, {})
    if (request.url === '/czds/downloads/links') {
      return send(response, 200, [
        ...[...zones.keys()].map((suffix) => `${url}/czds/downloads/${suffix}.zone`),
        ...extraLinks,
      ])
    }
    const zone = zones.get(/^\/czds\/downloads\/(.+)\.zone$/.exec(request.url ?? '')?.[1] ?? '')
    if (zone === undefined) return send(response, 404, {})
    return sendZone(zone, request, response)
  }

  async function signIn(request: IncomingMessage, response: ServerResponse) {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const body = JSON.parse(Buffer.concat(pieces).toString()) as { username?: string; password?: string }
    if (given >= signIns) return send(response, 429, { message: 'Too many requests' })
    given++
    if (body.username !== username || body.password !== password) return send(response, 401, {})
    const claims = { exp: Math.floor(now() / 1000) + tokenSeconds, jti: given }
    const token = ['{}', JSON.stringify(claims), 'signature']
      .map((part) => Buffer.from(part).toString('base64url'))
      .join('.')
    tokens.add(token)
    return send(response, 200, { accessToken: token, message: 'Authentication Successful' })
  }

  return {
    url,
    username,
    password,
    asked,
    expireTokens() {
      tokens = new Set()
    },
    setZone: (suffix, zone) => void zones.set(suffix, zone),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function sendZone({ gzip, lastModified, behaviour }: Zone, request: IncomingMessage, response: ServerResponse): void {
  if (behaviour === 'late') return send(response, 503, {})
  if (behaviour === 'page') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Maintenance</title>')
    return
  }
  const since = Date.parse(request.headers['if-modified-since'] ?? '')
  // HTTP dates have whole seconds.
  if (since >= Math.floor(lastModified.getTime() / 1000) * 1000) {
    response.writeHead(304).end()
    return
  }
  response.writeHead(200, {
    'content-type': 'application/x-gzip',
    'content-length': gzip.length,
    'last-modified': lastModified.toUTCString(),
  })
  if (behaviour === 'truncated') response.write(gzip.subarray(0, gzip.length / 2), () => response.destroy())
  else response.end(gzip)
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
