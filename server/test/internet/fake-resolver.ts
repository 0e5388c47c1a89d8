/**
 * A resolver on loopback that answers as a test says, to show what broken answers do.
 *
 * The names by which a resolver is tested are answered rightly and not counted, so that a test sees only its own queries:
 * 20 random letters do not exist, `nic` and the suffix do. `probes: 'shown'` hands them to the test like any other.
 */
import { createSocket } from 'node:dgram'
import type { Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface FakeResolver {
  readonly address: string
  /** The domains asked, in order of arrival. */
  readonly asked: readonly string[]
  readonly askedOverTcp: readonly string[]
  /** How many TCP connections there were. */
  connections(): number
  /** How many queries were refused because too many were open. */
  refusals(): number
  close(): Promise<void>
}

export interface FakeResolverOptions {
  readonly probes?: 'answered' | 'shown'
  /** How far away it is. */
  readonly delayMs?: number
  /** How many queries it keeps open; more are refused, as by the forwarder in most homes. */
  readonly maxOpen?: number
  /** What is written for a query over TCP, frame by frame: `frame` makes one. Without it nothing listens there. */
  readonly overTcp?: (query: Buffer, domain: string, socket: Socket) => readonly Buffer[] | Promise<readonly Buffer[]>
}

type Reply = (query: Buffer, domain: string, clientPort: number) => readonly Buffer[] | Promise<readonly Buffer[]>

export const RCODES = { noerror: 0, formerr: 1, servfail: 2, nxdomain: 3, refused: 5 } as const
// One that is registered has as many letters.
const UNREGISTERED = /^(?!examplemalwaredomain\.)[a-z]{20}\./
const EXISTING = /^nic\.|^[^.]+$/

export async function openFakeResolver(
  reply: Reply,
  { probes = 'answered', delayMs = 0, maxOpen = Infinity, overTcp }: FakeResolverOptions = {},
): Promise<FakeResolver> {
  const asked: string[] = []
  const askedOverTcp: string[] = []
  const connected = new Set<Socket>()
  const udp = createSocket('udp4')
  let connections = 0
  let refusals = 0
  let openQueries = 0
  let open = true

  async function answerLater(query: Buffer, port: number) {
    if (openQueries >= maxOpen) {
      refusals += 1
      udp.send(answerTo(query, 'refused'), port, '127.0.0.1')
      return
    }
    openQueries += 1
    if (delayMs > 0) await sleep(delayMs)
    if (open) await answer(query, port)
    openQueries -= 1
  }

  async function answer(query: Buffer, port: number) {
    const domain = readDomain(query)
    if (probes === 'answered' && (UNREGISTERED.test(domain) || EXISTING.test(domain))) {
      const zone = domain.slice(domain.indexOf('.') + 1)
      udp.send(answerTo(query, EXISTING.test(domain) ? 'noerror' : 'nxdomain', { zone }), port, '127.0.0.1')
      return
    }
    asked.push(domain)
    for (const message of await reply(query, domain, port)) if (open) udp.send(message, port, '127.0.0.1')
  }

  const tcp = createServer((socket) => {
    connections += 1
    connected.add(socket)
    let bytes = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('close', () => connected.delete(socket))
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      while (bytes.length >= 2 && bytes.length >= 2 + bytes.readUInt16BE(0)) {
        const query = bytes.subarray(2, 2 + bytes.readUInt16BE(0))
        bytes = bytes.subarray(2 + query.length)
        void answerOverTcp(query, socket)
      }
    })
  })

  async function answerOverTcp(query: Buffer, socket: Socket) {
    const domain = readDomain(query)
    askedOverTcp.push(domain)
    for (const part of (await overTcp?.(query, domain, socket)) ?? []) if (!socket.destroyed) socket.write(part)
  }

  udp.on('message', (query, { port }) => void answerLater(query, port))
  const port = await bindBoth(udp, overTcp === undefined ? undefined : tcp)

  return {
    address: `127.0.0.1:${port}`,
    asked,
    askedOverTcp,
    connections: () => connections,
    refusals: () => refusals,
    async close() {
      open = false
      for (const socket of connected) socket.destroy()
      if (overTcp !== undefined) await new Promise((closed) => tcp.close(closed))
      await new Promise<void>((closed) => udp.close(closed))
    },
  }
}

/** One port for both. What is free for TCP may be in use for UDP, so another is tried until one is free for both. */
async function bindBoth(udp: UdpSocket, tcp: Server | undefined): Promise<number> {
  for (let tries = 1; ; tries++) {
    if (tcp) await once(tcp.listen(0, '127.0.0.1'), 'listening')
    const wanted = tcp ? (tcp.address() as AddressInfo).port : 0
    try {
      udp.bind(wanted, '127.0.0.1')
      await once(udp, 'listening')
      return udp.address().port
    } catch (error) {
      if (tries === 20) throw error
      if (tcp) await new Promise((closed) => tcp.close(closed))
    }
  }
}

export function frame(message: Buffer): Buffer {
  return Buffer.concat([Buffer.of(message.length >> 8, message.length & 0xff), message])
}

/** A well-formed answer to `query`: recursion available, for NXDOMAIN the SOA of `zone`, and `texts` as TXT records. */
export function answerTo(
  query: Buffer,
  rcode: keyof typeof RCODES,
  {
    zone = 'com',
    ttlSeconds = 900,
    texts = [],
  }: { zone?: string; ttlSeconds?: number; texts?: readonly (readonly (string | Buffer)[])[] } = {},
): Buffer {
  const head = Buffer.from(query)
  head.writeUInt16BE(0x8180 | RCODES[rcode], 2)
  head.writeUInt16BE(texts.length, 6)
  if (rcode !== 'nxdomain') return Buffer.concat([head, ...texts.map(writeText)])
  head.writeUInt16BE(1, 8)
  const numbers = Buffer.alloc(20)
  numbers.writeUInt32BE(ttlSeconds, 16)
  const data = Buffer.concat([writeName('ns.registry.test'), writeName('admin.registry.test'), numbers])
  return Buffer.concat([head, writeRecord(writeName(zone), 6, ttlSeconds, data)])
}

/** The same, with the mark that it did not fit. */
export function truncated(query: Buffer): Buffer {
  const answer = answerTo(query, 'noerror')
  answer[2] = 0x83
  return answer
}

function writeText(strings: readonly (string | Buffer)[]): Buffer {
  const data = strings.map((text) => Buffer.from(text)).flatMap((bytes) => [Buffer.of(bytes.length), bytes])
  // The name is a pointer to the question's.
  return writeRecord(Buffer.of(0xc0, 12), 16, 60, Buffer.concat(data))
}

function writeRecord(owner: Buffer, type: number, ttlSeconds: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt32BE(ttlSeconds, 4)
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([owner, fixed, data])
}

function writeName(name: string): Buffer {
  const labels = name === '' ? [] : name.split('.')
  return Buffer.concat([...labels.flatMap((label) => [Buffer.of(label.length), Buffer.from(label)]), Buffer.of(0)])
}

function readDomain(query: Buffer): string {
  const labels: string[] = []
  for (let at = 12; query.readUInt8(at) !== 0; at += 1 + query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query.readUInt8(at)))
  }
  return labels.join('.')
}
