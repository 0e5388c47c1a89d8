/**
 * The manual in a real browser, as people meet it: by keyboard, on a phone, without script, in the dark, by screen reader.
 *
 * What a machine can know of accessibility is asked of every page: landmarks, names, order of headings, anchors, and
 * that nothing sticks out of a narrow screen. Contrast is computed from the colours in the style.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeContexts, shareBrowser } from '../../browser.ts'
import { startApp } from '../../start-app.ts'
import type { Node, World } from '../../world.ts'
import { readPage } from '../../docs/pages.ts'

let world: World
let node: Node
let browser: Browser
beforeAll(async () => {
  world = await startApp()
  node = await world.startNode()
  browser = await shareBrowser()
}, 60_000)
afterAll(async () => {
  await closeContexts(browser)
  await world?.[Symbol.asyncDispose]()
})

const PHONE = { width: 390, height: 844 }
const DESK = { width: 1440, height: 900 }

async function open(
  path: string,
  options: Parameters<Browser['newContext']>[0],
  work: (page: Page, context: BrowserContext) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(options)
  try {
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('request', (request) => {
      if (!/^(?:data:|http:\/\/127\.0\.0\.1)/.test(request.url())) complaints.push(request.url())
    })
    await page.goto(`${node.url}${path}`)
    await work(page, context)
    expect(complaints).toEqual([])
  } finally {
    await context.close()
  }
}

/** What is wrong with a page, in words: run in the browser. */
const FIND_FAULTS = readPage('server/test/nightly/docs/find-faults.js')

test('every page is well formed for people who listen, on a phone and on a desk', { timeout: 180_000 }, async () => {
  const paths = ['/docs']
  await open('/docs', { viewport: PHONE }, async (page) => {
    paths.push(
      ...(await page.locator('#menu a').evaluateAll((links) => links.map((a) => a.getAttribute('href') ?? ''))),
    )
  })
  expect(paths.length).toBeGreaterThan(20)
  const visited = [...new Set([...paths, '/docs/search?q=key', '/docs/search?q=zyzzyva'])]
  await open('/docs', { viewport: PHONE }, async (page) => {
    for (const path of visited) {
      await page.goto(`${node.url}${path}`)
      for (const viewport of [PHONE, DESK]) {
        await page.setViewportSize(viewport)
        expect(await page.evaluate(FIND_FAULTS), `${path} at ${viewport.width}`).toEqual([])
      }
    }
  })
})

test('a page that is not well formed would be noticed', async () => {
  await open('/docs', { viewport: PHONE }, async (page) => {
    await page.setContent('<h1>a</h1><h3 id=x>b</h3><p id=x><input><a href="/"></a><nav></nav><pre>wide</pre>')
    const faults = await page.evaluate(FIND_FAULTS)
    for (const fault of [
      'no language',
      'no title',
      '0 × main',
      'H3 after H1',
      'twice: #x',
      'without a name',
      'without a label',
    ]) {
      expect(faults).toContainEqual(expect.stringContaining(fault))
    }
  })
})

describe('by keyboard', () => {
  test('the first stop leads past everything to the content', async () => {
    await open('/docs/api', { viewport: DESK }, async (page) => {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(`document.activeElement.className`)).toBe('skip')
      expect((await page.locator('.skip').boundingBox())?.y).toBeGreaterThanOrEqual(0)
      await page.keyboard.press('Enter')
      await expect.poll(() => page.evaluate(`document.activeElement.id`)).toBe('content')
    })
  })

  test('every stop can be seen', async () => {
    await open('/docs/concepts', { viewport: DESK }, async (page) => {
      for (let stop = 0; stop < 25; stop += 1) {
        await page.keyboard.press('Tab')
        const outline =
          await page.evaluate(`(({ outlineStyle, outlineWidth }) => outlineStyle + ' ' + (parseFloat(outlineWidth) >= 2))(
          getComputedStyle(document.activeElement))`)
        expect(outline).toBe('solid true')
      }
    })
  })

  test('a search is typed, walked through with the arrows, followed with Enter and left with Escape', async () => {
    await open('/docs', { viewport: DESK }, async (page) => {
      const field = page.getByRole('searchbox', { name: 'Search the documentation' })
      await field.fill('quota exceeded')
      await page.locator('#found a').first().waitFor()
      expect(await page.getByRole('status').textContent()).toMatch(/^\d+ found$/)
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowUp')
      expect(await page.evaluate(`document.activeElement.getAttribute('href')`)).toMatch(/^\/docs\//)
      await page.keyboard.press('Escape')
      expect(await page.locator('#found').isHidden()).toBe(true)
      expect(await page.evaluate(`document.activeElement.id`)).toBe('typed')
      await field.fill('quota_exceeded')
      await page.locator('#found a[href="/docs/errors#quota_exceeded"]').waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/docs/errors#quota_exceeded')
    })
  })

  test('Enter in the field is the plain search', async () => {
    await open('/docs', { viewport: DESK }, async (page) => {
      await page.getByRole('searchbox').fill('idempotency')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/docs/search?q=idempotency')
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Search: idempotency')
    })
  })
})

