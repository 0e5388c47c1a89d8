/** Signing in with a provider of the operator's: which person that is here, which claims are trusted, and when the provider is unreachable. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createWeb } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openOidc } from './oidc-world.ts'
import type { Claims, OidcWorld } from './oidc-world.ts'
import { createOAuthClient, hiddenOf, linkOf, locationOf, navigate } from '../oauth-client.ts'
import { PASSWORD } from '../people-world.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, Reply, Visitor } from '../people-world.ts'
import { codeOf } from '../totp.ts'
import type { Node } from '../world.ts'

let at: PeopleWorld
let acme: OidcWorld
beforeAll(async () => {
  acme = await openOidc()
  at = await startApp({ people: true, own: true, settings: { NAMEWRIGHT_SIGN_IN_WITH: `acme=${acme.setting}` } })
  acme.allow(`${at.url}/auth/callback/acme`)
})
afterAll(async () => {
  await acme.close()
  await at[Symbol.asyncDispose]()
})

let made = 0
const someone = (claims: Claims = {}): { sub: string; email: string } => {
  const sub = `sub-${++made}`
  const { email = `${sub}-${Date.now()}@people.example` } = claims
  acme.know(sub, { email, email_verified: true, name: 'Bo Provider', ...claims })
  return { sub, email }
}

const BODY = { callbackURL: '/signed-in', errorCallbackURL: '/sign-in?failed=acme' }
const begin = (visitor: Visitor, { node = '', provider = 'acme' } = {}) =>
  visitor.ask(`${node}/auth/sign-in/social`, { body: { provider, ...BODY } })

/** Where the provider sends the visitor back to. */
async function throughAcme(visitor: Visitor, sub: string, bend: (url: URL) => void = () => {}): Promise<URL> {
  const { json } = await begin(visitor)
  const url = new URL(json.url)
  bend(url)
  return new URL(await acme.signIn(url.href, sub))
}

const come = (visitor: Visitor, back: URL) => visitor.ask(`${back.pathname}${back.search}`)

async function signInWithAcme(sub: string, visitor = at.visitor()): Promise<{ visitor: Visitor; reply: Reply }> {
  return { visitor, reply: await come(visitor, await throughAcme(visitor, sub)) }
}

const sessionOf = async (visitor: Visitor) => (await visitor.ask('/auth/get-session')).json
/** The `error` of where somebody is sent to; nothing when they are in. */
const errorOf = ({ headers }: Reply) => new URL(headers.get('location') ?? '', at.url).searchParams.get('error')
const peopleWith = async (email: string) =>
  (await at.world.owner.query<{ id: string }>('SELECT id FROM people."user" WHERE email = $1', [email])).rows

