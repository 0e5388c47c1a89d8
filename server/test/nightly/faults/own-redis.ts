/** A Redis of a test's own, without persistence: it can be killed, and comes back empty on the same port. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { takePorts } from '../../ports.ts'

export interface OwnRedis extends AsyncDisposable {
  readonly url: string
  start(): Promise<void>
  /** With SIGKILL. */
  kill(): Promise<void>
}

export async function openOwnRedis(): Promise<OwnRedis> {
  const { redis: port } = await takePorts(['redis'])
  let running: ChildProcess | undefined

  async function start(): Promise<void> {
    const child = spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
      { stdio: ['ignore', 'pipe', 'inherit'], cwd: '/tmp' },
    )
    running = child
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (chunk: Buffer) => {
        if (chunk.includes('Ready to accept connections')) resolve()
      })
      child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)))
    })
  }

  async function kill(): Promise<void> {
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const ended = once(running, 'exit')
    running.kill('SIGKILL')
    await ended
  }

  await start()
  return { url: `redis://127.0.0.1:${port}`, start, kill, [Symbol.asyncDispose]: kill }
}
