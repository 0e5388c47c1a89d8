/**
 * Requests that are due at fixed times, whether or not earlier ones were answered; how long each took counts from when
 * it was due. Whoever is not answered within the patience of the callers was not answered: status 0.
 *
 * On raw sockets, because it shares two cores with what it measures, and with as many connections as it takes: with too
 * few the queue would be here.
 */
import { connect } from 'node:net'
import type { Socket } from 'node:net'

export interface Due {
  /** What is asked, to distinguish the responses. */
  readonly kind: string
  readonly bytes: Buffer
}

export interface Arrivals {
  readonly port: number
  readonly perSecond: number
  readonly seconds: number
  readonly request: (i: number) => Due
  readonly patienceMs?: number
  /** The address to call from. */
  readonly from?: string
}

export interface Got {
  readonly kind: string
  readonly status: number
  /** Since the beginning. */
  readonly dueMs: number
  readonly tookMs: number
  readonly retryAfter: number | undefined
}

const END_OF_HEAD = Buffer.from('\r\n\r\n')
const PATIENCE_MS = 5_000

export async function arrive({
  port,
  perSecond,
  seconds,
  request,
  patienceMs = PATIENCE_MS,
  from = '127.0.0.1',
}: Arrivals): Promise<Got[]> {
  const got: Got[] = []
  const idle: Line[] = []
  const lines = new Set<Line>()
  const startedAt = performance.now()
  const total = Math.round(perSecond * seconds)
  let sent = 0
  const pending = new Set<Promise<void>>()

  async function ask(i: number): Promise<void> {
    const { kind, bytes } = request(i)
    const dueMs = (i / perSecond) * 1000
    let line = idle.pop()
    if (!line) lines.add((line = openLine(port, from)))
    const { status, retryAfter } = await line.ask(bytes, startedAt + dueMs + patienceMs - performance.now())
    got.push({ kind, status, dueMs, tookMs: performance.now() - startedAt - dueMs, retryAfter })
    if (line.isOpen) idle.push(line)
    else lines.delete(line)
  }

  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(total, ((performance.now() - startedAt) / 1000) * perSecond)
      for (; sent < due; sent++) {
        const one = ask(sent)
        pending.add(one)
        void one.finally(() => pending.delete(one))
      }
      if (sent < total) return
      clearInterval(timer)
      resolve()
    }, 2)
  })
  await Promise.all(pending)
  for (const line of lines) line.close()
  return got
}

export function shareAt(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? NaN
}

export function bytesOf(method: string, path: string, key: string, body?: unknown): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body)
  const more =
    body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n${more}\r\n${text}`,
  )
}

interface Line {
  readonly isOpen: boolean
  ask(bytes: Buffer, patienceMs: number): Promise<{ status: number; retryAfter: number | undefined }>
  close(): void
}

function openLine(port: number, from: string): Line {
  const socket: Socket = connect({ port, host: '127.0.0.1', localAddress: from, noDelay: true })
  let answer: ((head: string) => void) | undefined
  let isOpen = true
  let buffer: Buffer = Buffer.alloc(0)
  const end = () => {
    isOpen = false
    socket.destroy()
    answer?.('')
  }
  socket.on('error', end).on('close', end)
  socket.on('data', (chunk: Buffer) => {
    buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk])
    const head = buffer.indexOf(END_OF_HEAD)
    if (head < 0) return
    const text = buffer.toString('latin1', 0, head)
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
    if (buffer.length < head + END_OF_HEAD.length + length) return
    buffer = Buffer.alloc(0)
    answer?.(text)
  })
  return {
    get isOpen() {
      return isOpen
    },
    ask: (bytes, patienceMs) =>
      new Promise((resolve) => {
        const patience = setTimeout(end, Math.max(1, patienceMs))
        answer = (head) => {
          answer = undefined
          clearTimeout(patience)
          const after = /retry-after: (\d+)/i.exec(head)?.[1]
          resolve({ status: Number(head.slice(9, 12)), retryAfter: after === undefined ? undefined : Number(after) })
        }
        if (isOpen) socket.write(bytes)
        else answer('')
      }),
    close: end,
  }
}
