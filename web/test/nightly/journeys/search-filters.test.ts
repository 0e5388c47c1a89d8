/** Filters: active filters are sent with the search, stay visible and can be removed; on a phone behind one button. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HANDS, handsOf } from '../../hands.ts'
import type { Hands } from '../../hands.ts'
import { openStage } from '../../stage.ts'
import type { Stage } from '../../stage.ts'
import {
  fieldOf,
  namesOf,
  openDetails,
  openSearch,
  PATIENT,
  settle,
  soon,
  waitForNames,
} from '../../journeys/searching.ts'

let stage: Stage
let files: string
beforeAll(async () => {
  files = await mkdtemp(join(tmpdir(), 'namewright-rates-'))
  const rates = join(files, 'rates.json')
  const today = new Date().toISOString().slice(0, 10)
  await writeFile(rates, JSON.stringify({ as_of: today, source: 'House bank', rates: { EUR: '0.9' } }))
  stage = await openStage({ NAMEWRIGHT_RATES_FILE: rates })
}, 120_000)
afterAll(async () => {
  await stage[Symbol.asyncDispose]()
  await rm(files, { recursive: true })
}, 120_000)

/** What was asked of the service, in order. */
function listen(page: Page): readonly Record<string, unknown>[] {
  const asked: Record<string, unknown>[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/v1/generate') asked.push(request.postDataJSON())
  })
  return asked
}

async function choose(page: Page, hands: Hands, filter: string, fill: (panel: Locator) => Promise<void>) {
  await hands.press(page.getByRole('group', { name: 'Filters' }).getByRole('button', { name: filter }))
  const panel = page.getByRole('dialog', { name: filter })
  await fill(panel)
  await hands.press(panel.getByRole('button', { name: 'Show names' }))
  await panel.waitFor({ state: 'hidden' })
}

