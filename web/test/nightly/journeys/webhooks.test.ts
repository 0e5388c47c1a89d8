/** A webhook from its making to its end, as somebody does it whose server is sometimes down. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { idOf, openReceiver, verify } from '../../../../server/test/jobs/receiver.ts'
import type { Received, Receiver } from '../../../../server/test/jobs/receiver.ts'
import { handsOf, HANDS } from '../../hands.ts'
import { openStage } from '../../stage.ts'
import type { Stage } from '../../stage.ts'
import { callWith, makeKey, PATIENCE } from '../../journeys/account.ts'

let stage: Stage
let receiver: Receiver

beforeAll(async () => {
  receiver = await openReceiver()
  stage = await openStage({ NAMEWRIGHT_WEBHOOK_ALLOW: receiver.place })
}, 120_000)

afterAll(async () => {
  await stage?.[Symbol.asyncDispose]()
  await receiver?.[Symbol.asyncDispose]()
}, 120_000)

const typeOf = ({ json }: Received) => String(json.type)

describe.each(HANDS)('with the %s', { timeout: 180_000 }, (hand) => {
  it('a webhook is made, tried out, fails, is sent again, and is deleted', async () => {
    receiver.answer = 204
    const person = await stage.at.signUp()
    const { page, complaints } = await stage.visitAs(person)
    const { press, write } = handsOf(page, hand)
    const url = `${receiver.url}/${person.userId}`
    const mine = (all: readonly Received[]) => all.filter(({ path }) => path.endsWith(person.userId))
    await page.goto('/settings/webhooks')

    await press(page.getByRole('button', { name: 'New webhook' }))
    const form = page.getByRole('dialog', { name: 'New webhook' })
    await write(form.getByLabel('URL'), 'https://127.0.0.1:1/hook')
    await press(form.getByRole('button', { name: 'Add webhook' }))
    await expect.poll(() => form.getByLabel('URL').getAttribute('aria-invalid'), PATIENCE).toBe('true')
    await write(form.getByLabel('URL'), url)
    await write(form.getByLabel('Description'), 'The shop')
    await press(form.getByRole('button', { name: 'Add webhook' }))
    const shown = page.getByRole('dialog', { name: 'Signing secret' })
    const secret = await shown.getByLabel('Signing secret').inputValue()
    expect(secret).toMatch(/^whsec_/)
    await press(shown.getByRole('checkbox', { name: 'I saved it' }))
    await press(shown.getByRole('button', { name: 'Done' }))
    await page.getByRole('heading', { name: 'The shop' }).waitFor()
    expect(await page.content()).not.toContain(secret)

    await press(page.getByRole('button', { name: 'Send test event' }))
    await page.getByText('Your server accepted the test event.').waitFor()
    const [test] = mine(receiver.accepted)
    expect(test && typeOf(test)).toBe('webhook.test')
    expect(() => test && verify(secret, test)).not.toThrow()

    receiver.answer = 500
    await press(page.getByRole('button', { name: 'Send test event' }))
    await page.getByText('The test event failed.').waitFor()
    await page.getByText('Your server responded with 500.').waitFor()

    // Half of the quota is used, which sends an event.
    const key = await makeKey(person, 'Shop, live', { quota: { per_day: 4 } })
    const names = { description: 'a bakery by the sea', count: 2, deadline_ms: 20_000 }
    expect((await callWith(stage, key.secret, '/v1/generate', { body: names })).status).toBe(200)
    const isWarning = (one: Received) => typeOf(one) === 'quota.warning'
    await expect.poll(() => mine(receiver.received).some(isWarning), PATIENCE).toBe(true)
    await press(page.getByRole('button', { name: 'Deliveries' }))
    const log = page.getByRole('dialog', { name: 'Deliveries' })
    const row = log.getByRole('row').filter({ hasText: 'A key has used 50, 80 or 100 % of its quota' })
    await row.getByText('Your server responded with 500.').waitFor()
    await row.getByText('Pending').waitFor()
    await log.getByRole('row').filter({ hasText: 'Test' }).getByText('Your server responded with 204.').waitFor()

    receiver.answer = 204
    const again = row.getByRole('button', { name: /^Resend/ })
    const warnings = () => mine(receiver.accepted).filter(isWarning)
    await press(again)
    await expect.poll(() => warnings().length, PATIENCE).toBeGreaterThan(0)
    await row.getByText('Delivered').waitFor()
    await expect.poll(() => again.isEnabled(), PATIENCE).toBe(true)
    // A delivered event can be resent, too.
    const taken = warnings().length
    await press(again)
    await expect.poll(() => warnings().length, PATIENCE).toBeGreaterThan(taken)
    expect(new Set(warnings().map(idOf)).size).toBe(1)
    await row.getByText('Delivered').waitFor()
    // Notes, which close by themselves, come after it.
    await press(log.getByRole('button', { name: 'Close' }).first())
    await log.waitFor({ state: 'hidden' })

    await press(page.getByRole('button', { name: `Actions for ${url}` }))
    await press(page.getByRole('menuitem', { name: 'Delete' }))
    const sure = page.getByRole('dialog', { name: 'Delete this webhook?' })
    await press(sure.getByRole('button', { name: 'Delete webhook' }))
    await page.getByText('No webhooks yet').waitFor()
    expect(complaints).toEqual([])
  })
})
