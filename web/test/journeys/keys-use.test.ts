/** Keys in use: replaced without breaking anything, their budget in sight. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { handsOf, HANDS } from '../hands.ts'
import type { Hands } from '../hands.ts'
import { shareStage } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { callWith, makeKey, PATIENCE } from './account.ts'

let stage: Stage

beforeAll(async () => {
  stage = await shareStage()
}, 120_000)

afterAll(() => stage?.[Symbol.asyncDispose](), 120_000)

const names = (count: number) => ({ body: { description: 'a bakery by the sea', count } })

describe.each(HANDS)('with the %s', { timeout: 180_000 }, (hand) => {
  it('a rotated key works beside the old one, which is watched and then ended', async () => {
    const person = await stage.at.signUp()
    const { secret: first } = await makeKey(person, 'Shop')
    const { page, complaints } = await stage.visitAs(person)
    const hands = handsOf(page, hand)
    await page.goto('/settings/keys')

    const second = await rotate(page, hands, '1 day')
    const who = page.getByRole('dialog', { name: 'Usage of the old key of Shop' })
    await who.getByText('Not used since it was rotated.').waitFor()
    const statusOf = async (secret: string) =>
      (await callWith(stage, secret, '/v1/usage', { headers: { 'user-agent': 'shop-backend/2.1' } })).status
    expect(await statusOf(second)).toBe(200)
    expect(await statusOf(first)).toBe(200)
    await who.getByRole('cell', { name: 'shop-backend/2.1' }).waitFor()
    await who.getByText(/Still in use: last request/).waitFor()
    await hands.press(who.getByRole('button', { name: 'Close' }).last())
    await who.waitFor({ state: 'hidden' })
    await page.getByText(/The key was rotated\. The old key still works/).waitFor()

    const third = await rotate(page, hands, 'None')
    await expect.poll(() => statusOf(first), PATIENCE).toBe(401)
    await expect.poll(() => statusOf(second), PATIENCE).toBe(401)
    expect(await statusOf(third)).toBe(200)
    await page.getByText(/The old key still works/).waitFor({ state: 'hidden' })
    expect(complaints).toEqual([])
  })

  it('the quota of a key is shown as it is used up', async () => {
    const person = await stage.at.signUp()
    const quota = { per_minute: 60, burst: 20, per_day: 10, per_month: null }
    const { secret } = await makeKey(person, 'Small shop', { quota })
    const { page, complaints } = await stage.visitAs(person)
    const { press } = handsOf(page, hand)
    await page.goto('/settings')
    await press(page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'API keys' }))
    await page.getByText('0 of 10').waitFor()

    expect((await callWith(stage, secret, '/v1/generate', names(8))).status).toBe(200)
    const read = (text: string) => async () => {
      await page.reload()
      await page.getByRole('heading', { name: 'Small shop' }).waitFor()
      return page.getByText(text).isVisible()
    }
    await expect.poll(read('8 of 10'), PATIENCE).toBe(true)
    await page.getByText('Almost used up').waitFor()
    await page.getByText('8 names, no limit').waitFor()
    expect((await callWith(stage, secret, '/v1/generate', names(2))).status).toBe(200)
    await expect.poll(read('10 of 10'), PATIENCE).toBe(true)
    await page.getByText('Used up', { exact: true }).waitFor()
    expect((await callWith(stage, secret, '/v1/generate', names(1))).status).toBe(429)
    expect(complaints).toEqual([])
  })
})

/** Ends with the new key saved. */
async function rotate(page: Page, { press }: Hands, grace: string): Promise<string> {
  await press(page.getByRole('button', { name: 'Rotate Shop' }))
  const asking = page.getByRole('dialog', { name: 'Rotate Shop' })
  await press(asking.getByRole('radio', { name: grace }))
  await press(asking.getByRole('button', { name: 'Rotate key' }))
  const shown = page.getByRole('dialog', { name: 'Shop has a new key' })
  const secret = await shown.getByLabel('Your key').inputValue()
  await press(shown.getByRole('checkbox', { name: 'I saved it' }))
  await press(shown.getByRole('button', { name: 'Done' }))
  await shown.waitFor({ state: 'hidden' })
  return secret
}
