/** One owner, one account: what the operator's command has made belongs to the first person, and to whom it invites. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runAdmin } from '../source.ts'
import { readConfig } from '../read-config.ts'
import { hiddenOf } from '../oauth-client.ts'
import { PASSWORD } from '../people-world.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, Visitor } from '../people-world.ts'
import { codeOf } from '../totp.ts'

let at: PeopleWorld
let account: string
let first: Visitor
beforeAll(async () => {
  at = await startApp({ people: true, own: true, settings: { NAMEWRIGHT_SIGN_UP: 'invited' } })
  account = (await admin('create-account', '--name', 'My <company>')).trim()
})
afterAll(() => at[Symbol.asyncDispose]())

async function admin(...args: string[]): Promise<string> {
  let [out, err] = ['', '']
  const stdout = { write: (text: string) => (out += text) }
  const stderr = { write: (text: string) => (err += text) }
  expect(await runAdmin(args, readConfig(at.world.env), { stdout, stderr }), err).toBe(0)
  return out
}

async function refusalOf(...args: string[]): Promise<string> {
  let err = ''
  const stderr = { write: (text: string) => (err += text) }
  expect(await runAdmin(args, readConfig(at.world.env), { stdout: { write: () => {} }, stderr })).toBe(2)
  return err.split('\n')[0] ?? ''
}

const keysOf = async (visitor: Visitor) =>
  (await visitor.ask(`/settings/accounts/${account}/keys`)).json.data.keys.map(({ name }: { name: string }) => name)

test('the first person owns the account that was made by command, and sees its keys', async () => {
  await admin('create-key', '--account', account, '--name', 'by command')
  // The account is younger than the link, which was printed when the node started.
  const link = await vi.waitUntil(() => /\S+\/setup\?token=[\w-]+/.exec(at.node.output())?.[0], { timeout: 45_000 })
  first = at.visitor()
  const page = await first.ask(link)
  expect(page.text).toContain('owner of the account <bdi>My &#60;company&#62;</bdi>')
  const form = { ...hiddenOf(page), name: 'First', email: 'first@people.example', password: PASSWORD }
  expect((await first.ask('/setup', { form })).status).toBe(303)

  const { accounts, person } = (await first.ask('/web/session')).json.data
  expect(accounts[0]).toMatchObject({ id: account, role: 'owner', own: false })
  expect(accounts).toHaveLength(2)
  expect(person.is_operator).toBe(true)
  expect(await keysOf(first)).toEqual(['by command'])
  const made = await first.ask(`/settings/accounts/${account}/keys`, {
    body: { name: 'by the app', scopes: ['generate'] },
  })
  expect(made.status, made.text).toBe(201)
  expect(await admin('list-keys', '--account', account)).toContain('"name":"by the app"')
  const { security_events: events } = (await first.ask(`/settings/accounts/${account}/security-events`)).json.data
  expect(events).toContainEqual(expect.objectContaining({ action: 'member_joined' }))
})

test('the operator lists accounts, and invites an owner by a link that is printed and sent', async () => {
  const second = (await admin('create-account', '--name', 'Second')).trim()
  expect(await admin('list-accounts')).toContain(`"id":"${second}","name":"Second"`)
  const invite = ['invite', '--account', second, '--email', 'Owner@people.example', '--role', 'owner']
  const link = (await admin(...invite)).trim()
  const message = await at.smtp.waitFor('owner@people.example')
  expect(message.text).toContain(link)

  const somebody = at.visitor()
  const page = await somebody.ask(link)
  const form = { ...hiddenOf(page), name: 'Owner', password: PASSWORD }
  expect((await somebody.ask('/join', { form })).status).toBe(303)
  const { accounts } = (await somebody.ask('/web/session')).json.data
  expect(accounts).toContainEqual(expect.objectContaining({ id: second, role: 'owner' }))
  expect(await refusalOf(...invite)).toContain('already a member of the account')
  const own = accounts.find((one: { own: boolean }) => one.own).id
  expect(await refusalOf('invite', '--account', own, '--email', 'x@people.example', '--role', 'admin')).toContain(
    'a personal account',
  )
  // An account that got its owner this way belongs to nobody else.
  expect((await first.ask(`/settings/accounts/${second}/keys`)).status).toBe(404)
})

test('an invitation of a deleted person stays void, and no member invites an owner', async () => {
  const body = { email: 'void@people.example', role: 'owner' }
  expect((await first.ask(`/settings/accounts/${account}/invitations`, { body })).status).toBe(400)
  await first.ask(`/settings/accounts/${account}/invitations`, { body: { ...body, role: 'member' } })
  const message = await at.smtp.waitFor('void@people.example')
  const link = /https:\S+\/join\?token=[\w-]+/.exec(message.text)?.[0] ?? ''
  expect((await at.visitor().ask(link)).status).toBe(200)
  await at.world.owner.query(`UPDATE invitation SET invited_by = NULL WHERE email = 'void@people.example'`)
  expect((await at.visitor().ask(link)).status).toBe(410)
})

test('the operator removes a second factor, which is noted and told', async () => {
  const enabled = await first.ask('/auth/two-factor/enable', { body: { password: PASSWORD } })
  const code = codeOf(enabled.json.totpURI)
  const verified = await first.ask('/auth/two-factor/verify-totp', { body: { code } })
  expect(verified.status, verified.text).toBe(200)
  const credentials = { email: 'first@people.example', password: PASSWORD }
  const signIn = async () => (await at.visitor().ask('/auth/sign-in/email', { body: credentials })).json
  expect(await signIn()).toMatchObject({ twoFactorRedirect: true })

  expect(await admin('remove-second-factor', '--email', 'First@people.example')).toBe('removed\n')
  expect(await signIn()).not.toHaveProperty('twoFactorRedirect')
  expect(await admin('remove-second-factor', '--email', 'first@people.example')).toBe('not enabled\n')
  const { rows } = await at.world.owner.query(
    `SELECT detail FROM security_event WHERE action = 'two_factor_off' AND actor IS NULL`,
  )
  expect(rows).toEqual([{ detail: { by: 'operator' } }])
})
