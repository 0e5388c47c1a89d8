/** How a person gets to sign in: by email, by the first link, by invitation. */
import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD } from '../people-world.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld } from '../people-world.ts'

let at: PeopleWorld
beforeAll(async () => {
  at = await startApp({ people: true })
})
afterAll(() => at[Symbol.asyncDispose]())

test('somebody signs up, confirms the address by the letter, signs in, and has an account of their own', async () => {
  const ada = await at.signUp('Ada')
  const { rows } = await at.world.owner.query('SELECT account_id, role FROM member WHERE user_id = $1', [ada.userId])
  expect(rows).toEqual([{ account_id: ada.userId, role: 'owner' }])
  const accounts = await at.world.owner.query('SELECT name FROM account WHERE id = $1', [ada.userId])
  expect(accounts.rows).toEqual([{ name: 'Ada' }])
})

test('an address that is not confirmed cannot sign in', async () => {
  const somebody = at.visitor()
  const email = `unconfirmed-${randomInt(1e12)}@people.example`
  await somebody.ask('/auth/sign-up/email', { body: { email, name: 'U', password: PASSWORD } })
  await at.smtp.waitFor(email)
  const reply = await somebody.ask('/auth/sign-in/email', { body: { email, password: PASSWORD } })
  expect(reply.status).toBe(403)
})
