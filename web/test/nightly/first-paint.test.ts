/** The first screen before any script is there, that the app takes its place without a jump, and what is loaded after it. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { shareStage } from '../stage.ts'
import type { Stage } from '../stage.ts'

const PATIENT = { timeout: 120_000 } as const
const APP = /\/assets\/app-[\w-]+\.js$/

let stage: Stage
beforeAll(async () => {
  stage = await shareStage()
}, 120_000)
afterAll(() => stage[Symbol.asyncDispose](), 120_000)

/** The app is held back until it is released. */
async function holdApp(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(APP, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

const fieldOf = (page: Page) => page.getByRole('search').getByRole('textbox')

it.each([
  { locale: 'ru', direction: 'ltr', heading: /имя|назван/i },
  { locale: 'ar', direction: 'rtl', heading: /أسماء/ },
])('in $locale it can be read and used without a script', PATIENT, async ({ locale, direction, heading }) => {
  const { page } = await stage.visit({ locale, javaScriptEnabled: false, serviceWorkers: 'block' })
  const answer = await page.goto('/')
  expect(answer?.headers()['vary']).toMatch(/Accept-Language/)
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  const root = page.locator('html')
  expect([await root.getAttribute('lang'), await root.getAttribute('dir')]).toEqual([locale, direction])
  await fieldOf(page).fill('a bakery')
  await page.getByRole('search').getByRole('button').click()
  await page.waitForURL('**/?d=a+bakery')
})

it('what is written before the app is there stays, and nothing moves when it comes', PATIENT, async () => {
  const { page, complaints } = await stage.visit({ serviceWorkers: 'block' })
  await page.addInitScript(() => {
    const moved: number[] = []
    Object.assign(window, { moved })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) moved.push((entry as PerformanceEntry & { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const release = await holdApp(page)
  await page.goto('/', { waitUntil: 'commit' })
  await fieldOf(page).click()
  await page.keyboard.type('a bakery that')
  const heading = page.getByRole('heading', { level: 1 })
  const before = await heading.boundingBox()
  release()
  await page.locator('[data-prerendered]').waitFor({ state: 'detached' })
  await page.keyboard.type(' delivers')
  expect(await fieldOf(page).inputValue()).toBe('a bakery that delivers')
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
  expect(await heading.boundingBox()).toEqual(before)
  const moved = await page.evaluate(() => (window as { moved?: number[] }).moved ?? [])
  expect(moved.reduce((sum, one) => sum + one, 0)).toBeLessThan(0.02)
  expect(complaints).toEqual([])
})

it('what is written while the app is being drawn stays', PATIENT, async () => {
  const { page, complaints } = await stage.visit({ serviceWorkers: 'block' })
  const release = await holdApp(page)
  await page.goto('/', { waitUntil: 'commit' })
  await fieldOf(page).click()
  // A key as late as there can be one: in the moment in which the prerendered page is taken away.
  await page.evaluate(() => {
    const field = document.querySelector('textarea')
    const textContent = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent')
    Object.defineProperty(Node.prototype, 'textContent', {
      ...textContent,
      set(value: string) {
        if (field && this instanceof Element && this.contains(field)) field.value += '!'
        textContent?.set?.call(this, value)
      },
    })
  })
  await page.keyboard.type('a bakery')
  release()
  await page.locator('[data-prerendered]').waitFor({ state: 'detached' })
  await expect.poll(() => fieldOf(page).inputValue()).toBe('a bakery!')
  expect(complaints).toEqual([])
})

it('Enter before the app is there searches as soon as it is', PATIENT, async () => {
  const { page, complaints } = await stage.visit({ serviceWorkers: 'block' })
  const release = await holdApp(page)
  await page.goto('/', { waitUntil: 'commit' })
  await fieldOf(page).fill('a bakery that delivers')
  await fieldOf(page).press('Enter')
  release()
  await page.waitForURL(/\/\?d=a(?:\+|%20)bakery/)
  expect(complaints).toEqual([])
})

it('the theme that was chosen is there at once, and no language that was not', PATIENT, async () => {
  const { page, complaints } = await stage.visit({ serviceWorkers: 'block' })
  await page.addInitScript(() => localStorage.setItem('namewright.preferences', '{"theme":"dark","language":"de"}'))
  const release = await holdApp(page)
  await page.goto('/', { waitUntil: 'commit' })
  await page.locator('[data-prerendered]').waitFor({ state: 'attached' })
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(0)
  release()
  await page.getByRole('heading', { level: 1, name: /Name/ }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  expect(complaints).toEqual([])
})

it('no key press waits for the results view: it is loaded in a pause of typing', PATIENT, async () => {
  const { page, complaints } = await stage.visit({ serviceWorkers: 'block' })
  const fetched: string[] = []
  page.on('request', (request) => void fetched.push(new URL(request.url()).pathname))
  await page.clock.install()
  await page.goto('/')
  const isFetched = () => fetched.some((path) => path.includes('/searched-'))
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
  await page.clock.pauseAt(Date.now() + 60_000)
  for (const key of 'a bakery') await page.keyboard.type(key)
  expect(await fieldOf(page).inputValue()).toBe('a bakery')
  expect(isFetched()).toBe(false)
  await page.clock.runFor(1_000)
  await expect.poll(isFetched).toBe(true)
  expect(complaints).toEqual([])
})
