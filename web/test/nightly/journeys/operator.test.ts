/** The operator page: what it shows, and that only the operator can open it. */
import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { PASSWORD } from '../../../../server/test/people-world.ts'
import type { SignedIn } from '../../../../server/test/people-world.ts'
import { handsOf, HANDS } from '../../hands.ts'
import { openStage } from '../../stage.ts'
import type { Stage } from '../../stage.ts'
import { askOf, callWith, makeKey, PATIENCE } from '../../journeys/account.ts'

let stage: Stage
let operator: SignedIn

beforeAll(async () => {
  stage = await openStage()
  operator = await setUp()
}, 120_000)

afterAll(() => stage?.[Symbol.asyncDispose](), 120_000)

/** By the setup link, as the operator. */
async function setUp(): Promise<SignedIn> {
  const findLink = () => /https?:\/\/\S+\/setup\?token=[\w-]+/.exec(stage.at.node.output())?.[0] ?? ''
  await vi.waitUntil(findLink, PATIENCE)
  const token = new URL(findLink()).searchParams.get('token') ?? ''
  const somebody = stage.at.visitor()
  const email = 'operator@people.example'
  const form = { token, name: 'Olu Operator', email, password: PASSWORD }
  expect((await somebody.ask('/setup', { form })).status).toBe(303)
  return { ...somebody, email, password: PASSWORD, userId: '' }
}

interface Source {
  readonly name: string
}

describe.each(HANDS)('with the %s', { timeout: 180_000 }, (hand) => {
  it('the operator sees the sources and accounts, and no content of accounts', async () => {
    const tenant = `Tenant ${randomInt(1e9)}`
    const person = await stage.at.signUp(tenant)
    const key = await makeKey(person, 'Shop, live')
    const names = { description: 'a lighthouse that sells soup', count: 3, deadline_ms: 20_000 }
    expect((await callWith(stage, key.secret, '/v1/generate', { body: names })).status).toBe(200)

    const { page, complaints } = await stage.visitAs(operator)
    const { press, write } = handsOf(page, hand)
    await page.goto('/')
    await press(page.getByRole('button', { name: 'Your account' }))
    await press(page.getByRole('menuitem', { name: 'Operations' }))
    await page.getByRole('heading', { name: 'Operations' }).waitFor()
    const shown = page.getByRole('table', { name: 'Sources' })
    await shown.waitFor()
    const { sources } = (await askOf(operator, '/settings/operator/sources')).json.data as { sources: Source[] }
    await expect.poll(() => shown.getByRole('row').count(), PATIENCE).toBe(sources.length + 1)
    for (const { name } of sources) expect(await shown.innerText()).toContain(name)
    const registrar = shown.getByRole('row').filter({ hasText: 'vercel' })
    await registrar.getByText('Registrar').waitFor()
    expect(Number(await registrar.getByRole('cell').nth(2).innerText())).toBeGreaterThan(0)

    await write(page.getByLabel('Search accounts by the start of their name'), tenant)
    const accounts = page.getByRole('table', { name: 'Accounts' })
    const row = accounts.getByRole('row').filter({ hasText: tenant })
    await expect.poll(() => accounts.getByRole('row').count(), PATIENCE).toBe(2)
    // One person, one key, three names today.
    await expect
      .poll(async () => {
        await page.reload()
        await write(page.getByLabel('Search accounts by the start of their name'), tenant)
        await row.waitFor()
        return (await row.getByRole('cell').allInnerTexts()).slice(1, 5)
      }, PATIENCE)
      .toEqual(['1', '1', '3', '3'])
    await write(page.getByLabel('Search accounts by the start of their name'), 'nobody is called so')
    await page.getByText('No accounts match.').waitFor()
    const everything = await page.content()
    for (const content of [names.description, person.email, 'Shop, live']) expect(everything).not.toContain(content)
    expect(complaints).toEqual([])
  })

  it('limits an account, suspends it and lets it go on', async () => {
    const tenant = `Tenant ${randomInt(1e9)}`
    const person = await stage.at.signUp(tenant)
    const { page, complaints } = await stage.visitAs(operator, { viewport: { width: 390, height: 844 } })
    const { press, write } = handsOf(page, hand)
    await page.goto('/operator')
    await write(page.getByRole('searchbox', { name: /account/i }), tenant)
    const row = page.getByRole('table', { name: 'Accounts' }).getByRole('row').filter({ hasText: tenant })
    await press(row.getByRole('button', { name: `Limits of ${tenant}` }))
    await write(page.getByLabel('Names per day'), '77')
    await press(page.getByRole('button', { name: 'Save limits' }))
    await page.getByText('Limits saved.').waitFor()
    await press(row.getByRole('button', { name: 'Suspend' }))
    await write(page.getByLabel('Reason, shown to the members of the account'), 'Too many batches')
    await press(page.getByRole('dialog').getByRole('button', { name: 'Suspend' }))
    await row.getByText('Suspended', { exact: true }).waitFor()
    const { account } = (await askOf(person, `/settings/accounts/${person.userId}`)).json.data
    expect(account).toMatchObject({ limits: { names_per_day: 77 }, suspended: { reason: 'Too many batches' } })
    await press(row.getByRole('button', { name: 'Resume' }))
    await row.getByRole('button', { name: 'Suspend' }).waitFor()
    expect(complaints).toEqual([])
  })

  it('for everybody else there is no such page', async () => {
    const person = await stage.at.signUp()
    const { page, complaints } = await stage.visitAs(person)
    const { press } = handsOf(page, hand)
    await page.goto('/')
    await press(page.getByRole('button', { name: 'Your account' }))
    await page.getByRole('menuitem', { name: 'Settings' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Operations' }).count()).toBe(0)
    const visitor = await stage.visit()
    for (const one of [page, visitor.page]) {
      await one.goto('/operator')
      await one.getByRole('heading', { name: 'Page not found' }).waitFor()
      expect(await one.getByRole('table').count()).toBe(0)
    }
    for (const path of ['sources', 'accounts'])
      expect((await person.ask(`/settings/operator/${path}`)).status).toBe(404)
    expect([...complaints, ...visitor.complaints]).toEqual([])
  })
})
