/** `<namewright-search>` in a real browser, on a page of another origin with a strict policy, against a real node. */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeContexts, shareBrowser } from '../../server/test/browser.ts'
import { makeCertificate } from '../../server/test/certificate.ts'
import { NAMESPACE_HOSTS, openNamespaceServer } from '../../server/test/internet/namespace-server.ts'
import { startApp } from '../../server/test/start-app.ts'
import type { Node, World } from '../../server/test/world.ts'
import { makePublishable, openPage, openShop, search } from './element-shop.ts'
import type { Shop } from './element-shop.ts'

const REGISTER = { 'register-url': '/cart?domain={domain}' }

let world: World
let node: Node
let shop: Shop
let browser: Browser
const closing = new AsyncDisposableStack()
beforeAll(async () => {
  const certificate = closing.use(await makeCertificate(NAMESPACE_HOSTS))
  const hosts = closing.use(await openNamespaceServer(certificate, { has: (namespace) => namespace === 'npm' }))
  world = await startApp()
  node = await world.startNode({
    NAMEWRIGHT_NAMESPACES: 'on',
    NAMEWRIGHT_OUTBOUND_ROUTES: hosts.routes,
    NAMEWRIGHT_OUTBOUND_CA_FILE: certificate.caFile,
  })
  shop = await openShop(node.url)
  browser = await shareBrowser()
}, 120_000)
afterAll(async () => {
  await closeContexts(browser)
  await shop?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
  await closing.disposeAsync()
})

async function open(attributes: Record<string, string> = {}, options?: Parameters<typeof openPage>[2]) {
  const key = await makePublishable(world, shop.url)
  return openPage(browser, shop.pageOf({ 'publishable-key': key, count: '3', ...attributes }), options)
}

const choices = (page: Page) => page.locator('[part=domain]')
const untilDone = async (page: Page) => {
  await choices(page).first().waitFor()
  await page.locator('progress').waitFor({ state: 'hidden' })
}

