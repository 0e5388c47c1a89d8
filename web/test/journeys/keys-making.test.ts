/** Keys from their making to their end, as somebody does it who will then use them in a program. */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { handsOf, MAIN_HANDS } from '../hands.ts'
import { shareStage } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { callWith, makeKey, PATIENCE } from './account.ts'

let stage: Stage

beforeAll(async () => {
  stage = await shareStage()
}, 120_000)

afterAll(() => stage?.[Symbol.asyncDispose](), 120_000)

const NAMES = { body: { description: 'a bakery by the sea', count: 3, deadline_ms: 20_000 } }

describe.each(MAIN_HANDS)('with the %s', { timeout: 120_000 }, (hand) => {
  it('a new key is shown once, is taken along as a file, and works', async () => {
    const person = await stage.at.signUp()
    const { page, complaints } = await stage.visitAs(person)
    const { press, write } = handsOf(page, hand)
    await page.goto('/settings/keys')

    await press(page.getByRole('button', { name: 'New key' }))
    const form = page.getByRole('dialog', { name: 'New API key' })
    await write(form.getByLabel('Name', { exact: true }), 'Shop, live')
    await press(form.getByRole('radio', { name: 'Names and checks only' }))
    await press(form.getByRole('button', { name: 'Create key' }))

    const shown = page.getByRole('dialog', { name: 'Shop, live is ready' })
    const secret = await shown.getByLabel('Your key').inputValue()
    expect(secret).toMatch(/^nw_/)
    expect(await shown.getByLabel('Try it in a terminal').inputValue()).toContain(secret)
    const downloading = page.waitForEvent('download')
    await press(shown.getByRole('button', { name: 'Download .env' }))
    const file = await readFile(await (await downloading).path(), 'utf8')
    expect(file).toBe(`NAMEWRIGHT_API_KEY=${secret}\nNAMEWRIGHT_URL=${stage.url}\n`)

    await page.keyboard.press('Escape')
    expect(await shown.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true)
    await press(shown.getByRole('checkbox', { name: 'I saved it' }))
    await press(shown.getByRole('button', { name: 'Done' }))
    await shown.waitFor({ state: 'hidden' })

    await page.reload()
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Shop, live' }) })
    await card.getByText('Never used').waitFor()
    await card.getByText('Find names').waitFor()
    expect(await page.content()).not.toContain(secret)

    const answer = await callWith(stage, secret, '/v1/generate', NAMES)
    expect(answer.status).toBe(200)
    expect(answer.json.data.suggestions).toHaveLength(3)
    expect((await callWith(stage, secret, '/v1/history')).status).toBe(403)
    await expect
      .poll(async () => {
        await page.reload()
        await card.waitFor()
        return card.innerText()
      }, PATIENCE)
      .toContain('Used today')
    expect(complaints).toEqual([])
  })

  it('a publishable key wants to know its pages, and works on those only', async () => {
    const { page, complaints } = await stage.visitAs(await stage.at.signUp())
    const { press, write } = handsOf(page, hand)
    await page.goto('/settings/keys')

    await press(page.getByRole('button', { name: 'New key' }))
    const form = page.getByRole('dialog', { name: 'New API key' })
    await write(form.getByLabel('Name', { exact: true }), 'Landing page')
    await press(form.getByRole('radio', { name: 'Publishable key' }))
    await press(form.getByRole('button', { name: 'Create key' }))
    await form.getByText('Enter at least one origin.').waitFor()
    await write(form.getByLabel('Allowed origins'), 'https://shop.example')
    await press(form.getByRole('button', { name: 'Create key' }))

    const shown = page.getByRole('dialog', { name: 'Landing page is ready' })
    const secret = await shown.getByLabel('Your key').inputValue()
    expect(secret).toMatch(/^nwp_/)
    await press(shown.getByRole('checkbox', { name: 'I saved it' }))
    await press(shown.getByRole('button', { name: 'Done' }))
    await page.getByText('https://shop.example').waitFor()

    const from = (origin: string) =>
      callWith(stage, secret, '/v1/domains/check', { body: { domains: ['harborcrumb.com'] }, headers: { origin } })
    expect((await from('https://shop.example')).status).toBe(200)
    expect((await from('https://elsewhere.example')).status).toBe(403)
    expect(complaints).toEqual([])
  })

  it('a key that is edited loses a right at once and keeps the others', async () => {
    const person = await stage.at.signUp()
    const { secret } = await makeKey(person, 'Night job')
    const { page, complaints } = await stage.visitAs(person)
    const { press } = handsOf(page, hand)
    expect((await callWith(stage, secret, '/v1/history')).status).toBe(200)
    await page.goto('/settings/keys')

    await press(page.getByRole('button', { name: 'Edit Night job' }))
    const form = page.getByRole('dialog', { name: 'Edit Night job' })
    await press(form.getByRole('checkbox', { name: 'Read history' }))
    await press(form.getByRole('button', { name: 'Save changes' }))
    await page.getByText('Saved Night job.').waitFor()
    await form.waitFor({ state: 'hidden' })

    await expect.poll(async () => (await callWith(stage, secret, '/v1/history')).status, PATIENCE).toBe(403)
    expect((await callWith(stage, secret, '/v1/favorites')).status).toBe(200)
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Night job' }) })
    await card.getByText('Read favorites').waitFor()
    expect(await card.getByText('Read history').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('a key is revoked only when its name is typed, and then opens nothing', async () => {
    const person = await stage.at.signUp()
    const { secret } = await makeKey(person, 'Old laptop')
    const { page, complaints } = await stage.visitAs(person)
    const { press, write } = handsOf(page, hand)
    await page.goto('/settings/keys')

    await press(page.getByRole('button', { name: 'Revoke Old laptop' }))
    const asking = page.getByRole('dialog', { name: 'Revoke Old laptop' })
    const word = asking.getByLabel('Type Old laptop to confirm')
    await write(word, 'old laptop')
    await page.keyboard.press('Enter')
    expect(await asking.getByRole('button', { name: 'Revoke key' }).isDisabled()).toBe(true)
    expect((await callWith(stage, secret, '/v1/usage')).status).toBe(200)

    await write(word, 'Old laptop')
    await press(asking.getByRole('button', { name: 'Revoke key' }))
    await page.getByText('Revoked Old laptop.').waitFor()
    await expect.poll(async () => (await callWith(stage, secret, '/v1/usage')).status, PATIENCE).toBe(401)
    await page.getByText('No API keys yet').waitFor()
    await press(page.locator('summary', { hasText: '1 revoked key' }))
    await page.getByRole('cell', { name: 'Old laptop' }).waitFor()
    expect(complaints).toEqual([])
  })
})
