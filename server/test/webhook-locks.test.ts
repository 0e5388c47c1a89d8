/** A webhook is deleted while the outcome of an attempt is recorded: both lock its row before its deliveries. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AccountId, createSeal, openLeases } from './source.ts'
import { startApp } from './start-app.ts'
import type { World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startApp()
})
afterAll(() => world?.[Symbol.asyncDispose]())

async function makeDelivery(account: AccountId) {
  const [webhook, id] = [randomUUID(), randomUUID()]
  const write = (text: string, values: readonly unknown[]) => world.owner.query(text, [account, ...values])
  await write(
    `INSERT INTO webhook (account_id, id, created_at, url, events, secret, failing_since)
     VALUES ($1, $2, now(), 'https://receiver.example/', '{}', '', now())`,
    [webhook],
  )
  await write(
    `INSERT INTO event (account_id, id, created_at, type, once, data) VALUES ($1, $2, now(), 'test', 'test', '{}')`,
    [id],
  )
  await write(`INSERT INTO delivery (account_id, webhook_id, event_id) VALUES ($1, $2, $3)`, [webhook, id])
  return { webhook, id }
}

test.each([
  { name: 'a success', ok: true },
  { name: 'a failure', ok: false },
])('$name is recorded while the webhook is deleted, and neither fails', async ({ ok }) => {
  const account = await world.makeAccount()
  const { webhook, id } = await makeDelivery(account)
  const leases = openLeases({ db: world.db, seal: createSeal(['secret']), now: Date.now, random: () => 0.5 })
  const deleting = await world.owner.connect()
  try {
    await deleting.query('BEGIN')
    await deleting.query('SELECT FROM webhook WHERE id = $1 FOR UPDATE', [webhook])
    const due = {
      id,
      type: 'test',
      created_at: new Date(),
      data: '{}',
      attempts: 0,
      sequence: id,
      receiver: { url: '', secrets: [] },
    }
    const outcome = { ok, status: ok ? 200 : 500, error: null, answer: '' }
    const recording = leases.record({ account, webhook, token: randomUUID() }, due, outcome)
    const recorded = recording.then(
      () => 'recorded',
      (error: unknown) => error,
    )
    const countWaiting = async () => {
      const { rowCount } = await world.owner.query(
        `SELECT FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%failing_since%'`,
      )
      return rowCount
    }
    await expect.poll(countWaiting).toBe(1)
    // With its deliveries.
    await deleting.query('DELETE FROM webhook WHERE id = $1', [webhook])
    await deleting.query('COMMIT')
    expect(await recorded).toBe('recorded')
    const { rowCount } = await world.owner.query('SELECT FROM delivery WHERE webhook_id = $1', [webhook])
    expect(rowCount).toBe(0)
  } finally {
    deleting.release(true)
  }
})
