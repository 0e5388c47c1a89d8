/**
 * RFC 5734 §4: EPP messages over a stream, each behind four bytes that give its length, those four included.
 *
 * The caller opens the stream, with TLS and the operator's client certificate. A length that is too large or too
 * small, bytes that are not UTF-8, or unexpected messages end the connection: after any of these, responses can no
 * longer be matched to commands.
 */
import type { Duplex } from 'node:stream'

export interface Frames {
  send(message: string): void
  /** The next message. Throws FramesEnded when the connection ends or nothing arrives in time. */
  receive(timeoutMs: number): Promise<string>
  isOpen(): boolean
  close(): void
}

export class FramesEnded extends Error {}

const HEADER_BYTES = 4
// A check of 200 names with fees is about 150 kB.
const MAX_BYTES = 1024 * 1024

// Three round trips and the registry's own delay.
const CONNECT_MS = 4_000

/** Throws FramesEnded, or the error of `connect`. */
export async function openFrames({ connect }: { connect: () => Promise<Duplex> }): Promise<Frames> {
  const stream = await inTime(connect())
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let chunks: Buffer[] = []
  let held = 0
  let needed = HEADER_BYTES
  let ready: string | undefined
  let waiter: PromiseWithResolvers<string> | undefined
  let open = true

  function close(): void {
    open = false
    chunks = []
    waiter?.reject(new FramesEnded('the connection was closed'))
    waiter = undefined
    stream.destroy()
  }

  function deliver(message: string): void {
    if (waiter !== undefined) {
      waiter.resolve(message)
      waiter = undefined
    } else if (ready === undefined) ready = message
    else close()
  }

  function take(chunk: Buffer): void {
    chunks.push(chunk)
    held += chunk.length
    while (open && held >= needed) {
      const bytes = Buffer.concat(chunks, held)
      const length = bytes.readUInt32BE(0)
      if (length <= HEADER_BYTES || length > MAX_BYTES) return close()
      const rest = bytes.subarray(Math.min(length, held))
      chunks = [held >= length ? rest : bytes]
      if (held >= length) {
        const message = decode(bytes.subarray(HEADER_BYTES, length))
        held = rest.length
        needed = HEADER_BYTES
        if (message === undefined) return close()
        deliver(message)
      } else needed = length
    }
  }

  function decode(bytes: Buffer): string | undefined {
    try {
      return decoder.decode(bytes)
    } catch {
      return undefined
    }
  }

  stream.on('data', take)
  stream.on('error', close)
  stream.on('close', close)
  stream.on('end', close)

  return {
    send(message) {
      const body = Buffer.from(message)
      const header = Buffer.alloc(HEADER_BYTES)
      header.writeUInt32BE(body.length + HEADER_BYTES)
      if (open) stream.write(Buffer.concat([header, body]))
    },
    async receive(timeoutMs) {
      if (ready !== undefined) {
        const message = ready
        ready = undefined
        return message
      }
      if (!open) throw new FramesEnded('the connection was closed')
      waiter = Promise.withResolvers()
      const timer = setTimeout(close, timeoutMs)
      try {
        return await waiter.promise
      } finally {
        clearTimeout(timer)
      }
    },
    isOpen: () => open,
    close,
  }
}

/** The connection, or FramesEnded; one that opens too late is closed again. */
async function inTime(connecting: Promise<Duplex>): Promise<Duplex> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(new FramesEnded('connection timeout'))
    connecting.then((stream) => stream.destroy()).catch(() => {})
  }, CONNECT_MS)
  try {
    return await Promise.race([connecting, late])
  } finally {
    clearTimeout(timer)
  }
}
