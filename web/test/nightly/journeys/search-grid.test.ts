/** The names as a grid: by arrows, with what is known of a cell, and with a thousand of them. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { shareStage } from '../../stage.ts'
import type { Stage } from '../../stage.ts'
import { nameTexts, openSearch, PATIENT, soon, waitForNames } from '../../journeys/searching.ts'

let stage: Stage
beforeAll(async () => {
  stage = await shareStage()
}, 120_000)
afterAll(() => stage[Symbol.asyncDispose](), 120_000)

it('arrows move in the grid, Enter opens what is known, and Escape leads back', PATIENT, async () => {
  const { page, complaints } = await stage.visit()
  await openSearch(page, { tlds: 'com,net' })
  const names = await nameTexts(page)
  await page.getByRole('button', { name: 'Grid', exact: true }).press('Enter')
  const grid = page.getByRole('grid', { name: 'Names and extensions' })
  await grid.waitFor()
  expect(await grid.getAttribute('aria-rowcount')).toBe('4')
  expect(await grid.getByRole('columnheader').allTextContents()).toEqual(['Name', '.com', '.net'])
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
  await page.getByRole('button', { name: 'Export' }).focus()
  await page.keyboard.press('Tab')
  expect(await focused()).toBe(names[0])
  await page.keyboard.press('ArrowDown')
  await soon(focused).toBe(names[1])
  await page.keyboard.press('ArrowRight')
  const cell = grid.getByRole('row').nth(2).getByRole('gridcell').first()
  await soon(() => cell.evaluate((element) => element === document.activeElement)).toBe(true)
  await soon(() => cell.textContent()).toMatch(/Available|Taken|Premium/)
  // What is known of it is there on focus already.
  await page
    .getByRole('tooltip')
    .filter({ visible: true })
    .getByText(/\.com$/)
    .waitFor()

  await page.keyboard.press('Enter')
  const details = page.getByRole('dialog', { name: `Details of ${names[1]}` })
  await details.getByRole('button', { name: /^Save / }).waitFor()
  await soon(() => details.evaluate((box) => box.contains(document.activeElement))).toBe(true)
  await page.keyboard.press('Escape')
  await details.waitFor({ state: 'hidden' })
  await soon(() => cell.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.press('Control+Home')
  await soon(focused).toBe(names[0])

  await page.getByRole('button', { name: 'Cards', exact: true }).click()
  await page.getByRole('article').first().waitFor()
  expect(await nameTexts(page)).toEqual(names)
  expect(complaints).toEqual([])
})

it('more names leave the focus at the last name that was there', PATIENT, async () => {
  const { page, complaints } = await stage.visit()
  await openSearch(page, { tlds: 'com,net' })
  const names = await nameTexts(page)
  await page.getByRole('button', { name: 'Grid', exact: true }).press('Enter')
  await page.getByRole('grid', { name: 'Names and extensions' }).waitFor()
  await page.getByRole('button', { name: 'More names' }).press('Enter')
  await soon(() => page.evaluate(() => document.activeElement?.textContent ?? '')).toBe(names.at(-1))
  expect(complaints).toEqual([])
})

it('of a thousand names only those in sight are drawn, and the last can be reached', PATIENT, async () => {
  const { page, complaints } = await stage.visit()
  await page.route('**/v1/generate', (route) =>
    route.fulfill({ contentType: 'application/x-ndjson', body: thousandNames() }),
  )
  await page.addInitScript(() => localStorage.setItem('namewright.preferences', '{"view":"grid"}'))
  await page.goto('/?d=a+thousand+names')
  await waitForNames(page)
  const grid = page.getByRole('grid', { name: 'Names and extensions' })
  expect(await grid.getAttribute('aria-rowcount')).toBe('1001')
  const drawn = () => grid.getByRole('row').count()
  expect(await drawn()).toBeLessThanOrEqual(100)
  await grid.getByRole('rowheader', { name: 'Name1', exact: true }).focus()
  await page.keyboard.press('Control+End')
  await grid.getByRole('rowheader', { name: 'Name1000', exact: true }).waitFor()
  const last = grid.getByRole('row', { name: /^Name1000/ })
  await soon(() => last.evaluate((row) => row.contains(document.activeElement))).toBe(true)
  expect(await last.getAttribute('aria-rowindex')).toBe('1001')
  await soon(drawn).toBeLessThanOrEqual(100)
  await page.mouse.wheel(0, -1_000_000)
  await grid.getByRole('rowheader', { name: 'Name2', exact: true }).waitFor()
  await soon(drawn).toBeLessThanOrEqual(100)
  expect(complaints).toEqual([])
})

function thousandNames(): string {
  const suggestions = Array.from({ length: 1_000 }, (_, at) => ({
    name: `Name${at + 1}`,
    domains: ['com', 'net', 'io'].map((suffix) => ({
      domain: `name${at + 1}.${suffix}`,
      available: at % 3 !== 0,
      status: at % 3 === 0 ? 'registered' : 'available',
      confidence: 'definitive',
      price: '$12.00',
    })),
  }))
  const events = suggestions.map((data, at) => ({ event: 'suggestion', id: String(at), data }))
  return [...events, { event: 'done', id: 'end', data: { status: 'success', data: { suggestions } } }]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')
}
