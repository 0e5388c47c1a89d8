/**
 * A stream that was opened with a credential ends with it: when its person is removed from the account, when it is revoked, and
 * when the account is suspended. Batches belong to the account, and go on.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { fetch } from 'undici'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { behindLabel, runAdmin } from '../source.ts'
import { readConfig } from '../read-config.ts'
import { answerTo, openFakeResolver, type FakeResolver } from '../internet/fake-resolver.ts'
import { isControlName } from '../internet/registrar-world.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, SignedIn } from '../people-world.ts'
import { createTeams, remove, settings } from './team.ts'
import type { Team, Teams } from './team.ts'
import { runningMs } from '../../../scripts/test/running-ms.ts'

// What is refused ends within a second, and by itself after twenty seconds; so a busy machine may take its time.
const SOON_MS = 5_000
const SLOW_MS = 20_000
const REQUESTS = [1, 2, 3].map((seed) => ({ description: 'a bakery with a garden', count: 1, tlds: ['com'], seed }))

let at: PeopleWorld
let teams: Teams
let resolver: FakeResolver
let slowUrl: string
/** The one name of a stream that the resolver answers, so that the stream begins at once. */
let answered: string | undefined
let isSilent = true
beforeAll(async () => {
  at = await startApp({ people: true, own: true })
  teams = createTeams(at)
  // It is believed, and silent about every other name of a stream, which therefore goes on until its deadline.
  resolver = await openFakeResolver((query, domain) => {
    if (isControlName(domain)) return [answerTo(query, 'noerror', { zone: behindLabel(domain) })]
    answered ??= domain
    return domain === answered || !isSilent ? [answerTo(query, 'nxdomain', { zone: behindLabel(domain) })] : []
  })
  ;({ url: slowUrl } = await at.startNode({ NAMEWRIGHT_DNS_RESOLVERS: resolver.address }))
}, 60_000)
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  await resolver.close()
})

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
  /** How it ended: with its last event, or cut. */
  readonly ended: Promise<'complete' | 'cut'>
  hasEnded(): boolean
}

/** It goes on until its deadline, unless it is cut. */
async function openStream(token: string): Promise<Opened> {
  answered = undefined
  isSilent = true
  const answer = await fetch(`${slowUrl}/v1/generate`, {
    method: 'POST',
    dispatcher: at.agent,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'text/event-stream' },
    // Verified in full: what other streams have found out about a name does not count.
    body: JSON.stringify({
      description: 'a telegraph museum',
      count: 5,
      tlds: ['com'],
      deadline_ms: SLOW_MS,
      verify: 'full',
    }),
  })
  expect(answer.status).toBe(200)
  let isOver = false
  const ended = answer
    .text()
    .then(
      (text) => (text.includes('event: done') ? ('complete' as const) : ('cut' as const)),
      () => 'cut' as const,
    )
    .finally(() => (isOver = true))
  return { ended, hasEnded: () => isOver }
}

const soon = ({ ended }: Opened) => Promise.race([ended, sleep(SOON_MS, 'still open')])

test('streams of a member who is removed are cut, those of others are not, and the batch goes on', async () => {
  const team = await teams.make('member')
  const app = await teams.oauth.makePublic()
  const { access_token: granted } = await teams.consent(team, team.other, app, 'generate')
  const [theirs, owners] = [await passOf(team, team.other), await passOf(team, team.owner)]
  const batch = await makeBatch(theirs)
  const [ofPass, ofToken, ofOwner] = await Promise.all([theirs, granted, owners].map(openStream))
  if (!ofPass || !ofToken || !ofOwner) throw new Error('three were opened')

  expect((await remove(team)).status).toBe(200)
  const removedAt = runningMs()
  for (const stream of [ofPass, ofToken]) expect(await soon(stream)).toBe('cut')
  console.log(`streams of a removed member ended after ${Math.round(runningMs() - removedAt)} ms`)
  expect(ofOwner.hasEnded()).toBe(false)
  expect((await teams.call(theirs, `/v1/batches/${batch}`)).status).toBe(401)

  const worker = await at.world.startWorker()
  onTestFinished(async () => void (await worker.stop()))
  const read = async () => (await teams.call(owners, `/v1/batches/${batch}`)).json.data.batch
  await expect.poll(async () => (await read()).state, { timeout: 60_000 }).toBe('completed')
  expect(await read()).toMatchObject({ succeeded: REQUESTS.length, failed: 0 })
  isSilent = false
  expect(await ofOwner.ended).toBe('complete')
})

test('streams of a demoted member go on while the role has the scope, and are cut where it has not', async () => {
  const team = await teams.make('admin')
  const stream = await openStream(await passOf(team, team.other))
  const demote = async (role: string) => {
    const answer = await team.owner.ask(settings(team, `/members/${team.other.userId}`), {
      method: 'PATCH',
      body: { role },
    })
    expect(answer.status).toBe(200)
  }
  await demote('member')
  await sleep(1_500)
  expect(stream.hasEnded()).toBe(false)
  await demote('viewer')
  expect(await soon(stream)).toBe('cut')
})

test.each([
  ['a revoked key', (team: Team, id: string) => team.owner.ask(settings(team, `/keys/${id}`), { method: 'DELETE' })],
  ['a suspended account', (team: Team) => admin('suspend', '--account', team.account)],
] as const)('streams of %s are cut', async (_what, end) => {
  const team = await teams.make('member')
  const body = { name: 'key', scopes: ['generate'] }
  const { id, secret } = (await team.owner.ask(settings(team, '/keys'), { body })).json.data.key
  const stream = await openStream(secret)
  await end(team, id)
  expect(await soon(stream)).toBe('cut')
})