describe('on a phone', () => {
  test('the pages and the headings open over the text, lead on, and close', async () => {
    await open('/docs/api', { viewport: PHONE, hasTouch: true }, async (page) => {
      const menu = page.locator('#menu')
      expect(await menu.isVisible()).toBe(false)
      await page.getByRole('button', { name: 'Pages' }).tap()
      await expect.poll(() => menu.isVisible()).toBe(true)
      await page.keyboard.press('Escape')
      await expect.poll(() => menu.isVisible()).toBe(false)
      await page.getByRole('button', { name: 'On this page' }).tap()
      await page.locator('#toc').getByRole('link', { name: 'Idempotency' }).tap()
      await page.waitForURL('**/docs/api#idempotency')
      await expect.poll(() => page.locator('#toc').isVisible()).toBe(false)
    })
  })

  test('whatever is touched is at least 24 pixels high and wide', async () => {
    await open('/docs/limits', { viewport: PHONE }, async (page) => {
      const boxes = await page
        .locator('header button, header input, .brand, .pager a')
        .evaluateAll((all) =>
          all.map((one) => one.getBoundingClientRect()).map(({ width, height }) => ({ width, height })),
        )
      expect(boxes.length).toBeGreaterThan(4)
      for (const { width, height } of boxes) expect(Math.min(width, height)).toBeGreaterThanOrEqual(24)
    })
  })

  test('a long table is read row by row, and is still a table to who listens', async () => {
    await open('/docs/errors', { viewport: PHONE }, async (page) => {
      const display = await page.evaluate(`getComputedStyle(document.querySelector('#quota_exceeded')).display`)
      expect(display).toBe('block')
      expect(await page.getByRole('row').filter({ hasText: 'quota_exceeded' }).getByRole('cell').count()).toBe(5)
      expect(await page.getByRole('columnheader', { name: 'what to do' }).count()).toBe(1)
    })
  })
})

test('without script every page is read, and search is a form', async () => {
  await open('/docs', { viewport: DESK, javaScriptEnabled: false }, async (page) => {
    await page.getByRole('searchbox').fill('idempotency')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.locator('.results a').first().click()
    await page.waitForURL('**/docs/api#idempotency')
    await expect.poll(() => page.locator('#menu').isVisible()).toBe(true)
  })
})

test('an example is copied with one press', async () => {
  const permissions = ['clipboard-read', 'clipboard-write']
  await open('/docs/api', { viewport: DESK, permissions }, async (page) => {
    await page.getByRole('button', { name: 'Copy' }).first().focus()
    // What the button says lasts two seconds.
    await page.evaluate(`
      window.said = []
      const button = document.activeElement
      new MutationObserver(() => said.push(button.textContent)).observe(button, { childList: true })`)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(`said`)).toContain('Copied')
    expect(await page.evaluate(`navigator.clipboard.readText()`)).toContain('export NAMEWRIGHT_URL=')
  })
})

test('what gets into a page in spite of all is not run', async () => {
  const context = await browser.newContext({ viewport: DESK })
  const page = await context.newPage()
  await page.goto(`${node.url}/docs`)
  const blocked = page.waitForEvent('console', (message) => message.text().includes('Content Security Policy'))
  await page.evaluate(`
    const script = document.createElement('script')
    script.textContent = 'window.hurt = true'
    document.body.append(script)`)
  await blocked
  expect(await page.evaluate(`'hurt' in window`)).toBe(false)
  await context.close()
})

describe('colours', () => {
  const style = readPage('server/src/features/site/docs/page.css')
  const [light = '', dark = ''] = style.split('@media (prefers-color-scheme: dark)')
  const coloursIn = (text: string) =>
    new Map(
      [...text.slice(0, text.indexOf('* {')).matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, name = '', hex = '']) => [
        name,
        hex,
      ]),
    )

  /** WCAG 2.2, relative luminance and contrast ratio. */
  const luminance = (hex: string) => {
    const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    const [r = 0, g = 0, b = 0] = parts.map((part) =>
      part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
    )
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const contrast = (a: string, b: string) => {
    const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
    return (high + 0.05) / (low + 0.05)
  }

  test.for([
    ['light', light],
    ['dark', dark],
  ])('in the %s: words have a contrast of 4.5, edges of fields of 3', ([, text = '']) => {
    const colours = coloursIn(text)
    const of = (name: string) => colours.get(name) ?? ''
    const words = ['ink', 'faint', 'link'].flatMap((front) => ['paper', 'soft'].map((back) => [front, back]))
    words.push(['ink', 'mark'], ['faint', 'mark'], ['on-link', 'link'])
    for (const [front = '', back = ''] of words) {
      expect(contrast(of(front), of(back)), `${front} on ${back}`).toBeGreaterThanOrEqual(4.5)
    }
    for (const back of ['paper', 'soft']) expect(contrast(of('edge'), of(back))).toBeGreaterThanOrEqual(3)
  })

  test('follow the system', async () => {
    const paper = { light: 'rgb(255, 255, 255)', dark: 'rgb(17, 20, 29)' }
    for (const colorScheme of ['light', 'dark'] as const) {
      await open('/docs', { colorScheme }, async (page) => {
        const seen = await page.evaluate(`getComputedStyle(document.documentElement).backgroundColor`)
        expect(seen).toBe(paper[colorScheme])
      })
    }
  })
})
