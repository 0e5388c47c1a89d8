/**
 * Accessibility of `<namewright-search>`: error messages, languages and text direction, light and dark, screen readers,
 * and narrow screens.
 */
import { readFileSync } from 'node:fs'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeContexts, shareBrowser } from '../../server/test/browser.ts'
import { startApp } from '../../server/test/start-app.ts'
import { WIDE_QUOTA } from '../../server/test/world.ts'
import type { Node, World } from '../../server/test/world.ts'
import { LANGUAGES, TEXTS } from '../src/element/texts.ts'
import { makePublishable, openPage, openShop, search } from './element-shop.ts'
import type { Shop } from './element-shop.ts'

const FIND_FAULTS = readFileSync(new URL('element-faults.js', import.meta.url), 'utf8')
const PHONE = { viewport: { width: 390, height: 844 } }
const NARROW = { viewport: { width: 320, height: 640 } }
const REGISTER = { 'register-url': '/cart?domain={domain}' }

let world: World
let node: Node
let shop: Shop
let browser: Browser
beforeAll(async () => {
  world = await startApp()
  node = await world.startNode()
  shop = await openShop(node.url)
  browser = await shareBrowser()
}, 120_000)
afterAll(async () => {
  await closeContexts(browser)
  await shop?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
})

interface PageOptions {
  readonly attributes?: Record<string, string>
  readonly spec?: Parameters<World['makeKey']>[1]
  readonly options?: BrowserContextOptions
  readonly lang?: string
  readonly origin?: string
}

async function open({ attributes = {}, spec = {}, options = {}, lang = 'en', origin = shop.url }: PageOptions = {}) {
  const key = await makePublishable(world, origin, spec)
  const written = { 'publishable-key': key, count: '3', ...REGISTER, ...attributes }
  return openPage(browser, shop.pageOf(written, { lang }), options)
}

async function find(page: Page, words = 'a bakery'): Promise<void> {
  await search(page, words)
  await page.locator('[part=domain]').first().waitFor()
  await page.locator('progress').waitFor({ state: 'hidden' })
}

type Styled = typeof globalThis & { getComputedStyle(one: object): Record<string, string> }
const styleOf = (at: Locator, wanted: string) =>
  at.evaluate((one, name) => (globalThis as Styled).getComputedStyle(one)[name], wanted)
const alertOf = (page: Page) => page.getByRole('alert').locator('p')
const again = (page: Page) => page.getByRole('button', { name: 'Try again' })

describe('errors are reported to the visitor and to the page:', () => {
  test('an origin that the key does not allow', async () => {
    await using at = await open({ origin: 'https://other.example' })
    await search(at.page, 'a bakery')
    expect(await alertOf(at.page).textContent()).toBe(TEXTS.en.closed)
    expect(await again(at.page).count()).toBe(0)
    const detail = { code: 'origin_not_allowed', message: expect.any(String), requestId: expect.any(String) }
    expect(await at.events()).toEqual([['namewright-error', detail]])
  })

  test('no key, and an invalid attribute', async () => {
    for (const attributes of [{ 'publishable-key': '' }, { 'base-url': 'nowhere' }, { tlds: 'no-such-suffix' }]) {
      await using at = await open({ attributes })
      await search(at.page, 'a bakery')
      expect(await alertOf(at.page).textContent(), JSON.stringify(attributes)).toBe(TEXTS.en.closed)
    }
  })

  test('a quota that is used up', async () => {
    await using at = await open({ spec: { quota: { ...WIDE_QUOTA, perDay: 0 } } })
    await search(at.page, 'a bakery')
    expect(await alertOf(at.page).textContent()).toBe(TEXTS.en.busy)
    expect(await again(at.page).isVisible()).toBe(true)
    expect((await at.events()).map(([, { code }]) => code)).toEqual(['quota_exceeded'])
  })

  test('no connection, and a retry when it is back', async () => {
    await using at = await open()
    const { page } = at
    await page.clock.install()
    await page.context().setOffline(true)
    await search(page, 'a bakery')
    await expect
      .poll(async () => {
        await page.clock.runFor(5_000)
        return alertOf(page).count()
      })
      .toBe(1)
    expect(await alertOf(page).textContent()).toBe(TEXTS.en.offline)
    await page.context().setOffline(false)
    await again(page).click()
    await page.locator('[part=domain]').first().waitFor()
    expect(await alertOf(page).count()).toBe(0)
  })

  test('no available names', async () => {
    await using at = await open()
    await at.page.route('**/v1/generate', async (route) => {
      const answer = await route.fetch()
      const [done = ''] = (await answer.text()).split('\n').filter((line) => line.includes('"event":"done"'))
      const event = JSON.parse(done) as { data: { data: object } }
      event.data.data = { suggestions: [], shortfall: { wanted: 3, reason: 'time' } }
      await route.fulfill({ response: answer, body: `${JSON.stringify(event)}\n` })
    })
    await search(at.page, 'a bakery')
    expect(await alertOf(at.page).textContent()).toBe(TEXTS.en.none)
    expect(await at.events()).toEqual([])
  })

  test('a description without letters', async () => {
    await using at = await open()
    await search(at.page, '12345')
    expect(await alertOf(at.page).textContent()).toBe(TEXTS.en.unclear)
  })
})

