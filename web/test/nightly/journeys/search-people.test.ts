/** From a stranger to somebody with an account and a key; hearts that move along; two tabs of one person. */
import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '../../../../server/test/people-world.ts'
import { HANDS, handsOf } from '../../hands.ts'
import { shareStage } from '../../stage.ts'
import type { Stage } from '../../stage.ts'
import {
  allowSlowAnswers,
  describeIt,
  keptDomainOf,
  namesOf,
  openSearch,
  PATIENT,
  soon,
} from '../../journeys/searching.ts'

const run = promisify(execFile)

let stage: Stage
beforeAll(async () => {
  stage = await shareStage()
}, 120_000)
afterAll(() => stage[Symbol.asyncDispose](), 120_000)

describe.each(HANDS)('with the %s', (hand) => {
  it('first visit, names, a heart, an account, a key, and names in a terminal', { timeout: 240_000 }, async () => {
    const { page, complaints } = await stage.visit()
    const hands = handsOf(page, hand)
    await describeIt(page, hands)
    const card = namesOf(page).first()
    const domain = await keptDomainOf(card)
    await hands.press(card.getByRole('button', { name: `Save ${domain}` }))
    await page.getByText('Saved in this browser. Sign in to use your favorites everywhere.').waitFor()

    await page.goto('/welcome')
    await hands.press(page.getByRole('button', { name: 'Create an account' }))
    const email = `reader-${randomInt(1e12)}@people.example`
    await hands.write(page.getByLabel('Your name'), 'Ida Reader')
    await hands.write(page.getByLabel('Email address'), email)
    await hands.write(page.getByLabel('Password', { exact: true }), PASSWORD)
    await hands.press(page.getByRole('main').getByRole('button', { name: 'Create an account' }))
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    const { link } = await stage.at.smtp.waitFor(email)
    await page.goto(link)
    await page.getByRole('heading', { name: 'Confirm your address' }).waitFor()
    // After the email: the link, and one press. No second sign-in.
    await hands.press(page.getByRole('button', { name: 'Confirm and sign in' }))
    await page.getByText('Moved 1 name from this browser to your favorites.').waitFor()

    await hands.press(page.getByRole('link', { name: 'Favorites' }))
    await page.getByRole('article').getByText(domain, { exact: true }).waitFor()

    await hands.press(page.getByRole('button', { name: 'Your account' }))
    await hands.press(page.getByRole('menuitem', { name: 'API keys' }))
    await hands.press(page.getByRole('button', { name: 'New key' }))
    await hands.write(page.getByRole('dialog').getByLabel('Name', { exact: true }), 'Terminal')
    await hands.press(page.getByRole('dialog').getByRole('button', { name: 'Create key' }))
    const call = page.getByLabel('Try it in a terminal')
    await call.waitFor()
    const command = await call.inputValue()
    const key = await page.getByLabel('Your key', { exact: true }).inputValue()
    expect(command).toContain(key)
    await hands.press(page.getByRole('checkbox'))
    await hands.press(page.getByRole('button', { name: 'Done' }))
    // As it is copied, with more time for the registries; the stage's certificate is its own.
    const patient = command.replace('"count":5', '"count":5,"deadline_ms":30000')
    const { stdout } = await run('sh', ['-c', `${patient} --silent --insecure`])
    const answer = JSON.parse(stdout)
    expect(answer.status).toBe('success')
    expect(answer.data.suggestions).toHaveLength(5)
    stage.at.leaks.add(key)
    expect(complaints).toEqual([])
  })

  it('a heart in one tab is a heart in the other, before signing in and after', PATIENT, async () => {
    const person = await stage.at.signUp()
    for (const visit of [() => stage.visit(), () => stage.visitAs(person)]) {
      const { page, context, complaints } = await visit()
      await openSearch(page, { tlds: 'com', seed: 40 })
      const other = await context.newPage()
      await openSearch(other, { tlds: 'com', seed: 40 })
      const domain = await keptDomainOf(namesOf(page).first())
      await page.bringToFront()
      await handsOf(page, hand).press(page.getByRole('button', { name: `Save ${domain}` }))
      await page.getByText(/Saved in this browser|to your favorites/).waitFor()
      await other.bringToFront()
      const heart = other.getByRole('button', { name: `Save ${domain}` })
      await soon(() => heart.getAttribute('aria-pressed')).toBe('true')
      expect(complaints).toEqual([])
    }
  })

  it('several hearts in a row are one note, which takes all of them back and stays on its page', PATIENT, async () => {
    const { page, complaints } = await stage.visitAs(await stage.at.signUp())
    const hands = handsOf(page, hand)
    await allowSlowAnswers(page)
    await openSearch(page, { tlds: 'com', seed: 41 })
    const hearts = namesOf(page).getByRole('button', { name: /^Save / })
    for (const heart of await hearts.all()) await hands.press(heart)
    await page.getByText('3 names saved', { exact: true }).waitFor()
    expect(await page.getByRole('status').getByRole('button', { name: 'Undo' }).count()).toBe(1)
    await hands.takeBack()
    for (const heart of await hearts.all()) await soon(() => heart.getAttribute('aria-pressed')).toBe('false')
    await page.getByText('3 removed', { exact: true }).waitFor()
    await hands.press(page.getByRole('link', { name: 'History' }))
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor()
    await soon(() => page.getByText('3 removed').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('signing out in one tab signs out the other', PATIENT, async () => {
    const { page, context, complaints } = await stage.visitAs(await stage.at.signUp())
    await page.goto('/favorites')
    await page
      .getByText('No favorites yet')
      .or(page.getByRole('heading', { name: 'Favorites' }))
      .first()
      .waitFor()
    const other = await context.newPage()
    const hands = handsOf(other, hand)
    await other.goto('/')
    await hands.press(other.getByRole('button', { name: 'Your account' }))
    await hands.press(other.getByRole('menuitem', { name: 'Sign out' }))
    await other.getByRole('link', { name: 'Sign in' }).waitFor()
    await page.bringToFront()
    await handsOf(page, hand).press(page.getByRole('link', { name: 'History' }))
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).first().waitFor()
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor()
    expect(complaints).toEqual([])
  })
})
