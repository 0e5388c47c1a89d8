/** Single keys: what they do, the list of them, and that they can be switched off. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { shareStage } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { fieldOf, keptDomainOf, namesOf, nameTexts, openSearch, PATIENT, soon } from './searching.ts'

let stage: Stage
beforeAll(async () => {
  stage = await shareStage()
}, 120_000)
afterAll(() => stage[Symbol.asyncDispose](), 120_000)

it('single keys search, keep, compare, export and explain themselves', PATIENT, async () => {
  const { page, complaints } = await stage.visit()
  await openSearch(page, { tlds: 'com' })
  const [, name = ''] = await nameTexts(page)
  const card = namesOf(page).nth(1)
  const domain = await keptDomainOf(card)
  await namesOf(page).first().focus()
  await page.keyboard.press('ArrowDown')
  await soon(() => card.evaluate((element) => element === document.activeElement)).toBe(true)

  await page.keyboard.press('f')
  await page.getByText('Saved in this browser.').waitFor()
  const heart = card.getByRole('button', { name: `Save ${domain}` })
  expect(await heart.getAttribute('aria-pressed')).toBe('true')
  await page.keyboard.press('f')
  await soon(() => heart.getAttribute('aria-pressed')).toBe('false')
  await page.keyboard.press('Control+Z')
  await soon(() => heart.getAttribute('aria-pressed')).toBe('true')

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
  const card = namesOf(page).first()
  await card.focus()
  for (const key of ['f', 'c', 'x', '?', '/']) await page.keyboard.press(key)
  // An arrow is none of them, and comes after all of them.
  await page.keyboard.press('ArrowDown')
  await soon(() =>
    namesOf(page)
      .nth(1)
      .evaluate((element) => element === document.activeElement),
  ).toBe(true)
  expect(await card.getByRole('button', { name: /^Save / }).getAttribute('aria-pressed')).toBe('false')
  expect(await page.getByRole('region', { name: 'Names to compare' }).count()).toBe(0)
  expect(await page.getByRole('menu').count()).toBe(0)
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(complaints).toEqual([])
})
