/** A member of a suspended account sees on every page that it is suspended, why, and whom to ask, until it is resumed. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runAdmin } from '../../../../server/src/cli/admin.ts'
import { readConfig } from '../../../../server/test/read-config.ts'
import { createTeams } from '../../../../server/test/attacks/team.ts'
import { handsOf, HANDS } from '../../hands.ts'
import { shareStage } from '../../stage.ts'
import type { Stage } from '../../stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await shareStage()
}, 120_000)

afterAll(() => stage?.[Symbol.asyncDispose](), 120_000)

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
  it('is shown in the account that is suspended and in no other, and goes with its end', async () => {
    const team = await createTeams(stage.at).make('member')
    const { page, complaints } = await stage.visitAs(team.other)
    const { choose } = handsOf(page, hand)
    const switchToTeam = async () => choose(page.getByRole('combobox', { name: 'Current account' }), team.account)
    await page.goto('/settings/keys')
    await switchToTeam()
    await page.getByRole('navigation', { name: 'Settings' }).getByText('You are a member').waitFor()
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
    await page.getByRole('navigation', { name: 'Settings' }).getByText('You are a member').waitFor()
    expect(await bannerOf(page).count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('leaves no button to change a key, and says why on each', async () => {
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

  it('comes without a reload when something is refused because of it, in the language of the reader', async () => {
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
