/** The search for secrets that lie about finds them: in a log, in the database, in Redis. */
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSecret } from '../src/model/credential-text.ts'
import { createLeaks } from './leaks.ts'
import { openWorld } from './world.ts'
import type { World } from './world.ts'

const REDIS_URL = 'redis://127.0.0.1:6379/9'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const find = (leaks: ReturnType<typeof createLeaks>, outputs: string[] = []) =>
  leaks.find({ outputs, databaseUrl: world.databaseUrl, redisUrl: REDIS_URL })

test.each([
  ['a key in an answer', (secret: string) => `{"secret":"${secret}"}`],
  ['a link in a letter', (secret: string) => `https://names.example/reset-password?token=${secret}`],
  ['a code in a redirect', (secret: string) => `https://robot.example/callback?state=1&code=${secret}&iss=x`],
  ['a password in a body', (secret: string) => `{"email":"a@b.example","password":"${secret}"}`],
  ['a password in a form', (secret: string) => `email=a%40b.example&password=${secret}`],
])('%s is heard, and found in a log', async (_what, textOf) => {
  const secret = makeSecret()
  const leaks = createLeaks()
  leaks.hear(textOf(secret))
  expect(await find(leaks)).toEqual([])
  expect(await find(leaks, [`{"msg":"failed","said":"${secret}"}`])).toEqual([`${secret.slice(0, 6)}… is in a log`])
})

test('one that was stored as it is is found in the database', async () => {
  const secret = makeSecret('nwr')
  const leaks = createLeaks()
  leaks.add(secret)
  await world.makeAccount({ name: `my ${secret}` })
  expect(await find(leaks)).toEqual([`${secret.slice(0, 6)}… is in the database`])
})

test('one that was put into Redis is found there, in a key or in a value', async () => {
  const redis = new Redis(REDIS_URL)
  const leaks = createLeaks()
  const [inKey, inValue, inHash, inList] = [makeSecret(), makeSecret(), makeSecret(), makeSecret()]
  for (const secret of [inKey, inValue, inHash, inList]) leaks.add(secret)
  await redis.set(`leak:${inKey}`, '1', 'EX', 60)
  await redis.set('leak:value', inValue, 'EX', 60)
  await redis.hset('leak:hash', { field: inHash })
  await redis.rpush('leak:list', inList)
  try {
    expect(await find(leaks)).toHaveLength(4)
  } finally {
    await redis.del(`leak:${inKey}`, 'leak:value', 'leak:hash', 'leak:list')
    redis.disconnect()
  }
})