describe('automated accessibility checks pass', () => {
  const looks: [string, PageOptions][] = [
    ['in the light', {}],
    ['in the dark', { options: { colorScheme: 'dark' } }],
    ['on a phone', { options: PHONE }],
    ['on a phone in the dark', { options: { ...PHONE, colorScheme: 'dark' } }],
    ['at 320 pixels, in German', { options: NARROW, attributes: { language: 'de' } }],
    ['from right to left', { options: PHONE, attributes: { language: 'ar' } }],
    ['with forced colours', { options: { forcedColors: 'active' } }],
  ]
  test.for(looks)('%s: empty, with names, and with an error', async ([, pageOptions]) => {
    await using at = await open(pageOptions)
    const { page } = at
    await page.getByRole('textbox').waitFor()
    expect(await page.evaluate(FIND_FAULTS)).toEqual([])
    await find(page)
    // Wait for the fade-in.
    await page.evaluate(
      `Promise.all(document.querySelector('namewright-search').shadowRoot.getAnimations().map((one) => one.finished))`,
    )
    expect(await page.evaluate(FIND_FAULTS)).toEqual([])
    await search(page, '12345')
    await alertOf(page).waitFor()
    expect(await page.evaluate(FIND_FAULTS)).toEqual([])
  })

  test('and would fail for these faults', async () => {
    await using at = await open({ options: PHONE })
    await at.page.getByRole('textbox').waitFor()
    await at.page.evaluate(`(() => {
      const host = document.querySelector('namewright-search')
      host.style.setProperty('--namewright-faint', '#bbb')
      host.style.setProperty('--namewright-edge', '#eee')
      host.shadowRoot.querySelector('label').remove()
      host.shadowRoot.querySelector('.submit').textContent = ''
    })()`)
    const faults = (await at.page.evaluate<string[]>(FIND_FAULTS)).join('\n')
    for (const fault of ['without a label', 'without a name', 'hint: contrast', 'the edge of the field'])
      expect(faults).toContain(fault)
  })
})

