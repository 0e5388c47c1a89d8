/**
 * How long a reader of the app waits on the sandbox: from Enter to the request and to the first tile, and from the last key
 * of a typed name to what is known of its domains. Each round is a first visit in a browser of its own.
 * `NAMEWRIGHT_WEB_DIR` in the environment is a build in another folder than the usual one.
 */
import { randomInt } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { isWebStale, buildWeb } from '../scripts/web/build.ts'
import { closeContexts, shareBrowser } from '../server/test/browser.ts'
import { startApp } from '../server/test/start-app.ts'

const DESCRIPTION = 'a bakery that delivers by bicycle before breakfast'
const SETTINGS = {
  NAMEWRIGHT_SANDBOX: 'on',
  NAMEWRIGHT_DNS_RESOLVERS: '',
  NAMEWRIGHT_PUBLIC_ALLOWANCE: '1000000',
}
// The pause of somebody who reads their sentence once more.
const PAUSE_MS = 600

interface Wait {
  readonly what: string
  readonly type: (page: Page, round: number) => Promise<void>
  readonly path: string
  /** What is waited for. */
  readonly shown: string
}

const WAITS: readonly Wait[] = [
  { what: 'Enter, after a pause', type: searchAfterPause, path: '/v1/generate', shown: 'article[data-result]' },
  { what: 'Enter, at once after pasting', type: paste, path: '/v1/generate', shown: 'article[data-result]' },
  {
    what: 'last key of a name',
    type: typeName,
    path: '/v1/domains/check',
    shown: 'section[aria-labelledby=exact][aria-busy=false]',
  },
]

export async function benchApp({ rounds }: { readonly rounds: number }): Promise<void> {
  const folder = process.env['NAMEWRIGHT_WEB_DIR']
  if (folder === undefined && isWebStale()) await buildWeb()
  const settings = folder === undefined ? SETTINGS : { ...SETTINGS, NAMEWRIGHT_WEB_DIR: folder }
  await using world = await startApp({ own: true, people: true, settings })
  const browser = await shareBrowser()
  try {
    // Whatever is slow only once is slow for nobody's figure.
    for (const wait of WAITS) await measure(browser, world.url, wait, -1)
    for (const wait of WAITS) {
      const measured: Measured[] = []
      for (let round = 0; round < rounds; round++) measured.push(await measure(browser, world.url, wait, round))
      const requested = measured.map(({ requestMs }) => requestMs)
      const shown = measured.map(({ shownMs }) => shownMs)
      console.log(`${wait.what.padEnd(30)} request ${textOf(requested)}   shown ${textOf(shown)}`)
    }
  } finally {
    await closeContexts(browser)
  }
}

interface Measured {
  readonly requestMs: number
  readonly shownMs: number
}

async function measure(browser: Browser, url: string, wait: Wait, round: number): Promise<Measured> {
  const context = await browser.newContext({
    baseURL: url,
    ignoreHTTPSErrors: true,
    locale: 'en-GB',
    viewport: { width: 1280, height: 900 },
    // Visitors have limits by address.
    extraHTTPHeaders: { 'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}` },
  })
  try {
    const page = await context.newPage()
    await page.goto('/')
    await page.locator('[data-prerendered]').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    await page.evaluate(watch(wait.shown))
    await wait.type(page, round)
    await page.locator(wait.shown).first().waitFor()
    return await page.evaluate<Measured>(read(wait.path))
  } finally {
    await context.close()
  }
}

const field = (page: Page) => page.getByRole('search').getByRole('textbox')

async function searchAfterPause(page: Page): Promise<void> {
  await field(page).pressSequentially(DESCRIPTION, { delay: 30 })
  await page.waitForTimeout(PAUSE_MS)
  await page.keyboard.press('Enter')
}

async function paste(page: Page): Promise<void> {
  await field(page).focus()
  await page.keyboard.insertText(DESCRIPTION)
  await page.keyboard.press('Enter')
}

/** Another name in each round, of which the service remembers nothing. */
async function typeName(page: Page, round: number): Promise<void> {
  await field(page).pressSequentially(`brineyard${'abcdefghijklmnopqrstuvwxyz'[round + 1]}`, { delay: 120 })
}

/** Runs in the page: when the last key was pressed, and when what it leads to was drawn. */
const watch = (selector: string) => `{
  const watched = { lastKey: 0, shown: 0 }
  Object.assign(window, { watched })
  addEventListener('keydown', () => Object.assign(watched, { lastKey: performance.now(), shown: 0 }), { capture: true })
  const look = () => {
    if (watched.shown === 0 && document.querySelector('${selector}'))
      requestAnimationFrame(() => (watched.shown ||= performance.now()))
  }
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true })
}`

/** Runs in the page: how long after that key the request left, and the result was drawn. */
const read = (path: string) => `(async () => {
  while (watched.shown === 0) await new Promise(requestAnimationFrame)
  const requests = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('${path}'))
  return { requestMs: requests.at(-1).startTime - watched.lastKey, shownMs: watched.shown - watched.lastKey }
})()`

/** The middle one, and all of them. */
function textOf(ms: readonly number[]): string {
  const sorted = ms.toSorted((a, b) => a - b).map(Math.round)
  return `${sorted[sorted.length >> 1]} ms (${sorted.join(' ')})`
}
