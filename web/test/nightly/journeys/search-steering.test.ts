/** What can be done with the names of a search: steer it, hand it on, and take it along. */
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PHONE } from '../../appearances.ts'
import { HANDS, handsOf } from '../../hands.ts'
import { shareStage } from '../../stage.ts'
import type { Stage } from '../../stage.ts'
import {
  allowSlowAnswers,
  fieldOf,
  namesOf,
  nameTexts,
  openDetails,
  openSearch,
  PATIENT,
  settle,
  soon,
  waitForNames,
} from '../../journeys/searching.ts'

let stage: Stage
beforeAll(async () => {
  stage = await shareStage()
}, 120_000)
afterAll(() => stage[Symbol.asyncDispose](), 120_000)

describe.each(HANDS)('with the %s', (hand) => {
  it.each(['More', 'Less'])('%s like this changes the search, and can be undone', PATIENT, async (which) => {
    const { page, complaints } = await stage.visit()
    const hands = handsOf(page, hand)
    await allowSlowAnswers(page)
    await openSearch(page)
    const before = await nameTexts(page)
    const [name = ''] = before
    await hands.press(
      namesOf(page)
        .first()
        .getByRole('button', { name: `${which} like ${name}` }),
    )
    await page.getByText(`Searching for names ${which.toLowerCase()} like ${name}`).waitFor()
    expect(new URL(page.url()).searchParams.get(which === 'More' ? 'like' : 'unlike')).toBe(name)
    const chips = page.getByRole('list', { name: 'Active filters' })
    await chips.getByRole('button', { name: `${which} like ${name}` }).waitFor()
    await settle(page)
    const after = await nameTexts(page)
    // New names are beside the one that they are like, say so, and leave the others where they are.
    if (which === 'More') {
      expect(after[0]).toBe(name)
      expect(after.length).toBeGreaterThan(before.length)
      expect(after.slice(1 - before.length)).toEqual(before.slice(1))
      await namesOf(page).nth(1).getByText(`More like ${name}`).waitFor()
    } else expect(after).not.toContain(name)
    await hands.takeBack()
    await chips.waitFor({ state: 'hidden' })
    await waitForNames(page)
    expect(await nameTexts(page)).toEqual(before)
    expect(complaints).toEqual([])
  })

  it('shuffle brings other names where the reader is, and can be undone', PATIENT, async () => {
    const { page, complaints } = await stage.visit({ viewport: { width: 900, height: 500 } })
    const hands = handsOf(page, hand)
    await allowSlowAnswers(page)
    await openSearch(page, { n: 9, tlds: 'com,net' })
    const before = await nameTexts(page)
    const shuffle = page.getByRole('button', { name: 'Shuffle' }).last()
    // On its way there the keyboard scrolls as well.
    await shuffle.focus()
    const from = await page.evaluate(() => scrollY)
    expect(from).toBeGreaterThan(200)
    await hands.press(shuffle)
    await page.getByText('Searching for other names').waitFor()
    const chips = page.getByRole('list', { name: 'Active filters' })
    const past = chips.getByRole('button', { name: 'Hiding 9 seen' })
    await past.waitFor()
    expect(await shuffle.evaluate((button) => button === document.activeElement)).toBe(true)
    await settle(page)
    const after = await nameTexts(page)
    expect(after.length).toBeGreaterThan(0)
    expect(after.filter((name) => before.includes(name))).toEqual([])
    // The row of chips came above; the names have not thrown anybody to the top.
    expect(await page.evaluate(() => scrollY)).toBeGreaterThanOrEqual(from - 60)
    await hands.takeBack()
    await past.waitFor({ state: 'hidden' })
    await soon(() => nameTexts(page)).toEqual(before)
    expect(complaints).toEqual([])
  })

  it('a word of a name is locked from its details: every further name contains it', PATIENT, async () => {
    const { page, complaints } = await stage.visit()
    const hands = handsOf(page, hand)
    await allowSlowAnswers(page)
    await openSearch(page)
    const before = await nameTexts(page)
    const details = await openDetails(page, namesOf(page).first(), hands)
    const lock = details.getByRole('button', { name: /^Keep the word “/ }).first()
    const word = await lock.innerText()
    await hands.press(lock)
    await details.waitFor({ state: 'hidden' })
    await soon(() => page.evaluate(() => document.activeElement?.id)).toBe('names')
    const chips = page.getByRole('list', { name: 'Active filters' })
    await chips.getByRole('button', { name: `With “${word}”` }).waitFor()
    await settle(page)
    const names = await nameTexts(page)
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) expect(name.toLowerCase().replaceAll(' ', '')).toContain(word)
    await hands.takeBack()
    await chips.waitFor({ state: 'hidden' })
    await soon(() => nameTexts(page)).toEqual(before)
    expect(complaints).toEqual([])
  })

  it('a link to a search shows somebody else the same names', PATIENT, async () => {
    const { page, complaints } = await stage.visit()
    const hands = handsOf(page, hand)
    await page.goto('/?tlds=com')
    await hands.write(fieldOf(page), 'a quiet reading room by a canal')
    await hands.press(page.getByRole('button', { name: 'Find names' }))
    await waitForNames(page, 20)
    await hands.press(page.getByRole('button', { name: 'Share', exact: true }))
    await page.getByText('Link copied. Anyone with the link can see this search.').waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    const other = await stage.visit()
    const namesBehind = async (one: Page) => {
      await one.goto(link)
      await waitForNames(one, 20)
      return nameTexts(one)
    }
    // The same once every registry has answered; until then what is not known to be free is left out.
    const isSame = async () => {
      const [here, there] = [await namesBehind(page), await namesBehind(other.page)]
      return here.join() === there.join()
    }
    await expect.poll(isSame, { timeout: 60_000 }).toBe(true)
    expect([...complaints, ...other.complaints]).toEqual([])
  })

  it('names are taken along as CSV, JSON and Markdown', PATIENT, async () => {
    const { page, complaints } = await stage.visit()
    const hands = handsOf(page, hand)
    await openSearch(page)
    const names = await nameTexts(page)
    const save = async (format: string) => {
      await hands.press(page.getByRole('button', { name: 'Export' }))
      const saved = page.waitForEvent('download')
      await hands.press(page.getByRole('menuitem', { name: format }))
      const file = await saved
      await page.getByText(`Saved as ${file.suggestedFilename()}.`).first().waitFor()
      return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
    }
    const csv = await save('CSV (spreadsheet)')
    expect(csv.name).toMatch(/^names-\d{4}-\d{2}-\d{2}\.csv$/)
    // Spreadsheets know by it that this is UTF-8.
    expect(csv.text.startsWith('\u{FEFF}name,domain,state,available,')).toBe(true)
    const rows = csv.text.trim().split('\r\n').slice(1)
    expect(new Set(rows.map((row) => row.split(',')[0]))).toEqual(new Set(names))
    for (const row of rows) expect(row).not.toMatch(/(?:^|,)"?[=+@-]/)

    const json = await save('JSON (programs)')
    const data = JSON.parse(json.text)
    expect(data.suggestions.map(({ name }: { name: string }) => name)).toEqual(names)
    expect(rows).toHaveLength(data.suggestions.flatMap(({ domains }: { domains: unknown[] }) => domains).length)

    const markdown = await save('Markdown (documents)')
    expect(markdown.text).toMatch(/^# Names for “a bakery/)
    for (const name of names) expect(markdown.text).toContain(`| ${name} | \``)
    expect(complaints).toEqual([])
  })

  it('six names are compared side by side, and a seventh is refused in words', PATIENT, async () => {
    const { page, complaints } = await stage.visit()
    const hands = handsOf(page, hand)
    await openSearch(page, { n: 7, tlds: 'com,net' })
    const names = await nameTexts(page)
    for (const name of names.slice(0, 6)) await hands.press(page.getByRole('button', { name: `Compare ${name}` }))
    const tray = page.getByRole('region', { name: 'Names to compare' })
    await tray.getByText('6 of 6').waitFor()
    await hands.press(page.getByRole('button', { name: `Compare ${names[6]}` }))
    await page.getByText('You can compare up to 6 names. Remove one first.').waitFor()
    expect(await tray.getByRole('listitem').count()).toBe(6)

    await hands.press(tray.getByRole('button', { name: 'Compare', exact: true }))
    const dialog = page.getByRole('dialog', { name: 'Compare names' })
    const table = dialog.getByRole('table')
    await table.waitFor()
    expect(await table.getByRole('columnheader').count()).toBe(6)
    for (const row of ['Length', 'Origin', '.com', '.net'])
      expect(await table.getByRole('rowheader', { name: row, exact: true }).count(), row).toBe(1)
    const letters = names[0]?.replaceAll(/\s/g, '').length ?? 0
    await soon(() => table.getByRole('row', { name: /^Length/ }).textContent()).toContain(`${letters} characters`)
    await soon(() => table.getByRole('row', { name: /^\.com/ }).textContent()).toMatch(
      /for the first year.*Renews at.*5 years/,
    )
    const window = page.viewportSize()
    await page.setViewportSize({ width: PHONE, height: 844 })
    // Two names are wholly in view on a phone.
    await soon(() => cutBy(dialog.getByRole('region', { name: 'Compare names' }), 2)).toBeLessThanOrEqual(0)
    if (window) await page.setViewportSize(window)
    await hands.press(table.getByRole('button', { name: `Remove ${names[0]} from the comparison` }))
    await soon(() => table.getByRole('columnheader').count()).toBe(5)
    await hands.press(dialog.getByRole('button', { name: 'Close' }).first())
    await dialog.waitFor({ state: 'hidden' })
    await tray.getByText('5 of 6').waitFor()
    expect(complaints).toEqual([])
  })
})

it('more names come in addition to those beside a name', PATIENT, async () => {
  const { page, complaints } = await stage.visit()
  await allowSlowAnswers(page)
  await openSearch(page)
  await namesOf(page)
    .first()
    .getByRole('button', { name: /^More like / })
    .click()
  await soon(() => namesOf(page).count()).toBeGreaterThan(3)
  await settle(page)
  const before = await nameTexts(page)
  await page.getByRole('button', { name: 'More names' }).click()
  await soon(() => namesOf(page).count()).toBeGreaterThan(before.length)
  await settle(page)
  expect((await nameTexts(page)).slice(0, before.length)).toEqual(before)
  expect(complaints).toEqual([])
})

/** How many pixels of the first `count` names stand beyond the edge of the region that scrolls. */
function cutBy(region: Locator, count: number): Promise<number> {
  return region.evaluate((element, nth) => {
    const edge = element.getBoundingClientRect().right
    const cells = element.querySelectorAll(`tr > :nth-child(${nth + 1}), tr > :nth-child(${nth + 1}) *`)
    return Math.max(...Array.from(cells, (cell) => cell.getBoundingClientRect().right - edge))
  }, count)
}
