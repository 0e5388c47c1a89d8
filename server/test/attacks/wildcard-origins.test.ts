/** A publishable key for every name below a public suffix would be a key for everybody's pages. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp } from '../start-app.ts'
import type { PeopleWorld } from '../people-world.ts'

let at: PeopleWorld
beforeAll(async () => (at = await startApp({ people: true })))
afterAll(() => at[Symbol.asyncDispose]())

const wish = (...origins: string[]) => ({ name: 'Page', scopes: ['generate'], origins })

test('a key cannot be made for every page below a public suffix', async () => {
  const ada = await at.signUp('Ada')
  const keys = `/settings/accounts/${ada.userId}/keys`
  const everybodys = [
    'co.uk',
    'com.br',
    'github.io',
    'pages.dev:8443',
    'sch.uk',
    'compute.amazonaws.com',
    'kawasaki.jp',
  ]
  for (const origin of everybodys.map((host) => `https://*.${host}`)) {
    const refused = await ada.ask(keys, { body: wish('https://shop.example', origin) })
    expect([refused.status, refused.json.error?.code, refused.json.error?.errors?.[0]?.pointer], origin).toEqual([
      400,
      'invalid_request',
      '/origins/1',
    ])
  }
  const made = await ada.ask(keys, { body: wish('https://*.shop.co.uk') })
  expect(made.status, made.text).toBe(201)
})

test('a key that was made so before opens nothing there any more', async () => {
  const { world } = at
  const account = await world.makeAccount()
  const origins = ['https://*.co.uk', 'https://*.shop.example']
  const { secret: key } = await world.makeKey(account, { scopes: ['generate'], allowedOrigins: origins })
  const call = (origin: string) =>
    at.visitor().ask('/v1/generate', {
      body: { description: 'a bakery', count: 1 },
      headers: { authorization: `Bearer ${key}`, origin },
    })
  expect((await call('https://www.shop.example')).status).toBe(200)
  const refused = await call('https://evil.co.uk')
  expect([refused.status, refused.json.error?.code]).toEqual([403, 'origin_not_allowed'])
})
