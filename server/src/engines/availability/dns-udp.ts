/**
 * The transport to one resolver over UDP.
 *
 * A response is passed on only if socket, id and sender match: a forger must guess which of PORTS random ports and
 * which of 65,536 ids, and send from the resolver's own address.
 */
import { randomFillSync } from 'node:crypto'
import { createSocket } from 'node:dgram'
import type { RemoteInfo } from 'node:dgram'
import type { DnsSocket, DnsSocketOptions } from './dns-socket.ts'

const PORTS = 4
// A request only: the kernel grants what its limit allows.
const RECEIVE_BUFFER = 1 << 20
// One system call for a few thousand ids instead of one per id.
const RANDOM_NUMBERS = 4096

export function openUdpSocket<T>({ resolver, onMessage }: DnsSocketOptions<T>): DnsSocket<T> {
  const { address, port, family } = resolver
  const tickets = new Map<number, T>()
  const random = createRandom()
  const sockets = Array.from({ length: PORTS }, (_, index) => {
    const socket = createSocket({
      type: family === 'ipv6' ? 'udp6' : 'udp4',
      recvBufferSize: RECEIVE_BUFFER,
      // The host is always an address, so there is nothing to resolve; the default would still cost every datagram a
      // tick.
      lookup: (text, _options, found) => found(null, text, family === 'ipv6' ? 6 : 4),
    })
    // An unreachable network looks like a timeout, which the caller handles anyway.
    socket.on('error', () => {})
    socket.on('message', (message, sender) => receive(index, message, sender))
    socket.bind()
    return socket
  })

  function receive(index: number, message: Buffer, sender: RemoteInfo) {
    if (message.length < 2) return
    const ticket = tickets.get(keyOf(index, message.readUInt16BE(0)))
    if (ticket === undefined || sender.port !== port || sender.address !== address) return
    onMessage(ticket, message)
  }

  return {
    send(message, ticket) {
      const index = random() % PORTS
      let id: number
      do id = random()
      while (tickets.has(keyOf(index, id)))
      const key = keyOf(index, id)
      tickets.set(key, ticket)
      message.writeUInt16BE(id, 0)
      sockets[index]?.send(message, port, address)
      return key
    },
    forget: (key) => void tickets.delete(key),
    async close() {
      tickets.clear()
      await Promise.all(sockets.map((socket) => new Promise<void>((done) => socket.close(done))))
    },
  }
}

function keyOf(index: number, id: number): number {
  return index * 0x10000 + id
}

function createRandom(): () => number {
  const numbers = new Uint16Array(RANDOM_NUMBERS)
  let at = numbers.length
  return () => {
    if (at === numbers.length) {
      randomFillSync(numbers)
      at = 0
    }
    return numbers[at++] ?? 0
  }
}