describe('somebody the provider knows', () => {
  test('is somebody new here, with an account of their own', async () => {
    const bo = someone()
    const { visitor, reply } = await signInWithAcme(bo.sub)
    expect(reply.headers.get('location')).toBe('/signed-in')
    const { user } = await sessionOf(visitor)
    expect(user).toMatchObject({ email: bo.email, emailVerified: true, name: 'Bo Provider' })
    expect((await visitor.ask(`/settings/accounts/${user.id}/keys`)).status).toBe(200)
    const events = async () =>
      (await at.world.owner.query('SELECT action FROM security_event WHERE account_id = $1', [user.id])).rows
    await expect.poll(events).toEqual(expect.arrayContaining([{ action: 'signed_up' }, { action: 'signed_in' }]))
  })

  test('is the same person the next time, even under another address and name', async () => {
    const bo = someone()
    const first = (await sessionOf((await signInWithAcme(bo.sub)).visitor)).user
    acme.know(bo.sub, { email: `moved-${bo.email}`, email_verified: true, name: 'Bo Moved' })
    const { visitor } = await signInWithAcme(bo.sub)
    expect((await sessionOf(visitor)).user).toMatchObject({ id: first.id, email: bo.email, name: 'Bo Provider' })
    expect(await peopleWith(`moved-${bo.email}`)).toEqual([])
  })

  test('is not somebody else there who was given the same address later', async () => {
    const bo = someone()
    const { user } = await sessionOf((await signInWithAcme(bo.sub)).visitor)
    const heir = someone({ email: bo.email, email_verified: false })
    const { visitor, reply } = await signInWithAcme(heir.sub)
    expect(errorOf(reply)).toBe('account_not_linked')
    expect(await sessionOf(visitor)).toBeNull()
    expect(await peopleWith(bo.email)).toEqual([{ id: user.id }])
  })

  test('leaves none of the provider’s tokens behind', async () => {
    const bo = someone()
    await signInWithAcme(bo.sub)
    await signInWithAcme(bo.sub)
    const { rows } = await at.world.owner.query(
      'SELECT access_token, refresh_token, id_token FROM people.login WHERE provider_id = $1 AND account_id = $2',
      ['acme', bo.sub],
    )
    expect(rows).toEqual([{ access_token: null, refresh_token: null, id_token: null }])
  })

  test('has a name that can be shown, whatever the provider says', async () => {
    const bo = someone({ name: `B\u0000o\u202e ${'o'.repeat(500)}` })
    const { user } = await sessionOf((await signInWithAcme(bo.sub)).visitor)
    expect(user.name).toMatch(/^B o o+…$/)
    expect(user.name).toHaveLength(80)
  })

  test('signs in there again to allow an application with an old session, and comes back to its request', async () => {
    const oauth = createOAuthClient(at)
    const app = await oauth.makePublic()
    const bo = someone()
    const { visitor } = await signInWithAcme(bo.sub)
    const { user } = await sessionOf(visitor)
    const text = `UPDATE people.session SET created_at = now() - interval '1 hour' WHERE user_id = $1`
    await at.world.owner.query(text, [user.id])
    const page = await oauth.page(visitor, locationOf(await oauth.ask(visitor, app)))
    const asked = await visitor.ask('/consent', { form: { ...hiddenOf(page), decision: 'allow' } })
    expect([asked.status, asked.text.includes('type="password"')]).toEqual([403, false])
    const form = /<form(?:(?!<\/form>).)*value="acme".*?<\/form>/s.exec(asked.text)?.[0] ?? ''
    const sent = await visitor.ask('/sign-in', { form: { ...hiddenOf({ ...asked, text: form }), provider: 'acme' } })
    const back = await come(visitor, new URL(await acme.signIn(linkOf(sent), bo.sub)))
    const again = await oauth.page(visitor, locationOf(await navigate(at, visitor, locationOf(back))))
    expect((await oauth.decide(visitor, again)).searchParams.get('code')).toBeTruthy()
  })

  test('is not signed out there when signing out here', async () => {
    const { visitor } = await signInWithAcme(someone().sub)
    const reply = await visitor.ask('/auth/sign-out', { body: {} })
    expect(reply.json).toEqual({ success: true })
    expect(await sessionOf(visitor)).toBeNull()
  })
})

describe('an address that somebody here has', () => {
  test('is not theirs to whom the provider only heard it from: nobody gets in, and nothing is changed', async () => {
    const ada = await at.signUp('Ada')
    const thief = someone({ email: ada.email, email_verified: false })
    const { visitor, reply } = await signInWithAcme(thief.sub)
    expect(errorOf(reply)).toBe('account_not_linked')
    expect(await sessionOf(visitor)).toBeNull()
    const text = 'SELECT provider_id FROM people.login WHERE user_id = $1'
    expect((await at.world.owner.query(text, [ada.userId])).rows).toEqual([{ provider_id: 'credential' }])
  })

  test('opens their door when both have verified it, and the password still does', async () => {
    const ada = await at.signUp('Ada')
    const { visitor, reply } = await signInWithAcme(someone({ email: ada.email.toUpperCase() }).sub)
    expect(errorOf(reply)).toBeNull()
    expect((await sessionOf(visitor)).user).toMatchObject({ id: ada.userId, name: 'Ada' })
    await at.signIn(ada.email, PASSWORD)
  })

  test('opens nothing when it is not verified here: whoever signed up with it may not be its owner', async () => {
    const { sub, email } = someone()
    await at.visitor().ask('/auth/sign-up/email', { body: { email, name: 'Eve', password: PASSWORD } })
    await at.smtp.waitFor(email)
    const { visitor, reply } = await signInWithAcme(sub)
    expect(errorOf(reply)).toBe('account_not_linked')
    expect(await sessionOf(visitor)).toBeNull()
  })

  test('does not lead around a second factor', async () => {
    const ada = await at.signUp('Ada')
    const { totpURI } = (await ada.ask('/auth/two-factor/enable', { body: { password: PASSWORD } })).json
    expect((await ada.ask('/auth/two-factor/verify-totp', { body: { code: codeOf(totpURI) } })).status).toBe(200)
    const { visitor, reply } = await signInWithAcme(someone({ email: ada.email }).sub)
    expect(errorOf(reply)).toBe('account_not_linked')
    expect(await sessionOf(visitor)).toBeNull()
  })
})

