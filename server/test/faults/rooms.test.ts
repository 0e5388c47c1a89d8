/**
 * Many people in many naming rooms on three nodes, one of which dies in the middle: every vote that was acknowledged counts,
 * each once, and everybody sees the same.
 *
 * A person votes on every name, changes their mind on some, and repeats a vote whose answer did not arrive at the next node.
 * They follow the events of their room meanwhile, and reconnect to another node when theirs is gone.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, fetch } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld } from '../world.ts'
import type { Node, World } from '../world.ts'
import { sizeOf } from '../../../scripts/test/tiers.ts'

const PEOPLE_OF_ONE = sizeOf('roomPeople')
const ROOMS = sizeOf('rooms')
const PEOPLE_OF_OTHERS = 3
const NAMES = 6
const ORIGIN = 'http://names.example'

type Vote = 'up' | 'down'

interface Room {
  readonly id: string
  readonly path: string
  readonly items: readonly string[]
}

interface Person {
  readonly room: Room
  readonly voter: string
  readonly address: string
  /** What was acknowledged last, by item. */
  readonly votes: Map<string, Vote>
  /** As the events have shown it. */
  readonly seen: Map<string, { up: number; down: number }>
}

let world: World
let nodes: Node[]
const agent = new Agent({ connections: 512, headersTimeout: 60_000, bodyTimeout: 0 })
beforeAll(async () => {
  world = await openWorld({ NAMEWRIGHT_PUBLIC_URL: ORIGIN, NAMEWRIGHT_TRUSTED_PROXIES: '127.0.0.1' })
  nodes = await Promise.all([1, 2, 3].map(() => world.startNode()))
}, 120_000)
afterAll(async () => {
  await agent.destroy()
  await world[Symbol.asyncDispose]()
})

const makeAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`
const pause = () => sleep(randomInt(20, 200))

async function openRoom(at: number): Promise<Room> {
  const names = Array.from({ length: NAMES }, (_, n) => ({ name: `Name ${n}`, domain: `room${at}name${n}.com` }))
  const response = await fetch(`${nodes[at % 3]?.url}/shares`, {
    dispatcher: agent,
    method: 'POST',
    headers: headersOf(makeVoter(), makeAddress()),
    body: JSON.stringify({ title: `Room ${at}`, names }),
  })
  const { data } = (await response.json()) as { data: { share: { id: string; url: string; items: { id: string }[] } } }
  const { id, url, items } = data.share
  return { id, path: url.replace(`${ORIGIN}/r/`, '/shares/'), items: items.map((item) => item.id) }
}

const makeVoter = () => randomBytes(16).toString('base64url')
const headersOf = (voter: string, address: string) => ({
  origin: ORIGIN,
  'content-type': 'application/json',
  'namewright-voter': voter,
  'x-forwarded-for': address,
})

/** Until it is acknowledged, at whichever node. Returns whether it was sent once. */
async function vote(person: Person, item: string, way: Vote): Promise<boolean> {
  const first = randomInt(3)
  let tries = first
  for (; ; tries++) {
    const node = nodes[tries % nodes.length]
    const response = await fetch(`${node?.url}${person.room.path}/votes`, {
      dispatcher: agent,
      method: 'PUT',
      headers: headersOf(person.voter, person.address),
      body: JSON.stringify({ votes: { [item]: way } }),
    }).catch(() => undefined)
    const text = await response?.text().catch(() => undefined)
    if (response?.status === 200 && text !== undefined) break
    if (response && response.status < 500) throw new Error(`${response.status} ${text}`)
    await pause()
  }
  person.votes.set(item, way)
  return tries === first
}

/** Reads events until it is stopped, of another node when one is gone. */
async function follow({ room, address, seen }: Person, signal: AbortSignal): Promise<void> {
  for (let tries = randomInt(3); !signal.aborted; tries++) {
    try {
      const response = await fetch(`${nodes[tries % nodes.length]?.url}${room.path}/events`, {
        dispatcher: agent,
        headers: { 'x-forwarded-for': address },
        signal,
      })
      let text = ''
      for await (const piece of response.body ?? []) {
        text += Buffer.from(piece as Uint8Array).toString()
        const frames = text.split('\n\n')
        text = frames.pop() ?? ''
        for (const frame of frames) read(frame)
      }
    } catch {
      await pause()
    }
  }

  function read(frame: string): void {
    const data = /^data: (.*)$/m.exec(frame)?.[1]
    if (data === undefined) return
    const { share } = JSON.parse(data) as { share: { items: { id: string; votes: { up: number; down: number } }[] } }
    for (const { id, votes } of share.items) seen.set(id, votes)
  }
}

function countsOf(people: readonly Person[], item: string): { up: number; down: number } {
  const given = people.map(({ votes }) => votes.get(item))
  return { up: given.filter((one) => one === 'up').length, down: given.filter((one) => one === 'down').length }
}

test(
  'no acknowledged vote is lost or counted twice when a node dies, and all see the same',
  { timeout: 600_000 },
  async () => {
    const rooms: Room[] = []
    while (rooms.length <= ROOMS) {
      const batch = Array.from({ length: Math.min(10, ROOMS + 1 - rooms.length) }, (_, n) => openRoom(rooms.length + n))
      rooms.push(...(await Promise.all(batch)))
    }
    const people = rooms.flatMap((room, at) =>
      Array.from({ length: at === 0 ? PEOPLE_OF_ONE : PEOPLE_OF_OTHERS }, (): Person => {
        return { room, voter: makeVoter(), address: makeAddress(), votes: new Map(), seen: new Map() }
      }),
    )
    const done = new AbortController()
    const following = people.map((person) => follow(person, done.signal))

    // Everybody begins before the node dies: who has voted is no longer a new voter, of whom a room takes only so many.
    await Promise.all(people.map((person) => vote(person, person.room.items[0] ?? '', 'up')))
    let acknowledged = 0
    const half = (people.length * (NAMES - 1)) / 2
    const killed = Promise.withResolvers<void>()
    await Promise.all(
      people.map(async (person) => {
        for (const item of person.room.items.slice(1)) {
          const isOnce = await vote(person, item, randomInt(3) === 0 ? 'down' : 'up')
          if (++acknowledged === Math.floor(half)) {
            process.kill(nodes[0]?.process.pid ?? 0, 'SIGKILL')
            killed.resolve()
          }
          // What the dead node had sent to PostgreSQL may be stored late, after a change of mind.
          if (isOnce && randomInt(4) === 0) await vote(person, item, randomInt(2) === 0 ? 'down' : 'up')
        }
      }),
    )
    await killed.promise
    await nodes[0]?.stop('SIGKILL')

    const byRoom = Map.groupBy(people, ({ room }) => room)
    const stored = await world.owner.query<{ share_id: string; item_id: string; up: number; down: number }>(
      `SELECT share_id, item_id, count(*) FILTER (WHERE up)::int AS up, count(*) FILTER (WHERE NOT up)::int AS down
     FROM share_vote GROUP BY share_id, item_id`,
    )
    const found = new Map(stored.rows.map(({ item_id, up, down }) => [item_id, { up, down }]))
    for (const [room, those] of byRoom) {
      const expected = room.items.map((item) => countsOf(those, item))
      expect(room.items.map((item) => found.get(item))).toEqual(expected)
      const shown = await fetch(`${nodes[1]?.url}${room.path}`, {
        dispatcher: agent,
        headers: { 'x-forwarded-for': makeAddress() },
      })
      const { data } = (await shown.json()) as { data: { share: { voters: number; items: { votes: object }[] } } }
      expect(data.share.voters).toBe(those.length)
      expect(data.share.items.map(({ votes }) => votes)).toEqual(expected)
      for (const { seen } of those)
        await expect.poll(() => room.items.map((item) => seen.get(item)), { timeout: 60_000 }).toEqual(expected)
    }
    done.abort()
    await Promise.all(following)
  },
)
