/** The facts of a domain with their sources, and the recheck before it is copied or registered. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HANDS, handsOf } from '../../hands.ts'
import { openStage } from '../../stage.ts'
import type { Stage } from '../../stage.ts'
import {
  allowSlowAnswers,
  keptDomainOf,
  namesOf,
  openDetails,
  openSearch,
  PATIENT,
  soon,
} from '../../journeys/searching.ts'

let stage: Stage
let files: string
beforeAll(async () => {
  files = await mkdtemp(join(tmpdir(), 'namewright-prices-'))
  const prices = join(files, 'prices.json')
  const org = { suffix: 'org', registration: 1125, renewal: 9000, transfer: 9000, source: 'Example Names' }
  const as_of = new Date().toISOString().slice(0, 10)
  await writeFile(prices, JSON.stringify([{ ...org, as_of }]))
  stage = await openStage({ NAMEWRIGHT_PRICE_FILE: prices, NAMEWRIGHT_REGISTER_AFFILIATE: 'yes' })
}, 120_000)
afterAll(async () => {
  await stage[Symbol.asyncDispose]()
  await rm(files, { recursive: true })
}, 120_000)

it.each(['hover', 'focus'] as const)(
  'on %s a domain shows its source and the age of the answer',
  PATIENT,
  async (how) => {
    const { page, complaints } = await stage.visit()
    await openSearch(page, { tlds: 'com' })
    const details = await openDetails(page, namesOf(page).first(), handsOf(page, 'pointer'))
    const hint = page.getByRole('tooltip').filter({ visible: true })
    expect(await hint.count()).toBe(0)
    const chip = details.getByRole('button', { name: /^\.com/ })
    if (how === 'hover') await chip.hover()
    else {
      await details.getByRole('button', { name: 'Close' }).focus()
      do await page.keyboard.press('Tab')
      while (!(await chip.evaluate((one) => one === document.activeElement)))
    }
    await hint.getByText('You can register it now.').waitFor()
    await soon(() => hint.textContent()).toMatch(/(?:Registry|\(registrar\)).*(?:ago|now)/)
    await soon(() => hint.textContent()).toContain('Total for 5 years')
    if (how === 'focus') await page.keyboard.press('Escape')
    else await details.getByRole('button', { name: 'Close' }).hover()
    await soon(() => hint.count()).toBe(0)
    expect(complaints).toEqual([])
  },
)

it('a first year that is cheap only to begin with is called so in words', PATIENT, async () => {
  const { page, complaints } = await stage.visit()
  await openSearch(page, { tlds: 'org' })
  const card = namesOf(page).first()
  await card.getByText('Expensive renewal').waitFor({ state: 'attached' })
  await card.getByText('→ $90.00/yr').waitFor()
  expect(await card.getByRole('button', { name: /^Register / }).innerText()).toBe('Register · $11.25')
  const details = await openDetails(page, card, handsOf(page, 'pointer'))
  await details.getByText('Renews at $90.00 a year, 8 times the price of the first year').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Grid', exact: true }).click()
  const cell = page.getByRole('gridcell').first()
  await soon(() => cell.textContent()).toContain('Expensive renewal')
  expect(complaints).toEqual([])
})

describe.each(HANDS)('with the %s', (hand) => {
  const seed = hand === 'pointer' ? 21 : 22

  it('a domain is checked again before it is copied', PATIENT, async () => {
    const { page, complaints } = await stage.visit()
    const hands = handsOf(page, hand)
    await allowSlowAnswers(page)
    await openSearch(page, { tlds: 'com', seed })
    const [first, second] = [namesOf(page).nth(0), namesOf(page).nth(1)]
    const [free, lost] = [await keptDomainOf(first), await keptDomainOf(second)]
    const details = await openDetails(page, first, hands)
    await hands.press(details.getByRole('button', { name: `Copy ${free}` }))
    await page.getByText(`Copied ${free}.`).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(free)

    await page.keyboard.press('Escape')
    await details.waitFor({ state: 'hidden' })
    stage.registered.add(lost)
    const others = await openDetails(page, second, hands)
    await hands.press(others.getByRole('button', { name: `Copy ${lost}` }))
    await page.getByText(`${lost} was taken a moment ago.`).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(free)
    await second.getByText('Taken').first().waitFor()
    await hands.press(others.getByRole('button', { name: 'Is it for sale?' }))
    await others.getByRole('group', { name: 'For sale' }).getByText('No offer found.').waitFor()
    await page.keyboard.press('Escape')
    await hands.press(page.getByRole('button', { name: 'Copy anyway' }))
    await page.getByText(`Copied ${lost}.`).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(lost)
    expect(complaints).toEqual([])
  })

  it(
    'the operator’s register link opens after a recheck, says what it earns, and disappears when the domain is taken',
    PATIENT,
    async () => {
      const { page, context, complaints } = await stage.visit()
      const hands = handsOf(page, hand)
      const tabs: string[] = []
      await context.route('https://registrar.example/**', async (route) => {
        tabs.push(route.request().url())
        await route.fulfill({ contentType: 'text/html', body: '<h1>Registrar</h1>' })
      })
      await allowSlowAnswers(page)
      await openSearch(page, { tlds: 'net', seed })
      const [first, second] = [namesOf(page).nth(0), namesOf(page).nth(1)]
      const [free, lost] = [await keptDomainOf(first), await keptDomainOf(second)]
      const asked = () => stage.registrar.requests.flatMap(({ names }) => names).filter((name) => name === free).length
      const before = asked()
      const opened = context.waitForEvent('page')
      const own = page.getByRole('link', { name: 'Register at registrar.example' })
      await hands.press(first.getByRole('button', { name: new RegExp(`^Register .*${free}$`) }))
      await page.getByText('The operator of this service earns a commission here.').waitFor()
      await hands.press(own)
      await (await opened).getByRole('heading', { name: 'Registrar' }).waitFor()
      expect(tabs).toEqual([`https://registrar.example/?q=${free}`])
      expect(asked()).toBeGreaterThan(before)
      await (await opened).close()
      await page.bringToFront()

      stage.registered.add(lost)
      await hands.press(second.getByRole('button', { name: new RegExp(`^Register .*${lost}$`) }))
      await hands.press(own)
      await page.getByText(`${lost} was taken a moment ago.`).waitFor()
      expect(tabs).toHaveLength(1)
      await second.getByRole('button', { name: new RegExp(`^Register .*${lost}$`) }).waitFor({ state: 'hidden' })
      expect(complaints).toEqual([])
    },
  )
})
