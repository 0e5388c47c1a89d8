/** What keeps the search page fast, as far as it does not depend on the machine. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PATIENT_SEARCHES } from '../../../server/test/browser.ts'
import { shareStage } from '../stage.ts'
import type { Stage } from '../stage.ts'

const PATIENT = { timeout: 240_000 } as const
const MANY = '/?d=a+bakery+that+delivers+by+bicycle&seed=7&n=60&tlds=com'
// The window shows about ten.
const LOW = { width: 1280, height: 600 }
const MAX_ROWS = 40

let stage: Stage
beforeAll(async () => {
  stage = await shareStage()
}, 120_000)
afterAll(() => stage[Symbol.asyncDispose](), 120_000)

it('of many names only those in sight are drawn, wherever one has scrolled to', PATIENT, async () => {
  const { page, complaints } = await stage.visit({ viewport: LOW })
  await page.addInitScript(() => localStorage.setItem('namewright.preferences', '{"view":"grid"}'))
  const grid = page.getByRole('grid')
  // Where the machine is busy not all of them are confirmed in time, and the next search has the rest.
  await expect
    .poll(
      async () => {
        await page.goto(MANY)
        // Only what is done can be shuffled. A search that knows everything has no progress to be seen.
        await page.getByRole('button', { name: 'Shuffle' }).first().waitFor({ timeout: 60_000 })
        return (await grid.count()) === 0 ? 0 : Number(await grid.getAttribute('aria-rowcount'))
      },
      { timeout: 150_000 },
    )
    .toBeGreaterThan(MAX_ROWS)
  const last = page.locator(`[aria-rowindex="${await grid.getAttribute('aria-rowcount')}"]`)
  expect(await page.getByRole('row').count()).toBeLessThan(MAX_ROWS)
  expect(await last.count()).toBe(0)
  const first = await page.getByRole('row').evaluateAll((rows) => {
    for (const row of rows) row.toggleAttribute('data-first', true)
    return rows.length
  })
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 4_000)
      return last.count()
    })
    .toBe(1)
  expect(await page.getByRole('row').count()).toBeLessThan(MAX_ROWS)
  // Making new ones is most of what scrolling costs.
  expect(await page.locator('[data-first]').count(), 'rows that are used again').toBe(first)
  expect(complaints).toEqual([])
})

it('the first name is there before the search is done', PATIENT, async () => {
  const { page, complaints } = await stage.visit()
  stage.registrar.be('held')
  await page.addInitScript(PATIENT_SEARCHES)
  await page.goto('/')
  await page.evaluate(() => {
    const seen: boolean[] = []
    Object.assign(window, { seen })
    new MutationObserver((_changes, observer) => {
      if (!document.querySelector('article h3')) return
      seen.push(document.querySelector('[role=progressbar]') !== null)
      observer.disconnect()
    }).observe(document.body, { childList: true, subtree: true })
  })
  const field = page.getByRole('search').getByRole('textbox')
  await field.fill('a workshop that mends old radios')
  await field.press('Enter')
  await page.getByRole('article').first().waitFor()
  expect(await page.evaluate(() => (window as { seen?: boolean[] }).seen)).toEqual([true])
  stage.registrar.be('well')
  expect(complaints).toEqual([])
})

it('no key press waits for the results view: it is loaded in a pause of typing', PATIENT, async () => {
  const { page, complaints } = await stage.visit({ serviceWorkers: 'block' })
  const fetched: string[] = []
  page.on('request', (request) => void fetched.push(new URL(request.url()).pathname))
  await page.clock.install()
  await page.goto('/')
  const isFetched = () => fetched.some((path) => path.includes('/searched-'))
  const field = page.getByRole('search').getByRole('textbox')
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
  await page.clock.pauseAt(Date.now() + 60_000)
  for (const key of 'a bakery') await page.keyboard.type(key)
  expect(await field.inputValue()).toBe('a bakery')
  expect(isFetched()).toBe(false)
  await page.clock.runFor(1_000)
  await expect.poll(isFetched).toBe(true)
  expect(complaints).toEqual([])
})
