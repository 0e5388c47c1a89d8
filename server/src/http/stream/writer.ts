/**
 * Writes events to a reader, as fast as the reader reads.
 *
 * Nothing is sent before the first event: until then the request can still be refused with a status. From then on a
 * heartbeat is written whenever the stream is idle for a while, so that proxies keep the connection and a disconnected
 * reader is noticed.
 *
 * A slow reader costs a bounded queue: `send` resolves when there is space, and a caller that does not await it must
 * not send more. A reader whose connection has taken nothing for half a minute is disconnected.
 */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { MEDIA_TYPES } from './format.ts'
import type { StreamFormat } from './format.ts'
import { frameOf, HEARTBEATS } from './frames.ts'
import type { StreamEvent } from './frames.ts'

export interface EventStream {
  /** Something was written: from now on an error can only be an event. */
  readonly isOpen: boolean
  /** The reader has disconnected. */
  readonly isGone: boolean
  /**
   * Resolves when there is space for more, or the reader has disconnected. Never rejects. `onSent`: the whole event was
   * passed to an open connection. It is called in the order of the events, and for none after one that was not passed
   * on.
   */
  send(event: StreamEvent, onSent?: () => void): Promise<void>
  /** Call after the last event. What was sent is still delivered. */
  end(): void
}

export interface StreamWriterOptions {
  readonly format: StreamFormat
  readonly headers?: Readonly<Record<string, string>>
  readonly heartbeatMs?: number
  readonly stalledMs?: number
}

// Common proxies close a connection that is silent for 60 s, some after 30.
const HEARTBEAT_MS = 15_000
const STALLED_MS = 30_000
// In addition to the buffers of the operating system. A few hundred events; five hundred such readers are 32 MB.
const QUEUE_BYTES = 64 * 1024
// Long events are written in pieces of this size, which show whether the reader still reads.
const PIECE_BYTES = 16 * 1024

export function openStream(reply: FastifyReply, options: StreamWriterOptions): EventStream {
  const { format, headers = {}, heartbeatMs = HEARTBEAT_MS, stalledMs = STALLED_MS } = options
  let isOpen = false
  let stalled: NodeJS.Timeout | undefined
  let room: PromiseWithResolvers<void> | undefined
  const makeRoom = () => {
    room?.resolve()
    room = undefined
  }
  const source = new Readable({ highWaterMark: QUEUE_BYTES, read: makeRoom })
  // A reader that has closed its side closes ours as well, a moment before the connection is closed.
  const isConnected = () => reply.raw.socket?.writable !== false
  const isGone = () => source.destroyed || reply.raw.destroyed || !isConnected()
  let [pushedBytes, sentBytes] = [0, 0]
  const unsent: { readonly end: number; readonly onSent: () => void }[] = []
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
  // The headers were sent before the node began to close, so the reader expects to keep the connection.
  reply.raw.once('finish', () => {
    if (!reply.server.server.listening) reply.request.raw.socket.end()
  })
  if (reply.raw.destroyed) source.destroy()

  function open(): void {
    isOpen = true
    stalled = setTimeout(() => reply.raw.destroy(), stalledMs)
    reply.raw.once('pipe', () => source.on('data', onData))
    // nginx would otherwise buffer events until it has a page of them.
    void reply
      .headers({ ...headers, 'x-accel-buffering': 'no' })
      .type(MEDIA_TYPES[format])
      .send(source)
  }

  function onData(chunk: Buffer): void {
    stalled?.refresh()
    if (!isConnected()) return
    sentBytes += chunk.length
    for (let [next] = unsent; next && next.end <= sentBytes; [next] = unsent) {
      unsent.shift()
      next.onSent()
    }
  }

  /** Returns whether there is space for more. */
  function write(text: string, onSent?: () => void): boolean {
    if (isGone()) return true
    if (!isOpen) open()
    heartbeat.refresh()
    const bytes = Buffer.from(text)
    pushedBytes += bytes.length
    if (onSent) unsent.push({ end: pushedBytes, onSent })
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
    send(event, onSent) {
      // Not an async function, which would hold the event while it waits.
      if (write(frameOf(format, event), onSent)) return Promise.resolve()
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
