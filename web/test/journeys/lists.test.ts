/** Favorites, with tags, notes and watches; and a list of them that others vote on, without an account but for the owner's. */
import { Redis } from 'ioredis'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUSE } from '../../../server/src/platform/jobs/queues.ts'
import type { SignedIn } from '../../../server/test/people-world.ts'
import { bringAxe, violationsOn } from '../axe.ts'
import { handsOf, MAIN_HANDS } from '../hands.ts'
import { shareStage } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { askOf, callWith, freeDomains, makeKey, PATIENCE } from './account.ts'
import { allowSlowAnswers, openSearch } from './searching.ts'
import { menuOf } from './signing-in.ts'

let stage: Stage
beforeAll(async () => {
  stage = await shareStage()
}, 120_000)
afterAll(() => stage[Symbol.asyncDispose](), 120_000)

/** Somebody with favorites, all of them free. */
async function somebodyWith(
  count: number,
  more: object = {},
): Promise<{ person: SignedIn; secret: string; domains: string[] }> {
  const person = await stage.at.signUp()
  const { secret } = await makeKey(person, 'Shop')
  const domains = await freeDomains(stage, secret, count)
  for (const domain of domains) {
    const { status, text } = await callWith(stage, secret, '/v1/favorites', { body: { domain, ...more } })
    expect(status, text).toBe(201)
  }
  return { person, secret, domains }
}

/** Checks every watched favorite now, without caches. */
async function watchNow(): Promise<void> {
  const redis = new Redis(stage.redisUrl)
  await redis.flushdb()
  redis.disconnect()
  const { owner } = stage.at.world
  await owner.query(`UPDATE watched_domain SET next_at = now() - interval '1 second'`)
  await owner.query(
    `INSERT INTO jobs.job (name, group_id, data, retry_limit, policy) VALUES ('watch', $1, '{}', 3, 'standard')`,
    [HOUSE],
  )
}

