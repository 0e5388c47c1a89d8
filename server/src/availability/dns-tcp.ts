/**
 * One resolver over TCP (RFC 7766), for the answers that do not fit a datagram.
 *
 * There is one connection, opened for the first question and closed when nothing has moved on it for IDLE_MS, be it
 * because nobody asks or because the resolver has gone silent. Questions go out one after the other without waiting
 * (§6.2.1.1), at most PIPELINED at a time, each behind two bytes of length; answers come in any order. When the
 * connection breaks, everything that waits is lost at once, and the next question opens another.
 */
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import type { Line, LineOptions } from './dns-line.ts'

// §6.2.3 asks clients not to hold idle connections; a silent resolver is given up within the same time.
const IDLE_MS = 2_000
// Resolvers stop reading a connection that has too much open; unbound's limit is in the hundreds.
const PIPELINED = 64

interface Waiting<T> {
  readonly ticket: T
  readonly message: Buffer
}

export function openTcpLine<T>({ resolver, hear, lose }: LineOptions<T>): Line<T> {
  const sent = new Map<number, T>()
  const waiting = new Map<number, Waiting<T>>()
  let socket: Socket | undefined
  let lastId = 0

  function open(): Socket {
    const opened = connect({ host: resolver.address, port: resolver.port, noDelay: true })
    const read = createFrameReader(receive)
    opened.setTimeout(IDLE_MS, () => opened.destroy())
    opened.on('data', read)
    // What the error was does not matter: 'close' follows.
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
    // Nobody waits for it any more.
    if (ticket !== undefined) hear(ticket, message)
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

/** Cuts a stream into messages, joining its pieces only when a message is whole. */
function createFrameReader(hear: (message: Buffer) => void): (chunk: Buffer) => void {
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
      hear(bytes.subarray(at + 2, at + need))
      at += need
    }
    pieces = [bytes.subarray(at)]
    have = bytes.length - at
  }
}
