/**
 * Events to a reader, as fast as the reader reads.
 *
 * Nothing is sent before there is something to send: until then the request can still be refused with a status. From
 * then on a heartbeat is written whenever nothing else was for a while, so that proxies keep the connection and a
 * reader who has gone is noticed.
 *
 * A slow reader costs a bounded queue: `send` resolves when there is room, and who does not wait for that must not send
 * more. A reader whose connection has taken nothing for half a minute is cut off.
 */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { MEDIA_TYPES } from './format.ts'
import type { StreamFormat } from './format.ts'
import { frameOf, HEARTBEATS } from './frames.ts'
import type { StreamEvent } from './frames.ts'

export interface EventStream {
  /** Something was written: what goes wrong from now on can only be an event. */
  readonly isOpen: boolean
  /** Nobody is there any more. */
  readonly isGone: boolean
  /** Resolves when there is room for more, or nobody is there any more. Never rejects. */
  send(event: StreamEvent): Promise<void>
  /** After the last event. What was sent is still delivered. */
  end(): void
}

export interface StreamOptions {
  readonly format: StreamFormat
  readonly headers?: Readonly<Record<string, string>>
  readonly heartbeatMs?: number
  readonly stalledMs?: number
}

// Common proxies give up on a connection that is silent for 60 s, some after 30.
const HEARTBEAT_MS = 15_000
const STALLED_MS = 30_000
// Besides what the operating system takes. A few hundred events; five hundred such readers are 32 MB.
const QUEUE_BYTES = 64 * 1024
// What is handed on at once: of a long event it shows whether the reader still takes it.
const PIECE_BYTES = 16 * 1024

export function openStream(reply: FastifyReply, options: StreamOptions): EventStream {
  const { format, headers = {}, heartbeatMs = HEARTBEAT_MS, stalledMs = STALLED_MS } = options
  let isOpen = false
  let stalled: NodeJS.Timeout | undefined
  let room: PromiseWithResolvers<void> | undefined
  const makeRoom = () => {
    room?.resolve()
    room = undefined
  }
  const source = new Readable({ highWaterMark: QUEUE_BYTES, read: makeRoom })
  const isGone = () => source.destroyed || reply.raw.destroyed
  const heartbeat = setInterval(() => {
    if (source.readableLength < QUEUE_BYTES) write(HEARTBEATS[format])
  }, heartbeatMs)
  source.once('close', () => {
    clearInterval(heartbeat)
    makeRoom()
  })
  reply.raw.once('close', () => {
    clearTimeout(stalled)
    source.destroy()
  })
  // Its headers were sent when the node was still open, so the reader expects to keep the connection.
  reply.raw.once('finish', () => {
    if (!reply.server.server.listening) reply.request.raw.socket.end()
  })
  if (reply.raw.destroyed) source.destroy()

  function open(): void {
    isOpen = true
    stalled = setTimeout(() => reply.raw.destroy(), stalledMs)
    reply.raw.once('pipe', () => source.on('data', () => stalled?.refresh()))
    // nginx would gather events until it has a page of them.
    void reply
      .headers({ ...headers, 'x-accel-buffering': 'no' })
      .type(MEDIA_TYPES[format])
      .send(source)
  }

  /** Whether there is room for more. */
  function write(text: string): boolean {
    if (isGone()) return true
    if (!isOpen) open()
    heartbeat.refresh()
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) source.push(bytes.subarray(at, at + PIECE_BYTES))
    return source.readableLength < QUEUE_BYTES
  }

  return {
    get isOpen() {
      return isOpen
    },
    get isGone() {
      return isGone()
    },
    send(event) {
      // Not an async function, which would hold the event while it waits.
      if (write(frameOf(format, event))) return Promise.resolve()
      room ??= Promise.withResolvers<void>()
      return room.promise
    },
    end() {
      clearInterval(heartbeat)
      if (!isOpen || isGone()) source.destroy()
      else source.push(null)
    },
  }
}
