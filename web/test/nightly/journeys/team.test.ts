/** A team from its creation to its suspension: who joins, what an admin decides about the access of others, who is told. */
import { randomInt } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runAdmin } from '../../../../server/src/cli/admin.ts'
import { createTeams, remove, settings } from '../../../../server/test/attacks/team.ts'
import { PASSWORD } from '../../../../server/test/people-world.ts'
import { readConfig } from '../../../../server/test/read-config.ts'
import { handsOf, HANDS } from '../../hands.ts'
import { askOf, callWith, PATIENCE } from '../../journeys/account.ts'
import { shareStage } from '../../stage.ts'
import type { Stage } from '../../stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await shareStage()
}, 120_000)
afterAll(() => stage[Symbol.asyncDispose](), 120_000)

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
    await navigation.getByText('Your role: member').waitFor()
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
    await navigation.getByText('Your role: viewer').waitFor()
    await page.getByRole('heading', { name: 'Oven, live' }).waitFor()
    expect(await page.getByRole('button', { name: CHANGES_KEYS }).count()).toBe(0)

    await own.press(owner.page.getByRole('button', { name: 'Remove Dee New from the team' }))
    const sure = owner.page.getByRole('dialog', { name: 'Remove from team' })
    await own.press(sure.getByRole('button', { name: 'Remove from team' }))
    await owner.page.getByText('Removed Dee New.').waitFor()
    await page.reload()
    await navigation.getByText('Your role: owner').waitFor()
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

describe.each(HANDS)('with the %s', { timeout: 180_000 }, (hand) => {
  it('of two keys whose creator has left, one is kept and goes on, the other is revoked and refused', async () => {
    const team = await createTeams(stage.at).make('admin')
    const [kept, revoked] = [`Kept ${randomInt(1e9)}`, `Revoked ${randomInt(1e9)}`]
    const secrets = new Map<string, string>()
    for (const name of [kept, revoked]) {
      const { json } = await askOf(team.other, settings(team, '/keys'), { name, scopes: ['history:read'] })
      secrets.set(name, json.data.key.secret)
    }
    const statusOf = async (name: string) =>
      (await callWith(stage, secrets.get(name) ?? '', '/v1/history?limit=1')).status
    const { page, complaints } = await stage.visitAs(team.owner)
    const { press, choose } = handsOf(page, hand)
    await page.goto('/settings/keys')
    await choose(page.getByRole('combobox', { name: 'Current account' }), team.account)
    await page.getByRole('heading', { name: kept }).waitFor()
    const reviews = page.getByRole('group', { name: 'Review this key' })
    expect(await reviews.count()).toBe(0)

    expect((await remove(team)).status).toBe(200)
    await page.reload()
    await reviews.first().waitFor()
    expect(await reviews.count()).toBe(2)
    // Both go on until somebody has decided.
    expect([await statusOf(kept), await statusOf(revoked)]).toEqual([200, 200])
    await press(reviews.getByRole('button', { name: `Keep ${kept}` }))
    await page.getByText(`Kept ${kept}.`).waitFor()
    await expect.poll(() => reviews.count(), PATIENCE).toBe(1)
    await press(reviews.getByRole('button', { name: `Revoke ${revoked}` }))
    await page.getByText(`Revoked ${revoked}.`).waitFor()
    await expect.poll(() => reviews.count(), PATIENCE).toBe(0)

    await expect.poll(() => statusOf(revoked), PATIENCE).toBe(401)
    expect(await statusOf(kept)).toBe(200)
    const { json } = await team.owner.ask(settings(team, '/keys'))
    expect(json.data.keys).toMatchObject([
      { name: kept, review: null, revoked_at: null },
      { name: revoked, review: null, revoked_at: expect.any(String) },
    ])
    expect(complaints).toEqual([])
  })

  it('a blocked application is refused, and can be authorized once it is allowed again', async () => {
    const teams = createTeams(stage.at)
    const team = await teams.make('member')
    const app = await teams.oauth.makePublic({ client_name: 'Shop agent' })
    const { access_token: token } = await teams.consent(team, team.other, app, 'favorites:read')
    expect((await teams.oauth.show(token)).status).toBe(200)

    const { page, complaints } = await stage.visitAs(team.owner)
    const { press, choose } = handsOf(page, hand)
    await page.goto('/settings/apps')
    await choose(page.getByRole('combobox', { name: 'Current account' }), team.account)
    const rules = async () => (await team.owner.ask(settings(team, '/applications'))).json.data.rules
    await press(page.getByRole('button', { name: 'Block Shop agent' }))
    await expect.poll(rules, PATIENCE).toMatchObject([{ client_id: app.id, decision: 'blocked' }])
    await expect.poll(async () => (await teams.oauth.show(token)).status, PATIENCE).toBe(401)
    await expect(teams.consent(team, team.other, app, 'favorites:read')).rejects.toThrow('consent: 403')

    await press(page.getByRole('button', { name: 'Allow Shop agent' }))
    await expect.poll(rules, PATIENCE).toMatchObject([{ client_id: app.id, decision: 'allowed' }])
    // What was ended stays ended; a new consent counts.
    expect((await teams.oauth.show(token)).status).toBe(401)
    const again = await teams.consent(team, team.other, app, 'favorites:read')
    expect((await teams.oauth.show(again.access_token)).status).toBe(200)

    await page.goto('/settings/audit')
    const decided = page.getByRole('row').filter({ hasText: 'An app was allowed or blocked' })
    await decided.first().waitFor()
    const texts = await decided.allTextContents()
    expect(texts.map((text) => /Shop agent(Allowed|Blocked)/.exec(text)?.[1])).toEqual(['Allowed', 'Blocked'])
    expect(complaints).toEqual([])
  })
})

