/**
 * The yes of a person cannot be forged, borrowed, hidden or widened (RFC 6749 §10.12–10.13, RFC 9700 §4.2, §4.7, §4.16).
 *
 * The request on the page is signed, and the signature decides nothing: the authorization server is asked anew with
 * the cookie of whoever sends the form. So these tests try what a forged request could gain, not whether it is noticed.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOAuthClient, hiddenOf, locationOf, navigate, returnOf } from '../oauth-client.ts'
import type { App, OAuthClient } from '../oauth-client.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, Reply, SignedIn, Visitor } from '../people-world.ts'

let at: PeopleWorld
let oauth: OAuthClient
let ada: SignedIn
let bea: SignedIn
let eve: SignedIn
let app: App
beforeAll(async () => {
  at = await startApp({ people: true })
  oauth = createOAuthClient(at)
  ada = await at.signUp('Ada')
  bea = await at.signUp('Bea')
  eve = await at.signUp('Eve')
  app = await oauth.makePublic()
})
afterAll(() => at[Symbol.asyncDispose]())

async function pageFor(visitor: Visitor, of: App = app): Promise<Reply> {
  return oauth.page(visitor, locationOf(await oauth.ask(visitor, of)))
}

async function send(visitor: Visitor, form: Record<string, string>, headers: Record<string, string> = {}) {
  const reply = await visitor.ask('/consent', { form: { decision: 'allow', ...form }, headers })
  // Refused for another reason than the one that is tried.
  if (reply.status === 429) throw new Error('too many for one person')
  return reply
}

/** No code is anywhere, and the application may do nothing in the account. */
async function expectNothing(reply: Reply, account: string, of: App = app): Promise<void> {
  expect(`${locationOf(reply)} ${reply.text}`).not.toMatch(/[?&;]code=/)
  const text = 'SELECT id FROM api_key WHERE client_id = $1 AND account_id = $2'
  expect((await at.world.owner.query(text, [of.id, account])).rows).toEqual([])
}

describe('a yes', () => {
  test('that is a no tells the application so, with its state and our name (RFC 6749 §4.1.2.1, RFC 9207 §2)', async () => {
    const url = await oauth.decide(ada, await pageFor(ada), { decision: 'deny' })
    const { error, state, iss, code } = Object.fromEntries(url.searchParams)
    expect({ error, state, iss, code }).toEqual({ error: 'access_denied', state: 'state-1', iss: oauth.issuer })
  })

  test('is not a visit: opening the page decides nothing (RFC 6749 §10.12)', async () => {
    const fresh = await oauth.makePublic()
    const way = locationOf(await oauth.ask(ada, fresh))
    const page = await navigate(at, ada, `${way}&decision=allow&account=${ada.userId}&accept=true`)
    expect(page.status).toBe(200)
    await expectNothing(page, ada.userId, fresh)
  })

  test('cannot be given past the page', async () => {
    const fresh = await oauth.makePublic()
    const { oauth_query = '' } = hiddenOf(await pageFor(ada, fresh))
    for (const path of ['/auth/oauth2/consent', '/auth/oauth2/continue']) {
      const reply = await ada.ask(path, { body: { accept: true, selected: true, postLogin: true, oauth_query } })
      expect(reply.status).toBe(404)
      await expectNothing(reply, ada.userId, fresh)
    }
  })
})

