/**
 * Popovers in a browser without CSS anchors. Chromium has no switch for them any more, so what a page sees of them is taken
 * away before it starts: the properties, the answer of CSS.supports, and the rules.
 */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitForNames } from '../journeys/searching.ts'
import { shareStage } from '../stage.ts'
import type { Stage } from '../stage.ts'

const PATIENT = { timeout: 120_000 } as const
// Room for every panel under its button.
const HEIGHT = 1_100

let stage: Stage
beforeAll(async () => {
  stage = await shareStage()
}, 120_000)
afterAll(() => stage[Symbol.asyncDispose](), 120_000)

/** Runs in the page. */
function takeAnchors(): void {
  const supports = CSS.supports.bind(CSS)
  CSS.supports = (...asked: [string, string?]) =>
    !asked.join(' ').includes('anchor') && (supports as (...of: unknown[]) => boolean)(...asked)
  for (const owner of [CSSStyleDeclaration.prototype, Reflect.get(globalThis, 'CSSStyleProperties')?.prototype])
    for (const name of ['anchorName', 'positionAnchor']) if (owner) Reflect.deleteProperty(owner, name)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('[popover] { position-area: none !important; position-try-fallbacks: none !important }')
  document.adoptedStyleSheets = [sheet]
}

async function open(
  locale: string,
  width: number,
  path: string,
  { height = HEIGHT, hasAnchors = false } = {},
): Promise<{ page: Page; complaints: readonly string[] }> {
  const visit = await stage.visit({ locale, viewport: { width, height }, serviceWorkers: 'block' })
  if (!hasAnchors) await visit.page.addInitScript(takeAnchors)
  await visit.page.goto(path)
  return visit
}

async function boxOf(at: Locator): Promise<{ start: number; end: number; top: number; bottom: number }> {
  const box = await at.boundingBox()
  if (!box) throw new Error('it is not to be seen')
  return { start: box.x, end: box.x + box.width, top: box.y, bottom: box.y + box.height }
}

it.each([
  { locale: 'en', label: 'Style', side: 'start' },
  { locale: 'ar', label: 'الأسلوب', side: 'end' },
] as const)('in $locale a filter opens under its button, and follows it', PATIENT, async ({ locale, label, side }) => {
  const { page, complaints } = await open(locale, 1280, '/')
  const button = page.locator('#filters').getByRole('button', { name: label })
  await button.click()
  const panel = page.getByRole('dialog', { name: label })
  await panel.getByRole('checkbox').first().waitFor()
  const isBeside = async () => {
    const [from, to] = [await boxOf(button), await boxOf(panel)]
    return Math.abs(from[side] - to[side]) < 2 && to.top >= from.bottom && to.top - from.bottom < 10
  }
  await expect.poll(isBeside).toBe(true)
  await page.setViewportSize({ width: 1000, height: HEIGHT })
  await expect.poll(isBeside).toBe(true)
  expect(complaints).toEqual([])
})

it.each([true, false])(
  'on a laptop the long list of extensions leaves the field free and can be scrolled (anchors: %s)',
  PATIENT,
  async (hasAnchors) => {
    const { page, complaints } = await open('en', 1280, '/', { height: 900, hasAnchors })
    const button = page.locator('#filters').getByRole('button', { name: 'Extensions' })
    await button.click()
    const panel = page.getByRole('dialog', { name: 'Extensions' })
    await panel.getByRole('checkbox').first().waitFor()
    await expect
      .poll(async () => {
        const [from, to] = [await boxOf(button), await boxOf(panel)]
        return to.top >= from.bottom && to.bottom <= 900 && to.bottom - to.top >= 288
      })
      .toBe(true)
    const last = panel.getByRole('switch')
    await last.scrollIntoViewIfNeeded()
    const scrolled = await panel.evaluate(({ scrollTop }) => scrollTop)
    expect(scrolled).toBeGreaterThan(0)
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    expect(await panel.evaluate(({ scrollTop }) => scrollTop)).toBe(scrolled)
    expect(complaints).toEqual([])
  },
)

it('the menu of registrars stands beside its button, inside of the window', PATIENT, async () => {
  const { page, complaints } = await open('en', 1280, '/?d=a+bakery+that+delivers+by+bicycle&n=3&seed=7&tlds=com')
  await waitForNames(page)
  await page.getByRole('article').first().getByRole('heading').getByRole('button').click()
  const details = page.getByRole('dialog', { name: /^Details of / })
  const button = details.getByRole('button', { name: /^Register / }).first()
  await button.click()
  const menu = page.getByRole('dialog', { name: /^Register / })
  await menu.getByRole('link').first().waitFor()
  await expect
    .poll(async () => {
      const [from, to] = [await boxOf(button), await boxOf(menu)]
      const isInside = to.start >= 0 && to.end <= 1280 && to.top >= 0 && to.bottom <= HEIGHT
      return isInside && to.start < from.end && to.end > from.start && to.top < from.bottom + 10
    })
    .toBe(true)
  expect(complaints).toEqual([])
})

it('on a phone a filter is at the lower edge, as wide as the window', PATIENT, async () => {
  const { page, complaints } = await open('en', 390, '/')
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.locator('#filters').getByRole('button', { name: 'Style' }).click()
  const panel = page.getByRole('dialog', { name: 'Style' })
  await panel.getByRole('checkbox').first().waitFor()
  await expect.poll(() => boxOf(panel)).toMatchObject({ start: 0, end: 390, bottom: HEIGHT })
  expect(complaints).toEqual([])
})
