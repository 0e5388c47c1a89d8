/** Keys in use: replaced without breaking anything, their budget and use in sight. */
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Usage } from '../../../src/api/settings-types.ts'
import { handsOf, HANDS } from '../../hands.ts'
import type { Hands } from '../../hands.ts'
import { accountOf, askOf, callWith, makeKey, PATIENCE } from '../../journeys/account.ts'
import { shareStage, type Stage } from '../../stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await shareStage()
}, 120_000)
afterAll(() => stage[Symbol.asyncDispose](), 120_000)

const DESCRIPTION = 'a bakery by the sea'

/** Each row as it is read, heads included. */
function textsOf(rows: Locator): Promise<string[][]> {
  return rows.evaluateAll((all) =>
    all.map((row) => Array.from(row.querySelectorAll('th, td'), ({ textContent }) => textContent.trim())),
  )
}

describe.each(HANDS)('with the %s', { timeout: 180_000 }, (hand) => {
  it('the table and the file say what the API says, by key and by endpoint', async () => {
    const person = await stage.at.signUp()
    const account = await accountOf(person)
    const shop = await makeKey(person, 'Shop, live')
    const widget = await makeKey(person, '=Widget')
    const generate = async (secret: string, count: number) => {
      const body = { description: DESCRIPTION, count, deadline_ms: 20_000 }
      return (await callWith(stage, secret, '/v1/generate', { body })).status
    }
    expect([await generate(shop.secret, 4), await generate(widget.secret, 2)]).toEqual([200, 200])
    expect(await generate(shop.secret, 0)).toBe(400)

    const usageOf = async (days: number) =>
      (await askOf(person, `/settings/accounts/${account}/usage?days=${days}`)).json.data.usage as Usage
    const generatedOf = ({ endpoints }: Usage) => {
      const days = endpoints.filter(({ endpoint }) => endpoint === 'POST /v1/generate').flatMap((one) => one.days)
      return {
        requests: days.reduce((sum, { requests }) => sum + requests, 0),
        failed: days.reduce((sum, { failed }) => sum + failed, 0),
      }
    }
    await expect.poll(async () => generatedOf(await usageOf(31)), PATIENCE).toEqual({ requests: 3, failed: 1 })
    const usage = await usageOf(31)
    expect(usage.account.today).toBe(6)
    const ofKey = (id: string) => usage.keys.find((key) => key.id === id)?.days.map(({ suggestions }) => suggestions)
    const expected = usage.account.days.map(({ day, suggestions }, at) => ({
      day,
      numbers: [ofKey(shop.id)?.[at], ofKey(widget.id)?.[at], suggestions],
    }))

    const { page, complaints } = await stage.visitAs(person)
    const { press, choose } = handsOf(page, hand)
    await page.goto('/settings/usage')
    const byEndpoint = page.getByRole('table', { name: 'Requests by endpoint in this period' })
    const generated = byEndpoint.getByRole('row').filter({ hasText: 'POST /v1/generate' })
    await generated.waitFor()
    expect((await textsOf(generated))[0]?.slice(0, 3)).toEqual(['POST /v1/generate', '3', '1'])

    await press(page.locator('summary').filter({ hasText: 'Show as table' }).first())
    const byKey = page.getByRole('table', { name: 'Names by day' })
    await byKey.waitFor()
    const rows = byKey.getByRole('row')
    const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })
    expect(await textsOf(rows)).toEqual([
      ['Day', 'Shop, live', '=Widget', 'Total'],
      ...expected.map(({ day: written, numbers }) => [day.format(new Date(written)), ...numbers.map(String)]),
    ])

    const downloading = page.waitForEvent('download')
    await press(page.getByRole('button', { name: 'Download CSV' }).first())
    const download = await downloading
    expect(download.suggestedFilename()).toBe('namewright-names-by-key.csv')
    const lines = (await readFile(await download.path(), 'utf8')).split('\r\n')
    // A name that a spreadsheet would take for a formula is not one any more.
    expect(lines[0]).toBe(`\uFEFFDay,"Shop, live",'=Widget,Total`)
    expect(lines.slice(1, -1)).toEqual(expected.map(({ day: written, numbers }) => [written, ...numbers].join(',')))

    await choose(page.getByRole('combobox', { name: 'Period' }), '7')
    await expect.poll(() => rows.count(), PATIENCE).toBe(8)
    expect((await textsOf(rows))[1]?.at(-1)).toBe('6')
    await choose(page.getByRole('combobox', { name: 'Key or app' }), widget.id)
    await expect.poll(async () => (await textsOf(generated))[0]?.slice(1, 3), PATIENCE).toEqual(['1', '0'])
    expect(complaints).toEqual([])
  })
})

const names = (count: number) => ({ body: { description: 'a bakery by the sea', count, deadline_ms: 20_000 } })

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
