/** Favorites: tags, notes, watching, rechecks, change notifications and deletion. */
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SignedIn } from '../../../server/test/people-world.ts'
import { HOUSE } from '../../../server/src/automation/jobs/queues.ts'
import { handsOf, MAIN_HANDS } from '../hands.ts'
import { shareStage } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { callWith, freeDomains, makeKey, PATIENCE } from './account.ts'
import { allowSlowAnswers } from './searching.ts'

let stage: Stage

beforeAll(async () => {
  stage = await shareStage()
}, 120_000)

afterAll(() => stage?.[Symbol.asyncDispose](), 120_000)

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
