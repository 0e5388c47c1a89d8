/**
 * Where a webhook must not lead, in every spelling there is: refused when it is made, and never connected to when it is
 * sent, also where the name is harmless and only its address is not. Connections are counted by who would get them.
 */
import { createSocket } from 'node:dgram'
import type { Socket } from 'node:dgram'
import { Resolver } from 'node:dns'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createPublicLookup,
  findTarget,
  type Lookup,
  openOutbound,
  type Outbound,
  type OutboundOptions,
  PrivateAddress,
} from '../source.ts'

/** Each is a way to write an address of this machine, of its network, or of its cloud. */
const HOSTS = `
  127.0.0.1 127.0.0.2 127.1.2.3 127.255.255.254 0.0.0.0 [::1] [::]
  10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 192.168.255.255
  169.254.169.254 169.254.170.2 100.64.0.1 100.100.100.200 100.127.255.255 192.0.0.192
  198.18.0.1 198.19.255.255 192.0.2.1 198.51.100.1 203.0.113.1 192.88.99.1
  224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255

  2130706433 017700000001 0x7f000001 0x7F.0.0.1 0x7f.0x0.0x0.0x1 0177.0.0.1 0177.0.0.01
  127.1 127.0.1 0x7f.1 0177.1 0 0x0 00 0.0 127.0x1 127.00000000001 0x7f.00.00.01
  2852039166 0xa9fea9fe 0xA9.0xFE.0xA9.0xFE 025177524776 0251.0376.0251.0376 169.254.43518
  167772161 0xa000001 10.1 3232235521 0xc0a80001 192.168.257 2886729729 1681915905
  127.0.0.1. 0x7f.1. 2130706433. 169.254.169.254. %31%32%37.0.0.1 127%2e0%2e0%2e1 %30x7f.1
  ①②⑦.⓪.⓪.① １２７.０.０.１ 127。0。0。1 127．0．0．1 127｡0｡0｡1 𝟏𝟐𝟕.𝟎.𝟎.𝟏 ⑯⑨.②⑤④.⑯⑨.②⑤④ ₁₂₇.₀.₀.₁

  [::ffff:127.0.0.1] [::FFFF:7f00:1] [0:0:0:0:0:ffff:127.0.0.1] [0000:0000:0000:0000:0000:ffff:7f00:0001]
  [::ffff:10.0.0.1] [::ffff:a9fe:a9fe] [::ffff:169.254.169.254] [::ffff:192.168.0.1] [::ffff:0.0.0.0]
  [::127.0.0.1] [::7f00:1] [::ffff:0:127.0.0.1] [::ffff:0:a9fe:a9fe]
  [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::a9fe:a9fe] [64:ff9b::10.0.0.1] [64:ff9b::c0a8:1]
  [64:ff9b:1::7f00:1] [64:ff9b:1::a9fe:a9fe] [2002:7f00:1::] [2002:7f00:0001::1] [2002:a9fe:a9fe::]
  [2002:0a00:0001::] [2001::7f00:1] [2001:0:7f00:1::] [2001:0000:4136:e378:8000:63bf:3fff:fdd2]
  [fe80::1] [febf::1] [fec0::1] [fc00::1] [fd00::1] [fd00:ec2::254] [fdff::1] [ff02::1]
  [2001:db8::1] [3fff::1] [100::1] [0:0:0:0:0:0:0:1] [0::1] [::0:1] [::0.0.0.1] [4000::1]`
  .trim()
  .split(/\s+/)

/** Names that lead nowhere public. */
const NAMES = `
  localhost LOCALHOST localhost. LocalHost. a.localhost localhost.localdomain ⓛocalhost
  metadata metadata.google.internal metadata.google.internal. instance-data.ec2.internal kubernetes
  printer.local router.home.arpa db.internal x.onion nothing.invalid postgres`
  .trim()
  .split(/\s+/)