describe('the file', () => {
  const path = '/embed/namewright-search.js'

  test('is less than 30 kB gzipped, and imports nothing', () => {
    const code = readFileSync(new URL('../../server/build/namewright-search.js', import.meta.url))
    const size = gzipSync(code, { level: 9 }).length
    console.log(`namewright-search.js: ${size} bytes zipped`)
    expect(size).toBeLessThan(30_000)
    const wrong = /\bimport\s*(?:\(|["'`{])|\beval\(|new Function|innerHTML/.exec(code.toString())
    expect(wrong?.[0]).toBeUndefined()
  })

  test('is served to pages of any origin, and cached', async () => {
    const answer = await fetch(`${node.url}${path}`, { headers: { 'accept-encoding': 'identity' } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(answer.headers.get('content-encoding')).toBeNull()
    const zipped = await fetch(`${node.url}${path}`, { headers: { 'accept-encoding': 'gzip, br' } })
    expect(zipped.headers.get('content-encoding')).toBe('br')
    expect(await zipped.text()).toBe(await answer.text())
    const tags = [answer, zipped].map(({ headers }) => headers.get('etag') ?? '')
    expect(new Set(tags).size).toBe(2)
    const again = await fetch(`${node.url}${path}`, {
      headers: { 'accept-encoding': 'br', 'if-none-match': `"other", W/${tags[1]}` },
    })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect(again.headers.get('access-control-allow-origin')).toBe('*')
  })
})

test('finds names, shows them with prices, and the page has nothing against it', async () => {
  await using at = await open({ ...REGISTER, tlds: '.com, net' })
  const { page, complaints } = at
  expect(await page.getByText('Search for a domain').isVisible()).toBe(false)
  await search(page, 'a bakery that delivers by bicycle')
  await untilDone(page)
  expect(await page.locator('[part=suggestion]').count()).toBe(3)
  expect(await page.locator('[part=status]').textContent()).toMatch(/^Names found: \W?3\W?$/)
  const [first = ''] = await choices(page).locator('bdi').allTextContents()
  expect(first).toMatch(/^[a-z]+\.(?:com|net)$/)
  expect(await choices(page).first().getAttribute('href')).toBe(`${shop.url}/cart?domain=${first}`)
  expect(await page.locator('[part=price]').first().textContent()).toMatch(/\$\d+\.\d\d/)
  expect(complaints).toEqual([])
})

const unmarked = (text: string) => text.replaceAll(/[\u2066-\u2069]/g, '').replaceAll(/\s/g, ' ')

test('a different renewal price is shown beside what is due, in the format of the language', async () => {
  await using at = await open({ tlds: 'io', language: 'de' })
  await search(at.page, 'a bakery that delivers by bicycle')
  await untilDone(at.page)
  const prices = await at.page.locator('[part=price]').allTextContents()
  expect(prices.length).toBeGreaterThan(0)
  for (const price of prices) expect(unmarked(price)).toMatch(/^\d+,\d\d \$ · danach \d+,\d\d \$ im Jahr$/)

  await using same = await open({ tlds: 'com', language: 'de' })
  await search(same.page, 'a bakery that delivers by bicycle')
  await untilDone(same.page)
  for (const price of await same.page.locator('[part=price]').allTextContents())
    expect(unmarked(price)).toMatch(/^\d+,\d\d \$$/)
})

test('with handles a line below each name says where it is taken, and calls it available nowhere', async () => {
  await using plain = await open()
  await search(plain.page, 'a bakery that delivers by bicycle')
  await untilDone(plain.page)
  expect(await plain.page.locator('[part=handles]').filter({ visible: true }).count()).toBe(0)

  await using at = await open({ handles: '', count: '1' })
  await search(at.page, 'a bakery that delivers by bicycle')
  await untilDone(at.page)
  expect(await at.events()).toEqual([])
  const text = (await at.page.locator('[part=handles]').textContent()) ?? ''
  expect(text.replaceAll(/[\u2066-\u2069]/g, '')).toMatch(/^Taken: npm · No entry found: [678](?: · Unknown: \d)?$/)
  expect(at.complaints).toEqual([])
})

test('names are shown while the search continues', async () => {
  await using at = await open({ count: '20' })
  await at.page.evaluate(`
    window.seen = []
    const { shadowRoot } = document.querySelector('namewright-search')
    new MutationObserver(() => {
      const busy = shadowRoot.querySelector('.box').hasAttribute('data-busy')
      window.seen.push([busy, shadowRoot.querySelectorAll('.suggestion').length])
    }).observe(shadowRoot.querySelector('.results'), { childList: true })`)
  await search(at.page, 'a bakery')
  await untilDone(at.page)
  const seen = await at.page.evaluate<[boolean, number][]>('window.seen')
  expect(seen.some(([busy, names]) => busy && names > 0)).toBe(true)
})

test('a search outlasts a failover: tried again after Retry-After, with the same key', async () => {
  await using at = await open()
  const { page } = at
  await page.clock.install()
  const keys: (string | undefined)[] = []
  await page.route('**/v1/generate', async (route) => {
    const request = route.request()
    if (request.method() === 'OPTIONS') return route.continue()
    keys.push(request.headers()['idempotency-key'])
    if (keys.length === 3) return route.continue()
    const headers = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'Retry-After' }
    const error = { code: 'unavailable', message: '', request_id: '', docs: '' }
    return route.fulfill({
      status: 503,
      headers: { ...headers, 'retry-after': '10' },
      json: { status: 'error', error },
    })
  })
  await search(page, 'a bakery')
  await expect.poll(() => keys.length).toBe(1)
  await page.clock.runFor(9_900)
  expect(keys).toHaveLength(1)
  await expect
    .poll(async () => {
      await page.clock.runFor(1_000)
      return keys.length
    })
    .toBe(3)
  await page.clock.resume()
  await untilDone(page)
  expect(keys).toEqual([keys[0], keys[0], keys[0]])
  expect(await at.events()).toEqual([])
})

test('without scripts the fallback content of the page is shown', async () => {
  await using at = await open({}, { javaScriptEnabled: false })
  expect(await at.page.getByRole('link', { name: 'Search for a domain' }).isVisible()).toBe(true)
})

test('is used by keyboard alone, from the first key to the cart', async () => {
  await using at = await open(REGISTER)
  const { page } = at
  await page.keyboard.press('Tab')
  await page.keyboard.type('a bakery')
  await page.keyboard.press('Enter')
  await untilDone(page)
  const focused = () =>
    page.evaluate(`(() => {
      const { activeElement: one } = document.querySelector('namewright-search').shadowRoot
      const { outlineStyle, outlineWidth } = getComputedStyle(one)
      return [one.className || one.localName, outlineStyle, parseFloat(outlineWidth)]
    })()`)
  // The focus stays in the input, so that typing can continue.
  expect(await focused()).toEqual(['input', 'solid', 3])
  await page.keyboard.press('Tab')
  expect(await focused()).toEqual(['submit', 'solid', 3])
  await page.keyboard.press('Tab')
  expect(await focused()).toEqual(['domain', 'solid', 3])
  const domain = await choices(page).first().locator('bdi').textContent()
  await page.keyboard.press('Enter')
  await page.waitForURL(`${shop.url}/cart?domain=${domain}`)
})

describe('a choice', () => {
  test('is checked again and dispatched as an event, which the page can cancel', async () => {
    await using at = await open(REGISTER)
    const { page } = at
    await page.evaluate(`addEventListener('namewright-select', (event) => event.preventDefault())`)
    await search(page, 'a bakery')
    await untilDone(page)
    const asked = page.waitForRequest((request) => request.url().endsWith('/v1/domains/check'))
    await choices(page).first().click()
    const domain = await choices(page).first().locator('bdi').textContent()
    expect((await asked).postDataJSON()).toMatchObject({ domains: [domain], verify: 'full' })
    await expect.poll(() => at.events()).toHaveLength(1)
    const name = await page.locator('[part=name]').first().textContent()
    const price = expect.stringMatching(/^\$\d/)
    expect(await at.events()).toEqual([['namewright-select', { domain, name, price }]])
    expect(page.url()).not.toContain('/cart')
  })

  test('without a registration URL is a button, and only dispatches the event', async () => {
    await using at = await open()
    await search(at.page, 'a bakery')
    await untilDone(at.page)
    await choices(at.page).first().click()
    await expect.poll(() => at.events()).toHaveLength(1)
    expect(
      await choices(at.page)
        .first()
        .evaluate((one) => one.localName),
    ).toBe('button')
  })

  /** Replaces the result of the second check, because the test zones cannot change between two checks. */
  async function after(change: object, work: (page: Page, events: () => Promise<unknown[]>) => Promise<void>) {
    await using at = await open(REGISTER)
    const { page } = at
    await page.route('**/v1/domains/check', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { data: { domains: object[] } }
      const domains = body.data.domains.map((one) => ({ ...one, ...change }))
      await route.fulfill({ response: answer, json: { ...body, data: { domains } } })
    })
    await search(page, 'a bakery')
    await untilDone(page)
    await choices(page).first().focus()
    await page.keyboard.press('Enter')
    await work(page, at.events)
    expect(page.url()).not.toContain('/cart')
  }

  test('that was taken in the meantime is disabled, and keeps the focus', async () => {
    await after({ available: false, status: 'taken' }, async (page, events) => {
      await page.getByText('has just been taken').first().waitFor()
      expect(await choices(page).first().getAttribute('aria-disabled')).toBe('true')
      expect(
        await page.evaluate(`document.querySelector('namewright-search').shadowRoot.activeElement.className`),
      ).toBe('domain')
      await page.keyboard.press('Enter')
      expect(await events()).toEqual([])
    })
  })

  test('that cannot be checked is not dispatched', async () => {
    await after({ available: false, status: 'unknown' }, async (page, events) => {
      await page.getByText('could not be checked').first().waitFor()
      expect(await choices(page).first().getAttribute('aria-disabled')).toBeNull()
      expect(await events()).toEqual([])
    })
  })

  test.each<[string, (page: Page) => Promise<unknown>]>([
    ['the element is removed', (page) => page.evaluate(`document.querySelector('namewright-search').remove()`)],
    ['another search begins', (page) => search(page, 'a chess club')],
    ['another one is chosen', (page) => choices(page).nth(1).press('Enter')],
  ])('is not opened any more when %s', async (_what, act) => {
    await using at = await open(REGISTER)
    const { page } = at
    await search(page, 'a bakery')
    await untilDone(page)
    // The check gets no answer before it is given up.
    await page.route('**/v1/domains/check', () => {})
    const begun = page.waitForEvent('request', (request) => request.url().endsWith('/v1/domains/check'))
    const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/v1/domains/check'))
    await choices(page).first().press('Enter')
    await begun
    await act(page)
    await ended
    expect(await at.events()).toEqual([])
    expect(page.url()).not.toContain('/cart')
  })

  test('at another price shows it, and must be confirmed', async () => {
    const pricing = {
      currency: 'USD',
      due_minor: 99_900,
      term_years: 1,
      registration_minor: 99_900,
      renewal_minor: 99_900,
    }
    await after({ price: '$999.00', pricing }, async (page, events) => {
      await page
        .getByText(/now costs .?\$999\.00/)
        .first()
        .waitFor()
      expect(await page.locator('[part=price]').first().textContent()).toContain('$999.00')
      expect(await events()).toEqual([])
    })
  })
})

test('a price that changed in the meantime is shown in the format of the language', async () => {
  await using at = await open({ language: 'de' })
  const pricing = {
    currency: 'USD',
    due_minor: 99_900,
    term_years: 2,
    registration_minor: 49_950,
    renewal_minor: 129_900,
  }
  await at.page.route('**/v1/domains/check', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { data: { domains: object[] } }
    const domains = body.data.domains.map((one) => ({ ...one, price: '$999.00', pricing }))
    await route.fulfill({ response: answer, json: { ...body, data: { domains } } })
  })
  await search(at.page, 'a bakery')
  await untilDone(at.page)
  await choices(at.page).first().click()
  await at.page
    .getByText(/kostet jetzt .*999,00/)
    .first()
    .waitFor()
  expect(unmarked((await at.page.locator('[part=price]').first().textContent()) ?? '')).toMatch(
    /999,00.*mindestens 2 Jahre.*danach.*1\.299,00/,
  )
})

describe('a script on the page', () => {
  test('may move the element, which is idle afterwards and can be used', async () => {
    await using at = await open()
    const { page } = at
    await page.route('**/v1/generate', () => {}, { times: 1 })
    await search(page, 'a bakery')
    await page.locator('progress').waitFor()
    await page.evaluate(`document.body.append(document.querySelector('namewright-search'))`)
    await page.locator('progress').waitFor({ state: 'hidden' })
    await page.evaluate(`document.querySelector('namewright-search').focus()`)
    await page.keyboard.press('Enter')
    await untilDone(page)
    expect(await page.locator('[part=suggestion]').count()).toBe(3)
  })

  test('is not accepted as the registration URL', async () => {
    await using at = await open({ 'register-url': 'javascript:alert("{domain}")' })
    await search(at.page, 'a bakery')
    await untilDone(at.page)
    expect(
      await choices(at.page)
        .first()
        .evaluate((one) => one.localName),
    ).toBe('button')
  })
})
