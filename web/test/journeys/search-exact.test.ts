/** A name that is typed instead of a description is checked at once, and more names come below those that are there. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAIN_HANDS, handsOf } from '../hands.ts'
import { shareStage } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { allowSlowAnswers, describeIt, fieldOf, namesOf, PATIENT, settle, soon } from './searching.ts'

let stage: Stage
beforeAll(async () => {
  stage = await shareStage()
}, 120_000)
afterAll(() => stage[Symbol.asyncDispose](), 120_000)

describe.each(MAIN_HANDS)('with the %s', (hand) => {
  it('a typed domain is checked as it is typed, with the name under other extensions', PATIENT, async () => {
    const gone = `exact-${hand}-gone.com`
    stage.registered.add(gone)
    const { page, complaints } = await stage.visit()
    await allowSlowAnswers(page)
    await page.goto('/')
    await handsOf(page, hand).write(fieldOf(page), gone)
    const rows = page.getByRole('region', { name: 'Exact match' }).getByRole('listitem')
    await soon(() => rows.first().innerText()).toMatch(/Taken/)
    expect(await rows.first().innerText()).toContain(gone)
    await soon(() => rows.filter({ hasText: 'Checking…' }).count()).toBe(0)
    const free = rows.filter({ hasText: 'Available' }).first()
    expect(await free.innerText()).toMatch(/\$\d+\.\d{2}/)
    await free.getByRole('button', { name: /^Copy / }).waitFor()
    // Nothing was searched for.
    expect(new URL(page.url()).search).toBe('')
    await handsOf(page, hand).write(fieldOf(page), 'a bakery that delivers by bicycle')
    await soon(() => rows.count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('more names come below those that are there, which stay in their places', PATIENT, async () => {
    const { page, complaints } = await stage.visit()
    const hands = handsOf(page, hand)
    await allowSlowAnswers(page)
    await describeIt(page, hands)
    const first = await namesOf(page).first().elementHandle()
    const before = await namesOf(page).getByRole('heading', { level: 3 }).allTextContents()
    const more = page.getByRole('button', { name: 'More names' })
    await more.scrollIntoViewIfNeeded()
    const from = await page.evaluate(() => scrollY)
    await hands.press(more)
    await soon(() => page.getByRole('heading', { level: 2, name: '40 names' }).count()).toBe(1)
    await settle(page)
    const after = await namesOf(page).getByRole('heading', { level: 3 }).allTextContents()
    expect(after).toHaveLength(40)
    expect(after.slice(0, before.length)).toEqual(before)
    // The same element, never taken out of the page.
    expect(await first?.evaluate((card) => card.isConnected)).toBe(true)
    expect(await page.evaluate(() => scrollY)).toBeGreaterThanOrEqual(from - 200)
    expect(complaints).toEqual([])
  })
})
