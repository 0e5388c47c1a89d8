/**
 * A role that changes or ends on one node is known to every node within a second: of an OAuth token, of the token that the
 * web app has, and of a session in the settings. Measured from the answer to the change to the start of the last request
 * that any node still let in.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, Reply } from '../people-world.ts'
import { createTeams, remove, resultOf, setRole, settings } from './team.ts'
import type { Team, Teams } from './team.ts'
import { runningMs } from '../../../scripts/test/running-ms.ts'

const WITHIN_MS = 1_000

let at: PeopleWorld
let teams: Teams
let nodes: readonly string[]
beforeAll(async () => {
  at = await startApp({ people: true })
  teams = createTeams(at)
  nodes = [at.url, (await at.startNode()).url]
})
afterAll(() => at[Symbol.asyncDispose]())

type Ask = (node: string) => Promise<Reply>

/** How long after the change a request was still let in that began then; 0 when none was. */
async function measure(change: () => Promise<Reply>, asks: Readonly<Record<string, Ask>>) {
  // So that every node remembers every credential as it was.
  for (const node of nodes) for (const ask of Object.values(asks)) expect(resultOf(await ask(node))).toBe('in')
  expect(resultOf(await change())).toBe('in')
  const changedAt = runningMs()
  const polls = Object.entries(asks).flatMap(([name, ask]) =>
    nodes.map(async (node, i) => {
      let [last, refusal] = [0, '']
      for (;;) {
        const since = runningMs() - changedAt
        if (since > 2 * WITHIN_MS && refusal !== '') return { name: `${name}, node ${i + 1}`, last, refusal }
        const result = resultOf(await ask(node))
        if (result === 'in') last = since
        else refusal = result
        await sleep(10)
      }
    }),
  )
  return Promise.all(polls)
}

async function credentialsOf(team: Team, scope: string) {
  const { access_token: token } = await teams.consent(team, team.other, await teams.oauth.makePublic(), scope)
  const pass = await team.other.ask(settings(team, '/pass'), { method: 'POST' })
  const widen = 'UPDATE api_key SET per_minute = 100000, burst = 100000 WHERE account_id = $1'
  await at.world.owner.query(widen, [team.account])
  const bearer =
    (text: string, path: string, method = 'GET'): Ask =>
    (node) =>
      teams.call(text, `${node}${path}`, { method })
  return { token, pass: pass.json.data.token as string, bearer }
}

test('a demotion is seen by both nodes within a second', async () => {
  const team = await teams.make('admin')
  const { token, pass, bearer } = await credentialsOf(team, 'webhooks')
  const seen = await measure(() => setRole(team, 'viewer'), {
    'OAuth token': bearer(token, '/v1/webhooks'),
    'app session': bearer(pass, '/v1/history?all=true', 'DELETE'),
    session: (node) => team.other.ask(`${node}${settings(team, '/webhooks')}`),
  })
  console.log('demotion:', seen.map(({ name, last }) => `${name} ${Math.round(last)} ms`).join('; '))
  for (const { name, last, refusal } of seen) {
    expect([name, refusal]).toEqual([
      name,
      name.startsWith('session') ? '403 insufficient_role' : '403 insufficient_scope',
    ])
    expect(last, name).toBeLessThan(WITHIN_MS)
  }
})

test('a removal is seen by both nodes within a second', async () => {
  const team = await teams.make('admin')
  const { token, pass, bearer } = await credentialsOf(team, 'history:read')
  const seen = await measure(() => remove(team), {
    'OAuth token': bearer(token, '/v1/history'),
    'app session': bearer(pass, '/v1/history'),
    session: (node) => team.other.ask(`${node}${settings(team, '/keys')}`),
  })
  console.log('removal:', seen.map(({ name, last }) => `${name} ${Math.round(last)} ms`).join('; '))
  for (const { name, last, refusal } of seen) {
    expect([name, refusal]).toEqual([name, name.startsWith('session') ? '404 not_found' : '401 invalid_token'])
    expect(last, name).toBeLessThan(WITHIN_MS)
  }
})
