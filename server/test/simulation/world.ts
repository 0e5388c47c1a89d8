/**
 * A simulated world: one PostgreSQL, one Redis, nodes that come and go, and what can go wrong with any of them.
 *
 * A scenario says what its nodes and their callers do and what must hold; `play` runs one seed of it. First a schedule
 * of so many steps in which anything may happen, then everything is mended and runs to its end, and then the books are
 * looked at.
 */
import type { Cache } from '../../src/platform/cache/cache.ts'
import type { Db } from '../../src/platform/db/db.ts'
import { createDice, loadDice } from './dice.ts'
import type { Dice } from './dice.ts'
import { createMemoryRedis, openMemoryCache } from './memory-cache.ts'
import type { MemoryRedis } from './memory-cache.ts'
import { createMemoryPostgres, openMemoryDb } from './memory-db.ts'
import type { Interpreted, MemoryPostgres } from './memory-db.ts'
import { createSchedule } from './schedule.ts'
import type { Schedule, SimulatedNode } from './schedule.ts'
import { STATEMENTS } from './statements/all.ts'

/** A mistake to be found: what a node has of the database or of Redis, made worse. */
export interface Plant {
  readonly db?: (db: Db) => Db
  readonly cache?: (cache: Cache) => Cache
}

export interface World {
  readonly dice: Dice
  readonly schedule: Schedule
  readonly postgres: MemoryPostgres
  readonly redis: MemoryRedis
  /** Nothing goes wrong in this run but the order of things. */
  readonly isCalm: boolean
  /** Of a node that has just started. */
  open(node: SimulatedNode): { db: Db; cache: Cache }
  /** Says what must not be, and ends the run. */
  broken(what: string): void
  /** As something that holds; says so otherwise. */
  hold(what: string, isSo: boolean): void
  /** All that is under way, to its end. */
  finish(): Promise<void>
}

export interface Scenario {
  /** A caller does something. */
  act(): Promise<void>
  /** What can go wrong here besides the database, Redis and nodes that die. */
  readonly faults?: readonly (() => void)[]
  /** After every step. */
  check(): void
  /** A node takes the place of one that died. */
  restart(): Promise<void>
  /** When everything is mended. */
  settle(): Promise<void>
}

export interface ScenarioSpec {
  readonly startsAt: (dice: Dice) => number
  readonly longestWaitMs: number
  readonly jumpsMs: readonly [number, ...number[]]
  /** Interpretations of statements that want to be watched. */
  readonly statements?: (world: World) => Readonly<Record<string, Interpreted>>
  open(world: World): Promise<Scenario>
  nodes(): readonly SimulatedNode[]
}

export interface Played {
  readonly broken: string | undefined
  readonly trace: readonly string[]
  readonly steps: number
}

class Broken extends Error {}

const CALM_ONE_IN = 5
/** Far more than anything needs to end. */
const MAX_STEPS = 20_000

export async function play(
  makeSpec: () => ScenarioSpec,
  seed: number,
  steps: number,
  plant: Plant = {},
): Promise<Played> {
  const spec = makeSpec()
  const dice = createDice(seed)
  using loaded = loadDice(dice)
  const schedule = createSchedule({ dice, startsAt: spec.startsAt(dice), longestWaitMs: spec.longestWaitMs })
  using held = schedule.holdTimers()
  void [loaded, held]
  const statements = new Map(STATEMENTS)
  const postgres = createMemoryPostgres({ now: schedule.now, statements })
  const redis = createMemoryRedis(schedule.now)
  const isCalm = dice.oneIn(CALM_ONE_IN)
  const dbFaults = { isDown: false, losesConnections: !isCalm && dice.oneIn(2) }
  const redisFaults = { isDown: false, losesAnswers: !isCalm && dice.oneIn(2) }
  let fault: string | undefined
  let taken = 0

  const world: World = {
    dice,
    schedule,
    postgres,
    redis,
    isCalm,
    open(node) {
      const onUnknown = (error: Error) => (fault ??= error.message)
      const db = openMemoryDb({ schedule, dice, postgres, faults: dbFaults, node, onUnknown })
      const cache = openMemoryCache({ schedule, dice, redis, faults: redisFaults, node })
      return { db: plant.db?.(db) ?? db, cache: plant.cache?.(cache) ?? cache }
    },
    // Not thrown: the code under test might catch it.
    broken: (what) => (fault ??= what),
    hold: (what, isSo) => {
      if (!isSo) fault ??= what
    },
    async finish() {
      for (let i = 0; !schedule.isIdle(); i++) {
        if (i > MAX_STEPS) throw new Broken(`it does not end: ${schedule.waiting().join('; ')}`)
        if (!(await schedule.step())) throw new Broken(`they wait for each other: ${schedule.waiting().join('; ')}`)
        if (fault !== undefined) throw new Broken(fault)
      }
    },
  }
  for (const [name, interpreted] of Object.entries(spec.statements?.(world) ?? {})) statements.set(name, interpreted)

  function mend(): void {
    dbFaults.isDown = false
    dbFaults.losesConnections = false
    redisFaults.isDown = false
    redisFaults.losesAnswers = false
    for (const node of spec.nodes()) node.cutOffUntil = 0
  }

  function fail(scenario: Scenario): void {
    const living = spec.nodes().filter((node) => node.isAlive)
    const [first, ...others] = living
    const failures: [() => void, ...(() => void)[]] = [
      () => {
        schedule.note(redisFaults.isDown ? 'REDIS IS BACK' : 'REDIS IS AWAY')
        redisFaults.isDown = !redisFaults.isDown
      },
      () => {
        schedule.note('REDIS FORGETS EVERYTHING')
        redis.flush()
      },
      () => {
        schedule.note(dbFaults.isDown ? 'THE DATABASE IS BACK' : 'THE DATABASE FAILS OVER')
        dbFaults.isDown = !dbFaults.isDown
        postgres.endAll()
      },
      ...(first ? [() => schedule.crash(dice.pick([first, ...others]))] : []),
      ...(scenario.faults ?? []),
    ]
    dice.pick(failures)()
  }

  try {
    const scenario = await spec.open(world)
    for (taken = 1; taken <= steps; taken++) {
      const roll = dice.below(100)
      if (roll < 12) await scenario.act()
      else if (roll < 15) {
        if (!isCalm) fail(scenario)
      } else if (roll < 17) await scenario.restart()
      else if (roll < 22) schedule.pass(dice.pick(spec.jumpsMs))
      else if (!(await schedule.step())) schedule.pass(dice.below(400))
      schedule.pass(dice.below(4))
      scenario.check()
      if (fault !== undefined) throw new Broken(fault)
    }
    schedule.note('EVERYTHING IS MENDED')
    mend()
    await scenario.settle()
    if (fault !== undefined) throw new Broken(fault)
    return { broken: undefined, trace: schedule.trace, steps: taken }
  } catch (error) {
    if (!(error instanceof Broken)) throw error
    return { broken: error.message, trace: schedule.trace, steps: taken }
  }
}