describe('its texts', () => {
  test('are in the language of the attribute, of the page, or of the browser', async () => {
    const cases: [PageOptions, string][] = [
      [{ attributes: { language: 'fr' }, lang: 'de' }, TEXTS.fr.submit],
      [{ lang: 'de-AT' }, TEXTS.de.submit],
      [{ lang: 'xx', options: { locale: 'pt-PT' } }, TEXTS['pt-BR'].submit],
      [{ lang: 'xx', options: { locale: 'sw' } }, TEXTS.en.submit],
    ]
    for (const [pageOptions, words] of cases) {
      await using at = await open(pageOptions)
      expect(await at.page.getByRole('button').textContent()).toBe(words)
    }
  })

  test('follow when the attribute changes', async () => {
    await using at = await open()
    await find(at.page)
    await at.page.evaluate(`document.querySelector('namewright-search').setAttribute('language', 'ja')`)
    expect(await at.page.locator('[part=button]').textContent()).toBe(TEXTS.ja.submit)
    expect(await at.page.locator('[part=choose]').first().textContent()).toBe(TEXTS.ja.choose)
  })

  test('are read from right to left in Arabic, and a domain is not', async () => {
    await using at = await open({ attributes: { language: 'ar' } })
    await find(at.page)
    const box = at.page.locator('[part=box]')
    expect([await box.getAttribute('dir'), await box.getAttribute('lang')]).toEqual(['rtl', 'ar'])
    const domain = at.page.locator('[part=domain] bdi').first()
    expect(await styleOf(domain, 'direction')).toBe('ltr')
    // It starts at the start of the row, which is on the right.
    const [row, text] = await Promise.all([
      at.page.locator('[part=domain]').first().boundingBox(),
      domain.boundingBox(),
    ])
    const gap = (row?.x ?? 0) + (row?.width ?? 0) - (text?.x ?? 0) - (text?.width ?? 0)
    expect(gap).toBeLessThan(30)
    const button = await at.page.locator('[part=button]').boundingBox()
    const input = await at.page.getByRole('textbox').boundingBox()
    expect(button?.x).toBeLessThan(input?.x ?? 0)
  })

  test('have the same placeholders in every language', () => {
    const placeholdersOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).toSorted()
    for (const language of LANGUAGES) {
      for (const [name, english] of Object.entries(TEXTS.en)) {
        const text = TEXTS[language][name as keyof typeof TEXTS.en]
        expect(placeholdersOf(text), `${language} ${name}`).toEqual(placeholdersOf(english))
        if (language !== 'en' && name !== 'results') expect(text, `${language} ${name}`).not.toBe(english)
      }
    }
  })
})

test('a screen reader gets at most one announcement in two seconds, and the total at the end', async () => {
  await using at = await open({ attributes: { count: '12' } })
  await at.page.getByRole('textbox').waitFor()
  await at.page.evaluate(`
    window.announced = []
    const region = document.querySelector('namewright-search').shadowRoot.querySelector('[role=status]')
    new MutationObserver(() => window.announced.push([performance.now(), region.textContent])).observe(region, {
      childList: true, characterData: true, subtree: true,
    })`)
  const announced = () => at.page.evaluate<[number, string][]>('window.announced')
  await find(at.page)
  await expect.poll(async () => (await announced()).length).toBeGreaterThan(0)
  // Both start and end within two seconds of the first announcement.
  await find(at.page, 'a ferry')
  await find(at.page, 'a library')
  const found = TEXTS.en.found.split('{')[0] ?? ''
  const newest = async () => (await announced()).slice(1).at(-1)?.[1]
  await expect.poll(newest, { timeout: 15_000 }).toContain(found)
  const times = (await announced()).map(([ms]) => ms)
  const gaps = times.slice(1).map((ms, i) => ms - (times[i] ?? 0))
  expect(gaps.length).toBeGreaterThan(0)
  // A timer never fires early; the rest is rounding.
  for (const gap of gaps) expect(gap).toBeGreaterThan(1_950)
})

test('reduced motion is respected, and the page can set every color', async () => {
  await using at = await open({ options: { reducedMotion: 'reduce' } })
  await find(at.page)
  const suggestion = at.page.locator('[part=suggestion]').first()
  expect(await styleOf(suggestion, 'animationName')).toBe('none')
  await at.page.evaluate(
    `document.querySelector('namewright-search').style.setProperty('--namewright-accent', 'rgb(1, 2, 3)')`,
  )
  const button = at.page.locator('[part=button]')
  expect(await styleOf(button, 'backgroundColor')).toBe('rgb(1, 2, 3)')
})
