/**
 * Signing in and consent in a real browser, by keyboard alone, on a screen as wide as a phone: what headers and forms
 * do together is for the browser to say (which Origin a form is sent with, which redirects form-action lets pass).
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeContexts, shareBrowser } from '../browser.ts'
import { challengeOf, createOAuthClient } from '../oauth-client.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld } from '../people-world.ts'
import { expectReadable } from './readable.ts'

let at: PeopleWorld
let browser: Browser
let application: Server
beforeAll(async () => {
  at = await startApp({ people: true })
  browser = await shareBrowser()
  // Sends people on to another origin, as applications do; form-action would still be watching a redirect.
  application = createServer(({ url = '', headers }, response) => {
    const [, query = ''] = url.split('?')
    const onward = `http://localhost:${headers.host?.split(':')[1]}/done?${query}`
    if (url.startsWith('/callback')) response.writeHead(302, { location: onward }).end()
    else response.end(`<!doctype html><title>back</title><p id="referrer">${headers.referer ?? 'none'}</p>`)
  }).listen(0, '127.0.0.1')
  await once(application, 'listening')
})
afterAll(async () => {
  await closeContexts(browser)
  application.close()
  await at[Symbol.asyncDispose]()
})

const APPEARANCES = [
  { locale: 'en-GB', colorScheme: 'light', signIn: 'Sign in', title: 'Agent requests access' },
  { locale: 'en-GB', colorScheme: 'dark', signIn: 'Sign in', title: 'Agent requests access' },
  { locale: 'ar-EG', colorScheme: 'light', signIn: 'تسجيل الدخول', title: 'تطبيق Agent يطلب إذن الوصول' },
  { locale: 'ar-EG', colorScheme: 'dark', signIn: 'تسجيل الدخول', title: 'تطبيق Agent يطلب إذن الوصول' },
] as const

test.each(APPEARANCES)('from a question to its answer by keyboard, in $locale, $colorScheme', async (appearance) => {
  const { locale, colorScheme } = appearance
  const ada = await at.signUp('Ada')
  const team = await at.world.makeAccount({ name: 'Team' })
  await at.world.owner.query(
    `INSERT INTO member (account_id, user_id, role, created_at) VALUES ($1, $2, 'admin', now())`,
    [team, ada.userId],
  )
  const page = await browser.newPage({
    locale,
    colorScheme,
    viewport: { width: 360, height: 740 },
    ignoreHTTPSErrors: true,
    extraHTTPHeaders: { 'x-forwarded-for': at.visitor().address },
  })
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))

  await page.goto(await authorizeUrl())
  expect(await page.textContent('h1')).toBe(appearance.signIn)
  // The style's hash is the one that the page's headers allow.
  expect(await page.evaluate<string>('getComputedStyle(document.querySelector("main")).borderRadius')).toBe('12px')
  await expectReadable(page)
  // The first field gets the focus by itself, with the first frame.
  await expect.poll(() => focused(page)).toBe('email')
  await page.keyboard.type(ada.email)
  await page.keyboard.press('Tab')
  await expect.poll(() => focused(page)).toBe('password')
  await page.keyboard.type('wrong password')
  await page.keyboard.press('Enter')
  await page.waitForSelector('#password-wrong')
  await expectReadable(page)
  await expect.poll(() => focused(page)).toBe('password')
  await page.keyboard.type(ada.password)
  await page.keyboard.press('Enter')

  await page.waitForURL('**/consent?**')
  expect((await page.textContent('h1'))?.trim()).toBe(appearance.title)
  await expectReadable(page)
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('account')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('allow')
  await page.keyboard.press('Enter')

  await page.waitForURL('http://localhost:*/done?**')
  const back = new URL(page.url())
  expect(back.searchParams.get('state')).toBe('s1')
  expect(back.searchParams.has('code')).toBe(true)
  expect(await page.textContent('#referrer')).toBe('none')
  const { rows } = await at.world.owner.query('SELECT account_id FROM api_key WHERE created_by = $1', [ada.userId])
  expect(rows).toEqual([{ account_id: team }])
  // A page without a favicon is asked for one; nothing else is worth a word.
  expect(complaints.filter((text) => !/favicon|status of 40/.test(text))).toEqual([])
  await page.close()
})

async function authorizeUrl(): Promise<string> {
  const redirectUri = `http://127.0.0.1:${(application.address() as AddressInfo).port}/callback`
  const app = await createOAuthClient(at).makePublic({ redirect_uris: [redirectUri] })
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: app.id,
    redirect_uri: redirectUri,
    scope: 'generate domains:check history:read favorites:read offline_access',
    state: 's1',
    code_challenge: challengeOf('a verifier that nobody will use'),
    code_challenge_method: 'S256',
  })
  return `${at.url}/auth/oauth2/authorize?${query.toString()}`
}

/** The id of the field that has the focus, or what the button says to the server. */
function focused(page: Page): Promise<string> {
  return page.evaluate<string>('document.activeElement.id || document.activeElement.value')
}
