/**
 * A node that is asked for more than it can do.
 *
 * Priorities are tested with a fixed limit. Requests that wait for a silent language model fill it:
 * then nothing is a matter of speed. How much is still done under threefold load is a ratio, both parts of which are measured in turns.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openModelServer } from '../internet/model-server.ts'
import type { ModelServer } from '../internet/model-server.ts'
import { arrive, bytesOf, shareAt } from './open-load.ts'
import type { Got } from './open-load.ts'
import { startApp } from '../start-app.ts'
import { runningMs } from '../../../scripts/test/running-ms.ts'
import type { Node, World } from '../world.ts'

let world: World
let model: ModelServer
beforeAll(async () => {
  world = await startApp({ own: true })
  model = await openModelServer()
  model.reply = { silent: true }
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await model[Symbol.asyncDispose]()
})

/** A node whose names wait for the model as long as they may. */
const startWaiting = (most: number) =>
  world.startNodeProcess({
    NAMEWRIGHT_OVERLOAD: String(most),
    NAMEWRIGHT_MODEL: 'ollama:silent',
    NAMEWRIGHT_MODEL_URL: model.url,
    NAMEWRIGHT_MODEL_DEADLINE_MS: '30000',
  })
const WAITING = { description: 'A bakery in Lyon', count: 5, deadline_ms: 30_000 }

const keyOf = async () => (await world.makeKey(await world.makeAccount())).secret
const portOf = (node: Node) => Number(new URL(node.url).port)
const settled = (node: Node, inFlight: number) =>
  until(async () => (await figuresOf(node)).includes(`namewright_in_flight{lane="node",pool="node"} ${inFlight}\n`))
const figuresOf = (node: Node) => node.metrics()

const until = (holds: () => Promise<boolean>) => expect.poll(holds, { interval: 20 }).toBe(true)

interface Held extends AsyncDisposable {
  letGo(): Promise<void>
}

/** Requests that are in flight until they are let go, one with each key: the model gives one account half of its places. */
async function hold(node: Node, keys: readonly string[]): Promise<Held> {
  const sockets: Socket[] = []
  const [, before = '0'] = /namewright_in_flight\{lane="node",pool="node"\} (\d+)/.exec(await figuresOf(node)) ?? []
  for (const [at, key] of keys.entries()) {
    const socket = connect(portOf(node), '127.0.0.1')
    socket.on('error', () => {})
    socket.write(bytesOf('POST', '/v1/generate', key, WAITING))
    sockets.push(socket)
    // One after the other, so that each is known by its account when the next comes.
    await settled(node, Number(before) + at + 1)
  }
  const letGo = async () => {
    for (const socket of sockets) socket.destroy()
    await settled(node, Number(before))
  }
  return { letGo, [Symbol.asyncDispose]: letGo }
}

