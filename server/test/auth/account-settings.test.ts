/** What an account sets for itself holds for whoever calls in its name: currency, language, how long history is kept. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, SignedIn } from '../people-world.ts'

let folder: string
let at: PeopleWorld
let ada: SignedIn
let headers: { authorization: string }
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'namewright-rates-'))
  const file = join(folder, 'rates.json')
  const rates = { as_of: new Date().toISOString().slice(0, 10), source: 'House bank', rates: { EUR: '0.9213' } }
  await writeFile(file, JSON.stringify(rates))
  at = await startApp({ people: true, own: true, settings: { NAMEWRIGHT_RATES_FILE: file } })
  ada = await at.signUp('Ada')
  const body = { name: 'shop', scopes: ['generate', 'history:read'] }
  const made = await ada.ask(`/settings/accounts/${ada.userId}/keys`, { body })
  headers = { authorization: `Bearer ${made.json.data.key.secret}` }
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const set = (body: object) => ada.ask(`/settings/accounts/${ada.userId}`, { method: 'PATCH', body })
const generate = async (more = {}) => {
  const body = {
    description: 'a bakery that delivers by bicycle',
    count: 1,
    tlds: ['com'],
    deadline_ms: 30_000,
    ...more,
  }
  const reply = await at.visitor().ask('/v1/generate', { body, headers })
  expect(reply.status).toBe(200)
  return String(reply.json.data.suggestions[0].domains[0].price)
}
const recorded = async () => {
  const reply = await at.visitor().ask('/v1/history', { headers })
  return reply.json.data.history.length as number
}

test('prices come in the currency of the account, unless a request names another', async () => {
  expect(await generate()).toMatch(/^\$/)
  expect((await set({ currency: 'EUR' })).status).toBe(200)
  await expect.poll(() => generate()).toMatch(/^€/)
  expect(await generate({ currency: 'USD' })).toMatch(/^\$/)
  expect((await set({ currency: 'XXX' })).status).toBe(400)
})

test('an account that wants no history has none at once, and none from then on', async () => {
  await generate()
  expect(await recorded()).toBeGreaterThan(0)
  expect((await set({ history_days: 0 })).status).toBe(200)
  const rows = async () =>
    (await at.world.owner.query('SELECT 1 FROM history WHERE account_id = $1', [ada.userId])).rowCount
  expect(await rows()).toBe(0)
  // Every node knows of it within a second.
  await sleep(1_200)
  await generate()
  expect(await rows()).toBe(0)
  expect(await recorded()).toBe(0)
})
