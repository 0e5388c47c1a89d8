/** Bytes to a port and whatever comes back, for what no HTTP client would send. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Talk {
  readonly pauseMs?: number
  /** Says after the last piece that nothing more will come, as `nc -N` does. */
  readonly hangUp?: boolean
  /** What carries the bytes; a plain connection when absent. */
  readonly socket?: Socket
}

/** Sends the pieces one by one and resolves with all that was answered once the other side has closed. */
export async function talk(port: number, pieces: readonly (string | Buffer)[], options: Talk = {}): Promise<string> {
  const socket = options.socket ?? connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  // A reset after the answer is the other side's right; a reset instead of one shows as an empty text.
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  for (const piece of pieces) {
    if (!socket.destroyed) socket.write(piece)
    if (options.pauseMs !== undefined) await sleep(options.pauseMs)
  }
  if (options.hangUp) socket.end()
  await closed
  return Buffer.concat(chunks).toString('utf8')
}

/** A port that hands on the first chunk of each caller in three pieces, the first of one byte. */
export async function openDrip(port: number): Promise<{ port: number } & AsyncDisposable> {
  const proxy = createServer((caller) => {
    const onward = connect({ port, host: '127.0.0.1', noDelay: true })
    caller.once('data', (first: Buffer) => {
      caller.pause()
      void drip(first, onward).then(() => caller.pipe(onward).pipe(caller))
    })
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    port: (proxy.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => void proxy.close(),
  }
}

async function drip(bytes: Buffer, to: Socket): Promise<void> {
  for (const piece of [bytes.subarray(0, 1), bytes.subarray(1, 60), bytes.subarray(60)]) {
    to.write(piece)
    await sleep(30)
  }
}
