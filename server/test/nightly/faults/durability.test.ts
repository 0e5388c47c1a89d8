/** A node that dies the moment its 200 arrives has already kept what it said. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WIDE_QUOTA } from '../../world.ts'
import { startApp } from '../../start-app.ts'
import type { World } from '../../world.ts'

const CONCURRENCY = 3
const ROUNDS = 30 / CONCURRENCY
const COUNT = 2

let world: World
beforeAll(async () => {
  world = await startApp({ own: true })
})
afterAll(() => world[Symbol.asyncDispose]())

test(
  'a server killed right after a 200, again and again, has the record and the spent quota every time',
  { timeout: 240_000 },
  async () => {
    await Promise.all(Array.from({ length: CONCURRENCY }, killAgainAndAgain))
  },
)

async function killAgainAndAgain(): Promise<void> {
  const account = await world.makeAccount()
  const { secret: key } = await world.makeKey(account, { quota: { ...WIDE_QUOTA, perDay: 1_000 } })
  for (let round = 1; round <= ROUNDS; round++) {
    const node = await world.startNodeProcess()
    const before = await node.call('/v1/history', { key })
    expect(before.json.data.history).toHaveLength(round - 1)
    const response = await fetch(`${node.url}/v1/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      // Time enough for all names on a busy machine.
      body: JSON.stringify({ description: `tea house number ${round}`, count: COUNT, deadline_ms: 30_000 }),
    })
    // The headers are here, the body may not be: nothing can still be done after this.
    process.kill(node.process.pid ?? 0, 'SIGKILL')
    expect(response.status).toBe(200)
    response.body?.cancel().catch(() => {})
    await node.stop('SIGKILL')
    const { rows } = await world.owner.query<{ description: string; named: number; used: number }>(
      `SELECT description, jsonb_array_length(suggestions) AS named,
         (SELECT sum(used)::int FROM quota_block WHERE account_id = $1) AS used
       FROM history WHERE account_id = $1 ORDER BY id DESC LIMIT 1`,
      [account],
    )
    expect(rows[0]).toEqual({ description: `tea house number ${round}`, named: COUNT, used: round * COUNT })
  }
}
