/** The one way out: whatever the other side does, a bounded answer or a reason, in time. */
import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOutbound, type Outbound, type OutboundRequest } from './source.ts'
import { openRdapServer } from './internet/rdap-server.ts'
import type { Fault, RdapServer } from './internet/rdap-server.ts'
import { memoryInUse } from './memory.ts'
import { runningMs } from '../../scripts/test/running-ms.ts'

let rdap: RdapServer
let outbound: Outbound
beforeAll(async () => {
  rdap = await openRdapServer({ isRegistered: (domain) => domain.startsWith('taken') })
  outbound = openOutbound({ ca: rdap.ca, allowPrivate: true, now: Date.now })
})
afterAll(async () => {
  await outbound.close()
  await rdap[Symbol.asyncDispose]()
})

const never = new AbortController().signal
function request(more: Partial<OutboundRequest> = {}): OutboundRequest {
  const url = `${rdap.base}domain/taken.com`
  return { url, method: 'GET', maxBytes: 65_536, timeoutMs: 2_000, signal: never, ...more }
}
const failed = (reason: string) => ({ kind: 'failed', reason })

async function withFault(fault: Fault, more: Partial<OutboundRequest> = {}) {
  rdap.set('com', fault)
  const answer = await outbound.send(request(more))
  rdap.set('com', undefined)
  return answer
}

