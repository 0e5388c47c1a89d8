/** Keys in use: tried out in the playground, replaced without breaking anything, their budget in sight. */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { PATIENT_SEARCHES } from '../../../../server/test/browser.ts'
import { handsOf, HANDS } from '../../hands.ts'
import type { Hands } from '../../hands.ts'
import { shareStage } from '../../stage.ts'
import type { Stage } from '../../stage.ts'
import { callWith, makeKey, PATIENCE } from '../../journeys/account.ts'

let stage: Stage

beforeAll(async () => {
  stage = await shareStage()
}, 120_000)

afterAll(() => stage?.[Symbol.asyncDispose](), 120_000)

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

  it('the playground runs an operation with the key of the reader, and its code runs elsewhere', async () => {
    const person = await stage.at.signUp()
    const { secret } = await makeKey(person, 'Try')
    const { page, complaints } = await stage.visitAs(person)
    await page.addInitScript(PATIENT_SEARCHES)
    const { press, write, choose } = handsOf(page, hand)
    await page.goto('/settings/keys')
    const response = page.getByRole('region', { name: 'Response' })
    await press(page.getByRole('button', { name: 'Run', exact: true }))
    await page.getByText('Enter an API key. It begins with nw_.').waitFor()
    await write(page.getByLabel('API key', { exact: true }), secret)
    await press(page.getByRole('button', { name: 'Run', exact: true }))
    await page.getByText(/^Status 200, \d+ ms$/).waitFor()
    expect(JSON.parse(await response.innerText()).data.suggestions).toHaveLength(3)

    await choose(page.getByLabel('Operation'), 'check')
    await response.waitFor({ state: 'hidden' })
    // Signs that a shell, TypeScript and Python would each read in their own way.
    await write(page.getByLabel('Domains, separated by commas'), `storkloom.com, it's"$(x)\\.com`)
    for (const [language, run] of [
      ['curl', runShell],
      ['TypeScript', runTypeScript],
      ['Python', runPython],
    ] as const) {
      await press(page.getByRole('radio', { name: language }))
      const code = await page.getByRole('region', { name: language }).innerText()
      expect(code).not.toContain(secret)
      const printed = await run(code, { NAMEWRIGHT_API_KEY: secret })
      expect(printed).toContain('storkloom.com')
    }
    // Neither in a storage, nor in an address, nor after the page was left.
    const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, location.href]))
    expect(kept).not.toContain(secret)
    await page.reload()
    expect(await page.getByLabel('API key', { exact: true }).inputValue()).toBe('')
    stage.at.leaks.add(secret)
    expect(complaints).toEqual([])
  })
})

const execute = promisify(execFile)

function environment(more: Record<string, string>): NodeJS.ProcessEnv {
  const ca = stage.at.certificate.caFile
  return { ...process.env, CURL_CA_BUNDLE: ca, SSL_CERT_FILE: ca, NODE_EXTRA_CA_CERTS: ca, ...more }
}

async function runShell(code: string, env: Record<string, string>): Promise<string> {
  return (await execute('sh', ['-c', code], { env: environment(env) })).stdout
}

async function runPython(code: string, env: Record<string, string>): Promise<string> {
  return (await execute('python3', ['-c', code], { env: environment(env) })).stdout
}

async function runTypeScript(code: string, env: Record<string, string>): Promise<string> {
  const sdk = new URL('../../../../sdk/src/index.ts', import.meta.url).href
  const file = join(tmpdir(), `playground-${process.pid}.ts`)
  await writeFile(file, code.replace(`'namewright'`, `'${sdk}'`))
  return (await execute(process.execPath, [file], { env: environment(env) })).stdout
}

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
