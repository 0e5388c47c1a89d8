/**
 * An OpenID provider whose token answer has no ID token, or one of somebody else: who signs in is then only what an
 * unsigned answer says, without the nonce that binds it to this browser.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp } from '../start-app.ts'
import type { PeopleWorld } from '../people-world.ts'

const EMAIL = 'victim@people.example'
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

interface Answers {
  /** Of the ID token; undefined leaves the ID token out. */
  idTokenSubject: string | undefined
  userInfoSubject: string
}

let answers: Answers
let nonce = ''
let issuer = ''
let at: PeopleWorld
const server = createServer((request, response) => {
  const path = (request.url ?? '').split('?')[0]
  const send = (body: unknown) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  if (path === '/.well-known/openid-configuration')
    send({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/keys`,
      id_token_signing_alg_values_supported: ['RS256'],
    })
  else if (path === '/keys')
    send({ keys: [{ ...publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: '1' }] })
  else if (path === '/token') {
    const { idTokenSubject: sub } = answers
    const idToken = sub === undefined ? {} : { id_token: idTokenOf(sub) }
    send({ access_token: 'a', token_type: 'Bearer', expires_in: 60, ...idToken })
  } else send({ sub: answers.userInfoSubject, email: EMAIL, email_verified: true, name: 'Victim' })
})

function idTokenOf(sub: string): string {
  const now = Math.floor(Date.now() / 1000)
  const claims = { iss: issuer, aud: 'client', sub, nonce, iat: now, exp: now + 60 }
  const text = [{ alg: 'RS256', kid: '1', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`
}

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  issuer = `http://${host}`
  at = await startApp({
    people: true,
    own: true,
    settings: { NAMEWRIGHT_SIGN_IN_WITH: `acme=http://client:secret@${host}` },
  })
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await at[Symbol.asyncDispose]()
})

async function signIn(given: Answers): Promise<{ error: string | null; session: unknown }> {
  answers = given
  const visitor = at.visitor()
  const body = { provider: 'acme', callbackURL: '/signed-in', errorCallbackURL: '/sign-in?failed=acme' }
  const asked = new URL((await visitor.ask('/auth/sign-in/social', { body })).json.url)
  nonce = asked.searchParams.get('nonce') ?? ''
  const back = new URLSearchParams({ code: 'c', state: asked.searchParams.get('state') ?? '' })
  const reply = await visitor.ask(`/auth/callback/acme?${back.toString()}`)
  const place = new URL(reply.headers.get('location') ?? '', at.url)
  return { error: place.searchParams.get('error'), session: (await visitor.ask('/auth/get-session')).json }
}

test('a token answer without an ID token signs nobody in', async () => {
  expect(await signIn({ idTokenSubject: undefined, userInfoSubject: 'victim' })).toEqual({
    error: 'unable_to_get_user_info',
    session: null,
  })
})

test('what the provider says about another subject than that of the ID token signs nobody in', async () => {
  expect(await signIn({ idTokenSubject: 'mallory', userInfoSubject: 'victim' })).toEqual({
    error: 'unable_to_get_user_info',
    session: null,
  })
})

test('with an ID token of the same subject somebody is signed in', async () => {
  const { error, session } = await signIn({ idTokenSubject: 'victim', userInfoSubject: 'victim' })
  expect(error).toBeNull()
  expect(session).toMatchObject({ user: { email: EMAIL } })
})
