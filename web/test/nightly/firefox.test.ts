/**
 * The main journeys in Firefox as Debian packages it: the first screen, a name that is checked as it is typed, and from
 * names to a registrar. `FIREFOX` says where it is when it is not in the usual place.
 */
import { existsSync } from 'node:fs'
import puppeteer from 'puppeteer-core'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PATIENT_SEARCHES } from '../../../server/test/browser.ts'
import { shareStage } from '../stage.ts'
import type { Stage } from '../stage.ts'

const USUAL = ['/usr/bin/firefox-esr', '/usr/bin/firefox']
const PATIENT = { timeout: 180_000 } as const
const FIELD = 'form[role=search] textarea'
const EXACT = 'section[aria-labelledby=exact] li'
const DETAILS = '[role=dialog][aria-label^="Details of "]'
const MENU = '[role=dialog][aria-label^="Register "]'

let stage: Stage
let browser: Browser
beforeAll(async () => {
  stage = await shareStage()
  browser = await openFirefox()
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await stage[Symbol.asyncDispose]()
}, 120_000)

/** Takes any certificate, speaks English, and reaches nothing but loopback: all else goes to a proxy that is not there. */
async function openFirefox(): Promise<Browser> {
  const executablePath = [process.env['FIREFOX'] ?? '', ...USUAL].find((path) => existsSync(path))
  if (executablePath === undefined) throw new Error('no Firefox: install firefox-esr, or set FIREFOX')
  return puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    acceptInsecureCerts: true,
    defaultViewport: { width: 1280, height: 900 },
    extraPrefsFirefox: {
      'intl.accept_languages': 'en-GB,en',
      'network.proxy.type': 1,
      'network.proxy.http': '127.0.0.1',
      'network.proxy.http_port': 9,
      'network.proxy.ssl': '127.0.0.1',
      'network.proxy.ssl_port': 9,
    },
  })
}

/** A reader of their own. The field is ready when the app has replaced the first screen. */
async function visit(path: string): Promise<{ page: Page; complaints: readonly string[] }> {
  const page = await (await browser.createBrowserContext()).newPage()
  page.setDefaultTimeout(60_000)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.evaluateOnNewDocument(PATIENT_SEARCHES)
  await page.goto(`${stage.url}${path}`)
  await page.waitForSelector('[data-prerendered]', { hidden: true })
  await page.waitForSelector(FIELD)
  return { page, complaints }
}

const textsOf = (page: Page, at: string) => page.$$eval(at, (found) => found.map((one) => one.textContent ?? ''))
const soon = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 60_000 })

it('the first screen is part of the page', PATIENT, async () => {
  const page = await (await browser.createBrowserContext()).newPage()
  const answer = await page.goto(`${stage.url}/`)
  expect(await answer?.text()).toMatch(/data-prerendered.*<h1[^>]*>Find a great name/s)
  await page.close()
})

it('a typed domain is checked as it is typed', PATIENT, async () => {
  stage.registered.add('exact-firefox-gone.com')
  const { page, complaints } = await visit('/')
  await page.type(FIELD, 'exact-firefox-gone.com')
  await soon(async () => (await textsOf(page, EXACT))[0]).toMatch(/exact-firefox-gone\.com.*Taken/)
  await soon(async () => (await textsOf(page, EXACT)).filter((text) => text.includes('Checking')).length).toBe(0)
  expect((await textsOf(page, EXACT)).some((text) => /Available.*\$\d+\.\d{2}/.test(text))).toBe(true)
  expect(complaints).toEqual([])
})

it('a description leads to names, a tile to its details, and those to a registrar', PATIENT, async () => {
  const { page, complaints } = await visit('/?tlds=com&n=6')
  await page.type(FIELD, 'a bakery that delivers by bicycle')
  await page.keyboard.press('Enter')
  await page.waitForSelector('article h3 button')
  await page.waitForSelector('[role=progressbar]', { hidden: true })
  await page.locator('article h3 button').click()
  const button = await page.waitForSelector(`${DETAILS} button[aria-label^="Register "]`, { visible: true })
  const domain = await button?.evaluate((one) => one.ariaLabel?.replace('Register ', '') ?? '')
  await button?.click()
  await page.waitForSelector(`${MENU} a`, { visible: true })
  const links = await page.$$eval(`${MENU}:popover-open a`, (found) =>
    found.map(({ href, rel, target }) => ({ href, rel, target })),
  )
  expect(links.length).toBeGreaterThan(6)
  for (const { href, rel, target } of links) {
    expect(href).toContain(domain)
    expect([rel, target]).toEqual(['noopener noreferrer', '_blank'])
  }
  // The menu stands where its button is, whether or not this Firefox has CSS anchors.
  const from = await button?.boundingBox()
  const to = await (await page.$(`${MENU}:popover-open`))?.boundingBox()
  if (!from || !to) throw new Error('the menu is not to be seen')
  expect(to.x).toBeLessThan(from.x + from.width)
  expect(to.x + to.width).toBeGreaterThan(from.x)
  expect(to.x).toBeGreaterThanOrEqual(0)
  expect(to.x + to.width).toBeLessThanOrEqual(1280)
  expect(complaints).toEqual([])
})
