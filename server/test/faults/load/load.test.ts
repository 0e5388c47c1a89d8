/** The load and the checker together, on two nodes of which one dies: small, but with every part. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld } from '../../world.ts'
import type { Node, World } from '../../world.ts'
import { ofKinds, summarize } from '../check/summary.ts'
import { drive, groundIn } from '../plans/drive.ts'
import type { Ground } from '../plans/drive.ts'
import type { Stage } from '../plans/plan.ts'
import { USUAL_PATIENCE } from './operation.ts'

// Callers have up to a minute of patience, and nodes start slowly on a busy machine.
const SLOW_MS = 120_000

let world: World
let nodes: readonly [Node, Node]
let stage: Stage
let ground: Ground
beforeAll(async () => {
  world = await openWorld()
  nodes = [await world.startNode(), await world.startNode()]
  stage = {
    length: 'ci',
    perSecond: 30,
    folder: await mkdtemp(join(tmpdir(), 'namewright-load-')),
    say: () => {},
    cluster: () => Promise.reject(new Error('there is none')),
  }
  ground = groundIn(
    world,
    nodes.map(({ url }) => url),
    world.databaseUrl,
  )
}, SLOW_MS)
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await rm(stage.folder, { recursive: true, force: true })
})

test(
  'a node dies under load: callers retry, every word is kept, and budgets run out at their limit',
  { timeout: SLOW_MS },
  async () => {
    const driven = await drive(stage, ground, {
      name: 'small',
      seconds: 6,
      patience: { ...USUAL_PATIENCE, budgetMs: SLOW_MS / 2 },
      keys: { accounts: 2, keysEach: 1, budget: 40 },
      again: 0.5,
      async faults(clock) {
        await clock.at(2)
        await nodes[1].stop('SIGKILL')
      },
    })
    const all = summarize(driven.log)
    expect(driven.findings).toEqual([])
    expect(all.failed).toBe(0)
    expect(all.rawErrors).toBeGreaterThan(0)
    expect(all.attempts).toBeGreaterThan(all.operations)
    // A unit is a name; what the dead node had in hand is hidden for a while.
    const limited = ofKinds(driven.log, 'generate').filter(({ key }) => driven.keys.budgets.has(key))
    const names = limited.reduce((sum, { end }) => sum + (end?.suggestions ?? 0), 0)
    expect(names).toBeGreaterThan(0)
    expect(names).toBeLessThanOrEqual(40)
    expect(all.outOfQuota).toBeGreaterThan(0)
    expect(driven.log.some(({ attempts }) => attempts.some(({ again }) => again))).toBe(true)
  },
)

test('a row that is taken away behind the back of the service is found', { timeout: SLOW_MS }, async () => {
  const driven = await drive(
    stage,
    { ...ground, urls: [nodes[0].url] },
    {
      name: 'robbed',
      seconds: 2,
      mix: { generate: 0, favorite: 1, read: 0 },
      async afterwards() {
        const newest = `SELECT id FROM favorite ORDER BY id DESC LIMIT 1`
        await world.owner.query(`DELETE FROM favorite WHERE id = (${newest})`)
      },
    },
  )
  expect(driven.findings.map(({ kind }) => kind)).toEqual(['lost'])
})
