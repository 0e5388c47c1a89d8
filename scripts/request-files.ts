/**
 * Which files of ours run in a request: V8 counts the calls of every function of a running node while the same request
 * is sent a few times. A file belongs to the request if one of its functions is called at least once for each of them,
 * and by no timer of an idle node. Names are made in another thread, whose files are not counted.
 * `pnpm measure request` prints the counts, with `--files` their names.
 */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startApp } from '../server/test/start-app.ts'
import { request, type NodeProcess } from '../server/test/world.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const OURS = /^(?:server\/src|packages\/[\w-]+\/src)\//
/** How often a request is sent: more often than any timer fires meanwhile. */
const TIMES = 8
// What is called twice in this time is called by a timer, and may not be counted as the request's.
const IDLE_MS = 2_000
// For what a node does once the response is sent.
const AFTER_MS = 100

/** Of a node that makes up its verdicts, and refuses what is too much, as in operation. */
const SETTINGS = {
  NAMEWRIGHT_SANDBOX: 'on',
  NAMEWRIGHT_DNS_RESOLVERS: '',
  NAMEWRIGHT_OVERLOAD: 'adaptive',
  NODE_OPTIONS: '--inspect=127.0.0.1:0',
}

interface Sent {
  readonly path: string
  readonly status: number
  /** `n`: of which no two are the same. */
  readonly body?: (n: number) => object
  readonly headers?: (n: number) => Record<string, string>
}

const STORED = { domain: 'brineyard.com' }
// The same each time, so that its verdicts are known.
const GENERATED = { description: 'a bakery that delivers by bicycle before breakfast', count: 5, seed: 7 }

const REQUESTS: Readonly<Record<string, Sent>> = {
  history: { path: '/v1/history', status: 200 },
  'favorite, stored before': { path: '/v1/favorites', status: 200, body: () => STORED },
  favorite: { path: '/v1/favorites', status: 201, body: (n) => ({ domain: `brineyard${n}.com` }) },
  'favorite with a key': {
    path: '/v1/favorites',
    status: 201,
    body: (n) => ({ domain: `brineyard${n}.com` }),
    headers: (n) => ({ 'Idempotency-Key': `favorite-${n}` }),
  },
  batch: { path: '/v1/batches', status: 202, body: () => ({ requests: [GENERATED] }) },
  generate: { path: '/v1/generate', status: 200, body: () => GENERATED },
  'generate, streamed': {
    path: '/v1/generate',
    status: 200,
    body: () => GENERATED,
    headers: () => ({ Accept: 'text/event-stream' }),
  },
}

/** The files of each request by its name: of several rounds, the one with the fewest. */
export async function findRequestFiles(rounds: number): Promise<ReadonlyMap<string, readonly string[]>> {
  await using world = await startApp({ own: true, settings: SETTINGS })
  const node = await world.startNodeProcess()
  const { secret: key } = await world.makeKey(await world.makeAccount())
  let sent = 0

  async function send({ path, status, body, headers }: Sent): Promise<void> {
    for (let i = 0; i < TIMES; i++) {
      const n = sent++
      const answer = await request(node.url, path, {
        key,
        ...(body && { body: body(n) }),
        ...(headers && { headers: headers(n) }),
      })
      if (answer.status !== status) throw new Error(`${path} answered ${answer.status}: ${answer.text}`)
    }
  }

  await request(node.url, '/v1/favorites', { key, body: STORED })
  // What is only done once is done.
  for (const one of Object.values(REQUESTS)) await send(one)
  await using counting = await openCounting(node)
  const files = new Map<string, readonly string[]>()
  for (let round = 0; round < rounds; round++) {
    await counting.take()
    await sleep(IDLE_MS)
    const idle = await counting.take()
    for (const [name, one] of Object.entries(REQUESTS)) {
      await send(one)
      await sleep(AFTER_MS)
      const calls = await counting.take()
      const called = [...calls].filter(([place, count]) => count >= TIMES && (idle.get(place) ?? 0) < 2)
      const found = [...new Set(called.map(([place]) => place.split(':')[0] ?? ''))].toSorted()
      if (found.length < (files.get(name)?.length ?? Infinity)) files.set(name, found)
    }
  }
  return files
}

/** The files that run in all of these requests. */
export function filesOfAll(files: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const [first = [], ...others] = files.values()
  return first.filter((path) => others.every((paths) => paths.includes(path)))
}

interface Counting extends AsyncDisposable {
  /** How often each function was called since the last time, by `path:start`. */
  take(): Promise<ReadonlyMap<string, number>>
}

interface Coverage {
  readonly url: string
  readonly functions: readonly {
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
  }[]
}

async function openCounting(node: NodeProcess): Promise<Counting> {
  const url = /Debugger listening on (ws:\S+)/.exec(node.output())?.[1] ?? ''
  const socket = new WebSocket(url)
  await once(socket, 'open')
  const answers = new Map<number, (result: { readonly result: readonly Coverage[] }) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data))
    answers.get(id)?.(result)
    answers.delete(id)
  })
  let asked = 0
  const ask = (method: string, params: object = {}) => {
    const { promise, resolve } = Promise.withResolvers<{ readonly result: readonly Coverage[] }>()
    answers.set(++asked, resolve)
    socket.send(JSON.stringify({ id: asked, method, params }))
    return promise
  }
  await ask('Profiler.enable')
  await ask('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return {
    async take() {
      const { result } = await ask('Profiler.takePreciseCoverage')
      const calls = new Map<string, number>()
      for (const { url: script, functions } of result) {
        const path = script.startsWith('file://') ? fileURLToPath(script).replace(ROOT, '') : ''
        if (!OURS.test(path)) continue
        for (const { ranges } of functions) {
          const [range] = ranges
          if (range && range.count > 0) calls.set(`${path}:${range.startOffset}`, range.count)
        }
      }
      return calls
    },
    async [Symbol.asyncDispose]() {
      socket.close()
    },
  }
}
