/** A service with made-up domains says so on every page of the app, and in the embedded search, and nobody can close it. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makePublishable, openPage, openShop, search } from '../../../../sdk/test/element-shop.ts'
import { closeContexts, shareBrowser } from '../../../../server/test/browser.ts'
import { startApp } from '../../../../server/test/start-app.ts'
import type { Node, World } from '../../../../server/test/world.ts'

const SANDBOX = { NAMEWRIGHT_SANDBOX: 'on', NAMEWRIGHT_DNS_RESOLVERS: '' }
const NOTE = 'Sandbox: these domains and prices are made up.'

let world: World
let node: Node
let browser: Browser
beforeAll(async () => {
  world = await startApp({ own: true, settings: SANDBOX })
  node = await world.startNodeProcess()
  browser = await shareBrowser()
}, 120_000)
afterAll(async () => {
  await closeContexts(browser)
  await world[Symbol.asyncDispose]()
})

const bannerOf = (page: Page) => page.getByRole('complementary')

it.each(['/', '/history', '/favorites', '/welcome', '/settings/keys', '/s/nothing'])('%s shows it', async (path) => {
  const context = await browser.newContext({ baseURL: node.url, locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto(path)
  await bannerOf(page).waitFor()
  expect(await bannerOf(page).textContent()).toBe(NOTE)
  expect(await bannerOf(page).getByRole('button').count()).toBe(0)
  await context.close()
})

it('it is in the language of the reader', async () => {
  const context = await browser.newContext({ baseURL: node.url, locale: 'fr-FR' })
  const page = await context.newPage()
  await page.goto('/')
  await bannerOf(page).waitFor()
  expect(await bannerOf(page).textContent()).toBe('Bac à sable : ces domaines et ces prix sont fictifs.')
})

it('a name can be looked at but not registered, and the button says why', { timeout: 120_000 }, async () => {
  await using people = await startApp({ own: true, people: true, settings: SANDBOX })
  const context = await browser.newContext({ baseURL: people.url, ignoreHTTPSErrors: true, locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto('/?d=a+bakery+that+delivers+by+bicycle&seed=7&n=6')
  const register = page
    .getByRole('article')
    .getByRole('button', { name: /^Register / })
    .first()
  expect(await register.innerText()).toMatch(/^Register · \$[\d.]+$/)
  expect(await register.getAttribute('aria-disabled')).toBe('true')
  await register.focus()
  await page.getByRole('tooltip').filter({ hasText: 'Made-up domains cannot be registered.' }).waitFor()
  await page.getByRole('article').first().getByRole('heading').getByRole('button').click()
  const details = page.getByRole('dialog', { name: /^Details of / })
  await details.getByText('Total for 5 years').waitFor()
  // Registries of packages know nothing of made-up names.
  expect(await details.getByRole('button', { name: 'Check packages and handles' }).count()).toBe(0)
  await context.close()
})

it('the embedded search shows it above what it has found', async () => {
  await using shop = await openShop(node.url)
  const key = await makePublishable(world, shop.url)
  await using opened = await openPage(browser, shop.pageOf({ 'publishable-key': key, count: '2' }))
  await search(opened.page, 'a bakery that delivers by bicycle')
  await opened.page.locator('[part=domain]').first().waitFor()
  const note = opened.page.getByRole('note')
  expect(await note.textContent()).toBe(NOTE)
  expect(await note.isVisible()).toBe(true)
})
