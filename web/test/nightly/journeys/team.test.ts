/** A team from its creation to the removal of a member, seen by the owner and the member. */
import { randomInt } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '../../../../server/test/people-world.ts'
import { handsOf, HANDS } from '../../hands.ts'
import { shareStage } from '../../stage.ts'
import type { Stage } from '../../stage.ts'
import { askOf } from '../../journeys/account.ts'

let stage: Stage

beforeAll(async () => {
  stage = await shareStage()
}, 120_000)

afterAll(() => stage?.[Symbol.asyncDispose](), 120_000)

const NAVIGATION = { name: 'Settings' } as const
const accountsOf = (page: Page) => page.getByRole('combobox', { name: 'Current account' })
const CHANGES_KEYS = /^(?:New key|Edit|Rotate|Revoke)/

describe.each(HANDS)('with the %s', { timeout: 180_000 }, (hand) => {
  it('a person invited by email joins, sees what the role allows, and sees nothing once removed', async () => {
    const person = await stage.at.signUp('Olga Owner')
    const owner = await stage.visitAs(person)
    const own = handsOf(owner.page, hand)
    const name = `Bakers ${randomInt(1e9)}`
    await owner.page.goto('/settings/team')
    await own.press(owner.page.getByRole('button', { name: 'New team' }))
    const making = owner.page.getByRole('dialog', { name: 'New team' })
    await own.write(making.getByLabel('Team name'), name)
    await own.press(making.getByRole('button', { name: 'Create team' }))
    await owner.page.getByText(`Created ${name}. Invite somebody.`).waitFor()
    const { json } = await person.ask('/web/session')
    const team = String(json.data.accounts.find((one: { name: string }) => one.name === name).id)
    await askOf(person, `/settings/accounts/${team}/keys`, { name: 'Oven, live', scopes: ['generate'] })

    const email = `dee-${randomInt(1e12)}@people.example`
    await own.press(owner.page.getByRole('button', { name: 'Invite member' }))
    const inviting = owner.page.getByRole('dialog', { name: 'Invite member' })
    await own.write(inviting.getByLabel('Email address'), email)
    await own.press(inviting.getByRole('button', { name: 'Send invitation' }))
    await owner.page.getByText(`Invited ${email}.`).waitFor()
    await owner.page.getByRole('button', { name: `Revoke the invitation of ${email}` }).waitFor()

    const { page, complaints } = await stage.visit()
    const { press, write, choose } = handsOf(page, hand)
    await page.goto((await stage.at.smtp.waitFor(email)).link)
    await page.getByRole('heading', { name: `Join ${name}` }).waitFor()
    await page.getByText(`Olga Owner has invited ${email}.`).waitFor()
    await write(page.getByLabel('Your name'), 'Dee New')
    await write(page.getByLabel('Password', { exact: true }), PASSWORD)
    await press(page.getByRole('button', { name: 'Continue' }))
    await page.getByRole('button', { name: 'Your account' }).waitFor()
    await page.goto('/settings/keys')
    const navigation = page.getByRole('navigation', NAVIGATION)
    await choose(accountsOf(page), team)
    await navigation.getByText('You are a member').waitFor()
    await page.getByRole('heading', { name: 'Oven, live' }).waitFor()
    await page.getByText('Only admins and owners can create and change them.').waitFor()
    expect(await page.getByRole('button', { name: CHANGES_KEYS }).count()).toBe(0)
    expect(await navigation.getByRole('link', { name: 'Webhooks' }).count()).toBe(0)
    expect(await navigation.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
    await press(navigation.getByRole('link', { name: 'Team' }))
    const people = page.getByRole('list', { name: 'Members' })
    await people.getByText('Olga Owner').waitFor()
    expect(await page.getByRole('button', { name: /^(?:Invite|Remove|Delete team)/ }).count()).toBe(0)
    expect(await people.getByRole('combobox').count()).toBe(0)

    await owner.page.reload()
    await own.choose(owner.page.getByRole('combobox', { name: 'Role of Dee New' }), 'viewer')
    await own.press(owner.page.getByRole('button', { name: 'Save' }))
    await owner.page.getByText('Dee New is now Viewer.').waitFor()
    await page.goto('/settings/keys')
    await navigation.getByText('You are a viewer').waitFor()
    await page.getByRole('heading', { name: 'Oven, live' }).waitFor()
    expect(await page.getByRole('button', { name: CHANGES_KEYS }).count()).toBe(0)

    await own.press(owner.page.getByRole('button', { name: 'Remove Dee New from the team' }))
    const sure = owner.page.getByRole('dialog', { name: 'Remove from team' })
    await own.press(sure.getByRole('button', { name: 'Remove from team' }))
    await owner.page.getByText('Removed Dee New.').waitFor()
    await page.reload()
    await navigation.getByText('You are an owner').waitFor()
    expect(await page.getByText(name).count()).toBe(0)
    expect(await page.getByText('Oven, live').count()).toBe(0)
    expect(complaints).toEqual([])

    await own.press(owner.page.getByRole('navigation', NAVIGATION).getByRole('link', { name: 'Audit log' }))
    const log = owner.page.getByRole('table', { name: 'Audit log' })
    const eventOf = (text: string) => log.getByRole('row').filter({ hasText: text })
    await eventOf('A member left or was removed').filter({ hasText: 'Olga Owner' }).first().waitFor()
    // Once, whatever was passed on the way through the list.
    await eventOf('The role of a member was changed').waitFor()
    await eventOf('A member joined').filter({ hasText: 'Dee New' }).waitFor()
    await eventOf('A member was invited').filter({ hasText: 'Olga Owner' }).waitFor()
    await eventOf('An API key was created').filter({ hasText: 'Oven, live' }).waitFor()
    await eventOf('The account was created').waitFor()
    expect(owner.complaints).toEqual([])
  })
})
