/** The names by keyboard: as a grid and by single keys and their list. */
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  nameTexts,
  openSearch,
  PATIENT,
  soon,
  settle,
  waitForNames,
  fieldOf,
  hasFocus,
  keptDomainOf,
  nameButtonOf,
  namesOf,
} from '../../journeys/searching.ts'
import { shareStage } from '../../stage.ts'
import type { Stage } from '../../stage.ts'

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

it('a press in the grid opens the details at its cell, also while a hint is on its way', PATIENT, async () => {
  const { page, complaints } = await stage.visit()
  await page.clock.install()
  await openSearch(page, { tlds: 'com,net' })
  await page.getByRole('button', { name: 'Grid', exact: true }).press('Enter')
  const cell = page.getByRole('gridcell').nth(1)
  await cell.hover()
  await cell.click()
  const details = page.getByRole('dialog', { name: /^Details of / })
  await details.waitFor()
  await page.clock.runFor(1_000)
  expect(await page.getByRole('tooltip').filter({ visible: true }).count()).toBe(0)
  const sides = (box: Element) => box.getBoundingClientRect().toJSON() as DOMRect
  const [at, opened] = [await cell.evaluate(sides), await details.evaluate(sides)]
  // Above, below or beside it: wherever there is room.
  expect(Math.max(opened.left - at.right, at.left - opened.right)).toBeLessThan(24)
  expect(Math.max(opened.top - at.bottom, at.top - opened.bottom)).toBeLessThan(24)
  expect(complaints).toEqual([])
})

it('arrows move from tile to tile, each of which is one stop of the Tab key beside its tools', PATIENT, async () => {
  const { page, complaints } = await stage.visit()
  await openSearch(page, { tlds: 'com' })
  const tiles = page.getByRole('article')
  const isIn = (tile: Locator) => tile.evaluate((element) => element.contains(document.activeElement))
  await nameButtonOf(tiles.first()).focus()
  await page.keyboard.press('Shift+Tab')
  expect(await isIn(tiles.first())).toBe(false)
  await page.keyboard.press('Tab')
  expect(await hasFocus(nameButtonOf(tiles.first()))).toBe(true)
  await page.keyboard.press('ArrowRight')
  await soon(() => hasFocus(nameButtonOf(tiles.nth(1)))).toBe(true)
  await page.keyboard.press('Tab')
  expect(await isIn(tiles.nth(1))).toBe(true)
  expect(await hasFocus(nameButtonOf(tiles.nth(1)))).toBe(false)
  // On a tool they are the tool's.
  await tiles
    .nth(1)
    .getByRole('button', { name: /^Save / })
    .focus()
  await page.keyboard.press('ArrowRight')
  expect(await isIn(tiles.nth(1))).toBe(true)
  expect(complaints).toEqual([])
})