describe('an address that the provider has not verified', () => {
  test('is verified by letter before somebody new gets in', async () => {
    const bo = someone({ email_verified: false })
    const first = await signInWithAcme(bo.sub)
    expect(errorOf(first.reply)).toBe('email_not_verified')
    expect(await sessionOf(first.visitor)).toBeNull()
    const { link } = await at.smtp.waitFor(bo.email)
    expect((await at.confirm(link, '', first.visitor)).status).toBe(303)
    const { visitor } = await signInWithAcme(bo.sub)
    expect((await sessionOf(visitor)).user).toMatchObject({ email: bo.email, emailVerified: true })
  })

  test('is confirmed only in the browser that signed in with the provider', async () => {
    const squatter = someone({ email_verified: false })
    const { visitor: squattersBrowser } = await signInWithAcme(squatter.sub)
    const { link } = await at.smtp.waitFor(squatter.email)
    const owner = at.visitor()
    expect((await owner.ask(new URL(link).pathname + new URL(link).search)).text).not.toContain('<form')
    expect((await at.confirm(link, '', owner)).status).toBe(400)
    // One browser that comes back from the provider is not another.
    const { visitor: another } = await signInWithAcme(someone({ email_verified: false }).sub)
    expect((await at.confirm(link, '', another)).status).toBe(400)
    // Asking for the email again does not bind it to the browser that asks.
    await owner.ask('/auth/send-verification-email', { body: { email: squatter.email } })
    const again = (await at.smtp.waitFor(squatter.email, 2)).link
    expect((await at.confirm(again, '', owner)).status).toBe(400)
    expect((await at.confirm(again, '', squattersBrowser)).status).toBe(303)
  })

  test('keeps its owner from nothing: who comes by letter has it, and the other is out', async () => {
    const squatter = someone({ email_verified: false })
    await signInWithAcme(squatter.sub)
    const owner = at.visitor()
    const { email } = squatter
    await owner.ask('/auth/sign-up/email', { body: { email, name: 'Owner', password: PASSWORD } })
    // Replacing the earlier sign-up voids the links before it.
    await at.smtp.waitFor(email, 2)
    await owner.ask('/auth/request-password-reset', { body: { email } })
    // The emails before: both to confirm the address, for the squatter and then for the owner.
    const token = new URL((await at.smtp.waitFor(email, 3)).link).searchParams.get('token')
    const newPassword = 'quay-Lemur-58-fjord'
    expect((await owner.ask('/auth/reset-password', { body: { token, newPassword } })).status).toBe(200)
    await at.signIn(email, newPassword)
    expect(errorOf((await signInWithAcme(squatter.sub)).reply)).toBe('account_not_linked')
  })

  test('is refused when there is none', async () => {
    const sub = 'sub-without'
    acme.know(sub, { name: 'Nobody' })
    expect(errorOf((await signInWithAcme(sub)).reply)).toBe('email_not_found')
  })
})

