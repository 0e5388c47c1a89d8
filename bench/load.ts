/**
 * An open-loop HTTP/1.1 load generator: requests are due at fixed times, whether or not earlier ones were answered,
 * and latency counts from when a request was due. A slow server therefore shows as latency, not as fewer requests.
 *
 * Written on raw sockets, because it shares two cores with what it measures: a request costs it a few microseconds.
 */
import { connect } from 'node:net'
import type { Socket } from 'node:net'

export interface Load {
  readonly port: number
  readonly connections: number
  /** Due per second. */
  readonly rate: number
  readonly seconds: number
  /** The whole request, as bytes, by its number. */
  readonly request: (i: number) => Buffer
}

export interface LoadResult {
  readonly answered: number
  readonly failed: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly bytesPerAnswer: number
}

const END_OF_HEAD = Buffer.from('\r\n\r\n')

export async function load({ port, connections, rate, seconds, request }: Load): Promise<LoadResult> {
  const latencies: number[] = []
  let failed = 0
  let bytes = 0
  let issued = 0
  const due: number[] = []
  const idle: Line[] = []
  const lines = await Promise.all(Array.from({ length: connections }, () => openLine(port)))
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000

  function pump(): void {
    while (idle.length > 0 && due.length > 0) {
      const line = idle.pop()
      const dueAt = due.shift()
      if (!line || dueAt === undefined) return
      line.send(request(issued++), (status, size) => {
        const now = performance.now()
        if (status === 200) latencies.push(now - dueAt)
        else failed++
        bytes += size
        idle.push(line)
        if (now < endsAt) pump()
      })
    }
  }

  idle.push(...lines)
  let scheduled = 0
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const now = performance.now()
      if (now >= endsAt) {
        clearInterval(timer)
        resolve()
        return
      }
      for (const target = ((now - startedAt) / 1000) * rate; scheduled < target; scheduled++) {
        due.push(startedAt + (scheduled / rate) * 1000)
      }
      pump()
    }, 1)
  })
  const elapsed = (performance.now() - startedAt) / 1000
  for (const line of lines) line.close()
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? NaN
  return {
    answered: latencies.length,
    failed,
    perSecond: latencies.length / elapsed,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    bytesPerAnswer: bytes / Math.max(1, latencies.length + failed),
  }
}

interface Line {
  send(request: Buffer, answered: (status: number, size: number) => void): void
  close(): void
}

async function openLine(port: number): Promise<Line> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  let answered: ((status: number, size: number) => void) | undefined
  let buffer: Buffer = Buffer.alloc(0)
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk])
    const head = buffer.indexOf(END_OF_HEAD)
    if (head < 0) return
    const text = buffer.toString('latin1', 0, head)
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
    if (buffer.length < head + 4 + length) return
    const done = answered
    answered = undefined
    buffer = Buffer.alloc(0)
    done?.(Number(text.slice(9, 12)), length)
  })
  return {
    send(request, onAnswer) {
      answered = onAnswer
      socket.write(request)
    },
    close: () => socket.destroy(),
  }
}