/** Whole addresses that are wrong for another reason. */
const URLS =
  `http://hooks.example.com/ HTTP://hooks.example.com/ ftp://hooks.example.com/ file:///etc/passwd //a.example/
  gopher://hooks.example.com/ ws://hooks.example.com/ javascript:alert(1) data:text/plain,x hooks.example.com
  https://hooks.example.com:22/ https://hooks.example.com:80/ https://hooks.example.com:5432/ https:///x https://
  https://hooks.example.com:6379/ https://hooks.example.com:8080/ https://hooks.example.com:65536/ https://.
  https://user@hooks.example.com/ https://user:pass@hooks.example.com/ https://:pass@hooks.example.com/
  https://hooks.example.com@127.0.0.1/ https://127.0.0.1#@hooks.example.com/ https://127.0.0.1?@hooks.example.com/
  https://127.0.0.1\\@hooks.example.com/ https:\\\\127.0.0.1/ https://hooks.example.com\\.evil.example/
  https://[fe80::1%25eth0]/ https://[::1 https://[::g]/ https://256.256.256.256/ https://1.2.3.4.5/
  https://hooks.exa\u00admple.com/ https://exa<mple.com/ https://hooks.example.com/${'a'.repeat(2_000)}`
    .split(/\s+/)
    // With a space, or nothing.
    .concat(
      '',
      ' https://hooks.example.com/',
      'https://hooks.example.com/\n',
      'https://127.0.\t0.1/',
      'https://exa mple.com/',
    )

let trap: Server
let port: number
let caught = 0
beforeAll(async () => {
  // Every address of this machine, in both families.
  trap = createServer((socket) => {
    caught++
    socket.destroy()
  })
  trap.listen({ port: 0, host: '::', ipv6Only: false })
  await once(trap, 'listening')
  port = (trap.address() as AddressInfo).port
})
afterAll(() => trap.close())

const never = new AbortController().signal
const post = (outbound: Outbound, url: string) =>
  outbound.send({ url, method: 'POST', body: '{}', maxBytes: 1024, timeoutMs: 5_000, signal: never })

async function withOutbound<T>(
  options: Partial<OutboundOptions>,
  work: (outbound: Outbound) => Promise<T>,
): Promise<T> {
  const outbound = openOutbound({ now: Date.now, ...options })
  try {
    return await work(outbound)
  } finally {
    await outbound.close()
  }
}

test('there are enough of them, and no two are alike', () => {
  const all = [...HOSTS, ...NAMES, ...URLS]
  expect(all.length).toBeGreaterThan(150)
  expect(new Set(all).size).toBe(all.length)
})

test('a webhook to any of them is refused', () => {
  const hosts = [...HOSTS, ...NAMES].flatMap((host) => [`https://${host}/`, `https://${host}:8443/hook`])
  for (const url of [...hosts, ...URLS]) expect(findTarget(url, new Set()), url).toBe(undefined)
})

test('usual addresses are not, and are called as they are written', () => {
  for (const url of [
    'https://hooks.example.com/',
    'https://hooks.example.com:8443/in?token=1',
    'https://93.184.216.34/',
    'https://[2606:4700::1111]/',
    'https://xn--bcher-kva.example/',
  ]) {
    expect(findTarget(url, new Set())?.href).toBe(url)
  }
  expect(findTarget('HTTPS://Bücher.Example:443/a/../b', new Set())?.href).toBe('https://xn--bcher-kva.example/b')
})

test('the operator may allow a place, and only that place', () => {
  const allowed = new Set(['127.0.0.1:8080', '[::1]:80', 'intranet:443'])
  for (const url of ['http://127.0.0.1:8080/x', 'http://[::1]/', 'https://intranet/']) {
    expect(findTarget(url, allowed)?.href).toBe(url)
  }
  for (const url of ['http://127.0.0.1:8081/', 'http://127.0.0.1/', 'http://intranet/', 'http://[::1]:8080/']) {
    expect(findTarget(url, allowed), url).toBe(undefined)
  }
})

