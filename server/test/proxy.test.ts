/** Requests through the proxy of a network: by CONNECT, with the certificate of the target checked. */
import { readFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connectThrough, findProxy, openOutbound, reasonOf } from './source.ts'
import { makeCertificate } from './certificate.ts'
import type { Certificate } from './certificate.ts'

// Nobody resolves it here, as behind many proxies.
const HOST = 'rdap.example'
const SECRET = 'p@ss:word'

type Reply = 'connect' | 'silent' | 'closed' | 'garbage' | 'early' | number

let certificate: Certificate
let target: Server
let strange: Server
let proxy: Server
let tlsProxy: Server
let seen: { readonly target: string | undefined; readonly authorization: string | undefined }[] = []
let reply: Reply = 'connect'
/** Where the proxy finds the host. */
let found: Server
const sockets = new Set<Socket>()

beforeAll(async () => {
  certificate = await makeCertificate([HOST])
  await using stranger = await makeCertificate([HOST])
  const answer = (_: unknown, response: { end(text: string): void }) => response.end('{}')
  target = await listen(createHttpsServer(await filesOf(certificate), answer))
  strange = await listen(createHttpsServer(await filesOf(stranger), answer))
  proxy = await listen(createHttpServer())
  tlsProxy = await listen(createHttpsServer(await filesOf(certificate)))
  for (const one of [proxy, tlsProxy]) one.on('connect', answerConnect)
})
beforeEach(() => {
  seen = []
  reply = 'connect'
  found = target
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  for (const server of [target, strange, proxy, tlsProxy]) {
    server.closeAllConnections()
    server.close()
  }
  await certificate[Symbol.asyncDispose]()
})

async function filesOf({ env }: Certificate) {
  return {
    cert: await readFile(env.NAMEWRIGHT_TLS_CERT_FILE, 'utf8'),
    key: await readFile(env.NAMEWRIGHT_TLS_KEY_FILE, 'utf8'),
  }
}

async function listen<T extends Server>(server: T): Promise<T> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  server.on('connection', (socket) => sockets.add(socket))
  return server
}

const portOf = (server: Server) => (server.address() as AddressInfo).port

function answerConnect(request: IncomingMessage, socket: Socket) {
  seen.push({ target: request.url, authorization: request.headers['proxy-authorization'] })
  socket.on('error', () => {})
  if (reply === 'closed') socket.destroy()
  else if (reply === 'garbage') socket.end('hello\r\n\r\n')
  else if (typeof reply === 'number') socket.end(`HTTP/1.1 ${reply} No\r\nContent-Length: 0\r\n\r\n`)
  else if (reply !== 'silent') connectTarget(socket, reply === 'early' ? 'not TLS' : '')
}

function connectTarget(socket: Socket, early: string) {
  const through = connect(portOf(found), '127.0.0.1', () => {
    socket.write(`HTTP/1.1 200 Connection established\r\n\r\n${early}`)
    socket.pipe(through).pipe(socket)
  })
  sockets.add(through)
  through.on('error', () => socket.destroy())
  socket.on('close', () => through.destroy())
}

async function send(url = `https://${HOST}/x`, env: Record<string, string> = {}, times = 1, timeoutMs = 10_000) {
  const settings = { HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}`, ...env }
  const outbound = openOutbound({ ca: certificate.ca, proxy: findProxy(settings), now: Date.now })
  const { signal } = new AbortController()
  const answers = []
  for (let i = 0; i < times; i++)
    answers.push(await outbound.send({ url, method: 'GET', maxBytes: 1_000, timeoutMs, signal }))
  await outbound.close()
  expect(JSON.stringify(answers)).not.toContain('p@ss')
  return answers.at(-1)
}

const failed = (reason: string) => ({ kind: 'failed', reason })

test('the proxy resolves the host, and its connection is used again', async () => {
  expect(await send(undefined, {}, 20)).toMatchObject({ kind: 'answer', status: 200 })
  expect(seen[0]).toEqual({ target: `${HOST}:443`, authorization: undefined })
  expect(seen.length).toBeLessThan(5)
})

test('a proxy may speak TLS, with a certificate that is checked', async () => {
  const at = (host: string) => ({ HTTPS_PROXY: `https://${host}:${portOf(tlsProxy)}` })
  expect(await send(undefined, at('localhost'))).toMatchObject({ kind: 'answer', status: 200 })
  expect(await send(undefined, at('127.0.0.2'))).toEqual(failed('proxy'))
})