async function withServer<T>(listener: RequestListener, work: (url: string, server: Server) => Promise<T>): Promise<T> {
  const server = createServer(listener)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test('an answer comes with its status, headers and body', async () => {
  const answer = await outbound.send(request())
  expect(answer).toMatchObject({ kind: 'answer', status: 200, headers: { 'content-type': 'application/rdap+json' } })
  expect(answer.kind === 'answer' && JSON.parse(answer.body.toString())).toMatchObject({ ldhName: 'TAKEN.COM' })
})

test('many HEAD requests share few connections', async () => {
  let connections = 0
  await withServer(
    (_, response) => void response.end('x'),
    async (url, server) => {
      server.on('connection', () => (connections += 1))
      for (let i = 0; i < 50; i++)
        expect(await outbound.send(request({ url, method: 'HEAD' }))).toHaveProperty('status')
    },
  )
  expect(connections).toBeLessThan(5)
})

test('a pause of this process does not count as the silence of the server', async () => {
  await withServer(
    (_, response) => void response.end('x'),
    async (url) => {
      const answer = outbound.send(request({ url, timeoutMs: 1_000 }))
      const end = performance.now() + 1_500
      while (performance.now() < end);
      expect(await answer).toHaveProperty('status', 200)
    },
  )
})

test('a body that is too large is refused, by its announced length and by its bytes', async () => {
  expect(await withFault('huge')).toEqual(failed('too_large'))
  expect(await withFault('huge_in_chunks')).toEqual(failed('too_large'))
})

test('a packed body is refused and never unpacked', async () => {
  expect(await withFault('gzip_bomb')).toEqual(failed('encoded'))
})

test('a redirect is not followed', async () => {
  expect(await withFault('redirect')).toEqual(failed('redirect'))
  expect(await withFault('redirect', { method: 'HEAD' })).toEqual(failed('redirect'))
})

test('silence and a body that never ends are over when the time is', async () => {
  for (const fault of ['silent', 'trickle'] as const) {
    const startedAt = runningMs()
    expect(await withFault(fault, { timeoutMs: 300 })).toEqual(failed('timeout'))
    expect(runningMs() - startedAt).toBeLessThan(3_000)
  }
})

test('the caller can stop waiting, before and during', async () => {
  expect(await outbound.send(request({ signal: AbortSignal.abort() }))).toEqual(failed('aborted'))
  expect(await withFault('silent', { signal: AbortSignal.timeout(100) })).toEqual(failed('aborted'))
})

test('an error says its status and when to come back, however large its page is', async () => {
  const at = Date.parse('2026-08-01T00:00:00Z')
  const then = openOutbound({ allowPrivate: true, now: () => at })
  const ask = (headers: Record<string, string>) =>
    withServer(
      (_, response) => void response.writeHead(429, headers).end(Buffer.alloc(200_000)),
      (url) => then.send(request({ url })),
    )
  expect(await ask({ 'retry-after': '17' })).toMatchObject({ status: 429, retryAfterMs: 17_000 })
  expect(await ask({ 'retry-after': 'Sat, 01 Aug 2026 00:02:00 GMT' })).toMatchObject({ retryAfterMs: 120_000 })
  expect(await ask({ 'retry-after': 'Fri, 31 Jul 2026 00:00:00 GMT' })).toMatchObject({ retryAfterMs: 0 })
  expect(await ask({ 'retry-after': 'later', 'content-encoding': 'gzip' })).not.toHaveProperty('retryAfterMs')
  await then.close()
})

test('a certificate that cannot be verified ends the connection', async () => {
  rdap.setCertificate('bad')
  expect(await outbound.send(request())).toEqual(failed('tls'))
  rdap.setCertificate('good')
  expect(await outbound.send(request())).toHaveProperty('status', 200)
  const withoutCa = openOutbound({ allowPrivate: true, now: Date.now })
  expect(await withoutCa.send(request())).toEqual(failed('tls'))
  await withoutCa.close()
})

test('a host that hangs up, and one that is not there', async () => {
  expect(await withFault('hang_up')).toEqual(failed('network'))
  expect(await outbound.send(request({ url: 'https://127.0.0.1:1/' }))).toEqual(failed('refused'))
})

test('private addresses are not reached, whether written as such or found for a name', async () => {
  const open = openOutbound({ ca: rdap.ca, now: Date.now })
  const port = new URL(rdap.base).port
  const before = rdap.asked.length
  for (const host of ['127.0.0.1', '[::1]', '169.254.169.254', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]']) {
    expect(await open.send(request({ url: `https://${host}:${port}/` })), host).toEqual(failed('private_address'))
  }
  // The name of this machine: found, judged, and not connected to.
  expect(await open.send(request({ url: `https://localhost:${port}/` }))).toEqual(failed('private_address'))
  expect(rdap.asked.length).toBe(before)
  await open.close()
})

test('only http and https are spoken, and no password goes out in a URL', async () => {
  for (const url of ['ftp://127.0.0.1/', 'file:///etc/passwd', 'no url', 'https://me:secret@127.0.0.1/']) {
    expect(await outbound.send(request({ url })), url).toEqual(failed('refused'))
  }
})

test('a stream hands on piece by piece, and fails as itself when keeping fails', async () => {
  rdap.set('com', 'huge_in_chunks')
  const options = { method: 'GET', headers: {}, headersTimeout: 5_000, bodyTimeout: 5_000 } as const
  const read = async (keep: (piece: Uint8Array) => void) => {
    const { statusCode, body } = await outbound.stream(request({}).url, options)
    for await (const piece of body) keep(piece)
    return statusCode
  }
  let kept = 0
  expect([await read((piece) => void (kept += piece.length)), kept]).toEqual([200, 10_000_000])
  const full = () => {
    throw new Error('disk full')
  }
  await expect(read(full)).rejects.toThrow('disk full')
  rdap.set('com', undefined)
})

test('a stream that is still read keeps its connection, however many other hosts are asked', async () => {
  let end = () => {}
  await withServer(
    (_, response) => {
      response.write('first')
      end = () => void response.end(' last')
    },
    async (url) => {
      const options = { method: 'GET', headers: {}, headersTimeout: 20_000, bodyTimeout: 20_000 } as const
      const { body } = await outbound.stream(url, options)
      const pieces: string[] = []
      for await (const piece of body) {
        pieces.push(Buffer.from(piece).toString())
        if (pieces.length > 1) continue
        // More hosts than connections are kept to; nothing listens there.
        const hosts = Array.from({ length: 600 }, (__, at) => `http://127.1.${at >> 8}.${at & 255}:9/`)
        for (const host of hosts) await outbound.send(request({ url: host }))
        end()
      }
      expect(pieces.join('')).toBe('first last')
    },
  )
})

test('ten megabytes and bombs leave no memory behind', async () => {
  const rounds = async (count: number) => {
    for (let i = 0; i < count; i++) {
      await withFault(i % 2 === 0 ? 'huge_in_chunks' : 'gzip_bomb')
    }
    return memoryInUse()
  }
  const before = await rounds(20)
  const after = await rounds(200)
  expect(after - before).toBeLessThan(10_000_000)
})

test('after closing nothing is sent', async () => {
  const own = openOutbound({ ca: rdap.ca, allowPrivate: true, now: Date.now })
  await own.close()
  expect(await own.send(request())).toEqual(failed('refused'))
})
