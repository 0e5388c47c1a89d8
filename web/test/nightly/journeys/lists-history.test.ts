/** What was searched before: found again, repeated, deleted and brought back. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SignedIn } from '../../../../server/test/people-world.ts'
import { handsOf, HANDS } from '../../hands.ts'
import { shareStage } from '../../stage.ts'
import type { Stage } from '../../stage.ts'
import { callWith, makeKey, PATIENCE } from '../../journeys/account.ts'
import { allowSlowAnswers } from '../../journeys/searching.ts'

let stage: Stage

beforeAll(async () => {
  stage = await shareStage()
}, 120_000)

afterAll(() => stage?.[Symbol.asyncDispose](), 120_000)

const BAKERY = 'a bakery by the sea'
const GARDEN = 'a garden on the roof'

/** Somebody with two searches behind them, and the key with which they were made. */
async function somebodyWithHistory(): Promise<{ person: SignedIn; secret: string }> {
  const person = await stage.at.signUp()
  const { secret } = await makeKey(person, 'Shop')
  for (const description of [BAKERY, GARDEN]) {
    const body = { description, count: 3, seed: 7, deadline_ms: 30_000 }
    const { status } = await callWith(stage, secret, '/v1/generate', { body })
    expect(status).toBe(200)
  }
  return { person, secret }
}

describe.each(HANDS)('with the %s', { timeout: 120_000 }, (hand) => {
  it('a search is found by its words and asked again as it was', async () => {
    const { person } = await somebodyWithHistory()
    const { page, complaints } = await stage.visitAs(person)
    const { press, write } = handsOf(page, hand)
    await allowSlowAnswers(page)
    await page.goto('/')
    await press(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'History' }))
    const bakery = page.getByRole('article', { name: BAKERY })
    const garden = page.getByRole('article', { name: GARDEN })
    await bakery.getByText('Via Shop').waitFor()

    await write(page.getByRole('searchbox', { name: 'Search your descriptions' }), 'zeppelin')
    await page.getByText('No searches match').waitFor()
    await press(page.getByRole('button', { name: 'Clear filters' }))
    await garden.waitFor()
    await write(page.getByRole('searchbox', { name: 'Search your descriptions' }), 'sea')
    await garden.waitFor({ state: 'hidden' })
    await press(bakery.getByRole('button', { name: 'Show all domains' }))
    const names = bakery.getByRole('list', { name: 'All names' }).locator(':scope > li > div > p:first-child')
    const found = (await names.allInnerTexts()).map((name) => name.trim())
    expect(found).toHaveLength(3)

    await press(bakery.getByRole('link', { name: 'Search again' }))
    await page.waitForURL((url) => url.pathname === '/' && url.searchParams.get('d') === BAKERY)
    expect(new URL(page.url()).searchParams.get('seed')).toBe('7')
    await page.getByRole('article').nth(2).waitFor()
    await page.getByRole('progressbar').waitFor({ state: 'hidden' })
    const shown = (await page.getByRole('article').getByRole('heading').allInnerTexts()).map((name) => name.trim())
    // Not always all of them: what was learned of a domain meanwhile may have left its name out.
    expect(shown.filter((name) => found.includes(name))).not.toEqual([])
    expect(complaints).toEqual([])
  })

  it('a deleted search can be brought back for a moment, and is then gone for good', async () => {
    const { person, secret } = await somebodyWithHistory()
    const { page, complaints } = await stage.visitAs(person)
    const { press, takeBack } = handsOf(page, hand)
    await page.goto('/history')
    const bakery = page.getByRole('article', { name: BAKERY })
    const garden = page.getByRole('article', { name: GARDEN })

    await press(bakery.getByRole('button', { name: 'Delete this search' }))
    await bakery.waitFor({ state: 'hidden' })
    await takeBack()
    await bakery.waitFor()
    await page.reload()
    await bakery.waitFor()

    await press(bakery.getByRole('button', { name: 'Delete this search' }))
    await bakery.waitFor({ state: 'hidden' })
    await page.reload()
    await garden.waitFor()
    const kept = async () => {
      const { json } = await callWith(stage, secret, '/v1/history')
      return json.data.history.map(({ description }: { description: string }) => description)
    }
    await expect.poll(kept, PATIENCE).toEqual([GARDEN])
    await page.reload()
    await garden.waitFor()
    expect(await bakery.count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('the whole history is deleted only when the word for it is typed', async () => {
    const { person, secret } = await somebodyWithHistory()
    const { page, complaints } = await stage.visitAs(person)
    const { press, write } = handsOf(page, hand)
    await page.goto('/history')
    await press(page.getByRole('button', { name: 'Delete all' }))
    const asking = page.getByRole('dialog', { name: 'Delete all history?' })
    const act = asking.getByRole('button', { name: 'Delete all history' })
    await write(asking.getByLabel('Type delete to confirm'), 'remove')
    expect(await act.isDisabled()).toBe(true)
    await write(asking.getByLabel('Type delete to confirm'), 'delete')
    await press(act)
    await page.getByText('History deleted.').waitFor()
    await page.getByText('No searches yet').waitFor()
    expect((await callWith(stage, secret, '/v1/history')).json.data.history).toEqual([])
    await page.reload()
    await page.getByText('No searches yet').waitFor()
    expect(complaints).toEqual([])
  })
})

it('a visitor sees what history offers, and a link to sign in', { timeout: 120_000 }, async () => {
  const { page, complaints } = await stage.visit()
  await page.goto('/history')
  await page.getByText('Return to your searches').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
  expect(complaints).toEqual([])
})
