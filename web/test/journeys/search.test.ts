/** A search: a name that is checked as it is typed, tiles and their details, and the way to a registrar. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAIN_HANDS, handsOf, HANDS } from '../hands.ts'
import { shareStage } from '../stage.ts'
import type { Stage } from '../stage.ts'
import {
  allowSlowAnswers,
  describeIt,
  fieldOf,
  hasFocus,
  namesOf,
  PATIENT,
  settle,
  soon,
  keptDomainOf,
  nameButtonOf,
  openDetails,
  openSearch,
  waitForNames,
} from './searching.ts'

let stage: Stage
beforeAll(async () => {
  stage = await shareStage()
}, 120_000)
afterAll(() => stage[Symbol.asyncDispose](), 120_000)

describe.each(MAIN_HANDS)('with the %s', (hand) => {
  it('a typed domain is checked as it is typed, with the name under other extensions', PATIENT, async () => {
    const gone = `exact-${hand}-gone.com`
    stage.registered.add(gone)
    const { page, complaints } = await stage.visit()
    await allowSlowAnswers(page)
    await page.goto('/')
    await handsOf(page, hand).write(fieldOf(page), gone)
    const rows = page.getByRole('region', { name: 'Exact match' }).getByRole('listitem')
    await soon(() => rows.first().innerText()).toMatch(/Taken/)
    expect(await rows.first().innerText()).toContain(gone)
    await soon(() => rows.filter({ hasText: 'Checking…' }).count()).toBe(0)
    const free = rows.filter({ hasText: 'Available' }).first()
    expect(await free.innerText()).toMatch(/\$\d+\.\d{2}/)
    await free.getByRole('button', { name: /^Copy / }).waitFor()
    // Nothing was searched for.
    expect(new URL(page.url()).search).toBe('')
    await handsOf(page, hand).write(fieldOf(page), 'a bakery that delivers by bicycle')
    await soon(() => rows.count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('more names come below those that are there, which stay in their places', PATIENT, async () => {
    const { page, complaints } = await stage.visit()
    const hands = handsOf(page, hand)
    await allowSlowAnswers(page)
    await describeIt(page, hands)
    const first = await namesOf(page).first().elementHandle()
    const before = await namesOf(page).getByRole('heading', { level: 3 }).allTextContents()
    const more = page.getByRole('button', { name: 'More names' })
    await more.scrollIntoViewIfNeeded()
    const from = await page.evaluate(() => scrollY)
    await hands.press(more)
    await soon(() => page.getByRole('heading', { level: 2, name: '40 names' }).count()).toBe(1)
    await settle(page)
    const after = await namesOf(page).getByRole('heading', { level: 3 }).allTextContents()
    expect(after).toHaveLength(40)
    expect(after.slice(0, before.length)).toEqual(before)
    // The same element, never taken out of the page.
    expect(await first?.evaluate((card) => card.isConnected)).toBe(true)
    expect(await page.evaluate(() => scrollY)).toBeGreaterThanOrEqual(from - 200)
    // The first new one is where the reader is, and not above what they see.
    const fresh = namesOf(page).nth(before.length)
    await soon(() => hasFocus(nameButtonOf(fresh))).toBe(true)
    expect(await fresh.evaluate((tile) => tile.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0)
    expect(await fresh.evaluate((tile) => innerHeight - tile.getBoundingClientRect().top)).toBeGreaterThan(0)
    expect(complaints).toEqual([])
  })
})

const THUMB_PX = 44
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

describe.each(MAIN_HANDS)('with the %s', (hand) => {
  it(
    'a tile leads to its details, and those to a registrar that gets the domain and nothing else',
    PATIENT,
    async () => {
      const { page, context, complaints } = await stage.visit()
      const hands = handsOf(page, hand)
      const asked: { readonly url: string; readonly referrer: string | undefined }[] = []
      await context.route('https://porkbun.com/**', async (route) => {
        asked.push({ url: route.request().url(), referrer: route.request().headers()['referer'] })
        await route.fulfill({ contentType: 'text/html', body: '<h1>Registrar</h1>' })
      })
      await openSearch(page, { tlds: 'com', seed: hand === 'pointer' ? 61 : 62 })
      const tile = namesOf(page).first()
      const domain = await keptDomainOf(tile)
      const details = await openDetails(page, tile, hands)
      await details.getByText('Total for 5 years').waitFor()
      await hands.press(details.getByRole('button', { name: new RegExp(`^Register .*${domain}$`) }))
      const menu = page.getByRole('dialog', { name: `Register ${domain}` })
      const links = menu.getByRole('link')
      const price = /First year \$[\d.]+\s+Renewal per year \$[\d.]+\s+\P{L}*Porkbun public price list.*2026/u
      await soon(() => links.nth(1).innerText()).toMatch(price)
      // The operator's first, then those known to sell it, then mere searches.
      expect((await links.allInnerTexts()).map((text) => /^\w+ at (\S+)/.exec(text)?.[0])).toEqual([
        'Register at registrar.example',
        'Register at Porkbun',
        ...['Namecheap', 'Cloudflare', 'GoDaddy', 'Gandi', 'Dynadot', 'Spaceship', 'INWX'].map(
          (one) => `Search at ${one}`,
        ),
      ])
      for (const link of await links.all()) {
        expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
        expect(await link.getAttribute('target')).toBe('_blank')
        expect(await link.getAttribute('href')).toContain(domain)
      }
      expect(await menu.getByText('commission').count()).toBe(0)
      const opened = context.waitForEvent('page')
      await hands.press(links.nth(1))
      const tab = await opened
      await tab.getByRole('heading', { name: 'Registrar' }).waitFor()
      expect(asked).toEqual([{ url: `https://porkbun.com/checkout/search?q=${domain}`, referrer: undefined }])
      expect(await tab.evaluate(() => window.opener === null)).toBe(true)
      await tab.close()
      await page.bringToFront()
      await menu.waitFor({ state: 'hidden' })
      await page.keyboard.press('Escape')
      await details.waitFor({ state: 'hidden' })
      const opener = tile.getByRole('heading').getByRole('button')
      await soon(() => opener.evaluate((button) => button === document.activeElement)).toBe(true)
      expect(complaints).toEqual([])
    },
  )

  it('packages and handles of a name are looked up on demand, and none is called available', PATIENT, async () => {
    const { page, complaints } = await stage.visit()
    const hands = handsOf(page, hand)
    await openSearch(page, { tlds: 'com', seed: hand === 'pointer' ? 63 : 64 })
    const before = stage.hosts.requests.length
    const tile = namesOf(page).first()
    const name = (await tile.getByRole('heading').textContent()) ?? ''
    const details = await openDetails(page, tile, hands)
    const button = details.getByRole('button', { name: 'Check packages and handles' })
    await button.waitFor()
    expect(stage.hosts.requests).toHaveLength(before)
    await hands.press(button)
    const found = details.getByRole('region', { name: 'Packages and handles' })
    await found.waitFor()
    await soon(() => found.getByRole('heading').evaluate((title) => title === document.activeElement)).toBe(true)
    const rows = await found.getByRole('listitem').allInnerTexts()
    expect(rows[0]).toMatch(/^npm\s+Taken$/)
    expect(rows[1]).toMatch(/^PyPI\s+No entry found$/)
    expect(rows.slice(-6)).toEqual(['USPTO', 'EUIPO', 'WIPO', 'X', 'Instagram', 'YouTube'])
    expect(await found.innerText()).not.toContain('Available')
    const label = name.toLowerCase().replaceAll(/\W/g, '')
    expect(await found.getByRole('link', { name: 'GitHub' }).getAttribute('href')).toBe(`https://github.com/${label}`)
    for (const link of await found.getByRole('link').all())
      expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
    expect(stage.hosts.requests.length - before).toBeLessThanOrEqual(11)
    expect(complaints).toEqual([])
  })
})

it.each(HANDS)('with the %s, a name is seen on five things, and taken along with its face', PATIENT, async (hand) => {
  const { page, complaints } = await stage.visit()
  const hands = handsOf(page, hand)
  await openSearch(page, { tlds: 'com' })
  const tile = namesOf(page).first()
  const name = await tile.getByRole('heading').innerText()
  const details = await openDetails(page, tile, hands)
  await hands.press(details.getByRole('button', { name: 'Preview the brand' }))
  const dialog = page.getByRole('dialog', { name: `Brand preview: ${name}` })
  const pictures = dialog.getByRole('img')
  await soon(() => pictures.count()).toBe(5)
  expect(await pictures.nth(3).getAttribute('alt')).toBe(`Shop sign with the name ${name}`)
  const save = async (label: string) => {
    const saved = page.waitForEvent('download')
    await hands.press(dialog.getByRole('button', { name: label }))
    return readFile(await (await saved).path())
  }
  const svg = (await save('Download Shop sign as SVG')).toString()
  expect(svg).toMatch(/^<svg .*@font-face.*url\(data:font\/woff2;base64,/s)
  const png = await save('Download Shop sign as PNG')
  expect([png.subarray(1, 4).toString(), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual(['PNG', 1600, 880])
  // The face in the file is the one that is drawn: without it the picture is another one.
  const isSame = await page.evaluate(async (whole) => {
    const drawn = async (text: string) => {
      const image = new Image()
      image.src = `data:image/svg+xml,${encodeURIComponent(text)}`
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.getContext('2d')?.drawImage(image, 0, 0)
      return canvas.toDataURL()
    }
    return (await drawn(whole)) === (await drawn(whole.replace(/<style>.*<\/style>/s, '')))
  }, svg)
  expect(isSame).toBe(false)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  const opener = tile.getByRole('heading').getByRole('button')
  await soon(() => opener.evaluate((button) => button === document.activeElement)).toBe(true)
  expect(complaints).toEqual([])
})

it('what is sold for two years costs what two years cost, and says so wherever the price stands', PATIENT, async () => {
  const { page, complaints } = await stage.visit()
  await openSearch(page, { tlds: 'ai' })
  const card = namesOf(page).first()
  await soon(() => card.textContent()).toMatch(/\$22\.50\s*2 years minimum/)
  const details = await openDetails(page, card, handsOf(page, 'pointer'))
  await details.getByRole('button', { name: /^\.ai.*\$22\.50.*2 years minimum/ }).hover()
  const hint = page.getByRole('tooltip').filter({ visible: true })
  await soon(() => hint.textContent()).toMatch(/First 2 years\$22\.50.*\$11\.25.*Total for 6 years\$67\.50/)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Grid', exact: true }).click()
  await soon(() => page.getByRole('gridcell').first().textContent()).toMatch(/\$22\.50.*2 years minimum/)
  expect(complaints).toEqual([])
})

it('by a finger a tile opens its details, and everything in both is large enough for it', PATIENT, async () => {
  const { page, complaints } = await stage.visit(PHONE)
  await openSearch(page, { tlds: 'com,net' })
  const tile = namesOf(page).first()
  const sizes = (where: string) =>
    page.locator(where).evaluateAll((buttons) =>
      buttons
        .filter((button) => button.checkVisibility())
        .map((button) => button.getBoundingClientRect())
        .map(({ width, height }) => Math.round(Math.min(width, height))),
    )
  expect(Math.min(...(await sizes('article [data-heart]')))).toBeGreaterThanOrEqual(THUMB_PX)
  // Its tools are in the details: a finger cannot point without pressing.
  expect(await tile.getByRole('button', { name: /^Compare / }).count()).toBe(0)
  await tile.tap({ position: { x: 40, y: 20 } })
  const details = page.getByRole('dialog', { name: /^Details of / })
  await details.waitFor()
  await details.getByRole('button', { name: /^Compare / }).waitFor()
  const all = await sizes('[role=dialog][aria-label^="Details"] button')
  expect(all.length).toBeGreaterThan(6)
  expect(Math.min(...all)).toBeGreaterThanOrEqual(THUMB_PX)
  await details.getByRole('button', { name: /^Register / }).tap()
  // A tap is over before the browser has made a click of it.
  await page
    .getByRole('dialog', { name: /^Register / })
    .getByRole('link')
    .last()
    .waitFor()
  const links = await sizes('[role=dialog][aria-label^="Register"] a')
  expect(links.length).toBeGreaterThan(6)
  expect(Math.min(...links)).toBeGreaterThanOrEqual(THUMB_PX)
  expect(complaints).toEqual([])
})

it('a face is loaded from here when the first tile with it comes into view, and not before', PATIENT, async () => {
  const { page, complaints } = await stage.visit({ viewport: { width: 390, height: 500 }, serviceWorkers: 'block' })
  const fonts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'font') fonts.push(request.url())
  })
  await page.goto('/')
  await page.evaluate(() => document.fonts.ready)
  const atFirst = fonts.length
  await openSearch(page, { n: 20, tlds: 'com' })
  const moodsOf = (where: string) =>
    page.locator(`article ${where}`).evaluateAll((names) => new Set(names.map((name) => name.dataset['mood'])).size)
  expect(await moodsOf('[data-mood]')).toBeGreaterThan(4)
  expect(await page.locator('article [data-mood]:not([data-seen])').count()).toBeGreaterThan(10)
  await page.waitForLoadState('networkidle')
  expect(new Set(fonts).size).toBeLessThanOrEqual(atFirst + (await moodsOf('[data-seen]')))
  for (const tile of await namesOf(page).all()) await tile.scrollIntoViewIfNeeded()
  await page.locator('article [data-mood]:not([data-seen])').first().waitFor({ state: 'detached' })
  await page.waitForLoadState('networkidle')
  expect(new Set(fonts).size).toBeGreaterThanOrEqual(4)
  for (const url of fonts) expect(new URL(url).origin).toBe(new URL(stage.url).origin)
  await page.evaluate(() => document.fonts.ready)
  // No name is wider than its tile, whatever its face.
  const cut = await page.locator('article h3 bdi').evaluateAll((names) =>
    names
      .filter((name) => {
        const [line, ...more] = name.getClientRects()
        return more.length > 0 || (line?.width ?? 0) > (name.closest('h3')?.clientWidth ?? 0)
      })
      .map(({ textContent }) => textContent),
  )
  expect(cut).toEqual([])
  expect(complaints).toEqual([])
})

it.each([1280, 390])(
  'at %i px no tile moves when its search ends, nor when its face arrives',
  PATIENT,
  async (width) => {
    const { page, complaints } = await stage.visit({ viewport: { width, height: 900 } })
    await page.addInitScript(watchTiles)
    await allowSlowAnswers(page)
    stage.registrar.be('held')
    // Under suffixes that no other test has asked for: a search that knows everything ends with its first names.
    await page.goto(`/?d=a+bakery+that+delivers+by+bicycle&n=6&tlds=${width > 640 ? 'dev' : 'app'},co&seed=63`)
    await page.locator('[data-tile-top]').waitFor()
    stage.registrar.be('well')
    await page.getByRole('progressbar').waitFor({ state: 'detached' })
    // Domains of .co are never known here, which the page says.
    await page.getByRole('button', { name: /still unknown$/ }).waitFor()
    await page.evaluate(() => document.fonts.ready)
    const { before, after } = await topsOf(page)
    expect(before).toBeGreaterThan(0)
    expect(after).toBe(before)
    expect(complaints).toEqual([])
  },
)

it('a search is sent before the code that shows its names is there', PATIENT, async () => {
  const { page, complaints } = await stage.visit({ serviceWorkers: 'block' })
  await allowSlowAnswers(page)
  const sent = page.waitForRequest('**/v1/generate')
  await page.route(/\/assets\/searched-[^/]+\.js$/, async (route) => {
    await sent
    await route.continue()
  })
  await page.goto('/')
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
  await fieldOf(page).fill('a bakery that delivers by bicycle')
  await fieldOf(page).press('Enter')
  await waitForNames(page, 20)
  expect(complaints).toEqual([])
})

