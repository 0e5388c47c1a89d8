/** A pasted list of domains becomes a check of all of them, which can be stopped, continued and taken along. */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { handsOf, HANDS } from '../../hands.ts'
import { shareStage } from '../../stage.ts'
import type { Stage } from '../../stage.ts'
import { fieldOf, PATIENT, soon } from '../../journeys/searching.ts'

let stage: Stage
beforeAll(async () => {
  stage = await shareStage()
}, 120_000)
afterAll(() => stage[Symbol.asyncDispose](), 120_000)

it.each(HANDS)(
  'with the %s, a pasted list is checked row by row, and taken along as a table and as text',
  PATIENT,
  async (hand) => {
    stage.registered.add('list-gone.com')
    const { page, complaints } = await stage.visit()
    const hands = handsOf(page, hand)
    await page.goto('/')
    await hands.write(
      fieldOf(page),
      'list-gone.com\nhttps://www.list-kept.com/about\nlistword\n-bad-.com\nlist.nosuchsuffix',
    )
    const list = page.getByRole('region', { name: '5 domains from your list' })
    const rows = list.getByRole('listitem')
    const bar = list.getByRole('progressbar', { name: 'Domains checked' })
    await soon(() => bar.getAttribute('aria-valuenow')).toBe('5')
    const texts = await rows.allInnerTexts()
    expect(texts[0]).toMatch(/list-gone\.com\s+Taken\s+(?:now|\d+ seconds? ago)/)
    expect(texts[0]).not.toMatch(/Register/)
    expect(texts[1]).toMatch(/list-kept\.com\s+Available\s.+\s+\$\d+\.\d{2} Renews at \$\d+\.\d{2} a year\s+Register/)
    expect(texts[2]).toMatch(/listword\.com/)
    expect(texts[3]).toMatch(/not a valid domain/)
    expect(texts[4]).toMatch(/cannot check this extension/)
    await list.getByText(/^Words without an extension are checked under .*\.com/).waitFor()
    await soon(() => page.locator('[data-announcer]').textContent()).toMatch(/^Available: \d · .*Unknown: 2$/)
    const save = async (format: string) => {
      await hands.press(list.getByRole('button', { name: 'Export' }))
      const saved = page.waitForEvent('download')
      await hands.press(page.getByRole('menuitem', { name: format }))
      return readFile(await (await saved).path(), 'utf8')
    }
    const csv = await save('CSV (spreadsheet)')
    expect(csv.trim().split('\r\n')).toHaveLength(6)
    expect(csv).toContain('list-gone.com,list-gone.com,taken,false')
    const text = await save('Plain text (available domains)')
    expect(text).toContain('list-kept.com\n')
    expect(text).not.toContain('list-gone.com')
    // Enter does not search for names of a list, but goes to it.
    await fieldOf(page).press('Enter')
    await soon(() => page.evaluate(() => document.activeElement?.id)).toBe('list')
    expect(new URL(page.url()).search).toBe('')
    expect(complaints).toEqual([])
  },
)

it('a check can be stopped and continued, and a failed batch says why in its rows', PATIENT, async () => {
  const { page, complaints } = await stage.visit()
  let asked = 0
  const held = Promise.withResolvers<void>()
  await page.route('**/v1/domains/check', async (route) => {
    asked++
    // The second answer is held until the reader has stopped, and the third is a refusal.
    if (asked === 2) await held.promise
    if (asked === 3)
      await route.fulfill({
        status: 403,
        json: { status: 'error', error: { code: 'insufficient_scope', message: 'Not allowed.', request_id: 'r' } },
      })
    else await route.continue().catch(() => undefined)
  })
  await page.goto('/')
  // More characters than a description may have.
  const domains = Array.from({ length: 60 }, (_, index) => `a-rather-long-label-for-a-list-of-domains-${index}.com`)
  await fieldOf(page).fill(domains.join(' '))
  const list = page.getByRole('region', { name: '60 domains from your list' })
  const bar = list.getByRole('progressbar')
  await soon(() => bar.getAttribute('aria-valuenow')).toBe('25')
  const height = await list.evaluate((section) => section.getBoundingClientRect().height)
  await list.getByRole('button', { name: 'Stop' }).click()
  held.resolve()
  await list.getByText('25 of 60 checked').waitFor()
  await list.getByRole('button', { name: 'Continue' }).click()
  await soon(() => bar.getAttribute('aria-valuenow')).toBe('60')
  expect(await list.getByText('Not allowed.').count()).toBe(25)
  // What was checked is not asked for again.
  expect(asked).toBe(4)
  await list.getByRole('button', { name: 'Check again' }).click()
  await soon(() => list.getByText('Not allowed.').count()).toBe(0)
  await soon(() => list.getAttribute('aria-busy')).toBe('false')
  expect(await list.evaluate((section) => section.getBoundingClientRect().height)).toBe(height)
  expect(complaints).toEqual([])
})
