/**
 * A shared list: three browsers read it at once, without an account but for the owner's. They see each other's votes after a
 * few seconds, and the owner ends the list.
 */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bringAxe, violationsOn } from '../axe.ts'
import { handsOf, MAIN_HANDS } from '../hands.ts'
import { shareStage } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { callWith, freeDomains, makeKey } from './account.ts'
import { openSearch } from './searching.ts'

let stage: Stage

beforeAll(async () => {
  stage = await shareStage()
}, 120_000)

afterAll(() => stage?.[Symbol.asyncDispose](), 120_000)

const deckOf = (page: Page): Locator => page.getByRole('region', { name: 'Names to vote on' })
const rowOf = (page: Page, domain: string): Locator =>
  page.getByRole('list', { name: 'Ranking' }).getByRole('listitem').filter({ hasText: domain })

describe.each(MAIN_HANDS)('with the %s', { timeout: 240_000 }, (hand) => {
  it('three people vote and see the votes of the others; then the list ends', async () => {
    const owner = await stage.at.signUp('Ada Baker')
    const { secret } = await makeKey(owner, 'Shop')
    const domains = await freeDomains(stage, secret, 2)
    const [best = '', worst = ''] = domains
    for (const domain of domains) await callWith(stage, secret, '/v1/favorites', { body: { domain } })
    const host = await stage.visitAs(owner)
    const { press, write, choose } = handsOf(host.page, hand)

    await host.page.goto('/favorites')
    for (const domain of domains) await press(host.page.getByRole('checkbox', { name: `Select ${domain}` }))
    await press(host.page.getByRole('button', { name: 'Share for votes' }))
    const form = host.page.getByRole('dialog', { name: 'Share 2 names' })
    await press(form.getByRole('button', { name: 'Create link' }))
    await form.getByText(/^Give the list a title/).waitFor()
    await write(form.getByLabel('Title'), 'Names for the bakery')
    await write(form.getByLabel('Message (optional)'), 'Choose by Friday')
    await choose(form.getByLabel('Open for'), '7')
    await press(form.getByRole('button', { name: 'Create link' }))
    const ready = host.page.getByRole('dialog', { name: 'Your link is ready' })
    const url = (await ready.getByRole('link', { name: 'Open' }).getAttribute('href')) ?? ''
    expect(url).toMatch(/\/r\/[\w-]{12}$/)

    const [mia, ben] = [await stage.visit(), await stage.visit()]
    const three = [host, mia, ben]
    for (const { page } of three) {
      await page.goto(url)
      await page.getByRole('heading', { name: 'Names for the bakery' }).waitFor()
      await page.getByText('Choose by Friday').waitFor()
    }
    const mias = handsOf(mia.page, hand)
    // The names are in the order of the favorites; each votes on the card that they see.
    const voteOn = async (page: Page, like: (isLiked: boolean) => Promise<void>) => {
      for (let left = 2; left > 0; left--) {
        await deckOf(page)
          .getByText(left === 1 ? '1 name left' : `${left} names left`)
          .waitFor()
        await like((await deckOf(page).getByRole('article').innerText()).includes(best))
      }
      await page.getByText('You have voted on every name.').first().waitFor()
    }
    await voteOn(mia.page, async (isLiked) =>
      mias.press(deckOf(mia.page).getByRole('button', { name: isLiked ? 'Like' : 'Pass' })),
    )
    for (const { page } of three) {
      await rowOf(page, best).getByText('1 like').waitFor()
      await rowOf(page, worst).getByText('1 dislike').waitFor()
      await page.getByText('1 person has voted so far.').waitFor()
    }
    await voteOn(ben.page, async (isLiked) =>
      hand === 'keyboard' ? ben.page.keyboard.press(isLiked ? 'ArrowRight' : 'ArrowLeft') : swipe(ben.page, isLiked),
    )
    // Gone after a few seconds, so all are seen before anything else is.
    await Promise.all(
      three.map(({ page }) =>
        page
          .getByRole('status')
          .getByText(/^A match: 2 people like /)
          .waitFor(),
      ),
    )
    for (const { page } of three) {
      await rowOf(page, best).getByText('Match', { exact: true }).waitFor()
      await rowOf(page, best).getByText('2 likes').waitFor()
    }

    await mia.page.reload()
    await rowOf(mia.page, best).getByRole('button', { name: 'Like', pressed: true }).waitFor()

    await bringAxe(host.page)
    expect(await violationsOn(host.page)).toEqual([])

    await host.page.goto('/favorites')
    const shared = host.page.getByRole('article', { name: 'Names for the bakery' })
    const votes = shared.getByRole('list', { name: 'Votes' }).getByRole('listitem')
    expect(await votes.first().innerText()).toContain(best)
    await votes.first().getByText('2 likes').waitFor()
    await press(shared.getByRole('button', { name: 'Stop sharing' }))
    const sure = host.page.getByRole('dialog', { name: 'Stop sharing this list?' })
    await press(sure.getByRole('button', { name: 'Stop sharing' }))
    await host.page.getByText('Stopped sharing the list.').waitFor()
    for (const { page } of [mia, ben]) await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
    for (const { complaints } of three) expect(complaints).toEqual([])
  })
})

it('a visitor shares a list from a search, and whoever gets its link votes on it', { timeout: 180_000 }, async () => {
  const [host, guest] = [
    await stage.visit(),
    await stage.visit({ hasTouch: true, viewport: { width: 390, height: 844 } }),
  ]
  await openSearch(host.page)
  await host.page.getByRole('button', { name: 'Share for votes' }).click()
  await host.page.waitForURL(/\/r\/[\w-]{12}$/)
  await guest.page.goto(host.page.url())
  await deckOf(guest.page).getByRole('button', { name: 'Like' }).tap()
  await host.page.getByText('1 person has voted so far.').waitFor()
  for (const { complaints } of [host, guest]) expect(complaints).toEqual([])
})

async function swipe(page: Page, isLiked: boolean): Promise<void> {
  const box = await deckOf(page).getByRole('article').boundingBox()
  if (!box) throw new Error('no card')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + (isLiked ? 200 : -200), y, { steps: 4 })
  await page.mouse.up()
}
