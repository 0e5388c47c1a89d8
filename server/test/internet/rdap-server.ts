/**
 * A registry's RDAP server on loopback, over TLS with an authority of the test's own.
 *
 * It answers rightly for the set of names it is given, until a test makes it misbehave: for one suffix, for all ('*'),
 * or for one query, by a function. Each instance has a port of its own and is thus a host of its own; for clients that
 * are routed to it, it is any host.
 */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeCertificate } from '../certificate.ts'
import type { Certificate } from '../certificate.ts'
import { FAULTS, misbehave } from './rdap-faults.ts'
import type { Fault, RdapQuery } from './rdap-faults.ts'

export interface RdapServer extends AsyncDisposable {
  /** `https://127.0.0.1:<port>/rdap/` */
  readonly base: string
  /** As the budgets know it. */
  readonly host: string
  /** PEM, for the client. */
  readonly ca: string
  readonly asked: readonly RdapQuery[]
  /** Until the next call. `undefined` heals. */
  set(suffix: string, fault: Misbehaviour | undefined): void
  /** From now on, for new connections: a certificate of an authority that nobody knows, or the right one again. */
  setCertificate(kind: 'good' | 'bad'): void
}

export type Misbehaviour = Fault | ((query: RdapQuery) => Fault | undefined)

export { FAULTS }
export type { Fault, RdapQuery }

export interface RdapServerOptions {
  readonly isRegistered: (domain: string) => boolean
  /** When its registration ends, as it is written; nothing is said of it without. */
  readonly endOf?: (domain: string) => string | undefined
  /** Made for this server when there is none to share. */
  readonly certificate?: Certificate
  /** How far away it is. */
  readonly delayMs?: number
}

export async function openRdapServer(options: RdapServerOptions): Promise<RdapServer> {
  const { isRegistered, endOf, certificate, delayMs = 0 } = options
  const own = certificate ?? (await makeCertificate())
  const stranger = await makeCertificate()
  const [good, bad] = await Promise.all([readPair(own), readPair(stranger)])
  const asked: RdapQuery[] = []
  const faults = new Map<string, Misbehaviour>()

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const domain = /\/domain\/([^/?]+)$/.exec(request.url ?? '')?.[1] ?? ''
    const suffix = domain.slice(domain.indexOf('.') + 1)
    const { method = '', headers } = request
    const query: RdapQuery = { at: Date.now(), method, host: headers.host ?? '', domain }
    asked.push(query)
    if (delayMs > 0) await sleep(delayMs)
    const given = faults.get(suffix) ?? faults.get('*')
    const fault = typeof given === 'function' ? given(query) : given
    const isThere = isRegistered(domain)
    if (fault === undefined) answerRightly(response, domain, isThere, endOf?.(domain))
    else misbehave(fault, { response, domain, isThere, answerRightly })
  }

  const server = createServer(good, (request, response) => void answer(request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    base: `https://${host}/rdap/`,
    host,
    ca: own.ca,
    asked,
    set(suffix, fault) {
      if (fault === undefined) faults.delete(suffix)
      else faults.set(suffix, fault)
    },
    setCertificate(kind) {
      server.setSecureContext(kind === 'good' ? good : bad)
      server.closeAllConnections()
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
      await stranger[Symbol.asyncDispose]()
      if (certificate === undefined) await own[Symbol.asyncDispose]()
    },
  }
}

async function readPair({ env }: Certificate) {
  const [cert, key] = await Promise.all([
    readFile(env.NAMEWRIGHT_TLS_CERT_FILE, 'utf8'),
    readFile(env.NAMEWRIGHT_TLS_KEY_FILE, 'utf8'),
  ])
  return { cert, key }
}

function answerRightly(response: ServerResponse, domain: string, isThere: boolean, end?: string) {
  const events = end === undefined ? {} : { events: [{ eventAction: 'expiration', eventDate: end }] }
  const body = isThere
    ? { objectClassName: 'domain', ldhName: domain.toUpperCase(), status: ['active'], ...events }
    : NOT_FOUND
  response.writeHead(isThere ? 200 : 404, { 'content-type': 'application/rdap+json' }).end(JSON.stringify(body))
}

const NOT_FOUND = { errorCode: 404, title: 'Not found' }
