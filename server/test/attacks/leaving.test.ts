/** What is left of somebody who leaves a team or loses their role in it: nothing of theirs that goes on by itself. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basic } from '../oauth-client.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, SignedIn } from '../people-world.ts'
import {
  addWebhook,
  createTeams,
  eventsOf,
  findWebhook,
  remove,
  resultOf,
  setRole,
  settings,
  settle,
  WEBHOOK,
} from './team.ts'
import type { Team, Teams } from './team.ts'

let at: PeopleWorld
let teams: Teams
beforeAll(async () => {
  at = await startApp({ people: true })
  teams = createTeams(at)
})
afterAll(() => at[Symbol.asyncDispose]())

describe.each([
  ['removed', remove],
  ['demoted', (team: Team) => setRole(team, 'member')],
])('of an admin who is %s', (_what, end) => {
  test('every webhook they made is off, whatever they made it with, and says why', async () => {
    const team = await teams.make('admin')
    const app = await teams.oauth.makePublic()
    const { access_token: token } = await teams.consent(team, team.other, app, 'webhooks')
    const byToken = await teams.call(token, '/v1/webhooks', { body: WEBHOOK })
    const made = [await addWebhook(team, team.other), byToken.json.data.webhook.id as string]
    const others = await addWebhook(team, team.owner)
    expect(resultOf(await end(team))).toBe('in')
    for (const id of made) {
      expect(await findWebhook(team, id)).toMatchObject({ enabled: false, off_reason: 'creator_lost_access' })
    }
    expect(await findWebhook(team, others)).toMatchObject({ enabled: true, off_reason: null })
    expect(await eventsOf(team, 'webhook_disabled')).toHaveLength(2)
    // Whoever switches it on again answers for it from then on.
    const on = { method: 'PATCH', body: { enabled: true } }
    expect(resultOf(await team.owner.ask(settings(team, `/webhooks/${made[0]}`), on))).toBe('in')
    expect(await findWebhook(team, made[0] ?? '')).toMatchObject({ enabled: true, off_reason: null })
  })

  test('the applications they registered are disabled and their tokens void, until an admin enables them', async () => {
    const team = await teams.make('admin')
    const body = { name: 'Robot', kind: 'confidential', own_scopes: ['history:read'] }
    const { json } = await team.other.ask(settings(team, '/clients'), { body })
    const { client_id: id, client_secret: secret } = json.data.client
    const ask = () => teams.oauth.token({ grant_type: 'client_credentials' }, { authorization: basic(id, secret) })
    const token = (await ask()).json.access_token
    expect(resultOf(await teams.call(token, '/v1/history'))).toBe('in')
    await end(team)
    await settle()
    expect(resultOf(await teams.call(token, '/v1/history'))).toBe('401 invalid_token')
    expect((await ask()).json).toMatchObject({ error: 'invalid_client' })
    const listed = (await team.owner.ask(settings(team, '/clients'))).json.data.clients
    expect(listed).toMatchObject([{ client_id: id, enabled: false, off_reason: 'creator_lost_access' }])
    expect(await eventsOf(team, 'client_disabled')).toMatchObject([{ detail: { client_id: id } }])
    const on = { method: 'PATCH', body: { enabled: true } }
    expect(resultOf(await team.owner.ask(settings(team, `/clients/${id}`), on))).toBe('in')
    const again = (await ask()).json.access_token
    expect(resultOf(await teams.call(again, '/v1/history'))).toBe('in')
  })

  test('the keys they created are listed for review, and revoked or kept by an admin', async () => {
    const team = await teams.make('admin')
    const create = async (by: SignedIn, name: string) => {
      const { json } = await by.ask(settings(team, '/keys'), { body: { name, scopes: ['history:read'] } })
      return json.data.key as { id: string; secret: string }
    }
    const [kept, revoked, others] = [
      await create(team.other, 'kept'),
      await create(team.other, 'revoked'),
      await create(team.owner, 'of the owner'),
    ]
    await end(team)
    const reviews = async () => {
      const { json } = await team.owner.ask(settings(team, '/keys'))
      const keys = json.data.keys as { id: string; review: { reason: string } | null }[]
      return Object.fromEntries(keys.map(({ id, review }) => [id, review?.reason ?? null]))
    }
    const due = 'creator_lost_access'
    expect(await reviews()).toEqual({ [kept.id]: due, [revoked.id]: due, [others.id]: null })
    // A program goes on until somebody has decided.
    expect(resultOf(await teams.call(kept.secret, '/v1/history'))).toBe('in')
    expect(resultOf(await team.owner.ask(settings(team, `/keys/${kept.id}/keep`), { method: 'POST' }))).toBe('in')
    expect(resultOf(await team.owner.ask(settings(team, `/keys/${revoked.id}`), { method: 'DELETE' }))).toBe('in')
    expect(await reviews()).toEqual({ [kept.id]: null, [revoked.id]: null, [others.id]: null })
    await settle()
    expect(resultOf(await teams.call(kept.secret, '/v1/history'))).toBe('in')
    expect(resultOf(await teams.call(revoked.secret, '/v1/history'))).toBe('401 invalid_token')
    expect(await eventsOf(team, 'key_kept')).toMatchObject([{ detail: { key_id: kept.id } }])
  })

  test('an invitation they sent lets nobody in', async () => {
    const team = await teams.make('admin')
    const guest = await at.signUp('Guest')
    const body = { email: guest.email, role: 'admin' }
    expect(resultOf(await team.other.ask(settings(team, '/invitations'), { body }))).toBe('in')
    const { link } = await at.smtp.waitFor(guest.email, 2)
    const token = new URL(link).searchParams.get('token')
    await end(team)
    const accepted = await guest.ask('/settings/invitations/accept', { body: { token } })
    expect(resultOf(accepted)).toBe('410 invalid_link')
    expect(resultOf(await guest.ask(settings(team, '')))).toBe('404 not_found')
    const pending = await team.owner.ask(settings(team, '/invitations'))
    expect(pending.json.data.invitations).toEqual([])
  })
})

test('an invitation counts only while who sent it may still invite, however they lost that', async () => {
  const team = await teams.make('admin')
  const guest = await at.signUp('Guest')
  await team.other.ask(settings(team, '/invitations'), { body: { email: guest.email, role: 'admin' } })
  const { link } = await at.smtp.waitFor(guest.email, 2)
  // Sent in the moment of the demotion: it is there, and its sender is no admin.
  await at.world.owner.query(`UPDATE member SET role = 'member' WHERE account_id = $1 AND user_id = $2`, [
    team.account,
    team.other.userId,
  ])
  const token = new URL(link).searchParams.get('token')
  expect(resultOf(await guest.ask('/settings/invitations/accept', { body: { token } }))).toBe('410 invalid_link')
  expect(resultOf(await guest.ask(settings(team, '')))).toBe('404 not_found')
})
