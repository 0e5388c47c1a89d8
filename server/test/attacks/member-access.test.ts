/** What a person reaches through an application of their own: nothing that their role does not open, at any time. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAccounts } from '../source.ts'
import { basic, CALLBACK } from '../oauth-client.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, Reply } from '../people-world.ts'
import { addWebhook, createTeams, findWebhook, remove, resultOf, setRole, settings, settle, WEBHOOK } from './team.ts'
import type { Teams } from './team.ts'

const REFUSED = '403 insufficient_scope'

let at: PeopleWorld
let teams: Teams
beforeAll(async () => {
  at = await startApp({ people: true })
  teams = createTeams(at)
})
afterAll(() => at[Symbol.asyncDispose]())

test('a member reaches no webhook through an application that they register and let in themselves', async () => {
  const team = await teams.make('member')
  const id = await addWebhook(team, team.owner)
  expect(resultOf(await team.other.ask(settings(team, '/webhooks')))).toBe('403 insufficient_role')
  const app = await teams.oauth.makePublic()
  const { access_token: token, scope } = await teams.consent(
    team,
    team.other,
    app,
    'history:read webhooks offline_access',
  )
  expect(scope.split(' ')).not.toContain('webhooks')
  expect(resultOf(await teams.call(token, '/v1/history'))).toBe('in')
  const attempts: Record<string, Reply> = {
    list: await teams.call(token, '/v1/webhooks'),
    get: await teams.call(token, `/v1/webhooks/${id}`),
    add: await teams.call(token, '/v1/webhooks', { body: WEBHOOK }),
    rotate: await teams.call(token, `/v1/webhooks/${id}/rotate-secret`, { body: {} }),
    repoint: await teams.call(token, `/v1/webhooks/${id}`, {
      method: 'PATCH',
      body: { url: 'https://evil.example.com/' },
    }),
    delete: await teams.call(token, `/v1/webhooks/${id}`, { method: 'DELETE' }),
  }
  const results = Object.entries(attempts).map(([name, reply]) => [name, resultOf(reply)])
  expect(Object.fromEntries(results)).toEqual({
    list: REFUSED,
    get: REFUSED,
    add: REFUSED,
    rotate: REFUSED,
    repoint: REFUSED,
    delete: REFUSED,
  })
  expect(await findWebhook(team, id)).toMatchObject({ url: WEBHOOK.url, enabled: true })
})

test('a token that an admin gave loses what their new role does not open', async () => {
  const team = await teams.make('admin')
  const { access_token: token } = await teams.consent(
    team,
    team.other,
    await teams.oauth.makePublic(),
    'history:write webhooks',
  )
  expect(resultOf(await teams.call(token, '/v1/webhooks'))).toBe('in')
  await setRole(team, 'member')
  await settle()
  expect(resultOf(await teams.call(token, '/v1/webhooks'))).toBe(REFUSED)
  expect(resultOf(await teams.call(token, '/v1/history?all=true', { method: 'DELETE' }))).toBe('in')
  await setRole(team, 'viewer')
  await settle()
  expect(resultOf(await teams.call(token, '/v1/history?all=true', { method: 'DELETE' }))).toBe(REFUSED)
  await remove(team)
  await settle()
  expect(resultOf(await teams.call(token, '/v1/history'))).toBe('401 invalid_token')
})

test('introspection tells what a token can be used for now, not what it was issued with', async () => {
  const team = await teams.make('admin')
  const body = { name: 'Robot', kind: 'confidential', redirect_uris: [CALLBACK] }
  const { client_id: id, client_secret: secret } = (await team.owner.ask(settings(team, '/clients'), { body })).json
    .data.client
  const app = { id, secret, redirectUri: CALLBACK }
  const tokens = await teams.consent(team, team.other, app, 'history:read history:write webhooks offline_access')
  const ask = async (token: string) => (await teams.oauth.introspect(app, token)).json
  const scopesOf = async () => ((await ask(tokens.access_token)).scope as string).split(' ').toSorted()
  expect(await scopesOf()).toEqual(['history:read', 'history:write', 'offline_access', 'webhooks'])
  await setRole(team, 'member')
  await settle()
  expect(await scopesOf()).toEqual(['history:read', 'history:write', 'offline_access'])
  await setRole(team, 'viewer')
  await settle()
  expect(await scopesOf()).toEqual(['history:read', 'offline_access'])
  // What a refresh token leads to is decided when it is used.
  const ofRefresh = await ask(tokens.refresh_token)
  expect([ofRefresh.active, ofRefresh.scope]).toEqual([true, undefined])
  await setRole(team, 'admin')
  await settle()
  expect(await scopesOf()).toEqual(['history:read', 'history:write', 'offline_access', 'webhooks'])
  await remove(team)
  await settle()
  expect(await ask(tokens.access_token)).toEqual({ active: false })
})

test('introspection tells a token of a suspended account to be inactive', async () => {
  const team = await teams.make('admin')
  const body = { name: 'Robot', kind: 'confidential', own_scopes: ['history:read'] }
  const { client_id: id, client_secret: secret } = (await team.owner.ask(settings(team, '/clients'), { body })).json
    .data.client
  const robot = { id, secret, redirectUri: CALLBACK }
  const { json } = await teams.oauth.token(
    { grant_type: 'client_credentials' },
    { authorization: basic(robot.id, robot.secret) },
  )
  const ask = async () => (await teams.oauth.introspect(robot, json.access_token)).json
  expect(await ask()).toMatchObject({ active: true, scope: 'history:read' })
  const accounts = openAccounts({ db: at.world.db, now: Date.now })
  await accounts.suspend(team.account, null)
  await settle()
  expect(await ask()).toEqual({ active: false })
  await accounts.resume(team.account)
  await settle()
  expect(await ask()).toMatchObject({ active: true, scope: 'history:read' })
})
