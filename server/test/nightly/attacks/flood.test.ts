/**
 * One address holds sockets (idle, half-sent headers, slow bodies), while a caller from another address
 * asks for names fifty times a second: nothing of theirs fails, and it takes them at most twice as long as before, both in the same run.
 *
 * Directly the attacker meets the cap on connections. Behind a trusted proxy every socket stays open, which is the harder
 * case for the node.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { arrive, bytesOf, shareAt } from '../open-load.ts'
import type { Got } from '../open-load.ts'
import { startApp } from '../../start-app.ts'
import type { World } from '../../world.ts'
import { ATTACKER, countAccepted, holdSockets, letGo, OTHER, slowPost } from '../../attacks/held-sockets.ts'
import type { HeldSocket } from '../../attacks/held-sockets.ts'

const SOCKETS = 5_000
const PER_SECOND = 50
const ROUNDS = 2
// Less than the shortest timeout of a connection, so that all of them are held to the end.
const SECONDS = 3
const CONNECTIONS_PER_ADDRESS = 500

let world: World
beforeAll(async () => {
  // The limit that a node starts with. One that adapts would also refuse what a busy machine names too slowly.
  world = await startApp({ own: true, settings: { NAMEWRIGHT_OVERLOAD: '512' } })
})
afterAll(() => world[Symbol.asyncDispose]())

const keyOf = async () => (await world.makeKey(await world.makeAccount())).secret

describe.each([
  { how: 'directly', env: {}, forwarded: {}, mostOpen: CONNECTIONS_PER_ADDRESS },
  {
    how: 'behind a trusted proxy',
    env: { NAMEWRIGHT_TRUSTED_PROXIES: '127.0.0.1' },
    forwarded: { 'X-Forwarded-For': '203.0.113.7' },
    mostOpen: Infinity,
  },
])('an attacker who comes $how', ({ env, forwarded, mostOpen }) => {
  test('takes nothing from another caller', async () => {
    const node = await world.startNodeProcess(env)
    const port = Number(new URL(node.url).port)
    const keys = await Promise.all(Array.from({ length: 8 }, keyOf))
    const body = { description: 'bakery', count: 1, tlds: ['com'] }
    const request = (i: number) => ({
      kind: 'generate',
      bytes: bytesOf('POST', '/v1/generate', keys[i % keys.length] ?? '', body),
    })
    const ask = (seconds: number) => arrive({ port, perSecond: PER_SECOND, seconds, request, from: OTHER })

    await ask(2)
    const calm: Got[] = []
    const attacked: Got[] = []
    const open: number[] = []
    // In turns, so that what else the machine does falls on both.
    for (let round = 0; round < ROUNDS; round++) {
      calm.push(...(await ask(SECONDS)))
      const sockets = openSockets(port, forwarded)
      await settled(sockets)
      attacked.push(...(await ask(SECONDS)))
      open.push(await countAccepted(port, ATTACKER))
      letGo(sockets)
      await gone(sockets)
    }
    const figures = { calm: figuresOf(calm), attacked: figuresOf(attacked), open }
    console.log(JSON.stringify(figures))
    for (const count of open) {
      expect(count).toBeLessThanOrEqual(mostOpen)
      if (mostOpen === Infinity) expect(count).toBeGreaterThan(0.6 * SOCKETS)
    }
    expect(figures.attacked.errors).toBe(0)
    expect(figures.attacked.p99).toBeLessThanOrEqual(2 * figures.calm.p99)
    await node.stop()
  })
})

function openSockets(port: number, forwarded: Readonly<Record<string, string>>): HeldSocket[] {
  const third = Math.ceil(SOCKETS / 3)
  return [
    ...holdSockets(third, port),
    ...holdSockets(third, port, 'POST /v1/generate HTTP/1.1\r\nHost: loc'),
    ...holdSockets(third, port, slowPost('/auth/sign-in/email', forwarded)),
  ]
}

/** Whatever is refused or answered has been; what is open now is held. */
async function settled(sockets: readonly HeldSocket[]): Promise<void> {
  const stateOf = () => sockets.map(({ socket, isOpen, text }) => [socket.connecting, isOpen, text.length]).join()
  let before = ''
  const isSame = () => {
    const now = stateOf()
    const same = now === before && !sockets.some(({ socket }) => socket.connecting)
    before = now
    return same
  }
  await expect.poll(isSame, { interval: 1_000, timeout: 60_000 }).toBe(true)
}

async function gone(sockets: readonly HeldSocket[]): Promise<void> {
  await expect.poll(() => sockets.every(({ isOpen }) => !isOpen)).toBe(true)
}

function figuresOf(got: readonly Got[]) {
  const took = got.map(({ tookMs }) => tookMs)
  return {
    requests: got.length,
    errors: got.filter(({ status }) => status !== 200).length,
    p50: Math.round(shareAt(took, 0.5)),
    p99: Math.round(shareAt(took, 0.99)),
  }
}
