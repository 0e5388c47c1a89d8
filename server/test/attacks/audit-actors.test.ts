/** Who did it, with which credential, through which application: every entry of the audit log says so. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp } from '../start-app.ts'
import type { PeopleWorld } from '../people-world.ts'
import { addWebhook, createTeams, eventsOf, settings, WEBHOOK } from './team.ts'
import type { Teams } from './team.ts'

let at: PeopleWorld
let teams: Teams
beforeAll(async () => {
  at = await startApp({ people: true })
  teams = createTeams(at)
})
afterAll(() => at[Symbol.asyncDispose]())

test('an entry of the security log names the person, the credential and the application', async () => {
  const team = await teams.make('admin')
  const app = await teams.oauth.makePublic({ client_name: 'Agent of Mallory' })
  const { access_token: token } = await teams.consent(team, team.other, app, 'webhooks')
  const { json } = await team.other.ask(settings(team, '/keys'), { body: { name: 'program', scopes: ['webhooks'] } })
  const { id: keyId, secret } = json.data.key
  await addWebhook(team, team.other)
  await teams.call(token, '/v1/webhooks', { body: WEBHOOK })
  await teams.call(secret, '/v1/webhooks', { body: WEBHOOK })
  const [byKey, byToken, bySession] = await eventsOf(team, 'webhook_created')
  const actor = { id: team.other.userId, name: 'Mallory' }
  expect(bySession).toMatchObject({
    actor,
    credential: { kind: 'session', id: expect.any(String) },
    application: null,
  })
  expect(byToken).toMatchObject({
    actor,
    credential: { kind: 'oauth_token', id: expect.any(String) },
    application: { client_id: app.id, name: 'Agent of Mallory' },
  })
  expect(byKey).toMatchObject({ actor, credential: { kind: 'key', id: keyId, name: 'program' }, application: null })
  for (const action of ['grant_given', 'key_created']) {
    expect(await eventsOf(team, action)).toMatchObject([{ actor, credential: { kind: 'session' } }])
  }
})