describe.each(HANDS)('with the %s', (hand) => {
  it('filters are sent, shown as chips, and removed one by one or all at once', PATIENT, async () => {
    const { page, complaints } = await stage.visit()
    const hands = handsOf(page, hand)
    const asked = listen(page)
    await openSearch(page)
    const chips = page.getByRole('list', { name: 'Active filters' })

    await choose(page, hands, 'Extensions', (panel) => hands.press(panel.getByRole('button', { name: 'Developers' })))
    await chips.getByRole('button', { name: 'Developers' }).waitFor()
    await soon(() => asked.at(-1)).toMatchObject({ tlds: ['developer'] })
    await settle(page)

    await choose(page, hands, 'Length', (panel) =>
      hands.slide(panel.getByRole('slider', { name: 'Maximum length' }), 9),
    )
    await soon(() => asked.at(-1)).toMatchObject({ tlds: ['developer'], max_length: 9 })
    await choose(page, hands, 'Style', async (panel) => {
      const slider = panel.getByRole('slider', { name: 'Playfulness' })
      expect(await slider.getAttribute('aria-valuetext')).toBe('A mix of all')
      await hands.slide(slider, 1)
      await soon(() => panel.getByRole('checkbox', { checked: true }).count()).toBe(4)
    })
    await soon(() => asked.at(-1)).toMatchObject({ styles: ['real_word', 'compound', 'affix', 'foreign'] })
    await choose(page, hands, 'Style', (panel) => hands.slide(panel.getByRole('slider', { name: 'Playfulness' }), 2))
    await chips.getByRole('button', { name: 'Compounds' }).waitFor({ state: 'hidden' })
    await choose(page, hands, 'Words', (panel) => hands.write(panel.getByLabel('Must not contain'), 'bread, bike'))
    await soon(() => asked.at(-1)).toMatchObject({ exclude_words: ['bread', 'bike'] })
    await choose(page, hands, 'Price', async (panel) => {
      await hands.write(panel.getByLabel('Maximum price, due today'), '40')
      await hands.choose(panel.getByLabel('Currency'), 'EUR')
    })
    await soon(() => asked.at(-1)).toMatchObject({
      tlds: ['developer'],
      max_length: 9,
      exclude_words: ['bread', 'bike'],
      max_price: 40,
      currency: 'EUR',
    })
    for (const chip of ['At most 9 characters', 'Without “bread”', 'Without “bike”', 'Prices in EUR'])
      expect(await chips.getByRole('button', { name: chip }).count(), chip).toBe(1)

    await hands.press(chips.getByRole('button', { name: 'Without “bike”' }))
    await soon(() => asked.at(-1)).toMatchObject({ exclude_words: ['bread'] })
    // The focus is not lost with what was pressed.
    await soon(() => chips.evaluate((list) => list.contains(document.activeElement))).toBe(true)
    await hands.press(chips.getByRole('button', { name: 'Reset filters' }))
    await chips.waitFor({ state: 'hidden' })
    await settle(page)
    expect([...new URL(page.url()).searchParams.keys()].toSorted()).toEqual(['d', 'seed'])
    expect(complaints).toEqual([])
  })

  it(
    'with a country, domains that are closed to it are restricted, and their facts say for whom they are',
    PATIENT,
    async () => {
      const { page, complaints } = await stage.visit()
      const hands = handsOf(page, hand)
      const asked = listen(page)
      await openSearch(page, { tlds: 'com,us' })
      await choose(page, hands, 'Extensions', async (panel) => {
        await hands.choose(panel.getByLabel('Country', { exact: true }), 'DE')
      })
      await page.getByRole('list', { name: 'Active filters' }).getByRole('button', { name: 'Country: DE' }).waitFor()
      await soon(() => asked.at(-1)).toMatchObject({ tlds: ['com', 'us'], country: 'DE' })
      await waitForNames(page, 1)
      expect(new URL(page.url()).searchParams.get('country')).toBe('DE')
      const details = await openDetails(page, namesOf(page).first(), hands)
      await hands.press(details.getByRole('group', { name: 'Extensions' }).getByRole('button', { name: /^\.us/ }))
      await details.getByText('Registration is restricted.').first().waitFor()
      await details.getByText('Country: United States').first().waitFor()
      expect(complaints).toEqual([])
    },
  )

  it('on a phone filters are behind a button, and nothing is wider than the screen', PATIENT, async () => {
    const { page, complaints } = await stage.visit({ viewport: { width: 360, height: 740 } })
    const hands = handsOf(page, hand)
    const fits = async (step: string) => {
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(wide, step).toBeLessThanOrEqual(0)
    }
    await page.goto('/')
    await fieldOf(page).waitFor()
    await fits('at the start')
    const filters = page.getByRole('group', { name: 'Filters' })
    expect(await filters.count()).toBe(0)
    await hands.write(fieldOf(page), 'a bakery that delivers by bicycle')
    await hands.press(page.getByRole('button', { name: 'Find names' }))
    await waitForNames(page, 20)
    await fits('with names')

    await hands.press(page.getByRole('button', { name: 'Filters', exact: true }))
    await filters.waitFor()
    await fits('with the filters')
    await hands.press(filters.getByRole('button', { name: 'Length' }))
    const panel = page.getByRole('dialog', { name: 'Length' })
    await hands.slide(panel.getByRole('slider', { name: 'Maximum length' }), 8)
    await fits('with a filter open')
    await hands.press(panel.getByRole('button', { name: 'Show names' }))
    await page.getByRole('button', { name: 'Filters (1)' }).waitFor()
    await waitForNames(page, 3)
    await fits('with a filter set')

    await hands.press(page.getByRole('button', { name: 'Grid', exact: true }))
    await page.getByRole('grid', { name: 'Names and extensions' }).waitFor()
    await fits('as a grid')
    await hands.press(page.getByRole('button', { name: 'Cards', exact: true }))
    await hands.press(
      namesOf(page)
        .first()
        .getByRole('button', { name: /^Compare / }),
    )
    await page.getByRole('region', { name: 'Names to compare' }).waitFor()
    await fits('with the tray')
    expect(complaints).toEqual([])
  })
})
