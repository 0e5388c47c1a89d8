/** The first page: a sample result for who is new, and the last searches of this browser for who comes back. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { bringAxe, violationsOn } from '../../axe.ts'
import { HANDS, handsOf } from '../../hands.ts'
import { shareStage } from '../../stage.ts'
import type { Stage } from '../../stage.ts'
import { fieldOf, openSearch, PATIENT, settle, soon } from '../../journeys/searching.ts'
import { signOut } from '../../journeys/signing-in.ts'

let stage: Stage
beforeAll(async () => {
  stage = await shareStage()
}, 120_000)
afterAll(() => stage[Symbol.asyncDispose](), 120_000)

const recentOf = (page: Page) => page.getByRole('region', { name: 'Recent searches' })
const examplesOf = (page: Page) => page.getByRole('region', { name: 'Examples' })
const sampleOf = (page: Page) => page.getByRole('region', { name: 'Sample result' }).getByRole('button')
const homeOf = (page: Page) => page.getByRole('link', { name: 'Search', exact: true })

describe.each(HANDS)('with the %s', (hand) => {
  it('a sample claims nothing, and leads to a search that the first page then offers again', PATIENT, async () => {
    const { page, complaints } = await stage.visit()
    const hands = handsOf(page, hand)
    await page.goto('/')
    await examplesOf(page).waitFor()
    expect(await sampleOf(page).innerText()).toMatch(/^Crumbfolk\s+crumbfolk\.com\s+Not checked yet\s/)
    await hands.press(sampleOf(page))
    await settle(page)
    const description = await fieldOf(page).inputValue()
    expect(description).toBe('a bakery that delivers by bicycle before breakfast')

    await openSearch(page, { d: 'a studio for pottery', tlds: 'net', n: 3 })
    await hands.press(homeOf(page))
    const recent = recentOf(page).getByRole('listitem').getByRole('button')
    await soon(() => recent.allInnerTexts()).toEqual(['a studio for pottery', description])
    expect(await examplesOf(page).count()).toBe(0)
    await bringAxe(page)
    expect(await violationsOn(page)).toEqual([])

    await hands.press(recent.first())
    await settle(page)
    const { searchParams } = new URL(page.url())
    expect([searchParams.get('d'), searchParams.get('tlds'), searchParams.get('n')]).toEqual([
      'a studio for pottery',
      'net',
      null,
    ])

    await page.goto('/')
    await hands.press(recentOf(page).getByRole('button', { name: 'Clear' }))
    await examplesOf(page).waitFor()
    await soon(() => fieldOf(page).evaluate((field) => field === document.activeElement)).toBe(true)
    await page.reload()
    await examplesOf(page).waitFor()
    expect(await recentOf(page).count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('signing out forgets the searches of this browser', PATIENT, async () => {
    const { page, complaints } = await stage.visitAs(await stage.at.signUp())
    const hands = handsOf(page, hand)
    await openSearch(page)
    await hands.press(homeOf(page))
    await recentOf(page).waitFor()
    await signOut(page, hands)
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    await page.goto('/')
    await examplesOf(page).waitFor()
    expect(await recentOf(page).count()).toBe(0)
    expect(complaints).toEqual([])
  })
})

it('whatever stands in the storage of the browser, the first page is shown', PATIENT, async () => {
  for (const stored of ['{"d":1}', 'nothing', '[null,7,{"d":{}},{"d":" "},{"x":"y"}]']) {
    const { page, complaints } = await stage.visit()
    await page.addInitScript((text) => localStorage.setItem('namewright.searches', text), stored)
    await page.goto('/')
    await examplesOf(page).waitFor()
    expect(complaints).toEqual([])
  }
})
