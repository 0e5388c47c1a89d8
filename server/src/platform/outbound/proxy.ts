/**
 * The way out of a network that lets nothing out but through a proxy: connections for https go through it by CONNECT,
 * and the certificate of the target is checked as ever.
 *
 * Only for the command. The proxy resolves the names, so `outbound.ts` cannot check that an address is public: a service,
 * which takes URLs from strangers, must not be opened with one. The proxy itself may have a private address.
 *
 * Credentials go to the proxy and nowhere else, and no error contains them.
 */
import { isIP } from 'node:net'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { SecureContext } from 'node:tls'
import type { buildConnector } from 'undici'
import { startPauseTolerantTimer } from '../pause-tolerant-timer.ts'

export interface Proxy {
  readonly isTls: boolean
  readonly host: string
  readonly port: number
  readonly authorization: string | undefined
  /** Whether requests to this origin go through it. */
  isFor(url: URL): boolean
}

export interface ProxyConnectOptions {
  readonly timeoutMs: number
  /** For the target, and for the proxy if it speaks TLS. */
  readonly secureContext: SecureContext
}

/** The proxy cannot be reached or refuses to connect; `wantsCredentials`: others than those it got, if any. */
export class ProxyRefused extends Error {
  readonly wantsCredentials: boolean

  constructor(wantsCredentials = false) {
    super('the proxy does not connect')
    this.wantsCredentials = wantsCredentials
  }
}

const UNREADABLE =
  'HTTPS_PROXY is not the address of an http or https proxy; write it like http://proxy.example:3128, or unset it'

/** By `HTTPS_PROXY` and `NO_PROXY`, of which the names in lower case count first. Throws if it is no proxy's address. */
export function findProxy(env: Readonly<Record<string, string | undefined>>): Proxy | undefined {
  const text = (env['https_proxy'] ?? env['HTTPS_PROXY'] ?? '').trim()
  if (text === '') return undefined
  const url = URL.parse(text.includes('://') ? text : `http://${text}`)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) throw new Error(UNREADABLE)
  const isTls = url.protocol === 'https:'
  const exceptions = readExceptions(env['no_proxy'] ?? env['NO_PROXY'] ?? '')
  return {
    isTls,
    host: hostOf(url),
    port: Number(url.port || (isTls ? 443 : 80)),
    authorization: authorizationOf(url),
    isFor: (target) => target.protocol === 'https:' && !exceptions.some((isException) => isException(target)),
  }
}

function authorizationOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  try {
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    return `Basic ${Buffer.from(credentials).toString('base64')}`
  } catch {
    throw new Error(UNREADABLE)
  }
}

/** `*`, `example.com` and `.example.com` for a host and all below it, addresses, each also with a port. */
function readExceptions(text: string): readonly ((url: URL) => boolean)[] {
  const entries = text.toLowerCase().split(/[\s,]+/)
  return entries.flatMap((entry) => {
    if (entry === '*') return [() => true]
    const [, host = '', port] = isIP(entry) === 6 ? [entry, entry] : (/^(.*?)(?::(\d+))?$/.exec(entry) ?? [])
    const name = host.replace(/^\[|\]$/g, '').replace(/^\*?\./, '')
    if (name === '') return []
    return [
      (url: URL) => {
        const asked = hostOf(url)
        const isHost = asked === name || (isIP(asked) === 0 && asked.endsWith(`.${name}`))
        return isHost && (port === undefined || port === (url.port || '443'))
      },
    ]
  })
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

/** For a pool of undici. */
export function connectThrough(proxy: Proxy, options: ProxyConnectOptions): buildConnector.connector {
  const { timeoutMs, secureContext } = options
  // An import would load the `fetch` of Node with it, at every start and for a proxy that few have: 60 ms.
  const { request: send } = process.getBuiltinModule(proxy.isTls ? 'node:https' : 'node:http')
  return ({ hostname, port }, callback) => {
    const host = hostname.replace(/^\[|\]$/g, '')
    const target = `${isIP(host) === 6 ? `[${host}]` : host}:${port || 443}`
    const request = send({
      host: proxy.host,
      port: proxy.port,
      method: 'CONNECT',
      path: target,
      agent: false,
      headers: { host: target, ...(proxy.authorization && { 'proxy-authorization': proxy.authorization }) },
      ...(proxy.isTls ? { secureContext } : {}),
    })
    let secured: Socket | undefined
    let isSettled = false
    const settle = (outcome: Error | Socket) => {
      if (isSettled) return
      isSettled = true
      stopTimer()
      if (!(outcome instanceof Error)) return callback(null, outcome)
      secured?.destroy()
      request.destroy()
      callback(outcome, null)
    }
    const stopTimer = startPauseTolerantTimer(timeoutMs, () =>
      settle(Object.assign(new Error('the proxy did not connect in time'), { code: 'ETIMEDOUT' })),
    )
    request.on('error', () => settle(new ProxyRefused()))
    request.once('connect', ({ statusCode }, socket, head) => {
      // Its errors after this moment are those of the connection within.
      socket.on('error', (error) => settle(error))
      // A server of TLS says nothing before it is spoken to.
      if (isSettled || statusCode !== 200 || head.length > 0) {
        socket.destroy()
        return settle(new ProxyRefused(statusCode === 407))
      }
      const name = isIP(host) === 0 ? { servername: host } : {}
      const tls = connectTls({ socket, host, ...name, secureContext, ALPNProtocols: ['http/1.1'] })
      secured = tls
      tls.setNoDelay(true)
      tls.on('error', settle)
      tls.once('secureConnect', () => settle(tls))
    })
    request.end()
  }
}
