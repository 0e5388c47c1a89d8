/** "Confirm your identity": somebody whose sign-in is too old creates or widens a key, by password, by code and by passkey. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '../../../server/test/people-world.ts'
import type { SignedIn } from '../../../server/test/people-world.ts'
import { codeOf } from '../../../server/test/totp.ts'
import { handsOf, MAIN_HANDS } from '../hands.ts'
import type { Hands } from '../hands.ts'
import { shareStage } from '../stage.ts'
import type { Stage } from '../stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await shareStage()
}, 120_000)

afterAll(() => stage?.[Symbol.asyncDispose](), 120_000)

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Confirm your identity' })

async function age({ userId }: SignedIn): Promise<void> {
  const text = `UPDATE people.session SET created_at = now() - interval '1 hour', proved_at = NULL WHERE user_id = $1`
  await stage.at.world.owner.query(text, [userId])
}

async function askForKey(page: Page, { press, write }: Hands): Promise<void> {
  await page.goto('/settings/keys')
  await press(page.getByRole('button', { name: 'New key' }))
  const form = page.getByRole('dialog', { name: 'New API key' })
  await write(form.getByLabel('Name', { exact: true }), 'Shop, live')
  await press(form.getByRole('button', { name: 'Create key' }))
  await dialogOf(page).waitFor()
}

const keyIsThere = (page: Page) => page.getByRole('dialog', { name: 'Shop, live is ready' }).waitFor()

describe.each(MAIN_HANDS)('with the %s', { timeout: 120_000 }, (hand) => {
  it('the password is mistyped once, and the key is made without another press', async () => {
    const person = await stage.at.signUp()
    await age(person)
    const { page, complaints } = await stage.visitAs(person)
    const hands = handsOf(page, hand)
    const { press, write } = hands
    await askForKey(page, hands)
    const dialog = dialogOf(page)
    await write(dialog.getByLabel('Password', { exact: true }), 'not-the-Password-7')
    await press(dialog.getByRole('button', { name: 'Confirm', exact: true }))
    await dialog.getByText('Wrong password. Try again.').waitFor()
    await write(dialog.getByLabel('Password', { exact: true }), PASSWORD)
    await press(dialog.getByRole('button', { name: 'Confirm', exact: true }))
    await keyIsThere(page)
    expect(complaints.filter((text) => !text.includes('403'))).toEqual([])
  })

  it('closing it leaves the form as it was, and nothing is made', async () => {
    const person = await stage.at.signUp()
    await age(person)
    const { page } = await stage.visitAs(person)
    const hands = handsOf(page, hand)
    await askForKey(page, hands)
    await page.keyboard.press('Escape')
    await dialogOf(page).waitFor({ state: 'hidden' })
    const form = page.getByRole('dialog', { name: 'New API key' })
    expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('Shop, live')
    expect(await form.getByRole('alert').count()).toBe(0)
    const { json } = await person.ask(`/settings/accounts/${person.userId}/keys`)
    expect(json.data.keys).toEqual([])
  })

  it('a key that gets a further right waits for the password, one that loses a right does not', async () => {
    const person = await stage.at.signUp()
    const keys = `/settings/accounts/${person.userId}/keys`
    const made = await person.ask(keys, { body: { name: 'Night job', scopes: ['generate', 'favorites:read'] } })
    expect(made.status).toBe(201)
    const scopes = async () => (await person.ask(keys)).json.data.keys[0].scopes
    await age(person)
    const { page } = await stage.visitAs(person)
    const { press, write } = handsOf(page, hand)
    const form = page.getByRole('dialog', { name: 'Edit Night job' })
    const toggle = async (right: string) => {
      await press(page.getByRole('button', { name: 'Edit Night job' }))
      await press(form.getByRole('checkbox', { name: right }))
      await press(form.getByRole('button', { name: 'Save changes' }))
    }
    await page.goto('/settings/keys')
    await toggle('Read favorites')
    await form.waitFor({ state: 'hidden' })
    expect(await scopes()).toEqual(['generate'])
    await toggle('Read history')
    await dialogOf(page).waitFor()
    expect(await scopes()).toEqual(['generate'])
    await write(dialogOf(page).getByLabel('Password', { exact: true }), PASSWORD)
    await press(dialogOf(page).getByRole('button', { name: 'Confirm', exact: true }))
    await form.waitFor({ state: 'hidden' })
    expect(await scopes()).toEqual(['generate', 'history:read'])
  })

  it('a code of the app will do', async () => {
    const person = await stage.at.signUp()
    const { json } = await person.ask('/auth/two-factor/enable', { body: { password: PASSWORD } })
    await person.ask('/auth/two-factor/verify-totp', { body: { code: codeOf(json.totpURI) } })
    await age(person)
    const { page } = await stage.visitAs(person)
    const hands = handsOf(page, hand)
    await askForKey(page, hands)
    await hands.press(dialogOf(page).getByRole('button', { name: 'Use a code instead' }))
    await hands.write(dialogOf(page).getByLabel('Code', { exact: true }), codeOf(json.totpURI, 1))
    await hands.press(dialogOf(page).getByRole('button', { name: 'Confirm', exact: true }))
    await keyIsThere(page)
  })

  it('a passkey will do', async () => {
    const person = await stage.at.signUp()
    const { page, context } = await stage.visitAs(person)
    const hands = handsOf(page, hand)
    const devices = await context.newCDPSession(page)
    await devices.send('WebAuthn.enable')
    await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await page.goto('/settings/security')
    await hands.press(page.getByRole('button', { name: 'Add passkey' }))
    await hands.press(page.getByRole('dialog', { name: 'Add passkey' }).getByRole('button', { name: 'Add passkey' }))
    await page.getByText('Passkey added.').waitFor()
    await age(person)
    await askForKey(page, hands)
    await hands.press(dialogOf(page).getByRole('button', { name: 'Use a passkey' }))
    await keyIsThere(page)
  })
})
