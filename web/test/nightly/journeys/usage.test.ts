/** What was used: the numbers of the page and of its files are those of the API. */
import { readFile } from 'node:fs/promises'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Usage } from '../../../src/api/usage.ts'
import { handsOf, HANDS } from '../../hands.ts'
import { shareStage } from '../../stage.ts'
import type { Stage } from '../../stage.ts'
import { accountOf, askOf, callWith, makeKey, PATIENCE } from '../../journeys/account.ts'

let stage: Stage

beforeAll(async () => {
  stage = await shareStage()
}, 120_000)

afterAll(() => stage?.[Symbol.asyncDispose](), 120_000)

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