describe('a node that lets ten in', () => {
  let node: Node
  let key: string
  let holders: string[]
  beforeAll(async () => {
    node = await startWaiting(10)
    key = await keyOf()
    holders = await Promise.all(Array.from({ length: 10 }, keyOf))
  })
  const bulk = () => node.call('/v1/batches', { key })
  const normal = () => node.call('/v1/history', { key })
  const critical = () => node.call('/v1/favorites/00000000-0000-7000-8000-000000000000', { key, method: 'DELETE' })

  test('turns away bulk first, then normal, then what is critical, and never health or figures', async () => {
    await using held = new AsyncDisposableStack()
    held.use(await hold(node, holders.slice(0, 5)))
    expect((await bulk()).status).toBe(200)
    held.use(await hold(node, holders.slice(5, 6)))
    expect((await bulk()).status).toBe(503)
    expect((await normal()).status).toBe(200)
    held.use(await hold(node, holders.slice(6, 8)))
    expect((await normal()).status).toBe(503)
    expect((await critical()).status).toBe(404)
    held.use(await hold(node, holders.slice(8)))
    expect((await critical()).status).toBe(503)
    for (const path of ['/healthz', '/readyz']) expect((await node.call(path)).status).toBe(200)
    const metrics = await figuresOf(node)
    expect(metrics).toContain('namewright_in_flight_limit{lane="node",pool="node"} 10')
    for (const priority of ['bulk', 'normal', 'critical']) {
      expect(metrics).toMatch(
        new RegExp(`shed_total\\{lane="node",pool="node",priority="${priority}",reason="full"\\} [1-9]`),
      )
    }
  })

  test('says so in the contract’s words, with a moment to come back at that is not the same for all', async () => {
    await using held = await hold(node, holders)
    const answers = await Promise.all(Array.from({ length: 40 }, normal))
    for (const { status, json, headers } of answers) {
      expect(status).toBe(503)
      expect(json.error.code).toBe('overloaded')
      expect(['1', '2', '3']).toContain(headers.get('retry-after'))
      expect(headers.get('access-control-allow-origin')).toBe('*')
    }
    expect(new Set(answers.map(({ headers }) => headers.get('retry-after'))).size).toBeGreaterThan(1)
    await held.letGo()
  })

  test('has decided before the body has arrived, and keeps the connection', async () => {
    await using held = await hold(node, holders)
    const socket = connect(portOf(node), '127.0.0.1')
    const bytes = bytesOf('POST', '/v1/generate', key, { description: 'A bakery in Lyon', count: 5 })
    socket.write(bytes.subarray(0, -20))
    expect(await replyOf(socket)).toMatch(/^HTTP\/1.1 503 .*\r\nconnection: keep-alive/is)
    socket.write(bytes.subarray(-20))
    await held.letGo()
    socket.write(bytes)
    expect(await replyOf(socket)).toMatch(/^HTTP\/1.1 200 /)
    socket.destroy()
  })

  test('somebody who is turned away has spent neither rate nor quota', async () => {
    const narrow = { perMinute: 60, burst: 2, perDay: null, perMonth: null }
    const { secret } = await world.makeKey(await world.makeAccount(), { quota: narrow })
    await using held = await hold(node, holders)
    for (let i = 0; i < 10; i++) expect((await node.call('/v1/history', { key: secret })).status).toBe(503)
    await held.letGo()
    expect((await node.call('/v1/history', { key: secret })).status).toBe(200)
  })
})

test('one account that takes all it gets leaves room for another, and has all of it while it is alone', async () => {
  // Eight are all that the model has for one account, and four fifths of what normal work may fill.
  const node = await startWaiting(13)
  const [greedy, modest] = await Promise.all([keyOf(), keyOf()])
  const read = (key: string) => node.call('/v1/history', { key })
  await using held = new AsyncDisposableStack()
  held.use(
    await hold(
      node,
      Array.from({ length: 8 }, () => greedy),
    ),
  )
  expect((await read(greedy)).status).toBe(200)
  expect((await read(modest)).status).toBe(200)
  const other = held.use(await hold(node, [modest]))
  // Both are here: a share is half of what normal work may fill.
  expect((await read(greedy)).status).toBe(503)
  expect((await read(modest)).status).toBe(200)
  expect(await figuresOf(node)).toMatch(/shed_total\{lane="node",pool="node",priority="normal",reason="share"\} [1-9]/)
  await other.letGo()
  await until(async () => (await read(greedy)).status === 200)
})

