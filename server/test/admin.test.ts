/** The operator's command, as an operator uses it: what it prints, what it makes, and that it reports bad input. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runAdmin } from './source.ts'
import { readConfig } from './read-config.ts'
import { expectError } from './expect-error.ts'
import { parseList } from './api/structured-fields.ts'
import { runCommand } from './run-command.ts'
import { startApp } from './start-app.ts'
import type { Node, World } from './world.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

let world: World
let node: Node
let account: string
beforeAll(async () => {
  world = await startApp()
  node = await world.startNode()
  account = (await admin('create-account', '--name', 'Ada & Söhne', '--language', 'de')).stdout.trim()
})
afterAll(() => world[Symbol.asyncDispose]())

/** The command as the function that it is: no process, so that every way to mistype it can be tried. */
async function admin(...args: string[]) {
  const stdout: string[] = []
  const stderr: string[] = []
  const streams = {
    stdout: { write: (text: string) => stdout.push(text) },
    stderr: { write: (text: string) => stderr.push(text) },
  }
  const code = await runAdmin(args, readConfig(world.env), streams)
  return { code, stdout: stdout.join(''), stderr: stderr.join('') }
}

async function makeKey(...options: string[]) {
  const { code, stdout, stderr } = await admin('create-key', '--account', account, '--name', 'ci', ...options)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [id = '', secret = '', ...more] = stdout.trimEnd().split('\n')
  expect(more).toEqual([])
  return { id, secret }
}

test('an account and a key are made, and the key opens the door', async () => {
  expect(account).toMatch(UUID)
  const { id, secret } = await makeKey()
  expect(id).toMatch(UUID)
  expect(secret).toMatch(/^nw_/)
  const made = await node.call('/v1/generate', { key: secret, body: { description: 'a bakery', count: 1 } })
  expect(made.status).toBe(200)
  const refused = await node.call('/v1/generate', { key: secret, body: {} })
  expect(refused.headers.get('content-language')).toBe('de')
})

test('the limits of a key are what was asked for', async () => {
  const limits = ['--per-minute', '120', '--burst', '7', '--per-day', '50', '--per-month', '500']
  const { secret } = await makeKey(
    ...limits,
    '--scopes',
    'history:read, favorites:read',
    '--allow-ips',
    '127.0.0.0/8,::1',
  )
  const answer = await node.call('/v1/history', { key: secret })
  expect(answer.status).toBe(200)
  const policy = parseList(answer.headers.get('ratelimit-policy'))
  expect([policy.get('rate')?.q, policy.get('day')?.q, policy.get('month')?.q]).toEqual([7, 50, 500])
  expect(policy.get('rate')?.w).toBe(4)
  expect(parseList(answer.headers.get('ratelimit')).get('rate')?.r).toBe(6)
  expectError(await node.call('/v1/generate', { key: secret, body: {} }), 403, 'insufficient_scope')
  const past = await makeKey('--expires', '2100-01-31')
  await world.owner.query(`UPDATE api_key SET expires_at = '2020-01-31' WHERE id = $1`, [past.id])
  expectError(await node.call('/v1/history', { key: past.secret }), 401, 'expired_token')
  const elsewhere = await makeKey('--allow-ips', '203.0.113.0/24')
  expectError(await node.call('/v1/history', { key: elsewhere.secret }), 403, 'ip_not_allowed')
})

test('a publishable key is for the pages that are named, and for little', async () => {
  const { secret } = await makeKey('--origins', 'https://shop.example, https://*.shop.example')
  expect(secret).toMatch(/^nwp_/)
  const on = (origin: string) => node.call('/v1/tlds?limit=1', { key: secret, headers: { origin } })
  expect((await on('https://www.shop.example')).status).toBe(200)
  expectError(await on('https://evil.example'), 403, 'origin_not_allowed')
  expectError(
    await node.call('/v1/history', { key: secret, headers: { origin: 'https://shop.example' } }),
    403,
    'insufficient_scope',
  )
  const create = ['create-key', '--account', account, '--name', 'ci', '--origins']
  for (const more of [['shop.example'], ['https://shop.example', '--scopes', 'generate,history:read']]) {
    const refused = await admin(...create, ...more)
    expect([refused.code, refused.stdout]).toEqual([2, ''])
    expect(refused.stderr).toContain('--origins')
  }
})

