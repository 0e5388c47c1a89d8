/** The page of whoever runs the installation: what it tells them, and that it is there for nobody else. */
import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { PASSWORD } from '../../../server/test/people-world.ts'
import type { SignedIn } from '../../../server/test/people-world.ts'
import { handsOf, HANDS } from '../hands.ts'
import { openStage } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { askOf, callWith, makeKey, PATIENCE } from './account.ts'

let stage: Stage
let operator: SignedIn

beforeAll(async () => {
  stage = await openStage()
  operator = await setUp()
}, 120_000)

afterAll(() => stage?.[Symbol.asyncDispose](), 120_000)

/** By the link in the log, as whoever has installed it. */
async function setUp(): Promise<SignedIn> {
  const findLink = () => /"link":"([^"]+)"/.exec(stage.at.node.output())?.[1] ?? ''
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
  it('who has set the service up sees its sources, its queues and its accounts, and nobody’s content', async () => {
    const tenant = `Tenant ${randomInt(1e9)}`
    const person = await stage.at.signUp(tenant)
    const key = await makeKey(person, 'Shop, live')
    const names = { description: 'a lighthouse that sells soup', count: 3 }
    expect((await callWith(stage, key.secret, '/v1/generate', { body: names })).status).toBe(200)

    const { page, complaints } = await stage.visitAs(operator)
    const { press, write } = handsOf(page, hand)
    await page.goto('/')
    await press(page.getByRole('button', { name: 'Your account' }))
    await press(page.getByRole('menuitem', { name: 'Operation' }))
    await page.getByRole('heading', { name: 'Operation' }).waitFor()
    const shown = page.getByRole('table', { name: 'Sources' })
    await shown.waitFor()
    const { sources } = (await askOf(operator, '/settings/operator/health')).json.data as { sources: Source[] }
    await expect.poll(() => shown.getByRole('row').count(), PATIENCE).toBe(sources.length + 1)
    for (const { name } of sources) expect(await shown.innerText()).toContain(name)
    const registrar = shown.getByRole('row').filter({ hasText: 'vercel' })
    await registrar.getByText('Registrar').waitFor()
    expect(Number(await registrar.getByRole('cell').nth(2).innerText())).toBeGreaterThan(0)

    const { queues } = (await askOf(operator, '/settings/operator/queues')).json.data as { queues: { name: string }[] }
    const waiting = page.getByRole('table', { name: 'Queues' })
    await waiting.waitFor()
    expect(queues.length).toBeGreaterThan(0)
    for (const { name } of queues) expect(await waiting.innerText()).toContain(name)

    await write(page.getByLabel('Find an account by the beginning of its name'), tenant)
    const accounts = page.getByRole('table', { name: 'Accounts' })
    const row = accounts.getByRole('row').filter({ hasText: tenant })
    await expect.poll(() => accounts.getByRole('row').count(), PATIENCE).toBe(2)
    // One person, one key, three names today.
    await expect
      .poll(async () => {
        await page.reload()
        await write(page.getByLabel('Find an account by the beginning of its name'), tenant)
        await row.waitFor()
        return (await row.getByRole('cell').allInnerTexts()).slice(1, 5)
      }, PATIENCE)
      .toEqual(['1', '1', '3', '3'])
    await write(page.getByLabel('Find an account by the beginning of its name'), 'nobody is called so')
    await page.getByText('No account has a name that begins so.').waitFor()
    const everything = await page.content()
    for (const content of [names.description, person.email, 'Shop, live']) expect(everything).not.toContain(content)
    expect(complaints).toEqual([])
  })

  it('for everybody else there is no such page', async () => {
    const person = await stage.at.signUp()
    const { page, complaints } = await stage.visitAs(person)
    const { press } = handsOf(page, hand)
    await page.goto('/')
    await press(page.getByRole('button', { name: 'Your account' }))
    await page.getByRole('menuitem', { name: 'Settings' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Operation' }).count()).toBe(0)
    const visitor = await stage.visit()
    for (const one of [page, visitor.page]) {
      await one.goto('/operator')
      await one.getByRole('heading', { name: 'There is no such page' }).waitFor()
      expect(await one.getByRole('table').count()).toBe(0)
    }
    for (const path of ['health', 'queues', 'accounts'])
      expect((await person.ask(`/settings/operator/${path}`)).status).toBe(404)
    expect([...complaints, ...visitor.complaints]).toEqual([])
  })
})
