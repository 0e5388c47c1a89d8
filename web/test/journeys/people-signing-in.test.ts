/** The ways in: an account of one's own, the password and its loss, an authenticator app, a passkey. */
import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '../../../server/test/people-world.ts'
import { codeOf } from '../../../server/test/totp.ts'
import { handsOf, MAIN_HANDS } from '../hands.ts'
import { shareStage } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { menuOf, signIn, signOut } from './signing-in.ts'

let stage: Stage

beforeAll(async () => {
  stage = await shareStage()
}, 120_000)

afterAll(() => stage?.[Symbol.asyncDispose](), 120_000)

describe.each(MAIN_HANDS)('with the %s', { timeout: 120_000 }, (hand) => {
  it('somebody new signs up, confirms the address on another device, mistypes the password once, and is in', async () => {
    const { page, complaints } = await stage.visit()
    const hands = handsOf(page, hand)
    const { press, write } = hands
    const email = `new-${randomInt(1e12)}@people.example`
    await page.goto('/')
    await press(page.getByRole('banner').getByRole('link', { name: 'Sign in' }))
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
    const { page, context, complaints } = await stage.visitAs(await stage.at.signUp())
    const hands = handsOf(page, hand)
    const { press, write } = hands
    // A browser that offers nothing before it is asked.
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)
    })
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
