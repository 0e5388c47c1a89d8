/** An application from registration to revocation: a developer registers it, a person authorizes it, and it calls the API. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { challengeOf, createOAuthClient } from '../../../server/test/oauth-client.ts'
import type { Returned } from '../../../server/test/oauth-client.ts'
import { handsOf, HANDS } from '../hands.ts'
import { shareStage } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { PATIENCE } from './account.ts'

let stage: Stage
/** The application's own server, which people come back to. */
let application: Server
let callback: string

beforeAll(async () => {
  stage = await shareStage()
  application = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Back at the app</title>')
  }).listen(0, '127.0.0.1')
  await once(application, 'listening')
  callback = `http://127.0.0.1:${(application.address() as AddressInfo).port}/callback`
}, 120_000)

afterAll(async () => {
  application?.close()
  await stage?.[Symbol.asyncDispose]()
}, 120_000)

/** Where the application sends people. */
function questionOf(id: string, verifier: string): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: id,
    redirect_uri: callback,
    scope: 'generate favorites:read offline_access',
    state: 'where-we-were',
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
  })
  return `/auth/oauth2/authorize?${query.toString()}`
}

describe.each(HANDS)('with the %s', { timeout: 180_000 }, (hand) => {
  it('somebody registers an app, somebody else lets it in, sees what it may do, and ends it', async () => {
    const builder = await stage.visitAs(await stage.at.signUp('Bea Builder'))
    const building = handsOf(builder.page, hand)
    await builder.page.goto('/settings/apps')
    await building.press(builder.page.getByRole('button', { name: 'Register app' }))
    const form = builder.page.getByRole('dialog', { name: 'Register app' })
    await building.write(form.getByLabel('Name', { exact: true }), 'Shop builder')
    await building.press(form.getByRole('radio', { name: 'Browser, mobile or desktop app (public)' }))
    await building.press(form.getByRole('button', { name: 'Register app' }))
    await form.getByText('Enter at least one redirect URI, or select client permissions.').waitFor()
    await building.write(form.getByLabel('Redirect URIs'), callback)
    await building.press(form.getByRole('button', { name: 'Register app' }))
    await form.waitFor({ state: 'hidden' })
    await builder.page.getByRole('heading', { name: 'Shop builder' }).waitFor()
    await builder.page.getByText('Public', { exact: true }).waitFor()
    // Shared with every other page of the browser.
    await builder.page.evaluate(() => navigator.clipboard.writeText(''))
    await building.press(builder.page.getByRole('button', { name: 'Copy ID' }))
    const copied = () => builder.page.evaluate(() => navigator.clipboard.readText())
    await expect.poll(copied, PATIENCE).toMatch(/^\S{8,}$/)
    const id = await copied()
    expect(builder.complaints).toEqual([])

    const person = await stage.at.signUp('Pia Person')
    const { page, complaints } = await stage.visit()
    const { press, write } = handsOf(page, hand)
    const verifier = randomBytes(32).toString('base64url')
    await page.goto(questionOf(id, verifier))
    await write(page.getByLabel('Email'), person.email)
    await write(page.getByLabel('Password', { exact: true }), person.password)
    await press(page.getByRole('button', { name: 'Sign in', exact: true }))
    const allow = async (): Promise<Returned> => {
      await page.getByRole('heading', { name: 'Shop builder requests access' }).waitFor()
      await page.getByText(/Shop builder is not verified/).waitFor()
      await press(page.getByRole('button', { name: 'Allow' }))
      await page.waitForURL(`${callback}?**`)
      const url = new URL(page.url())
      expect(url.searchParams.get('state')).toBe('where-we-were')
      return { url, code: url.searchParams.get('code') ?? '', error: null, verifier }
    }
    const oauth = createOAuthClient(stage.at)
    const app = { id, redirectUri: callback }
    const stolen = await oauth.redeem(app, { ...(await allow()), verifier: `${verifier}x` })
    expect(stolen.status).toBeGreaterThanOrEqual(400)
    await page.goto(questionOf(id, verifier))
    const redeemed = await oauth.redeem(app, await allow())
    expect(redeemed.status, redeemed.text).toBe(200)
    const { access_token: token, refresh_token: refresh } = redeemed.json
    expect((await oauth.show(token)).status).toBe(200)

    await page.goto('/settings/apps')
    const grants = page.getByRole('main')
    await grants.getByRole('heading', { name: 'Authorized apps' }).waitFor()
    await grants.getByRole('heading', { name: 'Shop builder' }).waitFor()
    await grants.getByText('Find names').waitFor()
    await grants.getByText('Read favorites').waitFor()
    expect(await grants.getByText('Add, change and remove favorites').count()).toBe(0)
    await press(grants.getByRole('button', { name: 'Revoke access of Shop builder' }))
    const sure = page.getByRole('dialog', { name: 'Revoke access of Shop builder' })
    await press(sure.getByRole('button', { name: 'Revoke access' }))
    await page.getByText('Revoked the access of Shop builder.').waitFor()
    await grants.getByRole('heading', { name: 'Shop builder' }).waitFor({ state: 'detached' })
    await expect.poll(async () => (await oauth.show(token)).status, PATIENCE).toBe(401)
    expect((await oauth.refresh(app, refresh)).status).toBe(400)
    expect(complaints).toEqual([])
  })
})
