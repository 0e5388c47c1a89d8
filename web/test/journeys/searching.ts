/** What every journey of the search page does: arrive, describe, wait for names, and read what a card says. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Hands } from '../hands.ts'

export const BAKERY = 'a bakery that delivers by bicycle'

/** A journey on a machine with other work to do. */
export const PATIENT = { timeout: 120_000 } as const

/** Expects it of what comes, and not of what is there at this moment. */
export const soon = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 30_000 })

export const fieldOf = (page: Page): Locator => page.getByRole('textbox', { name: 'Describe your project' })

export const namesOf = (page: Page): Locator => page.getByRole('article')

/**
 * For what is asked only once: searches and checks of this page get as long as a busy machine may need, and its notes stay
 * meanwhile. Call it before the page is opened.
 */
export async function allowSlowAnswers(page: Page): Promise<void> {
  for (const path of ['generate', 'domains/check'])
    await page.route(`**/v1/${path}`, (route) =>
      route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), deadline_ms: 20_000 }) }),
    )
  await page.addInitScript(() => {
    const start = setTimeout
    // A recheck gives up after three seconds, and a note leaves after eight.
    const isShort = (ms: number) => (ms > 2_000 && ms <= 3_001) || ms === 8_000
    const startLater = (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
      start(run, isShort(ms) ? 30_000 : ms, ...given)
    Object.assign(globalThis, { setTimeout: startLater })
  })
}

const COUNTED = /^([\d,]+) names?$/
// A repeated search uses the answers that the registries have given meanwhile.
const MAX_TRIES = 6

/** The search is over, whatever came of it. */
export async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 2, name: new RegExp(`${COUNTED.source}|^No names yet$`) }).waitFor()
  await page.getByRole('progressbar', { name: 'Names ready' }).waitFor({ state: 'hidden' })
}

/**
 * As many names are there, and nothing more is on its way. Registries are given a few seconds, which a busy machine may
 * not have: then this reader, too, tries again.
 */
export async function waitForNames(page: Page, least = 1): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (tries > 0) await page.reload()
    await settle(page)
    const heading = await page.getByRole('heading', { level: 2, name: COUNTED }).allTextContents()
    const count = COUNTED.exec(heading[0] ?? '')?.[1]?.replaceAll(',', '') ?? '0'
    if (Number(count) >= least) return
  }
  throw new Error(`there were never ${least} names`)
}

export async function describeIt(page: Page, hands: Hands, description = BAKERY): Promise<void> {
  await page.goto('/')
  await hands.write(fieldOf(page), description)
  await hands.press(page.getByRole('button', { name: 'Find names' }))
  await waitForNames(page, 20)
}

/** By a link, as somebody who was sent one; few names, so that a keyboard is soon past them. */
export async function openSearch(page: Page, asked: Readonly<Record<string, string | number>> = {}): Promise<void> {
  const search = new URLSearchParams({ d: BAKERY, n: '3', seed: '7' })
  for (const [key, value] of Object.entries(asked)) search.set(key, String(value))
  await page.goto(`/?${String(search)}`)
  await waitForNames(page, Number(search.get('n')))
}

export async function nameTexts(page: Page): Promise<readonly string[]> {
  return namesOf(page).getByRole('heading', { level: 3 }).allTextContents()
}

/** Where a tile takes the focus. */
export const nameButtonOf = (card: Locator): Locator => card.getByRole('heading').getByRole('button')

export const hasFocus = (element: Locator): Promise<boolean> =>
  element.evaluate((one) => one === document.activeElement)

/** Everything about a name, which opens from its tile. */
export async function openDetails(page: Page, card: Locator, hands: Hands): Promise<Locator> {
  await hands.press(nameButtonOf(card))
  const details = page.getByRole('dialog', { name: /^Details of / })
  await details.waitFor()
  return details
}

/** The domain that a card's heart stands for. */
export async function keptDomainOf(card: Locator): Promise<string> {
  const label = await card.getByRole('button', { name: /^(?:Save|Watch) / }).getAttribute('aria-label')
  return (label ?? '').replace(/^\w+ /, '')
}