describe('a page of another site', () => {
  test.each(['https://evil.example', 'null', 'https://localhost', 'https://localhost.evil.example'])(
    'at %s cannot say yes for a visitor (RFC 9700 §4.7)',
    async (origin) => {
      const fresh = await oauth.makePublic()
      const reply = await send(ada, hiddenOf(await pageFor(ada, fresh)), { origin })
      expect(reply.status).toBe(403)
      await expectNothing(reply, ada.userId, fresh)
    },
  )

  test('cannot show ours in a frame, nor learns where a visitor came from (RFC 9700 §4.16, §4.2.4)', async () => {
    const page = await pageFor(ada)
    const signIn = await oauth.page(at.visitor(), locationOf(await oauth.ask(at.visitor(), app)))
    for (const { headers } of [page, signIn, await send(ada, hiddenOf(page))]) {
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
      expect(headers.get('referrer-policy')).toMatch(/^(?:no-referrer|same-origin)$/)
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })

  test('cannot send JSON in place of the form', async () => {
    const fresh = await oauth.makePublic()
    const form = { ...hiddenOf(await pageFor(ada, fresh)), decision: 'allow' }
    const reply = await ada.ask('/consent', { body: form })
    expect(reply.status).toBe(415)
    await expectNothing(reply, ada.userId, fresh)
  })
})

describe('a question', () => {
  const changed = (form: Record<string, string>, change: (query: URLSearchParams) => void) => {
    const query = new URLSearchParams(form['oauth_query'])
    change(query)
    return { ...form, oauth_query: query.toString() }
  }

  test.each<[sentence: string, change: (query: URLSearchParams) => void]>([
    ['that was turned to another address', (query) => query.set('redirect_uri', 'https://evil.example/')],
    ['with two addresses', (query) => query.append('redirect_uri', 'https://evil.example/')],
    ['of an application that does not exist', (query) => query.set('client_id', 'nobody')],
    ['without its challenge', (query) => query.delete('code_challenge')],
    ['with a plain challenge', (query) => query.set('code_challenge_method', 'plain')],
    ['for a scope that does not exist', (query) => query.set('scope', 'everything')],
    ['for a resource that does not exist', (query) => query.set('resource', 'https://evil.example/')],
    ['for a token', (query) => query.set('response_type', 'token')],
  ])('%s gets no code, however it is signed', async (_sentence, change) => {
    const fresh = await oauth.makePublic()
    const form = hiddenOf(await pageFor(bea, fresh))
    await expectNothing(await send(bea, changed(form, change)), bea.userId, fresh)
    const unsigned = changed(form, (query) => {
      for (const name of ['sig', 'exp', 'ba_iat', 'ba_pl', 'ba_param']) query.delete(name)
      change(query)
    })
    await expectNothing(await send(bea, unsigned), bea.userId, fresh)
  })

  test('that is no question gets no code', async () => {
    for (const oauth_query of ['', 'sig=x', '%%%', 'client_id=']) {
      const reply = await send(bea, { ...hiddenOf(await pageFor(bea)), oauth_query })
      expect(`${locationOf(reply)} ${reply.text}`).not.toMatch(/[?&;]code=/)
    }
  })

  test('with the signature of another is answered as what it is, not as what was signed', async () => {
    const other = await oauth.makePublic({ application_type: 'web', redirect_uris: ['https://other.example/cb'] })
    const form = hiddenOf(await pageFor(bea))
    const theirs = new URLSearchParams(hiddenOf(await pageFor(bea, other))['oauth_query'])
    const mixed = changed(form, (query) => query.set('sig', theirs.get('sig') ?? ''))
    const url = await oauth.decide(bea, { ...(await pageFor(bea)), text: '' }, mixed)
    expect(url.origin).toBe('http://127.0.0.1:9876')
  })
})

describe('somebody else', () => {
  test('who sends the form gives only what is theirs', async () => {
    const fresh = await oauth.makePublic()
    const form = hiddenOf(await pageFor(ada, fresh))
    const stolen = await send(eve, form)
    expect(stolen.status).toBe(404)
    await expectNothing(stolen, ada.userId, fresh)
    const asked = await oauth.ask(eve, fresh)
    const url = await oauth.decide(eve, await oauth.page(eve, locationOf(asked)))
    const returned = { url, code: url.searchParams.get('code') ?? '', error: null, verifier: asked.verifier }
    const tokens = await oauth.redeem(fresh, returned)
    expect(tokens.status).toBe(200)
    await expectNothing(stolen, ada.userId, fresh)
  })

  test('who has not signed in is sent to do so', async () => {
    const fresh = await oauth.makePublic()
    const reply = await send(at.visitor(), hiddenOf(await pageFor(ada, fresh)))
    expect(reply.status).toBe(303)
    expect(locationOf(reply)).toMatch(/^\/sign-in\?/)
    await expectNothing(reply, ada.userId, fresh)
  })

  test('who has signed out is sent to sign in again', async () => {
    const fresh = await oauth.makePublic()
    const again = await at.signIn(ada.email, ada.password)
    const form = hiddenOf(await pageFor(again, fresh))
    const cookies = new Map(again.cookies)
    await again.ask('/auth/sign-out', { body: {} })
    for (const [name, value] of cookies) again.cookies.set(name, value)
    expect((await send(again, form)).status).toBe(303)
  })
})

describe('an earlier yes', () => {
  test('does not answer for the next, be it for more, elsewhere or the same (RFC 8252 §8.6)', async () => {
    const fresh = await oauth.makePublic()
    await oauth.grant(eve, fresh)
    for (const changes of [{}, { scope: 'generate' }, { resource: oauth.resource('mcp') }]) {
      expect(locationOf(await oauth.ask(eve, fresh, changes))).toMatch(/\/consent\?/)
      expect(returnOf(await oauth.ask(eve, fresh, { ...changes, prompt: 'none' })).error).toBe('consent_required')
    }
  })

  test('of an earlier session does not lead to a token that opens nothing', async () => {
    const fresh = await oauth.makePublic()
    await oauth.grant(eve, fresh)
    const again = await at.signIn(eve.email, eve.password)
    const { access_token } = await oauth.grant(again, fresh)
    expect((await oauth.show(access_token)).status).toBe(200)
  })
})