describe('what was bent on the way is refused', () => {
  const refused = async (visitor: Visitor, reply: Reply, error: string) => {
    expect(reply.status).toBe(302)
    expect(new URL(reply.headers.get('location') ?? '', at.url).pathname).toBe('/sign-in')
    expect(errorOf(reply)).toBe(error)
    expect(await sessionOf(visitor)).toBeNull()
  }

  test('another state', async () => {
    const visitor = at.visitor()
    const back = await throughAcme(visitor, someone().sub)
    back.searchParams.set('state', 'x'.repeat(32))
    await refused(visitor, await come(visitor, back), 'state_mismatch')
    back.searchParams.delete('state')
    await refused(visitor, await come(visitor, back), 'state_not_found')
  })

  test('the answer to somebody else’s question, in a browser that asked nothing or something else', async () => {
    const [thief, victim, asking] = [at.visitor(), at.visitor(), at.visitor()]
    const back = await throughAcme(thief, someone().sub)
    await refused(victim, await come(victim, back), 'state_mismatch')
    await begin(asking)
    await refused(asking, await come(asking, back), 'state_mismatch')
  })

  test('an answer for the second time', async () => {
    const visitor = at.visitor()
    const back = await throughAcme(visitor, someone().sub)
    expect(errorOf(await come(visitor, back))).toBeNull()
    visitor.cookies.clear()
    await refused(visitor, await come(visitor, back), 'state_mismatch')
  })

  test('another code', async () => {
    const visitor = at.visitor()
    const back = await throughAcme(visitor, someone().sub)
    // Such as nobody else has, because it is looked for in everything at the end.
    back.searchParams.set('code', randomBytes(32).toString('base64url'))
    await refused(visitor, await come(visitor, back), 'invalid_code')
  })

  test('a code that was given for another secret of ours (PKCE)', async () => {
    const visitor = at.visitor()
    const back = await throughAcme(visitor, someone().sub, (url) => {
      expect(url.searchParams.get('code_challenge_method')).toBe('S256')
      url.searchParams.set('code_challenge', 'A'.repeat(43))
    })
    await refused(visitor, await come(visitor, back), 'invalid_code')
  })

  test('an ID token that was made for another question (nonce)', async () => {
    const visitor = at.visitor()
    const back = await throughAcme(visitor, someone().sub, (url) => {
      expect(url.searchParams.get('nonce')).toMatch(/^.{32}$/)
      url.searchParams.set('nonce', 'another')
    })
    await refused(visitor, await come(visitor, back), 'unable_to_get_user_info')
  })

  test('an ID token for no question at all', async () => {
    const visitor = at.visitor()
    const back = await throughAcme(visitor, someone().sub, (url) => url.searchParams.delete('nonce'))
    await refused(visitor, await come(visitor, back), 'unable_to_get_user_info')
  })

  test('the answer of another provider', async () => {
    const visitor = at.visitor()
    const back = await throughAcme(visitor, someone().sub)
    expect(back.searchParams.get('iss')).toBe(acme.issuer)
    back.searchParams.set('iss', 'https://evil.example')
    await refused(visitor, await come(visitor, back), 'issuer_mismatch')
  })

  test('a person who said no', async () => {
    const visitor = at.visitor()
    const { json } = await begin(visitor)
    const state = new URL(json.url).searchParams.get('state') ?? ''
    const back = new URL(`${at.url}/auth/callback/acme?error=access_denied&state=${state}`)
    await refused(visitor, await come(visitor, back), 'access_denied')
  })

  test('an ID token that a browser brings along', async () => {
    const visitor = at.visitor()
    const body = { provider: 'acme', idToken: { token: 'a.b.c' } }
    expect((await visitor.ask('/auth/sign-in/social', { body })).json.code).toBe('ID_TOKEN_NOT_SUPPORTED')
  })

  test('a way on that leads away from here', async () => {
    for (const field of ['callbackURL', 'errorCallbackURL', 'newUserCallbackURL']) {
      for (const foreign of ['https://evil.example/', '//evil.example', 'javascript:alert(1)', '/\\evil.example']) {
        const reply = await at
          .visitor()
          .ask('/auth/sign-in/social', { body: { provider: 'acme', ...BODY, [field]: foreign } })
        expect(reply.status, `${field} ${foreign}`).toBe(403)
      }
    }
  })
})

