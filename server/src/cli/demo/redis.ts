/**
 * The demo's Redis: an existing one, one that the demo starts, or none. Without Redis a single node only loses speed.
 * Keys written to an existing Redis expire by themselves.
 */
import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspectRedis } from '../../platform/cache/inspect-redis.ts'
import { startChild } from './child.ts'

export interface DemoRedis extends AsyncDisposable {
  readonly url: string
  /** Its location, for the person at the terminal. */
  readonly about: string
}

const USUAL = 'redis://127.0.0.1:6379'
// Nothing listens on this port.
const NONE: DemoRedis = { url: 'redis://127.0.0.1:1', about: 'no Redis', [Symbol.asyncDispose]: async () => {} }
const START_MS = 10_000

export async function openDemoRedis(wished: string | undefined): Promise<DemoRedis> {
  for (const url of wished ? [wished, USUAL] : [USUAL]) {
    if (await isThere(url)) {
      return { url, about: `Redis at ${new URL(url).host}`, [Symbol.asyncDispose]: async () => {} }
    }
  }
  return (await startOwn('redis-server')) ?? (await startOwn('valkey-server')) ?? NONE
}

async function startOwn(program: string): Promise<DemoRedis | undefined> {
  await using opening = new AsyncDisposableStack()
  const folder = await mkdtemp(`${tmpdir()}/namewright-demo-`)
  opening.defer(() => rm(folder, { recursive: true, force: true }))
  const port = randomInt(20_000, 60_000)
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
  const child = await startChild(program, args, { stdio: 'ignore' })
  if (!child) return undefined
  opening.defer(() => child.stop('SIGKILL'))
  const url = `redis://127.0.0.1:${port}`
  const deadline = performance.now() + START_MS
  while (!(await isThere(url))) {
    if (child.hasEnded() || performance.now() > deadline) return undefined
    await sleep(50)
  }
  const closers = opening.move()
  return { url, about: 'a temporary Redis', [Symbol.asyncDispose]: () => closers.disposeAsync() }
}

async function isThere(url: string): Promise<boolean> {
  return inspectRedis(url).then(
    () => true,
    () => false,
  )
}
