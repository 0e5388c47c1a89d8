/**
 * A stream that was opened with a credential ends with it: when its person is removed from the account, when it is revoked, and
 * when the account is suspended. Batches belong to the account, and go on.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { fetch } from 'undici'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { runAdmin } from '../../src/cli/admin.ts'
import { readConfig } from '../read-config.ts'
import { behindLabel } from '../../src/model/domain.ts'
import { answerTo, openFakeResolver } from '../internet/fake-resolver.ts'
import { isControlName } from '../internet/registrar-world.ts'
import { openPeopleWorld } from '../people-world.ts'
import type { PeopleWorld, SignedIn } from '../people-world.ts'
import { createTeams, remove, settings } from './team.ts'
import type { Team, Teams } from './team.ts'
import { runningMs } from '../../../scripts/test/running-ms.ts'

// What is refused ends within a second. By itself a stream of events ends after five minutes, and the slow one after twenty
// seconds; so a busy machine may take its time.
const SOON_MS = 5_000
const SLOW_MS = 30_000
const REQUESTS = [1, 2, 3].map((seed) => ({ description: 'a bakery with a garden', count: 1, tlds: ['com'], seed }))

let at: PeopleWorld
let teams: Teams
beforeAll(async () => {
  at = await openPeopleWorld()
  teams = createTeams(at)
}, 60_000)
afterAll(() => at[Symbol.asyncDispose]())

async function admin(...args: string[]): Promise<void> {
  let said = ''
  const stream = { write: (text: string) => (said += text) }
  expect(await runAdmin(args, readConfig(at.world.env), { stdout: stream, stderr: stream }), said).toBe(0)
}

async function passOf(team: Team, person: SignedIn): Promise<string> {
  const reply = await person.ask(settings(team, '/pass'), { method: 'POST' })
  expect(reply.status, reply.text).toBe(201)
  return reply.json.data.token
}

async function makeBatch(token: string): Promise<string> {
  const reply = await teams.call(token, '/v1/batches', { body: { requests: REQUESTS } })
  expect(reply.status, reply.text).toBe(202)
  return reply.json.data.batch.id
}

interface Opened {
  /** All of it, once it has ended. */
  readonly text: Promise<string>
  hasEnded(): boolean
}

async function openEvents(token: string, batch: string): Promise<Opened> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${at.url}/v1/batches/${batch}/events`, { headers, dispatcher: at.agent })
  expect(answer.status).toBe(200)
  return openedOf(answer.text())
}

function openedOf(text: Promise<string>): Opened {
  let isOver = false
  const noted = text.finally(() => (isOver = true))
  noted.catch(() => {})
  return { text: noted, hasEnded: () => isOver }
}

const within = (ms: number, promise: Promise<unknown>) =>
  Promise.race([promise.then(() => 'ended'), sleep(ms, 'still open')])

test('streams of a member who is removed end, those of others do not, and the batch goes on', async () => {
  const team = await teams.make('member')
  const app = await teams.oauth.makePublic()
  const { access_token: granted } = await teams.consent(team, team.other, app, 'batches:read')
  const [theirs, owners] = [await passOf(team, team.other), await passOf(team, team.owner)]
  const batch = await makeBatch(theirs)
  const [ofPass, ofToken, ofOwner] = await Promise.all([theirs, granted, owners].map((one) => openEvents(one, batch)))
  if (!ofPass || !ofToken || !ofOwner) throw new Error('three were opened')

  expect((await remove(team)).status).toBe(200)
  const removedAt = runningMs()
  for (const { text } of [ofPass, ofToken]) {
    expect(await within(SOON_MS, text)).toBe('ended')
    expect(await text).toMatch(/event: error\n.*"code":"invalid_token"/s)
    expect(await text).not.toContain('event: done')
  }
  console.log(`streams of a removed member ended after ${Math.round(runningMs() - removedAt)} ms`)
  expect(ofOwner.hasEnded()).toBe(false)
  expect((await teams.call(theirs, `/v1/batches/${batch}`)).status).toBe(401)

  const worker = await at.world.startWorker()
  onTestFinished(async () => void (await worker.stop()))
  expect(await within(60_000, ofOwner.text)).toBe('ended')
  expect(await ofOwner.text).toContain('event: done')
  const { json } = await teams.call(owners, `/v1/batches/${batch}`)
  expect(json.data.batch).toMatchObject({ state: 'completed', succeeded: REQUESTS.length, failed: 0 })
})

test('streams of a demoted member end where the role no longer has the scope, and go on where it has', async () => {
  const team = await teams.make('admin')
  const theirs = await passOf(team, team.other)
  const batch = await makeBatch(theirs)
  const events = await openEvents(theirs, batch)
  const role = { method: 'PATCH', body: { role: 'viewer' } }
  expect((await team.owner.ask(settings(team, `/members/${team.other.userId}`), role)).status).toBe(200)
  // A viewer may read batches.
  await sleep(1_500)
  expect(events.hasEnded()).toBe(false)
  expect((await teams.call(theirs, `/v1/batches/${batch}/cancel`, { method: 'POST' })).status).toBe(403)
  expect((await remove(team)).status).toBe(200)
  expect(await within(SOON_MS, events.text)).toBe('ended')
})

test.each([
  [
    'a revoked key',
    'invalid_token',
    (team: Team, id: string) => team.owner.ask(settings(team, `/keys/${id}`), { method: 'DELETE' }),
  ],
  ['a suspended account', 'account_suspended', (team: Team) => admin('suspend', '--account', team.account)],
] as const)('streams of %s end with the reason', async (_what, code, end) => {
  const team = await teams.make('member')
  const body = { name: 'key', scopes: ['generate', 'batches:read', 'batches:write'] }
  const { id, secret } = (await team.owner.ask(settings(team, '/keys'), { body })).json.data.key
  const events = await openEvents(secret, await makeBatch(secret))
  await end(team, id)
  expect(await within(SOON_MS, events.text)).toBe('ended')
  expect(await events.text).toMatch(new RegExp(`event: error\\n.*"code":"${code}"`, 's'))
})

test('a generate stream that is under way is cut', async () => {
  // It is believed, and silent about every name of the stream, which therefore goes on until its deadline.
  const resolver = await openFakeResolver((query, domain) =>
    isControlName(domain) ? [answerTo(query, 'noerror', { zone: behindLabel(domain) })] : [],
  )
  onTestFinished(() => resolver.close())
  const node = await at.startNode({ NAMEWRIGHT_DNS_RESOLVERS: resolver.address })
  const team = await teams.make('member')
  const pass = await passOf(team, team.other)
  const begunAt = runningMs()
  const answer = await fetch(`${node.url}/v1/generate`, {
    method: 'POST',
    dispatcher: at.agent,
    headers: { authorization: `Bearer ${pass}`, 'content-type': 'application/json', accept: 'text/event-stream' },
    // Verified in full: what other tests have found out about a name does not count.
    body: JSON.stringify({
      description: 'a telegraph museum',
      count: 5,
      tlds: ['com'],
      deadline_ms: SLOW_MS,
      verify: 'full',
    }),
  })
  expect(answer.status).toBe(200)
  const stream = openedOf(answer.text())
  expect(stream.hasEnded()).toBe(false)
  expect((await remove(team)).status).toBe(200)
  await expect(stream.text).rejects.toThrow()
  expect(runningMs() - begunAt).toBeLessThan(SLOW_MS)
})
