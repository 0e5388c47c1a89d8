/** What an admin decides about the access of others: the keys of somebody who has left, and an application that acts for the team. */
import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTeams, remove, settings } from '../../../../server/test/attacks/team.ts'
import { handsOf, HANDS } from '../../hands.ts'
import { shareStage } from '../../stage.ts'
import type { Stage } from '../../stage.ts'
import { askOf, callWith, PATIENCE } from '../../journeys/account.ts'

let stage: Stage

beforeAll(async () => {
  stage = await shareStage()
}, 120_000)

afterAll(() => stage?.[Symbol.asyncDispose](), 120_000)

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
