/**
 * How long a sign-up takes must not tell whether somebody has the address. So the response waits for nothing that only
 * one kind of address needs: it comes while no person can be written, whoever has the address.
 */
import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD } from '../people-world.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld } from '../people-world.ts'

let at: PeopleWorld
beforeAll(async () => (at = await startApp({ people: true })))
afterAll(() => at[Symbol.asyncDispose]())

const newAddress = () => `timing-${randomInt(1e12)}@people.example`
const signUp = (email: string) =>
  at.visitor().ask('/auth/sign-up/email', { body: { email, name: 'Eve', password: PASSWORD } })

async function whileNothingIsWritten<T>(work: () => Promise<T>): Promise<T> {
  const lock = await at.world.owner.connect()
  try {
    await lock.query('BEGIN')
    await lock.query('LOCK TABLE people."user", people.login IN SHARE MODE')
    return await work()
  } finally {
    await lock.query('COMMIT')
    lock.release()
  }
}

test('a sign-up is answered before anything is written, alike for every address', async () => {
  const { email: confirmed } = await at.signUp()
  const unconfirmed = newAddress()
  await signUp(unconfirmed)
  await at.smtp.waitFor(unconfirmed)
  const unknown = newAddress()
  const replies = await whileNothingIsWritten(() => Promise.all([confirmed, unconfirmed, unknown].map(signUp)))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
  const shapes = replies.map(({ json, headers }) => {
    const names = Object.keys(json.user)
    return { names, type: headers.get('content-type'), id: String(json.user.id).length }
  })
  expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).toBe(1)
  // Each gets an email all the same.
  expect((await at.smtp.waitFor(confirmed, 2)).link).toContain('/reset-password')
  expect((await at.smtp.waitFor(unconfirmed, 2)).link).toContain('/confirm-email?')
  expect((await at.smtp.waitFor(unknown)).link).toContain('/confirm-email?')
})
