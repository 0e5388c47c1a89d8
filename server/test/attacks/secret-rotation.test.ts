/**
 * A leaked NAMEWRIGHT_SECRET must be replaceable at once. A rotation that signs everybody out and loses second factors is
 * one that nobody dares: so the old secret goes on being accepted, and what it encrypted can be encrypted anew.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../free-port.ts'
import { openReceiver, verify } from '../jobs/receiver.ts'
import type { Receiver } from '../jobs/receiver.ts'
import { basic, createOAuthClient } from '../oauth-client.ts'
import type { App, OAuthClient, Tokens } from '../oauth-client.ts'
import { PASSWORD } from '../people-world.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, SignedIn, Visitor } from '../people-world.ts'
import { runCommand } from '../run-command.ts'
import { codeOf } from '../totp.ts'

const [OLD, NEW] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
const ROTATED = { NAMEWRIGHT_SECRET: NEW, NAMEWRIGHT_ACCEPTED_SECRETS: OLD }

/** All of it made while OLD was the only secret. */
interface Before {
  readonly ada: SignedIn
  readonly uri: string
  readonly recovery: readonly string[]
  /** The password was right, the code is still asked for. */
  readonly halfIn: Visitor
  readonly cursor: string
  readonly resetToken: string
  readonly confirmation: { readonly email: string; readonly link: string }
  readonly robot: App
  readonly tokens: Tokens
  readonly webhook: { readonly id: string; readonly secret: string }
  readonly share: string
}