async function admin(...args: string[]): Promise<void> {
  let said = ''
  const stream = { write: (text: string) => (said += text) }
  expect(await runAdmin(args, readConfig(stage.at.world.env), { stdout: stream, stderr: stream }), said).toBe(0)
}

const bannerOf = (page: Page) => page.getByRole('status').filter({ hasText: 'is suspended' })
/** Marks for texts in another direction, which nobody sees. */
const withoutIsolates = (text: string) => text.replaceAll(/[\u2068\u2069]/g, '')
const TEXT = 'The account test is suspended. Ask the operator of this service to resume it.'

describe.each(HANDS)('with the %s', { timeout: 180_000 }, (hand) => {
  it('a suspension is shown in the account that is suspended and in no other, and goes with its end', async () => {
    const team = await createTeams(stage.at).make('member')
    const { page, complaints } = await stage.visitAs(team.other)
    const { choose } = handsOf(page, hand)
    const switchToTeam = async () => choose(page.getByRole('combobox', { name: 'Current account' }), team.account)
    await page.goto('/settings/keys')
    await switchToTeam()
    await page.getByRole('navigation', { name: 'Settings' }).getByText('Your role: member').waitFor()
    expect(await bannerOf(page).count()).toBe(0)

    await admin('suspend', '--account', team.account, '--reason', 'unpaid since <b>May</b>')
    for (const path of ['/', '/history', '/favorites', '/settings/keys', '/settings/usage']) {
      await page.goto(path)
      await bannerOf(page).waitFor()
      const texts = (await bannerOf(page).locator('p').allTextContents()).map(withoutIsolates)
      expect(texts).toEqual([TEXT, 'Reason: unpaid since <b>May</b>'])
      expect(await bannerOf(page).getByRole('button').count()).toBe(0)
    }
    await page.goto('/settings/keys')
    await choose(page.getByRole('combobox', { name: 'Current account' }), team.other.userId)
    await bannerOf(page).waitFor({ state: 'detached' })

    await switchToTeam()
    await bannerOf(page).waitFor()
    await admin('resume', '--account', team.account)
    await page.reload()
    await page.getByRole('navigation', { name: 'Settings' }).getByText('Your role: member').waitFor()
    expect(await bannerOf(page).count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('a suspension leaves no button to change a key, and says why on each', async () => {
    const person = await stage.at.signUp('Noor')
    const { page } = await stage.visitAs(person)
    const { press, write } = handsOf(page, hand)
    await page.goto('/settings/keys')
    await press(page.getByRole('button', { name: 'New key' }))
    await write(page.getByRole('dialog').getByLabel('Name', { exact: true }), 'Shop')
    await press(page.getByRole('dialog').getByRole('button', { name: 'Create key' }))
    await page.getByRole('dialog').getByText('nw_').first().waitFor()
    const buttons = ['New key', 'Edit Shop', 'Rotate Shop', 'Revoke Shop'].map((name) =>
      page.getByRole('button', { name, exact: true }),
    )
    for (const isSuspended of [true, false]) {
      await admin(isSuspended ? 'suspend' : 'resume', '--account', person.userId)
      await page.goto('/settings/keys')
      for (const button of buttons) {
        await button.waitFor()
        expect(await button.isDisabled()).toBe(isSuspended)
        const title = await button.getAttribute('title')
        if (isSuspended) expect(title).toMatch(/is suspended\. Ask the operator/)
        else expect(title).toBeNull()
      }
    }
  })

  it('a suspension is told without a reload when something is refused, in the language of the reader', async () => {
    const person = await stage.at.signUp('Kim')
    const { page } = await stage.visitAs(person, { locale: 'fr-FR' })
    const { press, write } = handsOf(page, hand)
    await page.goto('/settings/keys')
    await press(page.getByRole('button', { name: 'Nouvelle clé' }))
    await admin('suspend', '--account', person.userId)
    await write(page.getByRole('dialog').getByLabel('Nom', { exact: true }), 'Boutique')
    await press(page.getByRole('dialog').getByRole('button', { name: 'Créer la clé' }))
    const banner = page.locator('[role=status]').filter({ hasText: 'est suspendu' })
    await banner.waitFor()
    expect(withoutIsolates((await banner.textContent()) ?? '')).toBe(
      'Le compte Kim est suspendu et ne peut rien faire pour l’instant. Demandez à l’exploitant de ce service de le rétablir.',
    )
  })
})
