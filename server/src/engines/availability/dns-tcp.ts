/**
 * The transport to one resolver over TCP (RFC 7766), for responses that do not fit a datagram.
 *
 * There is one connection, opened for the first query and closed after IDLE_MS without traffic, because there are no
 * queries or the resolver has stopped responding. Queries are pipelined (§6.2.1.1), at most PIPELINED at a time, each
 * behind two bytes of length; responses arrive in any order. When the connection breaks, all pending queries are lost
 * at once, and the next query opens another connection.
 */
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import type { DnsSocket, DnsSocketOptions } from './dns-socket.ts'

// §6.2.3 asks clients not to hold idle connections; an unresponsive resolver is given up after the same time.
const IDLE_MS = 2_000
// Resolvers stop reading a connection that has too many open queries; unbound's limit is in the hundreds.
const PIPELINED = 64

interface WaitingQuery<T> {
  readonly ticket: T
  readonly message: Buffer
}

export function openTcpSocket<T>({ resolver, onMessage, lose }: DnsSocketOptions<T>): DnsSocket<T> {
  const sent = new Map<number, T>()
  const waiting = new Map<number, WaitingQuery<T>>()
  let socket: Socket | undefined
  let lastId = 0

  function open(): Socket {
    const opened = connect({ host: resolver.address, port: resolver.port, noDelay: true })
    const read = createFrameReader(receive)
    opened.setTimeout(IDLE_MS, () => opened.destroy())
    opened.on('data', read)
    // The error itself does not matter: 'close' follows.
    opened.on('error', () => {})
    opened.on('end', () => opened.destroy())
    opened.on('close', () => {
      if (socket === opened) breakOff()
    })
    return opened
  }

  function breakOff() {
    socket = undefined
    const lost = [...sent.values(), ...[...waiting.values()].map(({ ticket }) => ticket)]
    sent.clear()
    waiting.clear()
    for (const ticket of lost) lose(ticket)
  }

  function pump() {
    for (const [id, { ticket, message }] of waiting) {
      if (sent.size >= PIPELINED) return
      waiting.delete(id)
      sent.set(id, ticket)
      write(id, message)
    }
  }

  function write(id: number, message: Buffer) {
    const frame = Buffer.allocUnsafe(2 + message.length)
    frame.writeUInt16BE(message.length, 0)
    message.copy(frame, 2)
    frame.writeUInt16BE(id, 2)
    socket ??= open()
    socket.write(frame)
  }

  function receive(message: Buffer) {
    if (message.length < 2) return
    const ticket = sent.get(message.readUInt16BE(0))
    // The ticket may have been withdrawn.
    if (ticket !== undefined) onMessage(ticket, message)
  }

  return {
    send(message, ticket) {
      do lastId = (lastId + 1) & 0xffff
      while (sent.has(lastId) || waiting.has(lastId))
      waiting.set(lastId, { ticket, message })
      const id = lastId
      pump()
      return id
    },
    forget(id) {
      waiting.delete(id)
      if (sent.delete(id)) pump()
    },
    async close() {
      const last = socket
      socket = undefined
      sent.clear()
      waiting.clear()
      last?.destroy()
    },
  }
}

/** Cuts a stream into messages and joins its chunks only when a message is complete. */
function createFrameReader(onMessage: (message: Buffer) => void): (chunk: Buffer) => void {
  let pieces: Buffer[] = []
  let have = 0
  let need = 2
  return (chunk) => {
    pieces.push(chunk)
    have += chunk.length
    if (have < need) return
    const bytes = pieces.length === 1 ? chunk : Buffer.concat(pieces)
    let at = 0
    for (;;) {
      need = 2
      if (bytes.length - at < need) break
      need += bytes.readUInt16BE(at)
      if (bytes.length - at < need) break
      onMessage(bytes.subarray(at + 2, at + need))
      at += need
    }
    pieces = [bytes.subarray(at)]
    have = bytes.length - at
  }
}