test('threefold load: most of what can be done is done, the rest is told quickly, reading goes on, and it passes', async () => {
  const node = await world.startNodeProcess({ NAMEWRIGHT_OVERLOAD: 'adaptive' })
  const port = portOf(node)
  const keys = await Promise.all(Array.from({ length: 8 }, keyOf))
  const keyAt = (i: number) => keys[i % keys.length] ?? ''
  const ask = (i: number) => ({ description: `A small bakery number ${i % 20} in Lyon`, count: 10 })
  const generate = (i: number) => ({ kind: 'generate', bytes: bytesOf('POST', '/v1/generate', keyAt(i), ask(i)) })

  /** As many as are answered when the next is sent as soon as there is an answer: so it is never overloaded. */
  async function atItsPace(seconds: number): Promise<number> {
    const endsAt = performance.now() + seconds * 1_000
    let answered = 0
    const caller = async (first: number) => {
      for (let i = first; performance.now() < endsAt; i += 3) {
        const { status } = await node.call('/v1/generate', { key: keyAt(i), body: ask(i) })
        if (status === 200) answered++
      }
    }
    await Promise.all([0, 1, 2].map(caller))
    return answered / seconds
  }

  await atItsPace(2)
  const got: Got[] = []
  const ROUNDS = 3
  const SECONDS = 3
  const paces = [await atItsPace(SECONDS)]
  for (let i = 0; i < ROUNDS; i++) {
    const pace = paces.at(-1)!
    // Three times what it can do in names, and some reading beside it.
    const read = (n: number) => ({ kind: 'read', bytes: bytesOf('GET', '/v1/history?limit=1', keyAt(n)) })
    const [names, reads] = await Promise.all([
      arrive({ port, perSecond: pace * 3, seconds: SECONDS, request: generate }),
      arrive({ port, perSecond: 10, seconds: SECONDS, request: read }),
    ])
    got.push(...names, ...reads)
    paces.push(await atItsPace(SECONDS))
  }
  // What it can do before or after a round, whichever is less: other tests take the machine for seconds at a time.
  const slower = paces.slice(1).map((after, round) => Math.min(after, paces[round]!))
  const knee = slower.reduce((sum, one) => sum + one, 0) / ROUNDS
  const names = got.filter(({ kind }) => kind === 'generate')
  const done = names.filter(({ status }) => status === 200)
  const shed = names.filter(({ status }) => status === 503)
  expect(done.length + shed.length).toBe(names.length)
  expect(done.length / (ROUNDS * SECONDS)).toBeGreaterThanOrEqual(0.8 * knee)
  expect(shed.length).toBeGreaterThan(names.length / 4)
  const medianOf = (list: readonly Got[]) =>
    shareAt(
      list.map(({ tookMs }) => tookMs),
      0.5,
    )
  expect(medianOf(shed)).toBeLessThan(medianOf(done) / 2)
  expect(shed.every(({ retryAfter }) => retryAfter !== undefined && retryAfter >= 1 && retryAfter <= 3)).toBe(true)
  const reads = got.filter(({ kind }) => kind === 'read')
  expect(reads.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(0.9 * reads.length)

  // Normal again: ten in a row, none of them shed.
  const endedAt = runningMs()
  let row = 0
  await until(async () => {
    const { status } = await node.call('/v1/generate', { key: keyAt(row), body: ask(row) })
    row = status === 200 ? row + 1 : 0
    return row === 10
  })
  expect(runningMs() - endedAt).toBeLessThan(10_000)
  await node.stop()
}, 90_000)

test('a database that has stopped is felt at the door, and so is its return', async () => {
  const node = await world.startNodeProcess({ NAMEWRIGHT_OVERLOAD: 'adaptive' })
  const key = await keyOf()
  const read = () => node.call('/v1/history', { key })
  expect((await read()).status).toBe(200)
  const locking = await world.owner.connect()
  await locking.query('BEGIN; LOCK TABLE history IN ACCESS EXCLUSIVE MODE')
  const request = () => ({ kind: 'read', bytes: bytesOf('GET', '/v1/history', key) })
  const rush = arrive({ port: portOf(node), perSecond: 150, seconds: 4, request })
  await until(async () => /shed_total\{lane="node",pool="node",priority="normal"/.test(await figuresOf(node)))
  await locking.query('ROLLBACK')
  locking.release()
  await rush
  await until(async () => (await read()).status === 200)
  await node.stop()
}, 60_000)

async function replyOf(socket: Socket): Promise<string> {
  let text = ''
  for (;;) {
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    text += chunk.toString('latin1')
    const [, length] = /content-length: (\d+)\r\n/i.exec(text) ?? []
    const [head = '', ...rest] = text.split('\r\n\r\n')
    if (length !== undefined && rest.join('\r\n\r\n').length >= Number(length)) return head
  }
}