test('the certificate of the target must be its own, whatever the proxy connects to', async () => {
  found = strange
  expect(await send()).toEqual(failed('tls'))
  found = target
  expect(await send('https://other.example/')).toEqual(failed('tls'))
  expect(seen).toHaveLength(2)
})

test('credentials go to the proxy and into no answer, and wrong ones have a reason of their own', async () => {
  const { host, port } = { host: '127.0.0.1', port: portOf(proxy) }
  const env = { HTTPS_PROXY: `http://me:${encodeURIComponent(SECRET)}@${host}:${port}` }
  expect(await send(undefined, env)).toMatchObject({ status: 200 })
  expect(seen[0]?.authorization).toBe(`Basic ${btoa(`me:${SECRET}`)}`)
  reply = 407
  expect(await send(undefined, env)).toEqual(failed('proxy_credentials'))
})

test.each<Reply>([403, 502, 'closed', 'garbage', 'early'])('a proxy that does not connect: %s', async (kind) => {
  reply = kind
  expect(await send()).toEqual(failed('proxy'))
})

test('a proxy that is not there', async () => {
  const gone = await listen(createHttpServer())
  const port = portOf(gone)
  await new Promise((closed) => gone.close(closed))
  expect(await send(undefined, { HTTPS_PROXY: `http://127.0.0.1:${port}` })).toEqual(failed('proxy'))
})

test('a proxy that hangs is given up, before and with the time of the request', async () => {
  reply = 'silent'
  expect(await send(undefined, {}, 1, 300)).toEqual(failed('timeout'))
  const through = findProxy({ https_proxy: `http://127.0.0.1:${portOf(proxy)}` })
  const connector = through && connectThrough(through, { timeoutMs: 200, secureContext: createSecureContext() })
  const error = await new Promise((settled) =>
    connector?.({ hostname: HOST, protocol: 'https:', port: '443' }, (...[failure]) => settled(failure)),
  )
  expect(reasonOf(error)).toBe('timeout')
})

test('an address of this network is refused before the proxy is asked, and plain http does not use it', async () => {
  expect(await send('https://10.0.0.1/')).toEqual(failed('private_address'))
  expect(await send('http://127.0.0.1:9/')).toEqual(failed('private_address'))
  expect(seen).toEqual([])
})

test('NO_PROXY names the hosts that are asked without it', () => {
  const isFor = (noProxy: string, url: string) =>
    findProxy({ HTTPS_PROXY: 'proxy.example:3128', NO_PROXY: noProxy })?.isFor(new URL(url))
  for (const [noProxy, url, expected] of [
    ['', 'https://a.example/', true],
    ['', 'http://a.example/', false],
    ['*', 'https://a.example/', false],
    ['a.example', 'https://a.example/', false],
    ['a.example', 'https://b.a.example/', false],
    ['a.example', 'https://aa.example/', true],
    ['.a.example, other', 'https://b.a.example/', false],
    ['*.a.example', 'https://b.a.example/', false],
    ['A.Example', 'https://a.example./', false],
    ['x.example a.example:443', 'https://a.example/', false],
    ['a.example:8443', 'https://a.example/', true],
    ['a.example:8443', 'https://a.example:8443/', false],
    ['10.0.0.1', 'https://10.0.0.1/', false],
    ['0.0.1', 'https://10.0.0.1/', true],
    ['2001:db8::1', 'https://[2001:db8::1]/', false],
    ['[2001:db8::1]:8443', 'https://[2001:db8::1]:8443/', false],
    ['[2001:db8::1]:8443', 'https://[2001:db8::1]/', true],
    [',, :', 'https://a.example/', true],
  ] as const) {
    expect(isFor(noProxy, url), `${noProxy} and ${url}`).toBe(expected)
  }
})

test('the setting is read as other programs read it, and an error does not repeat it', () => {
  expect(findProxy({})).toBeUndefined()
  expect(findProxy({ HTTPS_PROXY: ' ' })).toBeUndefined()
  expect(findProxy({ https_proxy: '', HTTPS_PROXY: 'http://upper.example' }), 'lower case counts first').toBeUndefined()
  expect(findProxy({ HTTPS_PROXY: 'proxy.example:3128' })).toMatchObject({ host: 'proxy.example', port: 3128 })
  expect(findProxy({ HTTPS_PROXY: 'https://[::1]' })).toMatchObject({ host: '::1', port: 443, isTls: true })
  for (const text of ['socks5://me:p@ss@proxy.example', 'http://', 'http://me:p@ss%zz@proxy.example', 'http://a b'])
    expect(() => findProxy({ HTTPS_PROXY: text }), text).toThrow(/^HTTPS_PROXY is not the address (?!.*p@ss)/)
})
