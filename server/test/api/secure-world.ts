/** A world with one node that speaks HTTPS, a key for it, and a client that can speak the wrong scheme. */
import { once } from 'node:events'
import { request as plainRequest } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Agent, request as secureRequest } from 'node:https'
import { json } from 'node:stream/consumers'
import { connect } from 'node:tls'
import type { TLSSocket } from 'node:tls'
import { makeCertificate } from '../certificate.ts'
import type { Certificate } from '../certificate.ts'
import { startApp } from '../start-app.ts'
import type { Node, NodeProcess, World } from '../world.ts'

export interface Ask {
  readonly agent?: Agent
  readonly headers?: Record<string, string>
  readonly body?: object
  /** Another port than the node's own. */
  readonly port?: number
}

export interface SecureWorld extends AsyncDisposable {
  readonly world: World
  readonly certificate: Certificate
  readonly node: NodeProcess
  readonly port: number
  readonly bearer: { readonly authorization: string }
  ask(
    scheme: 'http' | 'https',
    path: string,
    ask?: Ask,
  ): Promise<{ status: number | undefined; headers: IncomingHttpHeaders; json: unknown }>
  connect(): TLSSocket
}

export async function openSecureWorld(): Promise<SecureWorld> {
  const certificate = await makeCertificate()
  const world = await startApp({ own: true })
  const node = await world.startNodeProcess(certificate.env)
  const port = portOf(node)
  const { secret } = await world.makeKey(await world.makeAccount())
  return {
    world,
    certificate,
    node,
    port,
    bearer: { authorization: `Bearer ${secret}` },
    async ask(scheme, path, { agent, headers = {}, body, ...at } = {}) {
      const options = {
        method: body ? 'POST' : 'GET',
        headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
      }
      const address = `${scheme}://127.0.0.1:${at.port ?? port}${path}`
      const sent =
        scheme === 'http'
          ? plainRequest(address, options)
          : secureRequest(address, { ...options, ca: certificate.ca, ...(agent ? { agent } : {}) })
      sent.end(body && JSON.stringify(body))
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      return { status: response.statusCode, headers: response.headers, json: await json(response) }
    },
    connect: () => connect({ port, host: '127.0.0.1', ca: certificate.ca }),
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]()
      await certificate[Symbol.asyncDispose]()
    },
  }
}

export function portOf(node: Node): number {
  return Number(new URL(node.url).port)
}
