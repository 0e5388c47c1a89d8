/**
 * One key is told to fill the disk for a minute, by every documented operation in turn, while a worker runs and a receiver of
 * its own answers its webhooks. What it stores stays inside the plan of its account, whatever it sent, and a plain client
 * of an account with a full history still generates.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import {
  BATCH_TABLES,
  bytesOf,
  FILLING,
  listWriting,
  makeOwner,
  openFills,
  outcomeOf,
  sumOf,
} from '../../attacks/filling.ts'
import { startApp } from '../../start-app.ts'
import type { World } from '../../world.ts'
import type { AccountId } from '../../source.ts'

const SECONDS = 60
const AT_ONCE = 8
const PLAN = {
  history_bytes: 500_000,
  batch_bytes: 1_000_000,
  answer_bytes: 300_000,
  favorites: 200,
  webhooks: 20,
}
// A node can exceed a limit of bytes by a sixty-fourth, and by what its requests write at the same moment.
const LENIENT = 1 + 1 / 64 + 1 / 20
// Of a favorite: the note, the tags and the facts.
const FAVORITE_BYTES = 6_000
// 1000 deliveries of each webhook, with 1024 bytes of what its receiver said.
const DELIVERY_BYTES = PLAN.webhooks * 1_000 * 1_200
// More than a node trims at a time, a thirty-second of the history.
const PLAIN_CALLS = 60
// Audit log, webhooks, events and counters.
const OTHER_BYTES = 500_000

test('what a key stores in a minute stays inside its plan', { timeout: 600_000 }, async () => {
  // Kept by a delivery as far as its first 1024 bytes.
  const receiver = createServer((_request, response) => void response.end('x'.repeat(1_024))).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  await using world = await startApp({ own: true, settings: { NAMEWRIGHT_WEBHOOK_ALLOW: `127.0.0.1:${port}` } })
  const node = await world.startNodeProcess()
  await world.startWorkerProcess()
  const { account, key } = await makeOwner(world, PLAN)
  const fills = await openFills(node, key, { receiver: `http://127.0.0.1:${port}/`, webhooks: PLAN.webhooks })
  expect(Object.keys(fills).toSorted()).toEqual((await listWriting(node)).toSorted())

  const lines: string[] = []
  const turnMs = (SECONDS * 1_000) / Object.keys(fills).length
  const outcomes: Record<string, Map<string, number>> = {}
  let sent = 0
  for (const [operation, fill] of Object.entries(fills)) {
    const before = await bytesOf(world, account)
    const disk = await diskBytes(world)
    const seen = (outcomes[operation] = new Map<string, number>())
    const end = performance.now() + turnMs
    const callers = Array.from({ length: AT_ONCE }, async () => {
      while (performance.now() < end) {
        const outcome = outcomeOf(await fill(sent++))
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
      }
    })
    await Promise.all(callers)
    await settled(world, account)
    const after = await bytesOf(world, account)
    const grown = Object.keys(after)
      .map((table) => [table, (after[table] ?? 0) - (before[table] ?? 0)] as const)
      .filter(([, bytes]) => bytes !== 0)
      .map(([table, bytes]) => `${table} ${bytes}`)
    const ends = [...seen].map(([outcome, times]) => `${times} × ${outcome}`)
    const total = sumOf(after) - sumOf(before)
    lines.push(
      `${operation}: ${ends.join(', ')}: ${total} bytes (${grown.join(', ')}), disk ${(await diskBytes(world)) - disk}`,
    )
  }
  console.log(`${SECONDS} s, ${AT_ONCE} at once\n${lines.join('\n')}`)

  // Every limit was met.
  for (const operation of ['POST /v1/generate', 'POST /v1/favorites', 'POST /v1/batches']) {
    expect([...(outcomes[operation]?.keys() ?? [])]).toContain('storage_limit')
  }
  expect(outcomes['PATCH /v1/webhooks/{id}']?.get('200')).toBeLessThanOrEqual(60)
  const sizes = await bytesOf(world, account)
  console.log(JSON.stringify(sizes))
  expect(sizes['history']).toBeLessThanOrEqual(PLAN.history_bytes * LENIENT)
  expect(sumOf(sizes, BATCH_TABLES)).toBeLessThanOrEqual(PLAN.batch_bytes * LENIENT)
  expect(sizes['idempotent_answer']).toBeGreaterThan(0)
  expect(sizes['idempotent_answer']).toBeLessThanOrEqual(PLAN.answer_bytes * LENIENT)
  expect(sizes['favorite']).toBeLessThanOrEqual(PLAN.favorites * FAVORITE_BYTES)
  expect(sizes['delivery']).toBeGreaterThan(0)
  expect(sizes['delivery']).toBeLessThanOrEqual(DELIVERY_BYTES)
  const limited = ['history', ...BATCH_TABLES, 'idempotent_answer', 'favorite', 'delivery']
  expect(sumOf(sizes) - sumOf(sizes, limited)).toBeLessThan(OTHER_BYTES)

  const text = 'SELECT id FROM history WHERE account_id = $1 ORDER BY id LIMIT 1'
  const [oldest] = (await world.owner.query<{ id: string }>(text, [account])).rows
  // How full the minute has made the history hangs on the machine: it is full when its oldest record gives way.
  let fullAfter = 0
  for (let seed = 0; seed < fullAfter + PLAIN_CALLS; seed++) {
    const body = { ...FILLING, description: 'a plain client', seed }
    const answer = await node.call('/v1/generate', { key, body })
    expect([answer.status, answer.json.data?.suggestions.length]).toEqual([200, FILLING.count])
    const kept = await node.call(`/v1/history/${oldest?.id}`, { key })
    if (kept.status !== 404) fullAfter = seed + 1
  }
  expect((await bytesOf(world, account))['history']).toBeLessThanOrEqual(PLAN.history_bytes * LENIENT)
  receiver.closeAllConnections()
  receiver.close()
})

/** Until the worker has done everything that is due. */
async function settled(world: World, account: AccountId): Promise<void> {
  const text = 'SELECT 1 FROM jobs.job WHERE group_id = $1 AND start_after <= now()'
  const due = async () => (await world.owner.query(text, [account])).rowCount
  await expect.poll(due, { timeout: 120_000, interval: 100 }).toBe(0)
}

async function diskBytes(world: World): Promise<number> {
  const { rows } = await world.owner.query<{ bytes: string }>('SELECT pg_database_size(current_database()) AS bytes')
  return Number(rows[0]?.bytes)
}
