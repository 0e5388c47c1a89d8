/** An application asks, a person decides, and only what they decided is opened by the token that follows. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOAuthClient, hiddenOf, locationOf, navigate } from '../oauth-client.ts'
import type { App, Fields, OAuthClient } from '../oauth-client.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, Reply, SignedIn, Visitor } from '../people-world.ts'

let at: PeopleWorld
let oauth: OAuthClient
beforeAll(async () => {
  at = await startApp({ people: true })
  oauth = createOAuthClient(at)
})
afterAll(() => at[Symbol.asyncDispose]())

const SCOPE = 'generate favorites:read offline_access'

test('a person who allows it sends the application back with a code for a token that works', async () => {
  const [ada, app] = [await at.signUp('Ada'), await oauth.makePublic()]
  const { verifier, ...asked } = await oauth.ask(ada, app, { scope: SCOPE })
  const page = await oauth.page(ada, locationOf(asked))
  expect(page.status).toBe(200)
  expect(page.text).toContain('<bdi>Agent</bdi> requests access')
  expect(page.text).toContain('(<bdi>127.0.0.1</bdi>)')
  expect(page.text).toContain('<bdi>Agent</bdi> is not verified.')
  expect(page.text).toContain('<li>Read the saved domains</li>')
  expect(page.text).toContain('<li>Keep access for up to 90 days, unless you revoke it earlier</li>')
  expect(page.text).not.toContain('<li>Delete history records</li>')

  const url = await oauth.decide(ada, page)
  expect(url.href).toMatch(/^http:\/\/127\.0\.0\.1:9876\/callback\?code=/)
  expect(url.searchParams.get('state')).toBe('state-1')
  const code = url.searchParams.get('code') ?? ''
  const { json: token } = await oauth.redeem(app, { url, code, error: null, verifier })
  expect(token.scope.split(' ').toSorted()).toEqual(['favorites:read', 'generate', 'offline_access'])
  expect((await oauth.show(token.access_token)).status).toBe(200)
  const history = await at.visitor().ask('/v1/history', { headers: { authorization: `Bearer ${token.access_token}` } })
  expect(history.json.error.code).toBe('insufficient_scope')

  const { rows } = await at.world.owner.query(
    'SELECT name, scopes, per_day, created_by FROM api_key WHERE account_id = $1 AND client_id = $2',
    [ada.userId, app.id],
  )
  const scopes = ['generate', 'favorites:read']
  expect(rows).toEqual([{ name: 'Agent', scopes, per_day: '1000', created_by: ada.userId }])
  const events = await at.world.owner.query(
    'SELECT action, actor, ip, detail FROM security_event WHERE account_id = $1',
    [ada.userId],
  )
  expect(events.rows).toContainEqual({
    action: 'grant_given',
    actor: ada.userId,
    ip: ada.address,
    detail: { client_id: app.id, name: 'Agent', scopes: scopes.join(' ') },
  })
})

test('a page for an access that ends by itself says when', async () => {
  const [ada, app] = [await at.signUp('Ada'), await oauth.makePublic()]
  const shown = async (scope: string) => oauth.page(ada, locationOf(await oauth.ask(ada, app, { scope })))
  const page = await shown('generate')
  expect(page.text).toContain('Access expires after one hour.')
  expect(page.text).toContain('<form method="post" action="/sign-out">')
  expect((await shown(SCOPE)).text).not.toContain('Access expires after one hour.')
})

test('a person who denies it sends the application back with a no, and nothing is given', async () => {
  const [ada, app] = [await at.signUp('Ada'), await oauth.makePublic()]
  for (const decision of ['deny', '', 'perhaps', 'ALLOW', 'allow ']) {
    const url = await oauth.decide(ada, await pageOf(ada, app), { decision })
    expect(url.searchParams.get('error')).toBe('access_denied')
    expect(url.searchParams.get('state')).toBe('state-1')
    expect(url.searchParams.has('code')).toBe(false)
  }
  expect(await grantsOf(ada.userId)).toEqual([])
})

test('who has not signed in is asked to, and comes back to the question', async () => {
  const [ada, app] = [await at.signUp('Ada'), await oauth.makePublic()]
  const stranger = at.visitor()
  const asked = await oauth.ask(stranger, app)
  expect(locationOf(asked)).toMatch(`${at.url}/sign-in?`)
  const signIn = await stranger.ask(locationOf(asked))
  const form = { ...hiddenOf(signIn), email: ada.email, password: ada.password }
  const signedIn = await stranger.ask('/sign-in', { form })
  const onward = /content="0;url=([^"]*)"/.exec(signedIn.text)?.[1]?.replaceAll('&#38;', '&') ?? ''
  expect(onward).toMatch(/^\/auth\/oauth2\/authorize\?/)
  expect(locationOf(await navigate(at, stranger, onward))).toMatch(`${at.url}/consent?`)
})

test('a wish that the person signs in again is fulfilled once', async () => {
  const [ada, app] = [await at.signUp('Ada'), await oauth.makePublic()]
  const asked = await oauth.ask(ada, app, { prompt: 'login consent', max_age: '0' })
  expect(locationOf(asked)).toMatch(`${at.url}/sign-in?`)
  const form = { ...hiddenOf(await ada.ask(locationOf(asked))), email: ada.email, password: ada.password }
  const signedIn = await ada.ask('/sign-in', { form })
  const onward = /content="0;url=([^"]*)"/.exec(signedIn.text)?.[1]?.replaceAll('&#38;', '&') ?? ''
  const consent = locationOf(await navigate(at, ada, onward))
  expect(consent).toMatch(`${at.url}/consent?`)
  const url = await oauth.decide(ada, await oauth.page(ada, consent))
  expect(url.searchParams.has('code')).toBe(true)
})

test('a question that nobody registered, or that was changed on the way, is not shown', async () => {
  const [ada, app] = [await at.signUp('Ada'), await oauth.makePublic()]
  const query = hiddenOf(await pageOf(ada, app))['oauth_query'] ?? ''
  const changed = new URLSearchParams(query)
  changed.set('redirect_uri', 'https://evil.example/callback')
  const unknown = new URLSearchParams(query)
  unknown.set('client_id', 'nobody')
  const odd = new URLSearchParams(query)
  odd.set('client_id', '\0')
  for (const wrong of [changed, unknown, odd, new URLSearchParams()]) {
    const shown = await ada.ask(`/consent?${wrong.toString()}`)
    expect(shown.status).toBe(410)
    expect(shown.text).not.toContain('evil.example')
  }
})

test('a wrong question at the authorization endpoint ends at a page that says so', async () => {
  const app = await oauth.makePublic()
  const asked = await oauth.ask(at.visitor(), app, { redirect_uri: 'https://evil.example/' })
  const shown = await at.visitor().ask(locationOf(asked))
  expect(shown.text).toContain('<p class="note" role="alert">This link is invalid')
})

test('somebody may think for longer than a signature lasts', async () => {
  const [ada, app] = [await at.signUp('Ada'), await oauth.makePublic()]
  const signed = new URL(locationOf(await oauth.ask(ada, app)))
  signed.searchParams.set('exp', '1')
  const page = await oauth.page(ada, signed.href)
  const url = await oauth.decide(ada, page)
  expect(url.searchParams.has('code')).toBe(true)
})

test('who is in several accounts chooses one, and the token acts in that one', async () => {
  const [ada, app] = [await at.signUp('Ada'), await oauth.makePublic()]
  const team = await at.world.makeAccount({ name: 'Team & <Co>' })
  await join(team, ada, 'member')
  const { verifier, ...asked } = await oauth.ask(ada, app)
  const page = await oauth.page(ada, locationOf(asked))
  expect(page.text).toContain('<label for="account">Account</label>')
  expect(page.text).toContain(`<option value="${team}">Team &#38; &#60;Co&#62;</option>`)
  const url = await oauth.decide(ada, page, { account: team })
  const code = url.searchParams.get('code') ?? ''
  const { json } = await oauth.redeem(app, { url, code, error: null, verifier })
  expect((await oauth.show(json.access_token)).status).toBe(200)
  expect(await grantsOf(team)).toEqual([app.id])
  expect(await grantsOf(ada.userId)).toEqual([])
})

test('a viewer gives no more than looking', async () => {
  const [ada, app] = [await at.signUp('Ada'), await oauth.makePublic()]
  const team = await onlyIn('viewer', ada)
  const { verifier, ...asked } = await oauth.ask(ada, app, { scope: SCOPE })
  const page = await oauth.page(ada, locationOf(asked))
  expect(page.text).toContain('<li>Read the saved domains</li>')
  expect(page.text).not.toContain('<li>Suggest names')
  const url = await oauth.decide(ada, page)
  const code = url.searchParams.get('code') ?? ''
  const { json } = await oauth.redeem(app, { url, code, error: null, verifier })
  expect(json.scope.split(' ').toSorted()).toEqual(['favorites:read', 'offline_access'])
  expect(await grantsOf(team)).toEqual([app.id])
})

test('a viewer who has nothing to give can only say no', async () => {
  const [ada, app] = [await at.signUp('Ada'), await oauth.makePublic()]
  const team = await onlyIn('viewer', ada)
  const page = await pageOf(ada, app, { scope: 'generate' })
  expect(page.text).toContain('The required role is member')
  expect(page.text).not.toContain('value="allow"')
  const forced = await ada.ask('/consent', { form: { ...hiddenOf(page), account: team, decision: 'allow' } })
  expect(forced.status).toBe(403)
  expect(await grantsOf(team)).toEqual([])
})

test('an account that the person is not in cannot be chosen', async () => {
  const [ada, bob, app] = [await at.signUp('Ada'), await at.signUp('Bob'), await oauth.makePublic()]
  const page = await pageOf(ada, app)
  for (const account of [bob.userId, 'x', '']) {
    const sent = await ada.ask('/consent', { form: { ...hiddenOf(page), account, decision: 'allow' } })
    expect(sent.status).toBe(404)
  }
  expect(await grantsOf(bob.userId)).toEqual([])
})

test('what an application calls itself is text, of one line, that hides nothing', async () => {
  const name = `<script>alert(1)</script>\u202E\u0007\n "x" ${'long '.repeat(60)}`
  const [ada, app] = [await at.signUp('Ada'), await oauth.makePublic({ client_name: name })]
  const page = await pageOf(ada, app)
  expect(page.text).not.toContain('<script')
  expect(page.text).not.toContain('\u202E')
  expect(page.text).not.toContain('\u0007')
  const [, shown = ''] = /<h1>\s*<bdi>(.*?)<\/bdi>/.exec(page.text) ?? []
  expect(shown).toMatch(/^&#60;script&#62;alert\(1\)&#60;\/script&#62; &#34;x&#34; long .*…$/)
  expect(shown.replaceAll(/&#\d+;/g, '.').length).toBe(80)
})

test('an application of an account that the person is in needs no warning', async () => {
  const [ada, bob] = [await at.signUp('Ada'), await at.signUp('Bob')]
  const app = await oauth.makeConfidential(ada)
  expect((await pageOf(ada, app)).text).not.toContain('is not verified')
  const page = await pageOf(bob, app)
  expect(page.text).toContain('is not verified')
  expect(page.text).toContain('(<bdi>robot.example</bdi>)')
})

test('an app on a device is named by its scheme', async () => {
  const redirectUri = 'com.example.app:/callback'
  const [ada, app] = [await at.signUp('Ada'), await oauth.makePublic({ redirect_uris: [redirectUri] })]
  const page = await pageOf(ada, app)
  expect(page.text).toContain('(<bdi>com.example.app</bdi>)')
  expect((await oauth.decide(ada, page)).protocol).toBe('com.example.app:')
})

async function pageOf(visitor: Visitor, app: App, changes: Fields = {}): Promise<Reply> {
  return oauth.page(visitor, locationOf(await oauth.ask(visitor, app, changes)))
}

async function join(account: string, { userId }: SignedIn, role: string): Promise<void> {
  const text = 'INSERT INTO member (account_id, user_id, role, created_at) VALUES ($1, $2, $3, now())'
  await at.world.owner.query(text, [account, userId, role])
}

/** In one account, and not even in one of their own. */
async function onlyIn(role: string, person: SignedIn): Promise<string> {
  const team = await at.world.makeAccount({ name: 'Team' })
  await join(team, person, role)
  await at.world.owner.query('DELETE FROM member WHERE account_id = $1', [person.userId])
  return team
}

async function grantsOf(account: string): Promise<string[]> {
  const text = 'SELECT client_id FROM api_key WHERE account_id = $1 AND client_id IS NOT NULL'
  const { rows } = await at.world.owner.query<{ client_id: string }>(text, [account])
  return rows.map(({ client_id }) => client_id)
}