describe('past that check, the way out', () => {
  const outbound = openOutbound({ now: Date.now })
  afterAll(() => outbound.close())

  test('reaches whoever listens there, if it is allowed to: the trap works', async () => {
    const before = caught
    await withOutbound({ allowPrivate: true }, async (open) => {
      for (const host of ['127.0.0.1', '[::1]', '2130706433']) await post(open, `http://${host}:${port}/`)
      expect(caught - before).toBe(3)
      // Two addresses: both are connected to when the first is slow.
      await post(open, `http://localhost:${port}/`)
    })
    expect(caught - before).toBeGreaterThanOrEqual(4)
  })

  test('connects to nobody at any of them', async () => {
    const before = caught
    for (const url of HOSTS.flatMap((host) => [`http://${host}:${port}/`, `https://${host}:${port}/`])) {
      expect([url, await post(outbound, url)]).toEqual([url, { kind: 'failed', reason: 'private_address' }])
    }
    // Whatever these resolve to.
    for (const host of ['localhost', 'LOCALHOST.', 'a.localhost', 'ip6-localhost']) {
      expect(await post(outbound, `http://${host}:${port}/`)).toMatchObject({ kind: 'failed' })
    }
    expect(caught).toBe(before)
  })

  test('opened to one place, is not to another', async () => {
    const before = caught
    const allowed = new Set([`127.0.0.2:${port}`, `127.0.0.1:${port - 1}`])
    await withOutbound({ allowed }, async (open) => {
      const answer = await post(open, `http://127.0.0.1:${port}/`)
      expect(answer).toEqual({ kind: 'failed', reason: 'private_address' })
      expect(caught).toBe(before)
      await post(open, `http://127.0.0.2:${port}/`)
      expect(caught).toBe(before + 1)
    })
  })
})

describe('a name that leads elsewhere each time it is resolved', () => {
  let dns: Socket
  let asked: string[]
  /** Answers to A queries, one after the other; the last one repeats. */
  let addresses: string[]
  const resolver = new Resolver({ tries: 1, timeout: 5_000 })
  beforeAll(async () => {
    dns = createSocket('udp4')
    dns.on('message', (query, { port: from }) => {
      const address = (addresses.length > 1 ? addresses.shift() : addresses[0]) ?? ''
      asked.push(address)
      dns.send(answerTo(query, address), from, '127.0.0.1')
    })
    dns.bind(0, '127.0.0.1')
    await once(dns, 'listening')
    resolver.setServers([`127.0.0.1:${dns.address().port}`])
  })
  afterAll(() => dns.close())

  // The suite lets no socket be opened to a name but this machine's own, so the name in the address is that one.
  const lookupAll: Lookup = (_hostname, _options, found) =>
    resolver.resolve4('rebinding.example', (error, list) => {
      if (error) return found(error, [])
      const family = 4
      return found(
        null,
        list.map((address) => ({ address, family })),
      )
    })

  test('is never connected to where it is private, however often it is asked', async () => {
    asked = []
    addresses = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '127.0.0.1', '100.64.0.1', '0.0.0.0']
    const before = caught
    await withOutbound({ lookupAll }, async (outbound) => {
      for (let n = 0; n < 8; n++) {
        const answer = await post(outbound, `http://localhost:${port}/`)
        expect(answer).toEqual({ kind: 'failed', reason: 'private_address' })
      }
    })
    expect(asked).toHaveLength(8)
    expect(caught).toBe(before)
  })

  test('is asked once for a connection, which gets the very address that was judged', async () => {
    asked = []
    addresses = ['93.184.216.34', '127.0.0.1']
    const judged = () =>
      new Promise((resolve) => {
        createPublicLookup(lookupAll)('localhost', { all: true }, (error, found) => resolve(error ?? found))
      })
    expect(await judged()).toEqual([{ address: '93.184.216.34', family: 4 }])
    expect(asked).toEqual(['93.184.216.34'])
    expect(await judged()).toBeInstanceOf(PrivateAddress)
  })

  test('with public and private addresses keeps only the public ones', async () => {
    const both: Lookup = (_hostname, _options, found) =>
      found(null, [
        { address: '127.0.0.1', family: 4 },
        { address: '2606:4700::1111', family: 6 },
        { address: '::ffff:10.0.0.1', family: 6 },
      ])
    const left = new Promise((resolve) => {
      createPublicLookup(both)('localhost', { all: true }, (_error, found) => resolve(found))
    })
    expect(await left).toEqual([{ address: '2606:4700::1111', family: 6 }])
  })
})

/** One A record with a TTL of 0. */
function answerTo(query: Buffer, address: string): Buffer {
  const head = Buffer.from(query.subarray(0, 12))
  head.writeUInt16BE(0x8180, 2)
  head.writeUInt16BE(1, 6)
  head.writeUInt32BE(0, 8)
  const end = query.indexOf(0, 12) + 5
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)])
  return Buffer.concat([head, query.subarray(12, end), record])
}