it('more names take the focus to the first new tile, and in the grid leave it at the last name', PATIENT, async () => {
  const { page, complaints } = await stage.visit()
  await openSearch(page, { tlds: 'com,net' })
  const before = await nameTexts(page)
  await page.getByRole('button', { name: 'More names' }).press('Enter')
  const firstNew = page.getByRole('article').nth(before.length)
  await soon(() => hasFocus(nameButtonOf(firstNew))).toBe(true)
  await settle(page)
  const names = await nameTexts(page)
  expect(names.slice(0, before.length)).toEqual(before)
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
  const first = await grid.getByRole('row').evaluateAll((rows) => {
    for (const row of rows) row.toggleAttribute('data-first', true)
    return rows.length
  })
  await soon(async () => {
    await page.mouse.wheel(0, 4_000)
    return page.locator('[aria-rowindex="1001"]').count()
  }).toBe(1)
  // Making new rows is most of what scrolling costs.
  expect(await page.locator('[data-first]').count(), 'rows that are used again').toBe(first)
  await page.mouse.wheel(0, -1_000_000)
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

it('single keys search, keep, compare, export and explain themselves', PATIENT, async () => {
  const { page, complaints } = await stage.visit()
  await openSearch(page, { tlds: 'com', n: 5 })
  const [, name = ''] = await nameTexts(page)
  const card = namesOf(page).nth(1)
  const domain = await keptDomainOf(card)
  await nameButtonOf(namesOf(page).first()).focus()
  // Three in a row: down is the fourth, from there up and on to the second.
  await page.keyboard.press('ArrowDown')
  await soon(() => hasFocus(nameButtonOf(namesOf(page).nth(3)))).toBe(true)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowRight')
  await soon(() => hasFocus(nameButtonOf(card))).toBe(true)

  await page.keyboard.press('f')
  await page.getByText('Saved in this browser.').waitFor()
  const heart = card.getByRole('button', { name: `Save ${domain}` })
  await soon(() => heart.getAttribute('aria-pressed')).toBe('true')
  await page.keyboard.press('f')
  await soon(() => heart.getAttribute('aria-pressed')).toBe('false')
  await page.keyboard.press('Control+Z')
  await soon(() => heart.getAttribute('aria-pressed')).toBe('true')

  // The same note is there once, however many names are kept.
  for (const index of [3, 4]) {
    await nameButtonOf(namesOf(page).nth(index)).focus()
    await page.keyboard.press('f')
  }
  await page.getByText('Saved in this browser.').waitFor()
  expect(await page.getByText('Saved in this browser.').count()).toBe(1)
  await nameButtonOf(card).focus()
  await page.keyboard.press('c')
  const tray = page.getByRole('region', { name: 'Names to compare' })
  await tray.getByText(name).waitFor()
  await page.keyboard.press('x')
  const csv = page.getByRole('menuitem', { name: 'CSV (spreadsheet)' })
  await soon(() => csv.evaluate((entry) => entry === document.activeElement)).toBe(true)
  await page.keyboard.press('Escape')
  await csv.waitFor({ state: 'hidden' })

  await page.keyboard.press('/')
  await soon(() => fieldOf(page).evaluate((field) => field === document.activeElement)).toBe(true)
  // In a field they are letters.
  await page.keyboard.type('f?c')
  expect(await fieldOf(page).inputValue()).toBe('f?c')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.waitFor()
  await page.keyboard.press('?')
  await help.waitFor({ state: 'hidden' })
  expect(complaints).toEqual([])
})

it('switched off, single keys do nothing, also after a reload', PATIENT, async () => {
  const { page, complaints } = await stage.visit()
  await openSearch(page, { tlds: 'com' })
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.getByRole('switch', { name: 'Single-key shortcuts' }).click()
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'hidden' })
  await page.reload()
  await waitForNames(page, 3)
  const card = namesOf(page).first()
  await nameButtonOf(card).focus()
  for (const key of ['f', 'c', 'x', '?', '/']) await page.keyboard.press(key)
  // An arrow is none of them, and comes after all of them.
  await page.keyboard.press('ArrowRight')
  await soon(() => hasFocus(nameButtonOf(namesOf(page).nth(1)))).toBe(true)
  expect(await card.getByRole('button', { name: /^Save / }).getAttribute('aria-pressed')).toBe('false')
  expect(await page.getByRole('region', { name: 'Names to compare' }).count()).toBe(0)
  expect(await page.getByRole('menu').count()).toBe(0)
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(complaints).toEqual([])
})

it('a visitor chooses the theme in the footer, and this browser keeps it', PATIENT, async () => {
  const { page, complaints } = await stage.visit({ colorScheme: 'light' })
  await page.goto('/')
  const theme = () => page.locator('html').getAttribute('data-theme')
  await soon(theme).toBe('light')
  const field = page.getByRole('contentinfo').getByLabel('Theme')
  await field.selectOption('Dark')
  await soon(theme).toBe('dark')
  await page.reload()
  await soon(theme).toBe('dark')
  await field.selectOption('System')
  await soon(theme).toBe('light')
  expect(complaints).toEqual([])
})
