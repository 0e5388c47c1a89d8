/** What people set for themselves, and what is their own: taken along as a file, and gone with them. */
import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { handsOf, HANDS } from '../../hands.ts'
import { PATIENCE, callWith, makeKey } from '../../journeys/account.ts'
import { menuOf, signIn } from '../../journeys/signing-in.ts'
import { shareStage } from '../../stage.ts'
import type { Stage } from '../../stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await shareStage()
}, 120_000)
afterAll(() => stage[Symbol.asyncDispose](), 120_000)

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

describe.each(HANDS)('with the %s', { timeout: 120_000 }, (hand) => {
  it('a browser that was left signed in elsewhere is signed out from here', async () => {
    const person = await stage.at.signUp()
    const elsewhere = await stage.visit({ userAgent: FIREFOX })
    await elsewhere.page.goto('/welcome')
    await signIn(elsewhere.page, handsOf(elsewhere.page, hand), person.email, person.password)
    await menuOf(elsewhere.page).waitFor()

    const { page, complaints } = await stage.visitAs(person)
    await page.goto('/settings/security')
    await handsOf(page, hand).press(page.getByRole('button', { name: 'Sign out Firefox on Linux' }))
    await page.getByText('Session signed out.').waitFor()
    await page.getByText('Firefox on Linux').waitFor({ state: 'hidden' })
    await elsewhere.page.goto('/settings/security')
    await elsewhere.page.getByText('Sign in to see your settings').waitFor()
    await page.reload()
    await menuOf(page).waitFor()
    expect(complaints).toEqual([])
    expect(elsewhere.complaints).toEqual([])
  })

  it('the email address changes once the link at the new one is opened, and other browsers are signed out', async () => {
    const person = await stage.at.signUp()
    const elsewhere = await stage.visit()
    await elsewhere.page.goto('/welcome')
    await signIn(elsewhere.page, handsOf(elsewhere.page, hand), person.email, person.password)
    await menuOf(elsewhere.page).waitFor()

    const { page, complaints } = await stage.visitAs(person)
    const { press, write } = handsOf(page, hand)
    await page.goto('/settings/profile')
    await press(page.getByRole('button', { name: 'Change address' }))
    const dialog = page.getByRole('dialog', { name: 'Change address' })
    const field = dialog.getByLabel('New email address')
    await write(field, 'nobody')
    await press(dialog.getByRole('button', { name: 'Send link' }))
    await dialog.getByText('Enter your email address, such as name@example.com.').waitFor()
    const email = `moved-${randomInt(1e12)}@people.example`
    await write(field, email)
    await press(dialog.getByRole('button', { name: 'Send link' }))
    await dialog.getByText('Address change requested').waitFor()
    await page.goto((await stage.at.smtp.waitFor(email)).link)
    await page.getByText(`Do you want to sign in with ${email} from now on?`).waitFor()
    await press(page.getByRole('button', { name: 'Change address' }))
    await page.getByText(`From now on you sign in with ${email}.`).waitFor()
    await page.goto('/settings/profile')
    await expect.poll(() => page.getByLabel('Email address').inputValue(), PATIENCE).toBe(email)
    await elsewhere.page.goto('/settings/profile')
    await elsewhere.page.getByText('Sign in to see your settings').waitFor()
    await stage.at.smtp.waitFor(person.email, 2)
    expect(complaints).toEqual([])
  })

  it('another language changes the page at once, stays after a reload, and comes along to another browser', async () => {
    const person = await stage.at.signUp()
    const { page, complaints } = await stage.visitAs(person)
    await page.goto('/settings/profile')
    const main = page.getByRole('main')
    // On the way through the list the page switches to each language, and so does the label.
    const languages = main.locator('select', { hasText: 'Deutsch' }).first()
    await handsOf(page, hand).choose(languages, 'de')
    await main.getByRole('heading', { name: 'Profil', exact: true }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    const kept = async () => (await person.ask('/web/session')).json.data.person.language
    await expect.poll(kept, PATIENCE).toBe('de')
    await page.reload()
    await main.getByRole('heading', { name: 'Profil', exact: true }).waitFor()
    expect(await main.getByLabel('Sprache', { exact: true }).inputValue()).toBe('de')

    const other = await stage.visitAs(person)
    await other.page.goto('/settings/profile')
    await other.page.getByRole('heading', { name: 'Profil', exact: true }).waitFor()
    expect(complaints).toEqual([])
  })

  it('dark, more contrast and no motion take effect at once and are kept by this browser', async () => {
    const { page, complaints } = await stage.visitAs(await stage.at.signUp(), { colorScheme: 'light' })
    const { press } = handsOf(page, hand)
    await page.goto('/settings/appearance')
    const appearance = () =>
      page.evaluate(() => {
        const { theme, contrast, motion } = document.documentElement.dataset
        const shade = document.createElement('canvas').getContext('2d')
        if (shade) shade.fillStyle = getComputedStyle(document.body).color
        shade?.fillRect(0, 0, 1, 1)
        const [red = 0, green = 0, blue = 0] = shade?.getImageData(0, 0, 1, 1).data ?? []
        return { theme, contrast, motion, isInkLight: red + green + blue > 382 }
      })
    const choices = (group: string) => page.getByRole('group', { name: group }).getByRole('radio')
    await choices('Theme').first().waitFor()
    expect(await appearance()).toEqual({ theme: 'light', contrast: 'system', motion: 'system', isInkLight: false })
    await press(page.getByRole('group', { name: 'Theme' }).getByRole('radio', { name: 'Dark' }))
    await press(page.getByRole('group', { name: 'Contrast' }).getByRole('radio', { name: 'High' }))
    await press(page.getByRole('group', { name: 'Motion' }).getByRole('radio', { name: 'None' }))
    const chosen = { theme: 'dark', contrast: 'more', motion: 'less', isInkLight: true }
    expect(await appearance()).toEqual(chosen)
    await page.goto('/')
    await menuOf(page).waitFor()
    expect(await appearance()).toEqual(chosen)
    expect(complaints).toEqual([])
  })
})

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
