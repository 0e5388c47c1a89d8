/** The search for secrets that lie about finds them: in a log, in the database, in Redis. */
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSecret } from '../source.ts'
import { startCollector } from '../collector.ts'
import { createLeaks } from '../leaks.ts'
import { startApp } from '../start-app.ts'
import type { Call, World } from '../world.ts'
import { REDIS_URL } from '../redis.ts'

let world: World
beforeAll(async () => {
  world = await startApp({ own: true })
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
  leaks.record(textOf(secret))
  expect(await find(leaks)).toEqual([])
  expect(await find(leaks, [`{"msg":"request failed","said":"${secret}"}`])).toEqual([
    `${secret.slice(0, 6)}… is in a log`,
  ])
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

test.each([
  ['a description in a body', '{"description":"a bakery for old friends","count":3}', 'a bakery for old friends'],
  ['an address in a body', '{"email":"ada@lovelace.example","name":"Ada"}', 'ada@lovelace.example'],
])('%s is heard, found in a log, and no fault in the database', async (_what, text, found) => {
  const leaks = createLeaks()
  leaks.record(text)
  await world.makeAccount({ name: found })
  expect(await find(leaks)).toEqual([])
  expect(await find(leaks, [`{"msg":"request failed","said":"${found}"}`])).toEqual([
    `what somebody wrote is in a log: ${found}`,
  ])
})

test('a walk through the API with every log switched on leaves nothing of a caller in a log or in a trace', async () => {
  await using collector = await startCollector()
  const node = await world.startNodeProcess({
    NAMEWRIGHT_LOG_LEVEL: 'debug',
    NAMEWRIGHT_ACCESS_LOG: 'all',
    NAMEWRIGHT_OTLP_URL: collector.url,
    NAMEWRIGHT_TRACE_SHARE: '1',
  })
  const worker = await world.startWorkerProcess({
    NAMEWRIGHT_LOG_LEVEL: 'debug',
    NAMEWRIGHT_OTLP_URL: collector.url,
    NAMEWRIGHT_TRACE_SHARE: '1',
  })
  const leaks = createLeaks()
  const { secret: key } = await world.makeKey(await world.makeAccount())
  leaks.add(key)
  const said: string[] = []
  const call = async (path: string, options: Call = {}) => {
    const body = options.body === undefined ? '' : JSON.stringify(options.body)
    leaks.record(body)
    const answer = await node.call(path, { key, ...options })
    leaks.record(answer.text)
    for (const [, name = ''] of answer.text.matchAll(/"(?:name|domain)":"([^"]{5,})"/g)) said.push(name.toLowerCase())
    return answer
  }
  const description = 'a workshop that repairs unicycles and nothing else'
  const generated = await call('/v1/generate', { body: { description, count: 5 } })
  expect(generated.status).toBe(200)
  await call('/v1/generate', { body: { description, count: 'five' } })
  await call('/v1/generate', { body: `{"description":"${description}` })
  await call(`/v1/history?q=${encodeURIComponent('unicycles and nothing')}`)
  await call('/v1/domains/check', { body: { domains: ['unicycle-for-nobody-else.com', 'not a domain at all'] } })
  const favorite = { domain: 'unicycle-for-nobody-else.com', note: 'the one for grandmother' }
  await call('/v1/favorites', { body: favorite })
  await call('/v1/favorites', { body: favorite })
  await call(`/v1/favorites/${encodeURIComponent('unicycle-for-nobody-else.com')}`)
  await call('/v1/webhooks', {
    body: { url: 'https://hooks.example.com/my-own-secret-path', events: ['quota.warning'] },
  })
  await call('/v1/batches', { body: { requests: [{ description, count: 2 }] } })
  await call('/v1/usage', { key: `${key.slice(0, -1)}x` })
  const jobs = () => collector.spans.some(({ name }) => name === 'job batch')
  await expect.poll(jobs, { timeout: 20_000 }).toBe(true)
  expect(await worker.stop()).toBe(0)
  expect(await node.stop()).toBe(0)
  const outputs = [node.output(), worker.output(), ...collector.texts]
  expect(outputs.join('').match(/"msg":"request"/g)?.length).toBeGreaterThan(10)
  for (const text of [description, 'unicycle', 'grandmother', 'my-own-secret-path', ...said]) leaks.addPrivate(text)
  expect(await find(leaks, outputs)).toEqual([])
  const lower = outputs.join('\n').toLowerCase()
  for (const text of ['unicycle', 'grandmother', 'my-own-secret', ...said]) expect(lower).not.toContain(text)
}, 90_000)