describe.each(MAIN_HANDS)('with the %s', { timeout: 120_000 }, (hand) => {
  it('a favorite gets a tag, a note and a watch, and is found by each', async () => {
    const { person, secret, domains } = await somebodyWith(2)
    const [first = '', second = ''] = domains
    const { page, complaints } = await stage.visitAs(person)
    const { press, write } = handsOf(page, hand)
    await page.goto('/favorites')
    const kept = page.getByRole('article').filter({ hasText: first })
    const other = page.getByRole('article').filter({ hasText: second })

    await press(kept.getByRole('button', { name: 'Add a tag' }))
    await write(kept.getByRole('combobox', { name: 'New tag' }), 'shortlist')
    await press(kept.getByRole('button', { name: 'Add', exact: true }))
    await kept.getByRole('button', { name: 'Remove the tag shortlist' }).waitFor()
    await press(kept.getByRole('button', { name: 'Add a note' }))
    await write(kept.getByLabel('Note'), 'Mia likes it best')
    await press(kept.getByRole('button', { name: 'Save note' }))
    await kept.getByText('Mia likes it best').waitFor()
    await press(kept.getByRole('switch', { name: 'Watch' }))
    await expect.poll(() => kept.getByRole('switch', { name: 'Watch' }).isChecked(), PATIENCE).toBe(true)
    // The page shows a change before the service has it, and the filters are the service's.
    await expect
      .poll(
        async () => (await callWith(stage, secret, '/v1/favorites?tag=shortlist&watch=true&q=mia')).json.data.favorites,
        PATIENCE,
      )
      .toHaveLength(1)

    const only = page.getByRole('group', { name: 'Filters' })
    const tag = only.getByRole('button', { name: 'shortlist' })
    const watched = only.getByRole('button', { name: 'Watched only' })
    for (const chip of [tag, watched]) {
      await press(chip)
      await other.waitFor({ state: 'hidden' })
      await kept.waitFor()
      await press(chip)
      await other.waitFor()
    }
    await write(page.getByRole('searchbox', { name: 'Search names, domains and notes' }), 'mia')
    await other.waitFor({ state: 'hidden' })
    await kept.waitFor()

    await page.reload()
    await other.waitFor()
    await kept.getByText('Mia likes it best').waitFor()
    await kept.getByText('shortlist').waitFor()
    expect(await kept.getByRole('switch', { name: 'Watch' }).isChecked()).toBe(true)
    expect(complaints).toEqual([])
  })

  it('a watched name that is taken shows in the badge of the favorites, and in its timeline', async () => {
    const { person, secret, domains } = await somebodyWith(1, { watch: true })
    const [domain = ''] = domains
    const since = encodeURIComponent(new Date().toISOString())
    const { page, complaints } = await stage.visitAs(person)
    const { press } = handsOf(page, hand)
    const main = page.getByRole('navigation', { name: 'Main' })
    const favorite = page.getByRole('article').filter({ hasText: domain })
    await page.goto('/favorites')
    await favorite.getByText('Available', { exact: true }).waitFor()
    await press(favorite.getByRole('button', { name: 'Changes', exact: true }))
    await favorite.getByText('No changes yet.').waitFor()

    stage.registered.add(domain)
    await watchNow()
    await expect
      .poll(
        async () => (await callWith(stage, secret, `/v1/favorites?changed_since=${since}`)).json.data.favorites,
        PATIENCE,
      )
      .toHaveLength(1)
    await page.goto('/')
    await main.getByRole('link', { name: /1 has changed/ }).waitFor()
    await press(main.getByRole('link', { name: 'Favorites' }))
    await favorite.getByText(/^Was taken/).waitFor()
    await press(page.getByRole('button', { name: 'Changed since your last visit: 1' }))
    await press(favorite.getByRole('button', { name: 'Changes', exact: true }))
    const timeline = favorite.getByRole('list', { name: 'Changes', exact: true }).getByRole('listitem')
    await expect.poll(() => timeline.count(), PATIENCE).toBe(2)
    expect(await timeline.first().innerText()).toMatch(/^Was taken/)
    expect(await timeline.last().innerText()).toMatch(/^You saved it .*; it was available for /)
    expect(complaints).toEqual([])
  })

  it('a watched name that drops comes by email, with its price, to who asked for it', async () => {
    const person = await stage.at.signUp()
    const { secret } = await makeKey(person, 'Shop')
    const [domain = ''] = await freeDomains(stage, secret, 1)
    stage.registered.add(domain)
    // The caches still say that it is free.
    await callWith(stage, secret, '/v1/domains/check', { body: { domains: [domain], verify: 'full' } })
    const { json } = await callWith(stage, secret, '/v1/favorites', { body: { domain, watch: true } })
    expect(json.data.favorite.current).toMatchObject({ available: false, status: 'taken' })
    const before = stage.at.smtp.emails.filter(({ to }) => to === person.email).length
    const { page, complaints } = await stage.visitAs(person)
    const { press } = handsOf(page, hand)
    await page.goto('/favorites')
    const emails = page.getByRole('switch', { name: 'Email me when a watched domain changes' })
    await press(emails)
    const wanted = async () => (await person.ask(`/settings/accounts/${person.userId}`)).json.data.account.change_emails
    await expect.poll(wanted, PATIENCE).toBe(true)
    await page.reload()
    await expect.poll(() => emails.isChecked(), PATIENCE).toBe(true)

    stage.registered.delete(domain)
    await watchNow()
    const email = await stage.at.smtp.waitFor(person.email, before + 1)
    // A zero-width space keeps mail programs from making a link of a name.
    const readable = email.text.replaceAll('\u200b', '')
    expect(email.subject.replaceAll('\u200b', '')).toBe(`${domain} can be registered`)
    expect(readable).toMatch(new RegExp(`^${domain} can be registered: \\$\\d+\\.\\d\\d$`, 'm'))
    await page.goto(email.link)
    await page.getByRole('article').filter({ hasText: domain }).getByText('Available', { exact: true }).waitFor()
    expect(complaints).toEqual([])
  })

  it('a favorite that is checked again shows at once that it is taken', async () => {
    const { person, domains } = await somebodyWith(1)
    const [domain = ''] = domains
    const { page, complaints } = await stage.visitAs(person)
    await allowSlowAnswers(page)
    const { press } = handsOf(page, hand)
    await page.goto('/favorites')
    const favorite = page.getByRole('article').filter({ hasText: domain })
    await favorite.getByText('Available', { exact: true }).waitFor()
    stage.registered.add(domain)
    await press(favorite.getByRole('button', { name: 'Check again now' }))
    await favorite.getByText('Taken', { exact: true }).waitFor()
    expect(complaints).toEqual([])
  })

  it('a deleted favorite can be brought back for a moment, and is then gone', async () => {
    const { person, secret, domains } = await somebodyWith(2)
    const [first = '', second = ''] = domains
    const { page, complaints } = await stage.visitAs(person)
    const { press, takeBack } = handsOf(page, hand)
    await allowSlowAnswers(page)
    await page.goto('/favorites')
    const leaving = page.getByRole('article').filter({ hasText: first })
    const staying = page.getByRole('article').filter({ hasText: second })
    await press(leaving.getByRole('button', { name: `Delete ${first}` }))
    await leaving.waitFor({ state: 'hidden' })
    await expect.poll(() => staying.evaluate((article) => article === document.activeElement), PATIENCE).toBe(true)
    await takeBack()
    await leaving.waitFor()
    await press(leaving.getByRole('button', { name: `Delete ${first}` }))
    await press(page.getByRole('status').getByRole('button', { name: 'Close' }))
    const kept = async () => {
      const { json } = await callWith(stage, secret, '/v1/favorites')
      return json.data.favorites.map(({ domain }: { domain: string }) => domain)
    }
    await expect.poll(kept, PATIENCE).toEqual([second])
    await page.reload()
    await staying.waitFor()
    expect(await leaving.count()).toBe(0)
    expect(complaints).toEqual([])
  })
})

it('after a switch of the account the favorites are those of the other one', { timeout: 120_000 }, async () => {
  const { person, domains } = await somebodyWith(1)
  await askOf(person, '/settings/accounts', { name: 'Oven team' })
  const { page, complaints } = await stage.visitAs(person)
  await page.goto('/favorites')
  const favorite = page.getByRole('article').filter({ hasText: domains[0] ?? '' })
  await favorite.waitFor()
  await menuOf(page).click()
  await page.getByText('Oven team', { exact: true }).click()
  await page.getByText('No favorites yet').waitFor()
  expect(await favorite.count()).toBe(0)
  expect(complaints).toEqual([])
})

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
