/**
 * Keys that are revoked while they are used on several nodes. Verifying and revoking are the service's own code.
 *
 * What must hold: a request that comes a second or more after the revocation was committed is refused by every node,
 * unless this node could not ask the database meanwhile, and then from its next poll for changes on. A key that
 * nobody revoked is never refused.
 */
import { ApiError } from '../../src/errors.ts'
import type { Db } from '../../src/platform/db/db.ts'
import { openKeys } from '../../src/tenancy/keys/keys.ts'
import type { Keys } from '../../src/tenancy/keys/keys.ts'
import type { AccountId, KeyId } from '../../src/model/caller.ts'
import type { SimulatedNode } from './schedule.ts'
import type { Scenario, ScenarioSpec, World } from './world.ts'

const ACCOUNT = '00000000-0000-7000-8000-0000000000aa' as AccountId
const NODES = 3
const KEYS = 3
const MAX_AT_ONCE = 6
/** What the promise says. */
const ENDS_WITHIN_MS = 1_000

interface Serving {
  readonly node: SimulatedNode
  readonly keys: Keys
  /** When it was last refused a connection or lost one. */
  failedAt: number
  /** The latest start of a poll for changes that was answered. */
  polledAt: number
}

interface MadeKey {
  readonly id: KeyId
  readonly secret: string
  /** When the revocation was seen to be committed; undefined as long as it is not. */
  revokedAt?: number
}

export function revokingSpec(): ScenarioSpec {
  const serving: Serving[] = []
  return {
    startsAt: () => Date.UTC(2026, 10, 15, 9),
    // A statement that takes longer is ended.
    longestWaitMs: 5_000,
    jumpsMs: [50, 300, 300, 700, 1_000, 4_000, 12_000],
    nodes: () => serving.map(({ node }) => node),
    open: (world) => openRevoking(world, serving),
  }
}

async function openRevoking(world: World, serving: Serving[]): Promise<Scenario> {
  const { dice, schedule, postgres } = world
  const made: MadeKey[] = []
  let underWay = 0

  schedule.onCrash(() => (underWay = 0))

  async function start(): Promise<Serving> {
    const node = schedule.addNode(`n${serving.length + 1}`)
    const { db } = world.open(node)
    await schedule.inside(node, () => {
      const one = { node, failedAt: -Infinity, polledAt: -Infinity } as { -readonly [K in keyof Serving]: Serving[K] }
      const watched = watching(db, one)
      one.keys = openKeys({ db: watched, now: node.now, steady: schedule.now })
      serving.push(one)
    })
    const last = serving.at(-1)
    if (!last) throw new Error('it did not start')
    return last
  }

  /** Notes what this node could know. */
  function watching(db: Db, one: Serving): Db {
    const noting = async <T>(asked: Promise<T>, isPoll: boolean): Promise<T> => {
      const startedAt = schedule.now()
      try {
        const answer = await asked
        if (isPoll) one.polledAt = Math.max(one.polledAt, startedAt)
        return answer
      } catch (error) {
        one.failedAt = schedule.now()
        throw error
      }
    }
    const isPoll = (name: string) => name === 'key_change_recent'
    return {
      ...db,
      as: (acting, statements) => noting(db.as(acting, statements), false),
      read: (acting, statements) => noting(db.read(acting, statements), false),
      lookup: (statement) => noting(db.lookup(statement), isPoll(statement.name)),
      find: (statement) => noting(db.find(statement), isPoll(statement.name)),
    }
  }

  async function verify(one: Serving, key: MadeKey): Promise<void> {
    const [startedAt, polledAt] = [schedule.now(), one.polledAt]
    underWay++
    const outcome = await one.keys.verify(key.secret, { ip: '192.0.2.1', audience: 'v1' }).then(
      () => 'admitted',
      (error: unknown) => (error instanceof ApiError ? error.code : `a bug of ours: ${String(error)}`),
    )
    underWay--
    schedule.note(`      ${key.id.slice(-4)} is ${outcome}`)
    const { revokedAt = Infinity } = key
    if (outcome === 'admitted' && startedAt >= revokedAt + ENDS_WITHIN_MS) {
      const late = `a key was admitted ${startedAt - revokedAt} ms after it was revoked`
      world.hold(`${late}, by a node that had the database all the time`, one.failedAt >= revokedAt)
      world.hold(`${late}, by a node that had looked at the changes since`, polledAt < revokedAt)
    }
    if (outcome === 'invalid_token') world.hold('a key was refused that nobody revoked', isBeingRevoked.has(key.id))
    else world.hold(outcome, outcome === 'admitted' || outcome === 'unavailable')
  }

  const isBeingRevoked = new Set<KeyId>()

  async function create(keys: Keys): Promise<void> {
    const quota = { perMinute: 60, burst: 1, perDay: null, perMonth: null }
    made.push(await keys.create(ACCOUNT, { name: 'test', scopes: [], quota, allowedIps: [] }))
  }

  async function revoke(one: Serving, key: MadeKey): Promise<void> {
    isBeingRevoked.add(key.id)
    await one.keys.revoke(ACCOUNT, key.id).catch(() => {})
  }

  for (let i = 0; i < NODES; i++) await start()
  for (let i = 0; i < KEYS; i++) {
    const [first] = serving
    if (!first) break
    const { node, keys } = first
    const before = made.length
    while (made.length === before) {
      await schedule.inside(node, () => void create(keys).catch(() => {}))
      await world.finish()
    }
  }

  function check(): void {
    for (const key of made) {
      if (key.revokedAt !== undefined) continue
      const row = postgres.rows('api_key').find((one) => one['id'] === key.id)
      if (row && row['revoked_at'] !== null) key.revokedAt = schedule.now()
    }
  }

  return {
    check,
    async act() {
      const [first, ...others] = serving.filter(({ node }) => node.isAlive)
      const [key, ...more] = made
      if (!first || !key) return
      const one = dice.pick([first, ...others])
      const chosen = dice.pick([key, ...more])
      if (dice.oneIn(12)) {
        schedule.note(`${one.node.name}  revokes ${chosen.id.slice(-4)}`)
        await schedule.inside(one.node, () => void revoke(one, chosen))
      } else if (underWay < MAX_AT_ONCE) {
        schedule.note(`${one.node.name}  request with ${chosen.id.slice(-4)}`)
        await schedule.inside(one.node, () => void verify(one, chosen))
      }
    },
    faults: [
      () => {
        const [first, ...others] = serving.filter(({ node }) => node.isAlive)
        if (!first) return
        const { node } = dice.pick([first, ...others])
        node.cutOffUntil = schedule.now() + dice.pick([500, 3_000, 15_000])
        schedule.note(`${node.name}  IS CUT OFF FROM THE DATABASE`)
      },
      () => {
        const [first, ...others] = serving.filter(({ node }) => node.isAlive)
        if (!first) return
        const { node } = dice.pick([first, ...others])
        node.skewMs += dice.pick([-3_600_000, -1_500, 1_500, 3_600_000])
        schedule.note(`${node.name}  ITS CLOCK JUMPS`)
      },
    ],
    async restart() {
      if (serving.filter(({ node }) => node.isAlive).length < NODES) await start()
    },
    async settle() {
      await world.finish()
      check()
      // Every node has polled by now: each response is up to date.
      schedule.pass(ENDS_WITHIN_MS + 300)
      for (const one of serving.filter(({ node }) => node.isAlive)) {
        for (const key of made) await schedule.inside(one.node, () => void verify(one, key))
      }
      await world.finish()
      for (const { keys } of serving) keys.close()
    },
  }
}
