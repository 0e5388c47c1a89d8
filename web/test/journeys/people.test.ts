/** The ways in: an account of one's own, the password and its loss, an app, a passkey; and each of them asked for again. */
import { randomInt } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '../../../server/test/people-world.ts'
import type { SignedIn } from '../../../server/test/people-world.ts'
import { codeOf } from '../../../server/test/totp.ts'
import { handsOf, MAIN_HANDS } from '../hands.ts'
import type { Hands } from '../hands.ts'
import { shareStage } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { menuOf, signIn, signOut } from './signing-in.ts'

let stage: Stage
beforeAll(async () => {
  stage = await shareStage()
}, 120_000)
afterAll(() => stage[Symbol.asyncDispose](), 120_000)

/** A device that makes passkeys and uses them without asking. */
async function givePasskeys(page: Page): Promise<void> {
  const devices = await page.context().newCDPSession(page)
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
}

describe.each(MAIN_HANDS)('with the %s', { timeout: 120_000 }, (hand) => {
  it('somebody new signs up, confirms the address on another device, mistypes the password once, and is in', async () => {
    const { page, complaints } = await stage.visit()
    const hands = handsOf(page, hand)
    const { press, write } = hands
    const email = `new-${randomInt(1e12)}@people.example`
    await page.goto('/favorites')
    await press(page.getByRole('main').getByRole('link', { name: 'Sign in' }))
    await press(page.getByRole('button', { name: 'Create an account' }))
    await page.getByRole('heading', { name: 'Create an account' }).waitFor()
    await write(page.getByLabel('Your name'), 'Grace New')
    await write(page.getByLabel('Email address'), email)
    await write(page.getByLabel('Password', { exact: true }), 'short')
    await press(page.getByRole('button', { name: 'Create an account' }))
    await page.getByText('Choose at least 12 characters.').waitFor()
    await page.getByText('This one has 5.').waitFor()
    await page.getByText('no sequence such as 123456').waitFor()
    await write(page.getByLabel('Password', { exact: true }), 'password-1234-password')
    await press(page.getByRole('button', { name: 'Create an account' }))
    await page.getByText('This password is common, or made of common ones.').waitFor()
    await write(page.getByLabel('Password', { exact: true }), PASSWORD)
    await press(page.getByRole('button', { name: 'Create an account' }))
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()

    const { page: phone, complaints: others } = await stage.visit()
    const onPhone = handsOf(phone, hand)
    await phone.goto((await stage.at.smtp.waitFor(email)).link)
    await phone.getByRole('heading', { name: 'Confirm your address' }).waitFor()
    // On a narrow screen a long address is cut, and seen to be.
    const overflow = await phone.getByLabel('Email').evaluate((field) => getComputedStyle(field).textOverflow)
    expect(overflow).toBe('ellipsis')
    await onPhone.write(phone.getByLabel('Password', { exact: true }), 'not-the-Password-7')
    await onPhone.press(phone.getByRole('button', { name: 'Confirm and sign in' }))
    await phone.getByText('This is not the password that you chose when you signed up.').waitFor()
    expect(await menuOf(phone).count()).toBe(0)
    await onPhone.write(phone.getByLabel('Password', { exact: true }), PASSWORD)
    await onPhone.press(phone.getByRole('button', { name: 'Confirm and sign in' }))
    await menuOf(phone).waitFor()
    expect(new URL(phone.url()).pathname).toBe('/favorites')
    await signOut(phone, onPhone)
    expect([complaints, others]).toEqual([[], []])
  })

  it('an emailed link signs in without a password, in the browser that asked for it', async () => {
    const person = await stage.at.signUp()
    const { page, complaints } = await stage.visit()
    const { press, write } = handsOf(page, hand)
    await page.goto('/welcome?to=/history')
    await press(page.getByRole('button', { name: 'Email me a sign-in link' }))
    await page.getByRole('heading', { name: 'Sign in by email' }).waitFor()
    await write(page.getByLabel('Email address'), person.email)
    await press(page.getByRole('button', { name: 'Send link' }))
    await page.getByText(/we sent a sign-in link to it/).waitFor()
    const { link } = await stage.at.smtp.waitFor(person.email, 2)

    const { page: elsewhere } = await stage.visit()
    await elsewhere.goto(link)
    await elsewhere.getByText('Open this link in the browser in which you requested it').waitFor()
    expect(await elsewhere.getByRole('button').count()).toBe(0)

    await page.goto(link)
    await page.getByText(`Sign in as ${person.email}?`).waitFor()
    await press(page.getByRole('button', { name: 'Sign in', exact: true }))
    await menuOf(page).waitFor()
    expect(new URL(page.url()).pathname).toBe('/history')
    expect(complaints).toEqual([])
  })

  it('a forgotten password is reset by email, and the old one stops working', async () => {
    const person = await stage.at.signUp()
    const { page, complaints } = await stage.visit()
    const hands = handsOf(page, hand)
    const { press, write } = hands
    await page.goto('/welcome')
    await press(page.getByRole('button', { name: 'Forgot your password?' }))
    await write(page.getByLabel('Email address'), person.email)
    await press(page.getByRole('button', { name: 'Send link' }))
    await page.getByText(/we sent an email with a link/).waitFor()
    await page.goto((await stage.at.smtp.waitFor(person.email, 2)).link)
    const next = 'quiet-Lemon-41-raft'
    await write(page.getByLabel('New password'), next)
    await press(page.getByRole('main').getByRole('button').last())
    await page.getByRole('status').waitFor()

    await page.goto('/welcome')
    await signIn(page, hands, person.email, PASSWORD)
    await page.getByText('Wrong email address or password. Check both and try again.').waitFor()
    await signIn(page, hands, person.email, next)
    await menuOf(page).waitFor()
    expect(complaints).toEqual([])
  })

  it('with two-factor authentication, signing in requires an app code or a recovery code', async () => {
    const person = await stage.at.signUp()
    const { page, complaints } = await stage.visitAs(person)
    const hands = handsOf(page, hand)
    const { press, write } = hands
    await page.goto('/settings/security')
    await press(page.getByRole('button', { name: 'Turn on two-factor authentication' }))
    const asking = page.getByRole('dialog', { name: 'Turn on two-factor authentication' })
    await write(asking.getByLabel('Password', { exact: true }), person.password)
    await press(asking.getByRole('button', { name: 'Continue' }))
    const scanning = page.getByRole('dialog', { name: 'Set up your authenticator app' })
    await scanning.getByRole('img', { name: /^QR code/ }).waitFor()
    const link = scanning.getByRole('link', { name: 'Open an authenticator app on this device' })
    const app = (await link.getAttribute('href')) ?? ''
    await write(scanning.getByLabel('Code from the app'), codeOf(app))
    await press(scanning.getByRole('button', { name: 'Continue' }))
    const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
    const recovery = await codes.getByRole('listitem').first().innerText()
    await press(codes.getByRole('checkbox', { name: 'I have saved them' }))
    await press(codes.getByRole('button', { name: 'Done' }))
    await page.getByText('Two-factor authentication is on. You now need a code to sign in.').waitFor()

    // A code is good once, so this is the next one.
    for (const code of [() => codeOf(app, 1), () => recovery]) {
      await signOut(page, hands)
      await press(page.getByRole('banner').getByRole('link', { name: 'Sign in' }))
      await signIn(page, hands, person.email, person.password)
      await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor()
      expect(await menuOf(page).count()).toBe(0)
      await write(page.getByLabel('Code'), code())
      await press(page.getByRole('button', { name: 'Continue' }))
      await menuOf(page).waitFor()
    }
    expect(complaints).toEqual([])
  })

  it('a passkey is added, and signs in without a password', async () => {
    const { page, complaints } = await stage.visitAs(await stage.at.signUp())
    const hands = handsOf(page, hand)
    const { press, write } = hands
    // A browser that offers nothing before it is asked.
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)
    })
    await givePasskeys(page)
    await page.goto('/settings/security')
    await press(page.getByRole('button', { name: 'Add passkey' }))
    const adding = page.getByRole('dialog', { name: 'Add passkey' })
    await write(adding.getByLabel('Passkey name'), 'My laptop')
    await press(adding.getByRole('button', { name: 'Add passkey' }))
    await page.getByText('Passkey added. You can now sign in with it.').waitFor()
    await page.getByRole('button', { name: 'Remove My laptop' }).waitFor()

    await signOut(page, hands)
    await press(page.getByRole('banner').getByRole('link', { name: 'Sign in' }))
    await press(page.getByRole('button', { name: 'Sign in with a passkey' }))
    await menuOf(page).waitFor()
    expect(complaints).toEqual([])
  })
})

it('whoever signs in next in the same page sees nothing of the person before', { timeout: 120_000 }, async () => {
  const { page, complaints } = await stage.visitAs(await stage.at.signUp())
  const hands = handsOf(page, 'pointer')
  const sessions = page.locator('#sessions').getByRole('listitem')
  await page.goto('/settings/security')
  await sessions.first().waitFor()
  await signOut(page, hands)
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
  const next = await stage.at.signUp()
  await signIn(page, hands, next.email, next.password)
  await menuOf(page).click()
  // What is shown now can only be what the page knew.
  await page.route('**/settings/me/sessions', () => undefined)
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Security' }).click()
  await page.locator('#sessions').waitFor()
  expect(await sessions.count()).toBe(0)
  expect(complaints).toEqual([])
})

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
    const { page } = await stage.visitAs(person)
    const hands = handsOf(page, hand)
    await givePasskeys(page)
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