it(
  'the first names of an answer are shown before the last are drawn, and the search ends with these',
  PATIENT,
  async () => {
    const { page, complaints } = await stage.visit()
    await page.addInitScript(watchCounts)
    await allowSlowAnswers(page)
    // All of it arrives at once.
    await page.route('**/v1/generate', async (route) => route.fulfill({ response: await route.fetch() }))
    await page.goto('/?d=a+bakery+that+delivers+by+bicycle&seed=65')
    await waitForNames(page, 20)
    const counts = await page.evaluate<readonly string[]>('counts')
    expect(counts.filter((count) => !count.startsWith('0'))).toEqual(['6 busy', '12 busy', '18 busy', '20'])
    expect(complaints).toEqual([])
  },
)

it('who reads further down stays there when a name above is withdrawn', PATIENT, async () => {
  const { page, complaints } = await stage.visit({ viewport: { width: 900, height: 500 } })
  await allowSlowAnswers(page)
  stage.registrar.be('held')
  await page.goto('/?d=a+museum+of+lighthouses&n=9&tlds=net&seed=64')
  await namesOf(page).nth(8).waitFor()
  const first = await keptDomainOf(namesOf(page).first())
  // The first tile in view is one that moves to the row above when one before it goes.
  const left = namesOf(page).nth(4)
  await left.evaluate((tile) => scrollTo(0, tile.getBoundingClientRect().top + scrollY))
  const from = await page.evaluate(() => scrollY)
  expect(from).toBeGreaterThan(100)
  stage.registered.add(first)
  stage.registrar.be('well')
  await page.getByRole('progressbar').waitFor({ state: 'detached' })
  await soon(() => namesOf(page).count()).toBe(9)
  expect(await keptDomainOf(namesOf(page).first())).not.toBe(first)
  // Frames, in which the browser would follow the tile.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  expect(await page.evaluate(() => scrollY)).toBe(from)
  expect(complaints).toEqual([])
})

/** Runs in the page: how many names each change has left, and whether the search was under way. */
const watchCounts = `{
  const counts = (window.counts = [])
  new MutationObserver(() => {
    const busy = document.querySelector('section[aria-labelledby=names][aria-busy=true]') ? ' busy' : ''
    const count = document.querySelectorAll('article[data-result]').length + busy
    if (count !== counts.at(-1)) counts.push(count)
  }).observe(document, { subtree: true, childList: true, attributes: true })
}`

/** Runs in the page: keeps where the first tile stood when the search was last seen under way. */
function watchTiles(): void {
  const note = () => {
    const tile = document.querySelector('article')
    if (tile && document.querySelector('[role=progressbar]'))
      document.documentElement.dataset['tileTop'] = String(tile.getBoundingClientRect().top + scrollY)
    requestAnimationFrame(note)
  }
  requestAnimationFrame(note)
}

function topsOf(page: Page): Promise<{ readonly before: number; readonly after: number }> {
  return page.evaluate(() => ({
    before: Number(document.documentElement.dataset['tileTop']),
    after: (document.querySelector('article')?.getBoundingClientRect().top ?? 0) + scrollY,
  }))
}
