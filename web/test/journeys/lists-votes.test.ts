/** Favorites that are shared for votes: everyone with the link votes without an account, and the owner sees the votes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { handsOf, MAIN_HANDS } from '../hands.ts'
import { shareStage } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { callWith, freeDomains, makeKey, PATIENCE } from './account.ts'

let stage: Stage

beforeAll(async () => {
  stage = await shareStage()
}, 120_000)

afterAll(() => stage?.[Symbol.asyncDispose](), 120_000)

describe.each(MAIN_HANDS)('with the %s', { timeout: 180_000 }, (hand) => {
  it('two strangers vote and comment, the owner counts, and the link ends', async () => {
    const owner = await stage.at.signUp('Ada Baker')
    const { secret } = await makeKey(owner, 'Shop')
    const domains = await freeDomains(stage, secret, 2)
    const [best = '', worst = ''] = domains
    for (const domain of domains) await callWith(stage, secret, '/v1/favorites', { body: { domain } })
    const asking = await stage.visitAs(owner)
    const page = asking.page
    const { press, write, choose } = handsOf(page, hand)

    await page.goto('/favorites')
    for (const domain of domains) await press(page.getByRole('checkbox', { name: `Select ${domain}` }))
    await press(page.getByRole('button', { name: 'Share for votes' }))
    const form = page.getByRole('dialog', { name: 'Share 2 names for votes' })
    await press(form.getByRole('button', { name: 'Create link' }))
    await form.getByText(/^Give the list a title/).waitFor()
    await write(form.getByLabel('Title'), 'Names for the bakery')
    await choose(form.getByLabel('Open for'), '7')
    await press(form.getByRole('button', { name: 'Create link' }))
    const ready = page.getByRole('dialog', { name: 'Your link is ready' })
    const url = (await ready.getByRole('link', { name: 'Open' }).getAttribute('href')) ?? ''
    expect(url).toMatch(/\/s\/[\w-]+$/)
    await press(ready.getByRole('button', { name: 'Close' }).last())

    const mia = await stage.visit()
    const mias = handsOf(mia.page, hand)
    const cardOf = (of: typeof mia, domain: string) => of.page.getByRole('article').filter({ hasText: domain })
    await mia.page.goto(url)
    await mia.page.getByRole('heading', { name: 'Names for the bakery' }).waitFor()
    await mias.write(mia.page.getByLabel('Your name (optional)'), 'Mia')
    await mias.press(cardOf(mia, best).getByRole('button', { name: 'Like', exact: true }))
    await cardOf(mia, best).getByText('1 like').waitFor()
    await mias.press(cardOf(mia, worst).getByRole('button', { name: 'Dislike' }))
    await cardOf(mia, worst).getByText('1 dislike').waitFor()
    await mias.write(mia.page.getByLabel('Comment', { exact: true }), 'It smells of fresh bread.')
    await mias.press(mia.page.getByRole('button', { name: 'Post comment' }))
    await mia.page.getByRole('list', { name: 'Comments' }).getByText('It smells of fresh bread.').waitFor()
    await mia.page.reload()
    await cardOf(mia, best).getByRole('button', { name: 'Like', exact: true, pressed: true }).waitFor()

    const second = await stage.visit()
    await second.page.goto(url)
    await second.page.getByText('Vote to see how others voted.').waitFor()
    expect(await cardOf(second, best).getByText('1 like').count()).toBe(0)
    await handsOf(second.page, hand).press(cardOf(second, best).getByRole('button', { name: 'Like', exact: true }))
    await cardOf(second, best).getByText('2 likes').waitFor()

    await expect
      .poll(async () => {
        await page.reload()
        const shared = page.getByRole('article', { name: 'Names for the bakery' })
        await shared.waitFor()
        return shared.innerText()
      }, PATIENCE)
      .toContain('2 people have voted, among them Mia')
    const shared = page.getByRole('article', { name: 'Names for the bakery' })
    const votes = shared.getByRole('list', { name: 'Votes' }).getByRole('listitem')
    expect(await votes.first().innerText()).toContain(best)
    await votes.first().getByText('2 likes').waitFor()
    await votes.last().getByText('1 dislike').waitFor()
    await press(shared.locator('summary', { hasText: '1 comment' }))
    await shared.getByText('It smells of fresh bread.').waitFor()

    await press(shared.getByRole('button', { name: 'Stop sharing' }))
    const sure = page.getByRole('dialog', { name: 'Stop sharing this list?' })
    await press(sure.getByRole('button', { name: 'Stop sharing' }))
    await page.getByText('Stopped sharing the list.').waitFor()
    await mia.page.reload()
    await mia.page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
    for (const { complaints } of [asking, mia, second]) expect(complaints).toEqual([])
  })
})