describe('where people come by invitation only, and two of three providers do not answer', () => {
  const silent = createServer(() => {})
  let node: Node
  let gone: OidcWorld
  const ask = (provider: string) => begin(at.visitor(), { node: node.url, provider })
  const signIn = (email: string) =>
    at.visitor().ask(`${node.url}/auth/sign-in/email`, { body: { email, password: PASSWORD } })

  beforeAll(async () => {
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    gone = await openOidc()
    await gone.close()
    const quiet = `http://c:s@127.0.0.1:${(silent.address() as AddressInfo).port}`
    node = await at.world.startNode({
      NAMEWRIGHT_PORT: '0',
      NAMEWRIGHT_SIGN_UP: 'invited',
      NAMEWRIGHT_SIGN_IN_WITH: `quiet=${quiet},acme=${acme.setting},gone=${gone.setting}`,
    })
  })
  afterAll(async () => {
    await node.stop('SIGKILL')
    silent.close()
  })

  test('everybody else gets in within seconds, and who asks for those two is told', async () => {
    const ada = await at.signUp('Ada')
    const timed = async () => {
      const startedAt = performance.now()
      expect((await signIn(ada.email)).status).toBe(200)
      return performance.now() - startedAt
    }
    const first = await timed()
    // The second waits for nobody: so slow is the machine itself.
    expect(first - 10 * (await timed())).toBeLessThan(15_000)
    // Left out of a start for which it was too slow, it is tried again.
    await expect.poll(async () => (await ask('acme')).status).toBe(200)
    for (const provider of ['quiet', 'gone']) {
      const reply = await ask(provider)
      expect(`${reply.status} ${reply.json.code}`, provider).toBe('404 PROVIDER_NOT_FOUND')
    }
  })

  test('the third brings nobody new, and lets in who is here', async () => {
    await expect.poll(async () => (await ask('acme')).status).toBe(200)
    const through = async (sub: string) => {
      const visitor = at.visitor()
      const { json } = await begin(visitor, { node: node.url })
      const back = new URL(await acme.signIn(json.url, sub))
      return { visitor, reply: await visitor.ask(`${node.url}${back.pathname}${back.search}`) }
    }
    const bo = someone()
    const { visitor, reply } = await through(bo.sub)
    expect(errorOf(reply)).toBe('signup_disabled')
    expect(await sessionOf(visitor)).toBeNull()
    expect(await peopleWith(bo.email)).toEqual([])
    const ada = await at.signUp('Ada')
    const known = await through(someone({ email: ada.email }).sub)
    expect((await sessionOf(known.visitor)).user.id).toBe(ada.userId)
  })

  test('one that is back is found again without a restart; one that leaves halfway is an error, and no more', async () => {
    const ada = await at.signUp('Ada')
    await using back = await openOidc(Number(new URL(gone.issuer).port))
    back.allow(`${at.url}/auth/callback/gone`)
    back.know('bo', { email: ada.email, email_verified: true, name: 'Bo' })
    await expect.poll(async () => (await ask('gone')).status, { timeout: 90_000, interval: 500 }).toBe(200)
    const visitor = at.visitor()
    const { json } = await begin(visitor, { node: node.url, provider: 'gone' })
    const answer = new URL(await back.signIn(json.url, 'bo'))
    await back.close()
    const reply = await visitor.ask(`${node.url}${answer.pathname}${answer.search}`)
    expect(errorOf(reply)).toBe('invalid_code')
    expect((await signIn(ada.email)).status).toBe(200)
  })
})

test('a provider whose document speaks for another issuer is left out', async () => {
  const other = await openOidc()
  other.allow('http://127.0.0.1/callback')
  // It serves the document of the other one as its own.
  const liar = createWeb((_request, response) => {
    fetch(`${other.issuer}/.well-known/openid-configuration`)
      .then((answer) => answer.text())
      .then((text) => response.writeHead(200, { 'content-type': 'application/json' }).end(text))
      .catch(() => response.writeHead(500).end())
  }).listen(0, '127.0.0.1')
  await once(liar, 'listening')
  const { port } = liar.address() as AddressInfo
  const alone = await startApp({
    people: true,
    own: true,
    settings: { NAMEWRIGHT_SIGN_IN_WITH: `liar=http://client:secret@127.0.0.1:${port}` },
  })
  try {
    const reply = await alone.visitor().ask('/auth/sign-in/social', { body: { provider: 'liar', ...BODY } })
    expect(reply.status).toBe(404)
    await expect.poll(alone.node.output).toContain('its issuer does not match')
  } finally {
    await alone[Symbol.asyncDispose]()
    liar.close()
    await other.close()
  }
})
