/** What is somebody's own: taken along as a file, and gone with them. */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { handsOf, HANDS } from '../../hands.ts'
import { shareStage } from '../../stage.ts'
import type { Stage } from '../../stage.ts'
import { callWith, makeKey, PATIENCE } from '../../journeys/account.ts'

let stage: Stage

beforeAll(async () => {
  stage = await shareStage()
}, 120_000)

afterAll(() => stage?.[Symbol.asyncDispose](), 120_000)

describe.each(HANDS)('with the %s', { timeout: 180_000 }, (hand) => {
  it('all data about a person is exported as one file, without credentials', async () => {
    const person = await stage.at.signUp('Tove Taker')
    const key = await makeKey(person, 'Shop, live')
    const favorite = { domain: 'breadwheel.com', name: 'Breadwheel', note: 'Easy to say.' }
    expect((await callWith(stage, key.secret, '/v1/favorites', { body: favorite })).status).toBe(201)
    const names = { description: 'a lighthouse that sells soup', count: 2 }
    expect((await callWith(stage, key.secret, '/v1/generate', { body: names })).status).toBe(200)

    const { page, complaints } = await stage.visitAs(person)
    const { press } = handsOf(page, hand)
    await page.goto('/settings/data')
    const downloading = page.waitForEvent('download')
    await press(page.getByRole('button', { name: 'Download data' }))
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^namewright-\d{4}-\d\d-\d\d\.json$/)
    await page.getByText('Data downloaded.').waitFor()
    const text = await readFile(await download.path(), 'utf8')
    expect(() => JSON.parse(text)).not.toThrow()
    for (const held of [person.email, 'Tove Taker', 'Shop, live', 'breadwheel.com', 'Easy to say.', names.description])
      expect(text).toContain(held)
    expect(text).not.toContain(key.secret)
    expect(complaints).toEqual([])
  })

  it('deleting an account requires the typed address, signs out everywhere, and is final', async () => {
    const person = await stage.at.signUp('Gustav Goer')
    const key = await makeKey(person, 'Shop, live')
    const { page, complaints } = await stage.visitAs(person)
    const { press, write } = handsOf(page, hand)
    await page.goto('/settings/data')
    // A browser that was left open gives nothing away.
    const age = `UPDATE people.session SET created_at = now() - interval '16 minutes' WHERE user_id = $1`
    await stage.at.world.owner.query(age, [person.userId])
    await press(page.getByRole('button', { name: 'Delete account' }))
    const sure = page.getByRole('dialog', { name: 'Delete account' })
    const act = sure.getByRole('button', { name: 'Delete account' })
    await write(sure.getByLabel(/^Type/), 'somebody@else.example')
    expect(await act.isDisabled()).toBe(true)
    await write(sure.getByLabel(/^Type/), person.email)
    await press(act)
    const again = page.getByRole('dialog', { name: 'Confirm your identity' })
    await again.getByText('Your action then completes automatically').waitFor()
    expect((await person.ask('/web/session')).json.data.person.email).toBe(person.email)
    await write(again.getByLabel('Password', { exact: true }), person.password)
    await press(again.getByRole('button', { name: 'Confirm', exact: true }))
    await page.getByText('Account deleted.').waitFor()
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor()

    expect((await person.ask('/web/session')).json.data.person).toBe(null)
    await expect.poll(async () => (await callWith(stage, key.secret, '/v1/usage')).status, PATIENCE).toBe(401)
    await press(page.getByRole('banner').getByRole('link', { name: 'Sign in' }))
    await write(page.getByLabel('Email address'), person.email)
    await write(page.getByLabel('Password', { exact: true }), person.password)
    await press(page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }))
    await page.getByText('Wrong email address or password. Check both and try again.').waitFor()
    expect(complaints).toEqual([])
  })
})