let receiver: Receiver
let at: PeopleWorld
let oauth: OAuthClient
let before: Before
let rotated: string
let strict: string
beforeAll(async () => {
  receiver = await openReceiver()
  at = await startApp({
    people: true,
    own: true,
    settings: { NAMEWRIGHT_SECRET: OLD, NAMEWRIGHT_WEBHOOK_ALLOW: receiver.place },
  })
  oauth = createOAuthClient(at)
  ;[before, rotated, strict] = await Promise.all([
    makeEverything(),
    startNode(ROTATED),
    startNode({ NAMEWRIGHT_SECRET: NEW }),
  ])
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

const accountOf = ({ userId }: SignedIn) => `/settings/accounts/${userId}`

async function makeEverything(): Promise<Before> {
  const ada = await at.signUp('Ada')
  const account = accountOf(ada)
  const robot = await oauth.makeConfidential(ada)
  const events = ['quota.warning']
  const made = await ada.ask(`${account}/webhooks`, { body: { url: receiver.url, events } })
  const { id, secret } = made.json.data.webhook
  const key = (await ada.ask(`${account}/keys`, { body: { name: 'k', scopes: ['favorites:write'] } })).json.data.key
  const headers = { authorization: `Bearer ${key.secret}` }
  const favorite = await at.visitor().ask('/v1/favorites', { body: { domain: 'free-for-sure-example.com' }, headers })
  const favorite_ids = [favorite.json.data.favorite.id]
  const shared = await ada.ask(`${account}/shares`, { body: { title: 'List', favorite_ids } })
  const page = await ada.ask(`${account}/security-events?limit=1`)

  const on = await ada.ask('/auth/two-factor/enable', { body: { password: PASSWORD } })
  const { totpURI: uri, backupCodes: recovery } = on.json
  const turnOn = async () => (await ada.ask('/auth/two-factor/verify-totp', { body: { code: codeOf(uri, -1) } })).status
  expect([await turnOn(), await turnOn()]).toContain(200)
  // Turning the second factor on has ended what came of the session before.
  const tokens = await oauth.grant(ada, await oauth.makePublic())
  const halfIn = at.visitor()
  const first = await halfIn.ask('/auth/sign-in/email', { body: { email: ada.email, password: PASSWORD } })
  expect(first.json).toMatchObject({ twoFactorRedirect: true })

  const lost = await at.signUp('Lost')
  await at.visitor().ask('/auth/request-password-reset', { body: { email: lost.email } })
  const reset = await at.smtp.waitFor(lost.email, 2)
  const email = `new-${randomBytes(4).toString('hex')}@people.example`
  await at.visitor().ask('/auth/sign-up/email', { body: { email, name: 'New', password: PASSWORD } })
  const confirmation = { email, link: (await at.smtp.waitFor(email)).link }

  return {
    ada,
    uri,
    recovery,
    halfIn,
    cursor: page.json.data.next_cursor,
    resetToken: new URL(reset.link).searchParams.get('token') ?? '',
    confirmation,
    robot,
    tokens,
    webhook: { id, secret },
    share: new URL(shared.json.data.share.url).pathname.replace('/r/', '/shares/'),
  }
}

async function startNode(env: Record<string, string>): Promise<string> {
  const port = await freePort()
  await at.world.startNode({ ...env, NAMEWRIGHT_PORT: String(port) })
  return `https://localhost:${port}`
}

const robotToken = (node: string) =>
  at.visitor().ask(`${node}/auth/oauth2/token`, {
    form: { grant_type: 'client_credentials', scope: 'history:read' },
    headers: { authorization: basic(before.robot.id, before.robot.secret ?? '') },
  })

/** As a node signs a test of the webhook, checked with the secret that was shown when the webhook was made. */
async function signsWebhook(node: string): Promise<boolean> {
  const { ada, webhook } = before
  const tried = await signedIn(ada).ask(`${node}${accountOf(ada)}/webhooks/${webhook.id}/test`, { method: 'POST' })
  const { id, state } = tried.json.data.delivery
  const received = receiver.received.find(({ headers }) => headers['webhook-id'] === id)
  return state === 'delivered' && received !== undefined && verify(webhook.secret, received) !== undefined
}

/** The cookies as they were before the rotation, whatever a node has set since. */
function signedIn(somebody: Visitor): Visitor {
  const visitor = at.visitor()
  for (const [name, value] of somebody.cookies) visitor.cookies.set(name, value)
  return visitor
}

/** By password on a node, and then by this code. */
async function signInWith(node: string, path: string, code: string): Promise<number> {
  const visitor = at.visitor()
  await visitor.ask(`${node}/auth/sign-in/email`, { body: { email: before.ada.email, password: PASSWORD } })
  return (await visitor.ask(`${node}/auth/two-factor/${path}`, { body: { code } })).status
}

test('after a rotation everything that was made before goes on working, and with the new secret alone it does not', async () => {
  const { ada, halfIn, cursor, uri, recovery, tokens, share } = before
  const events = (node: string) =>
    signedIn(ada).ask(`${node}${accountOf(ada)}/security-events?limit=1&cursor=${cursor}`)

  const works = async (node: string) => ({
    session: (await signedIn(ada).ask(`${node}/settings/me`)).status,
    cursor: (await events(node)).status,
    robot: (await robotToken(node)).status,
    share: (await at.visitor().ask(`${node}${share}`)).status,
    token: (await oauth.show(tokens.access_token, 'v1', node)).status,
  })
  expect(await works(rotated)).toEqual({ session: 200, cursor: 200, robot: 200, share: 200, token: 200 })
  // So that the line above can fail: this is what dropping the old secret at once does.
  // The link of a share is found by the hash of its code, and signs nothing.
  expect(await works(strict)).toEqual({ session: 401, cursor: 401, robot: 401, share: 200, token: 200 })

  const halfDone = signedIn(halfIn)
  const second = await halfDone.ask(`${rotated}/auth/two-factor/verify-totp`, { body: { code: codeOf(uri) } })
  expect(second.status, second.text).toBe(200)
  expect(await signInWith(rotated, 'verify-totp', codeOf(uri, 1))).toBe(200)
  expect(await signInWith(rotated, 'verify-backup-code', recovery[0] ?? '')).toBe(200)
  expect(await signsWebhook(rotated)).toBe(true)
})

test('links that were sent before the rotation still work', async () => {
  const { confirmation, resetToken } = before
  const token = new URL(confirmation.link).searchParams.get('token') ?? ''
  const confirmed = await at.visitor().ask(`${rotated}/confirm-email`, { form: { token, password: PASSWORD } })
  expect(confirmed.status, confirmed.text).toBeLessThan(400)
  const body = { email: confirmation.email, password: PASSWORD }
  expect((await at.visitor().ask(`${rotated}/auth/sign-in/email`, { body })).status).toBe(200)
  const newPassword = 'quay-Loam-58-finch'
  const reset = await at.visitor().ask(`${rotated}/auth/reset-password`, { body: { token: resetToken, newPassword } })
  expect(reset.status, reset.text).toBe(200)
})

test('a node that signs with the old secret accepts the new one already, so that nodes can be changed one by one', async () => {
  const waiting = await startNode({ NAMEWRIGHT_SECRET: OLD, NAMEWRIGHT_ACCEPTED_SECRETS: NEW })
  const visitor = at.visitor()
  const bea = await at.signUp('Bea')
  await visitor.ask(`${rotated}/auth/sign-in/email`, { body: { email: bea.email, password: PASSWORD } })
  expect((await visitor.ask(`${waiting}/settings/me`)).status).toBe(200)
})

test('once everything is encrypted anew, the old secret can be dropped', async () => {
  const env = { ...at.world.env, ...ROTATED }
  const done = await runCommand(['reencrypt'], env)
  expect(done.stdout.trim(), done.stderr).toBe('re-encrypted 1 two-factor secrets, 1 client secrets, 1 webhooks')
  expect((await runCommand(['reencrypt'], env)).stdout).toContain(
    're-encrypted 0 two-factor secrets, 0 client secrets, 0',
  )
  const { ada, recovery, webhook } = before
  expect((await robotToken(strict)).status).toBe(200)
  const visitor = at.visitor()
  await visitor.ask(`${strict}/auth/sign-in/email`, { body: { email: ada.email, password: PASSWORD } })
  const second = await visitor.ask(`${strict}/auth/two-factor/verify-backup-code`, { body: { code: recovery[1] } })
  expect(second.status, second.text).toBe(200)
  const tried = await visitor.ask(`${strict}${accountOf(ada)}/webhooks/${webhook.id}/test`, { method: 'POST' })
  const received = receiver.received.find(({ headers }) => headers['webhook-id'] === tried.json.data.delivery.id)
  expect(received && verify(webhook.secret, received)).toMatchObject({ type: 'webhook.test' })
})
