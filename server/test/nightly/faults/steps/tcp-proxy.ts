/**
 * A TCP connection with something in between: delay, jitter, a narrow line, silence, or a reset, each direction on its
 * own. For what the kernel cannot do here (`tc netem` is not in every kernel) and without root.
 *
 * What is sent is never lost or reordered, as TCP promises. Silence holds it back, so that a line that heals delivers
 * it, late, as a network does that had stopped to carry packets.
 */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

export interface Trouble {
  readonly delayMs?: number
  /** Up to so much more, different for every piece. */
  readonly jitterMs?: number
  readonly bytesPerSecond?: number
  /** Nothing comes through, and no error is reported. */
  readonly isSilent?: boolean
}

export interface TcpProxy extends AsyncDisposable {
  readonly port: number
  /** From the one who connected, and to them; for connections that there are and that come. */
  trouble(way: { readonly up?: Trouble; readonly down?: Trouble }): void
  heal(): void
  /** Every connection, with RST. */
  reset(): void
  connections(): number
}

// More than this in between, and the sender is made to wait.
const MAX_HELD = 1_000_000

export async function openTcpProxy(target: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  let troubles: { up: Trouble; down: Trouble } = { up: {}, down: {} }
  const lines = new Set<Line>()
  const sockets = new Set<Socket>()

  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ ...target, allowHalfOpen: true })
    const both = [near, far]
    for (const socket of both) {
      socket.setNoDelay(true)
      sockets.add(socket)
      socket.on('error', () => both.forEach((one) => one.destroy()))
      socket.on('close', () => {
        sockets.delete(socket)
        both.forEach((one) => one.destroy())
      })
    }
    const up = createLine(near, far, () => troubles.up)
    const down = createLine(far, near, () => troubles.down)
    lines.add(up).add(down)
    near.once('close', () => {
      lines.delete(up)
      lines.delete(down)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  function change(to: typeof troubles): void {
    troubles = to
    for (const line of lines) line.wake()
  }

  return {
    port: (server.address() as AddressInfo).port,
    trouble: ({ up = {}, down = {} }) => change({ up, down }),
    heal: () => change({ up: {}, down: {} }),
    reset: () => sockets.forEach((socket) => socket.resetAndDestroy()),
    connections: () => sockets.size / 2,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      sockets.forEach((socket) => socket.destroy())
      await closed
    },
  }
}

interface Line {
  /** Checks again what is held, because the fault changed. */
  wake(): void
}

function createLine(from: Socket, to: Socket, troubleNow: () => Trouble): Line {
  /** An empty piece is the end. */
  const held: { readonly piece: Buffer; readonly dueAt: number }[] = []
  let heldBytes = 0
  let freeAt = 0
  let lastDueAt = 0
  let timer: NodeJS.Timeout | undefined

  function hold(piece: Buffer): void {
    const { delayMs = 0, jitterMs = 0 } = troubleNow()
    // Never before what came before it.
    lastDueAt = Math.max(lastDueAt, performance.now() + delayMs + Math.random() * jitterMs)
    held.push({ piece, dueAt: lastDueAt })
    heldBytes += piece.length
    if (heldBytes > MAX_HELD) from.pause()
    wake()
  }

  function wake(): void {
    clearTimeout(timer)
    while (held[0]) {
      const { isSilent, bytesPerSecond } = troubleNow()
      if (isSilent) return
      const waitMs = Math.max(held[0].dueAt, freeAt) - performance.now()
      if (waitMs > 0) {
        timer = setTimeout(wake, waitMs)
        return
      }
      const { piece } = held[0]
      held.shift()
      heldBytes -= piece.length
      if (bytesPerSecond) freeAt = performance.now() + (piece.length / bytesPerSecond) * 1000
      if (piece.length === 0) to.end()
      else to.write(piece)
    }
    if (heldBytes <= MAX_HELD) from.resume()
  }

  from.on('data', hold)
  from.on('end', () => hold(Buffer.alloc(0)))
  from.on('close', () => clearTimeout(timer))
  return { wake }
}