test('keys are listed without their text', async () => {
  const { id, secret } = await makeKey('--per-day', '9')
  const { code, stdout } = await admin('list-keys', '--account', account)
  expect(code).toBe(0)
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const row = rows.find((one) => one.id === id)
  expect(row).toMatchObject({ name: 'ci', prefix: `${secret.slice(0, 7)}…`, per_day: 9, revoked_at: null })
  expect(stdout).not.toContain(secret.slice(8))
})

test('a key is rotated and revoked', async () => {
  const { id, secret: old } = await makeKey()
  const statusOf = async (key: string) => (await node.call('/v1/history', { key })).status
  expect(await statusOf(old)).toBe(200)
  const rotated = await admin('rotate-key', '--account', account, '--key', id, '--grace-seconds', '60')
  expect(rotated.code).toBe(0)
  const fresh = rotated.stdout.trim()
  expect([await statusOf(old), await statusOf(fresh)]).toEqual([200, 200])
  const revoked = await admin('revoke-key', '--account', account, '--key', id)
  expect({ code: revoked.code, stdout: revoked.stdout }).toEqual({ code: 0, stdout: 'revoked\n' })
  await expect.poll(() => Promise.all([statusOf(old), statusOf(fresh)])).toEqual([401, 401])
  expect((await admin('revoke-key', '--account', account, '--key', id)).code).toBe(2)
  expect((await admin('rotate-key', '--account', account, '--key', id)).code).toBe(2)
})

test('from a terminal it is the same', async () => {
  const listed = await runCommand(['admin', 'list-keys', '--account', account], world.env)
  expect(listed).toEqual({ ...(await admin('list-keys', '--account', account)), code: 0 })
  const refused = await runCommand(['admin', 'list-keys'], world.env)
  expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: '' })
  expect(refused.stderr).toMatch(/^--account is missing/)
})

describe('bad input', () => {
  const NOBODY = '0198d2c4-0000-7000-8000-000000000000'
  const key = (...options: string[]) => ['create-key', '--account', 'ACCOUNT', '--name', 'x', ...options]

  test.each([
    ['an unknown command', ['make-me-admin']],
    ['an unknown option', ['create-account', '--name', 'x', '--password', 'y']],
    ['a stray word', ['create-account', 'x', '--name', 'y']],
    ['no name', ['create-account']],
    ['an empty name', ['create-account', '--name', ' ']],
    ['a language that is none', ['create-account', '--name', 'x', '--language', 'not a tag']],
    ['days that are no number', ['create-account', '--name', 'x', '--history-days', 'ten']],
    ['days beyond all calendars', ['create-account', '--name', 'x', '--history-days', '999999999999']],
    ['an account that is no id', ['list-keys', '--account', 'me']],
    ['an account that nobody has', ['create-key', '--account', NOBODY, '--name', 'x']],
    ['a key that nobody has', ['revoke-key', '--account', 'ACCOUNT', '--key', NOBODY]],
    ['an unknown scope', key('--scopes', 'generate,everything')],
    ['no scope', key('--scopes', '')],
    ['a negative budget', key('--per-day', '-1')],
    ['a rate of 0', key('--per-minute', '0')],
    ['a burst of 0', key('--burst', '0')],
    ['a rate beyond any', key('--per-minute', '999999999999')],
    ['a date that is none', key('--expires', 'tomorrow')],
    ['a date that is past', key('--expires', '2020-01-31')],
    ['an option of another command', ['list-keys', '--account', 'ACCOUNT', '--name', 'x']],
    ['a role that is none', ['invite', '--account', 'ACCOUNT', '--email', 'a@b.example', '--role', 'king']],
    ['an address that is none', ['invite', '--account', 'ACCOUNT', '--email', 'ada', '--role', 'owner']],
    ['an address that nobody has', ['remove-second-factor', '--email', 'nobody@people.example']],
    ['a range that is none', key('--allow-ips', 'office')],
    ['a range that is too wide to be one', key('--allow-ips', '10.0.0.0/33')],
  ])('%s ends with 2, says so and shows how', async (_what, args) => {
    const { code, stdout, stderr } = await admin(...args.map((arg) => (arg === 'ACCOUNT' ? account : arg)))
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.split('\n')[0]).not.toBe('')
    const shown = args[0] === 'make-me-admin' ? 'create-account' : args[0]
    expect(stderr).toContain(`namewright-server admin ${shown}`)
  })

  test('has made nothing', async () => {
    const { rows } = await world.owner.query(`SELECT name FROM api_key WHERE name = 'x'`)
    expect(rows).toEqual([])
  })
})
