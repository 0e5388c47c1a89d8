/** Where names run out: for visitors together, where visitors get none, and for an account. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { flush } from '../../../../server/test/redis.ts'
import { HANDS, handsOf } from '../../hands.ts'
import { openStage } from '../../stage.ts'
import type { Stage } from '../../stage.ts'
import { allowSlowAnswers, describeIt, fieldOf, namesOf, PATIENT, waitForNames } from '../../journeys/searching.ts'

const MORE_LATER = /More are available (?:in \d+ (?:minutes?|hours?|days?)|tomorrow)/

describe('where visitors have one search a day', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage({ NAMEWRIGHT_PUBLIC_ALLOWANCE: '20' })
    const { page, context } = await stage.visit()
    await allowSlowAnswers(page)
    await page.goto('/?d=a+bakery&n=20')
    await waitForNames(page)
    await context.close()
  }, 120_000)
  afterAll(() => stage[Symbol.asyncDispose](), 120_000)

  it.each(HANDS)(
    'with the %s, the next visitor sees when the limit resets, and how to get more at once',
    PATIENT,
    async (hand) => {
      const { page, complaints } = await stage.visit()
      const hands = handsOf(page, hand)
      await page.goto('/')
      await hands.write(fieldOf(page), 'a flower shop on a boat')
      await hands.press(page.getByRole('button', { name: 'Find names' }))
      const note = page.getByRole('alert').filter({ hasText: 'Daily limit reached' })
      await note.getByText(MORE_LATER).waitFor()
      expect(await namesOf(page).count()).toBe(0)
      await hands.press(note.getByRole('link', { name: 'Sign in or sign up' }))
      await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
      expect(complaints).toEqual([])
    },
  )

  it.each(HANDS)(
    'with the %s, an account that has too few left says so, how many, and when there is more',
    PATIENT,
    async (hand) => {
      const person = await stage.at.signUp()
      const { page, complaints } = await stage.visitAs(person)
      const hands = handsOf(page, hand)
      await describeIt(page, hands)
      const grants = await person.ask(`/settings/accounts/${person.userId}/grants`)
      const grant = grants.json.data.grants.find(
        ({ client_id }: { client_id: string }) => client_id === 'namewright-web',
      )
      const limited = await person.ask(`/settings/accounts/${person.userId}/grants/${grant.id}`, {
        method: 'PATCH',
        body: { quota: { ...grant.quota, per_day: 25 } },
      })
      expect(limited.status).toBe(200)
      // A limit applies from the next block of names that a key leases, and this one holds enough for many searches.
      await flush(stage.redisUrl)
      await askUntilRefused(page)
      const note = page.getByRole('alert').filter({ hasText: 'Your account has too few suggestions left' })
      await note.getByText(/^Remaining suggestions in this period: \d+\. This request needs 20\.$/).waitFor()
      await note.getByText(MORE_LATER).waitFor()
      await hands.press(note.getByRole('link', { name: 'View usage' }))
      await page.waitForURL('**/settings/usage')
      expect(complaints).toEqual([])
    },
  )
})

/** What was changed holds within seconds, and not before. */
async function askUntilRefused(page: Page): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.goto(`/?d=a+flower+shop+on+a+boat&n=20&seed=${Math.floor(Math.random() * 1e6)}`)
        const alert = page.getByRole('alert')
        const none = page.getByText('No names found', { exact: true })
        await alert.or(namesOf(page)).or(none).first().waitFor()
        return alert.count()
      },
      { timeout: 60_000 },
    )
    .toBe(1)
}

describe('where visitors get nothing', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage({ NAMEWRIGHT_PUBLIC_ALLOWANCE: '0' })
  }, 120_000)
  afterAll(() => stage[Symbol.asyncDispose](), 120_000)

  it.each(HANDS)('with the %s, this is said before anything is written, with the way in', PATIENT, async (hand) => {
    const { page, complaints } = await stage.visit()
    await page.goto('/')
    await page.getByText('Sign in to search').waitFor()
    const note = page.getByRole('main').getByRole('link', { name: 'Sign in' })
    await handsOf(page, hand).press(note)
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
    expect(complaints).toEqual([])
  })
})
