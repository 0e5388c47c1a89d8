/**
 * A node under three times what it can do, for generating and for reading: with the limit that adapts, with a fixed one,
 * and with none.
 *
 * What it can do is counted with a few callers who each wait for their answer, right before and right after, so that a
 * noisy neighbour hurts both. Then three times as much is due every second, whether or not it is answered; and then half
 * of it, to see how soon all is well again. CPU is that of the node's own process.
 */
import { readFileSync } from 'node:fs'
import { arrive, bytesOf, shareAt } from '../server/test/nightly/open-load.ts'
import type { Due, Got } from '../server/test/nightly/open-load.ts'
import { startApp } from '../server/test/start-app.ts'
import type { World } from '../server/test/world.ts'
import { descriptions } from './descriptions.ts'

const MODES = ['adaptive', '64', 'off']
const ACCOUNTS = 20
// Half the load for longer than it may take until nothing is left of the rush.
const AFTER_SECONDS = 8
const SLOW_MS = 500
const WORK = { generate: { callers: 4, lasts: 5 }, read: { callers: 16, lasts: 3 } }

export async function benchOverload({ seconds }: { seconds: number }): Promise<void> {
  await using world = await startApp({ own: true })
  const keys = await Promise.all(
    Array.from({ length: ACCOUNTS }, async () => (await world.makeKey(await world.makeAccount())).secret),
  )
  for (const work of ['generate', 'read'] as const) {
    for (const mode of MODES) await rush(world, keys, { work, mode, seconds })
  }
  await costOfShedding(world, keys[0] ?? '')
}

async function rush(
  world: World,
  keys: readonly string[],
  { work, mode, seconds }: { work: 'generate' | 'read'; mode: string; seconds: number },
): Promise<void> {
  const node = await world.startNodeProcess({ NAMEWRIGHT_OVERLOAD: mode })
  const port = Number(new URL(node.url).port)
  const texts = descriptions().slice(0, 200)
  const request = (i: number): Due => {
    const key = keys[i % keys.length] ?? ''
    const bytes =
      work === 'read'
        ? bytesOf('GET', '/v1/history?limit=5', key)
        : bytesOf('POST', '/v1/generate', key, { description: texts[i % texts.length], count: 20 })
    return { kind: work, bytes }
  }
  const { callers, lasts } = WORK[work]
  await paceOf(port, request, callers, lasts)
  const before = await paceOf(port, request, callers, lasts)
  const got = await arrive({ port, perSecond: before * 3, seconds, request })
  const after = await arrive({ port, perSecond: before / 2, seconds: AFTER_SECONDS, request })
  const pace = (before + (await paceOf(port, request, callers, lasts))) / 2
  await node.stop()

  const took = (list: readonly Got[], share: number) =>
    shareAt(
      list.map(({ tookMs }) => tookMs),
      share,
    ).toFixed(0)
  const done = got.filter(({ status }) => status === 200)
  const shed = got.filter(({ status }) => status === 503)
  const inTime = done.filter(({ tookMs }) => tookMs <= SLOW_MS)
  const unwell = after.filter(({ status, tookMs }) => status !== 200 || tookMs > SLOW_MS)
  const wellAfter = Math.max(0, ...unwell.map(({ dueMs, tookMs }) => dueMs + tookMs)) / 1000
  console.log(
    `${work}, ${mode}: can do ${pace.toFixed(0)}/s; at ${(before * 3).toFixed(0)}/s ` +
      `${(done.length / seconds).toFixed(0)}/s answered (${(done.length / seconds / pace).toFixed(2)} of it, ` +
      `${(inTime.length / seconds / pace).toFixed(2)} within ${SLOW_MS} ms), p50 ${took(done, 0.5)}, p99 ${took(done, 0.99)} ms; ` +
      `${shed.length} turned away, p50 ${took(shed, 0.5)}, p99 ${took(shed, 0.99)} ms; ` +
      `${got.length - done.length - shed.length} never answered; well again after ${wellAfter.toFixed(1)} s`,
  )
}

/** Answers per second to callers who each wait for theirs. */
async function paceOf(port: number, request: (i: number) => Due, callers: number, seconds: number): Promise<number> {
  const endsAt = performance.now() + seconds * 1000
  let answered = 0
  let i = 0
  const caller = async () => {
    while (performance.now() < endsAt) {
      const first = i++
      const [got] = await arrive({ port, perSecond: 1000, seconds: 0.001, request: () => request(first) })
      if (got?.status === 200) answered++
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return answered / seconds
}

/** Of a request that finds the node full, beside the least that any request costs. */
async function costOfShedding(world: World, key: string): Promise<void> {
  const node = await world.startNodeProcess({ NAMEWRIGHT_OVERLOAD: '1' })
  const port = Number(new URL(node.url).port)
  const cpuUs = () => {
    const fields = readFileSync(`/proc/${node.process.pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10_000
  }
  const whole = bytesOf('POST', '/v1/generate', key, { description: 'A small bakery in Lyon', count: 20 })
  const endless = arrive({
    port,
    perSecond: 1000,
    seconds: 0.001,
    request: () => ({ kind: 'endless', bytes: whole.subarray(0, -1) }),
    patienceMs: 25_000,
  })
  const requests = { 'turned away': whole, '/healthz': Buffer.from('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n') }
  for (let round = 0; round < 3; round++) {
    for (const [kind, bytes] of Object.entries(requests)) {
      const before = cpuUs()
      const got = await arrive({ port, perSecond: 1_000, seconds: 3, request: () => ({ kind, bytes }) })
      const us = (cpuUs() - before) / got.length
      console.log(
        `${kind}: ${us.toFixed(0)} µs CPU, status ${[...new Set(got.map(({ status }) => status))].join(', ')}`,
      )
    }
  }
  await node.stop('SIGKILL')
  await endless
}
