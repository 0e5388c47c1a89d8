/**
 * An application that one member let in acts for the whole account. So the account's admins see all of them and decide: they
 * block some, or allow only those on a list.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefused } from '../auth/until-refused.ts'
import { basic, createOAuthClient, locationOf } from '../oauth-client.ts'
import type { App, OAuthClient } from '../oauth-client.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, Reply, SignedIn } from '../people-world.ts'

let at: PeopleWorld
let oauth: OAuthClient
beforeAll(async () => {
  at = await startApp({ people: true })
  oauth = createOAuthClient(at)
})
afterAll(() => at[Symbol.asyncDispose]())

const applications = ({ userId }: SignedIn) => `/settings/accounts/${userId}/applications`
const decide = (person: SignedIn, { id }: App, decision: string | null) =>
  person.ask(`${applications(person)}/rules`, { method: 'PUT', body: { client_id: id, decision } })
const setPolicy = (person: SignedIn, policy: string) =>
  person.ask(applications(person), { method: 'PATCH', body: { policy } })
const consentPage = async (person: SignedIn, app: App): Promise<Reply> =>
  oauth.page(person, locationOf(await oauth.ask(person, app)))

const until401 = (token: string) => expectRefused(() => oauth.show(token), '401 invalid_token', 3_000)

test('an application that an admin blocks loses its access at once, and cannot be let in again', async () => {
  const ada = await at.signUp('Ada')
  const agent = await oauth.makePublic()
  const tokens = await oauth.grant(ada, agent)
  const others = await oauth.grant(await at.signUp('Bo'), agent)
  expect((await oauth.show(tokens.access_token)).status).toBe(200)
  const page = await consentPage(ada, agent)
  const blocked = await decide(ada, agent, 'blocked')
  expect(blocked.json, blocked.text).toMatchObject({
    data: { policy: 'any', rules: [{ client_id: agent.id, name: 'Agent', decision: 'blocked' }] },
  })
  await until401(tokens.access_token)
  expect((await oauth.refresh(agent, tokens.refresh_token)).status).toBe(400)
  expect((await oauth.refresh(agent, others.refresh_token)).status, 'in another account').toBe(200)
  // A page that was open before, with its form.
  await expect(oauth.decide(ada, page)).rejects.toThrow('consent: 403')
  const again = await consentPage(ada, agent)
  expect(again.text).not.toContain('value="allow"')
  expect((await decide(ada, agent, null)).json.data.rules).toEqual([])
  expect((await oauth.show((await oauth.grant(ada, agent)).access_token)).status).toBe(200)
})

test('with a list, only what is on it and what the account itself registered may act', async () => {
  const ada = await at.signUp('Ada')
  const [listed, other] = [await oauth.makePublic(), await oauth.makePublic()]
  const robot = await oauth.makeConfidential(ada)
  const tokens = [await oauth.grant(ada, listed), await oauth.grant(ada, other)]
  expect((await decide(ada, listed, 'allowed')).status).toBe(200)
  expect((await setPolicy(ada, 'listed')).json.data.policy).toBe('listed')
  await until401(tokens[1]?.access_token ?? '')
  expect((await oauth.show(tokens[0]?.access_token ?? '')).status).toBe(200)
  expect((await consentPage(ada, other)).text).not.toContain('value="allow"')
  expect((await consentPage(ada, listed)).text).toContain('value="allow"')
  const own = await oauth.token(
    { grant_type: 'client_credentials', scope: 'favorites:read' },
    { authorization: basic(robot.id, robot.secret ?? '') },
  )
  expect((await oauth.show(own.json.access_token)).status).toBe(200)
  // The pages of the service itself are no stranger's.
  expect((await ada.ask(`/settings/accounts/${ada.userId}/pass`, { method: 'POST', body: {} })).status).toBe(201)
})

test('only an admin decides, everybody in the account sees it, and the log says so', async () => {
  const ada = await at.signUp('Ada')
  const ben = await at.signUp('Ben')
  const team = (await ada.ask('/settings/accounts', { body: { name: 'Team' } })).json.data.account.id as string
  const path = `/settings/accounts/${team}`
  await at.world.owner.query(
    `INSERT INTO member (account_id, user_id, role, created_at) VALUES ($1, $2, 'member', now())`,
    [team, ben.userId],
  )
  const agent = await oauth.makePublic()
  const rule = { method: 'PUT', body: { client_id: agent.id, decision: 'blocked' } }
  expect((await ben.ask(`${path}/applications/rules`, rule)).status).toBe(403)
  expect((await ben.ask(`${path}/applications`, { method: 'PATCH', body: { policy: 'listed' } })).status).toBe(403)
  expect((await ada.ask(`${path}/applications/rules`, rule)).status).toBe(200)
  expect((await ben.ask(`${path}/applications`)).json.data.rules).toHaveLength(1)
  expect((await at.visitor().ask(`${path}/applications`)).status).toBe(401)
  const log = await ada.ask(`${path}/security-events`)
  expect(log.json.data.security_events[0]).toMatchObject({
    action: 'application_rule_changed',
    actor: { id: ada.userId },
    detail: { client_id: agent.id, name: 'Agent', decision: 'blocked' },
  })
  const nobody = { method: 'PUT', body: { client_id: 'nobody', decision: 'blocked' } }
  expect((await ada.ask(`${path}/applications/rules`, nobody)).status).toBe(404)
})

test('a rule and a consent at the same moment never leave a blocked application with access', async () => {
  const ada = await at.signUp('Ada')
  const agent = await oauth.makePublic()
  const pages = await Promise.all([1, 2, 3, 4].map(() => consentPage(ada, agent)))
  await Promise.all([
    ...pages.map((page) => oauth.decide(ada, page).catch(() => undefined)),
    decide(ada, agent, 'blocked'),
  ])
  const text =
    'SELECT count(*)::integer AS n FROM api_key WHERE account_id = $1 AND client_id = $2 AND revoked_at IS NULL'
  const { rows } = await at.world.owner.query<{ n: number }>(text, [ada.userId, agent.id])
  expect(rows).toEqual([{ n: 0 }])
})
