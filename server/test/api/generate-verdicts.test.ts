/**
 * POST /v1/generate and what is known of domains: taken ones, variants, and a world that lies, changes its mind, is
 * silent or gone. Whatever happens, a domain that nobody vouched for is not called available, and nothing that was
 * not returned is paid for.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { answerTo, openFakeResolver } from '../internet/fake-resolver.ts'
import type { FakeResolver } from '../internet/fake-resolver.ts'
import { isControlName, isPremiumProne, readInternet } from '../internet/read-internet.ts'
import { emptyRedis } from '../redis.ts'
import { entriesOf, labelOf, namesOf, recordsOf, spentBy, suffixOf, suggestionsOf } from '../readings.ts'
import { startApp } from '../start-app.ts'
import { WIDE_QUOTA } from '../world.ts'
import type { Answer, Node, World } from '../world.ts'
import { runningMs } from '../../../scripts/test/running-ms.ts'

const WORDS = 'a library with a garden, a music school and a market'
const internet = readInternet()

let world: World
let node: Node
let key: string
beforeAll(async () => {
  world = await startApp()
  node = await world.startNode()
  key = (await world.makeKey(await world.makeAccount())).secret
})
afterAll(() => world[Symbol.asyncDispose]())

/** A node whose resolver answers as the test says, and who shares no memory with others. */
async function startWith(reply: Parameters<typeof openFakeResolver>[0]) {
  const resolver = await openFakeResolver(reply)
  const redis = await emptyRedis()
  return { resolver, started: await world.startNode({ ...redis, NAMEWRIGHT_DNS_RESOLVERS: resolver.address }) }
}

// A busy machine may need longer for five names than the default of 2.5 seconds.
const UNHURRIED = { deadline_ms: 30_000 }

const ask = (more: object = {}, { on = node, by = key } = {}) =>
  on.call('/v1/generate', { key: by, body: { description: WORDS, count: 5, tlds: ['com'], ...UNHURRIED, ...more } })

describe('only_available', () => {
  // They are all taken in com.
  const taken = { candidates: ['Library', 'Garden', 'Music', 'School', 'Market'], count: 3 }

  test('true, the default: every suggestion has a domain that can be registered', async () => {
    for (const more of [{}, { only_available: true }]) {
      const answer = await ask({ ...more, count: 60, tlds: ['com', 'io'] })
      expect(suggestionsOf(answer)).toHaveLength(60)
      for (const { domains } of suggestionsOf(answer)) expect(domains.some(({ available }) => available)).toBe(true)
    }
    for (const { available } of entriesOf(await ask(taken))) expect(available).toBe(true)
  })

  test('false: a name may be taken everywhere, and says so', async () => {
    const entries = entriesOf(await ask({ ...taken, count: 100, only_available: false }))
    const shown = entries.filter(({ available }) => !available).map(({ domain }) => domain)
    expect(shown).toContain('garden.com')
    for (const domain of shown) expect(internet.isDelegated(domain) || isPremiumProne(domain)).toBe(true)
    expect(namesOf(await ask({ ...taken, count: 100 }))).not.toContain('Garden')
  })
})

describe('variants', () => {
  const request = { styles: ['real_word'], tlds: ['com', 'io', 'co.uk'], count: 40, only_available: false }

  test('where the exact label is taken, a free variant stands in its place', async () => {
    const candidates = ['Library', 'Garden', 'Music', 'School', 'Market']
    const answer = await ask({ ...request, candidates, variants: true })
    let stoodIn = 0
    for (const { name, domains } of suggestionsOf(answer)) {
      const label = name.toLowerCase().replaceAll(' ', '')
      expect(domains.map(suffixOf)).toEqual(['com', 'io', 'co.uk'])
      for (const entry of domains) {
        const exact = `${label}.${suffixOf(entry)}`
        if (!internet.isDelegated(exact))
          expect(entry).toMatchObject({ domain: exact, available: !isPremiumProne(exact) })
        else if (entry.available) {
          stoodIn++
          expect(labelOf(entry)).not.toBe(label)
          expect(labelOf(entry)).toContain(label)
          expect(internet.isDelegated(entry.domain)).toBe(false)
        }
      }
    }
    expect(stoodIn).toBeGreaterThan(5)
    const garden = suggestionsOf(answer).find(({ name }) => name === 'Garden')
    expect(garden?.domains[0]).toMatchObject({ domain: 'getgarden.com', available: true })
  })

  test('a variant that is taken too is passed over, and where all are, the exact label is shown', async () => {
    const isFree = (domain: string) => /^use.*\.com$/.test(domain)
    const { resolver, started } = await startWith((query, domain) => [
      answerTo(query, isFree(domain) ? 'nxdomain' : 'noerror'),
    ])
    const answer = await ask({ variants: true, tlds: ['com', 'io'], exclude_words: ['use'] }, { on: started })
    expect(suggestionsOf(answer)).toHaveLength(5)
    for (const { name, domains } of suggestionsOf(answer)) {
      const label = name.toLowerCase().replaceAll(' ', '')
      expect(domains[0]).toMatchObject({ domain: `use${label}.com`, available: true })
      expect(domains[1]).toMatchObject({ domain: `${label}.io`, available: false })
    }
    await resolver.close()
  })

  test('without being asked for there are none', async () => {
    for (const { name, domains } of suggestionsOf(await ask({ ...request, only_available: true }))) {
      expect(new Set(domains.map(labelOf))).toEqual(new Set([name.toLowerCase().replaceAll(' ', '')]))
    }
  })
})

test('verify full asks again; fast repeats what is still fresh', async () => {
  let rcode: 'nxdomain' | 'noerror' = 'nxdomain'
  const { resolver, started } = await startWith((query) => [answerTo(query, rcode)])
  const first = await ask({}, { on: started })
  expect(entriesOf(first).map(({ available }) => available)).toEqual([true, true, true, true, true])

  rcode = 'noerror'
  const countAsked = () => resolver.asked.filter((name) => !isControlName(name)).length
  const asked = countAsked()
  expect(asked).toBeGreaterThanOrEqual(5)
  expect((await ask({}, { on: started })).text).toBe(first.text)
  expect(countAsked()).toBe(asked)

  const full = await ask({ verify: 'full' }, { on: started })
  expect(full.json.data).toEqual({
    suggestions: [],
    shortfall: { wanted: 5, returned: 0, reason: 'no_more_names' },
  })
  expect(countAsked()).toBeGreaterThan(asked)
  // The next request gets what was learned that way.
  for (const { available } of entriesOf(await ask({ only_available: false }, { on: started }))) {
    expect(available).toBe(false)
  }
  await resolver.close()
})

describe('a resolver without a usable answer', () => {
  let how: 'silent' | 'servfail' | 'refused' = 'silent'
  let resolver: FakeResolver
  let started: Node
  beforeAll(async () => {
    const made = await startWith((query) => (how === 'silent' ? [] : [answerTo(query, how)]))
    resolver = made.resolver
    started = made.started
  })
  beforeEach(() => {
    how = 'silent'
  })

  test.each([100, 700, 2000])('silent, a deadline of %i ms is kept, and nothing is charged', async (deadline_ms) => {
    const account = await world.makeAccount()
    const { secret: by } = await world.makeKey(account)
    const tookMs: number[] = []
    for (let call = 0; call < 3; call++) {
      const before = runningMs()
      const answer = await ask({ deadline_ms }, { on: started, by })
      tookMs.push(runningMs() - before)
      expect(answer.status).toBe(200)
      expect(answer.json.data.suggestions).toEqual([])
      expect(answer.json.data.shortfall).toMatchObject({ wanted: 5, returned: 0 })
      expect(['deadline', 'availability_unknown']).toContain(answer.json.data.shortfall.reason)
    }
    // Other work on the machine only makes a call longer.
    expect(Math.min(...tookMs)).toBeLessThan(deadline_ms + 1_000)
    expect(await spentBy(world, account)).toBe(0)
  })

  test('names that may be taken are given all the same, none of them available', async () => {
    const options = { deadline_ms: 10_000, only_available: false, include: ['evidence'], tlds: ['com', 'io'] }
    const entries = (await ask(options, { on: started })).json.data.suggestions.flatMap(
      ({ domains }: { domains: object[] }) => domains,
    )
    expect(entries).toHaveLength(10)
    for (const entry of entries) {
      expect(entry).toMatchObject({ available: false, status: 'unknown', sources: [] })
      expect(entry).not.toHaveProperty('confidence')
      expect(entry.price).toMatch(/^\$\d+\.\d{2}$/)
    }
  })

  test('a caller who hangs up gets the quota back and leaves no record', async () => {
    const account = await world.makeAccount()
    const { secret } = await world.makeKey(account, { quota: { ...WIDE_QUOTA, perDay: 8 } })
    const body = { description: WORDS, count: 8, tlds: ['com'], deadline_ms: 10_000 }
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
    // Answers the error, or the status when the budget of the call before is not back yet.
    const hangUp = () =>
      fetch(`${started.url}/v1/generate`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(250),
      }).then(
        ({ status }) => String(status),
        (error: unknown) => String(error),
      )
    for (let call = 0; call < 3; call++) await expect.poll(hangUp).toContain('timeout')
    expect(await recordsOf(world, account)).toBe(0)
    expect(await spentBy(world, account)).toBe(0)
    // The whole day's budget is there again, to the last unit.
    let rest: Answer | undefined
    const askForAll = async () => {
      rest = await ask({ count: 8, only_available: false, deadline_ms: 10_000 }, { on: started, by: secret })
      return rest.status
    }
    await expect.poll(askForAll).toBe(200)
    expect(rest && namesOf(rest)).toHaveLength(8)
    expect((await ask({ count: 1, deadline_ms: 100 }, { on: started, by: secret })).status).toBe(429)
    expect(await recordsOf(world, account)).toBe(1)
    // A client that disconnects is no failure of ours.
    expect(started.output()).not.toContain('"msg":"request failed"')
  })

  test.each(['servfail', 'refused', 'gone'] as const)('%s, it is a shortfall and never an error', async (answers) => {
    if (answers === 'gone') await resolver.close()
    else how = answers
    const account = await world.makeAccount()
    const { secret: by } = await world.makeKey(account)
    const answer = await ask({ deadline_ms: 1_500 }, { on: started, by })
    expect(answer.status).toBe(200)
    expect(answer.json.data.suggestions).toEqual([])
    expect(answer.json.data.shortfall).toMatchObject({ wanted: 5, returned: 0 })
    expect(['deadline', 'availability_unknown']).toContain(answer.json.data.shortfall.reason)
    expect(await spentBy(world, account)).toBe(0)
    const shown = entriesOf(await ask({ only_available: false }, { on: started, by }))
    expect(shown.map(({ available }) => available)).toEqual([false, false, false, false, false])
  })
})

test('in strict mode the word of DNS alone never makes a domain available', async () => {
  const strict = await world.startNode({ NAMEWRIGHT_AVAILABILITY_MODE: 'strict' })
  const answer = await ask({}, { on: strict })
  expect(answer.status).toBe(200)
  expect(answer.json.data.suggestions).toEqual([])
  expect(answer.json.data.shortfall).toEqual({
    wanted: 5,
    returned: 0,
    reason: 'availability_unknown',
    hint: expect.stringContaining('doctor'),
  })
  const shown = await ask({ only_available: false, count: 50, include: ['evidence'] }, { on: strict })
  expect(entriesOf(shown)).toHaveLength(50)
  for (const entry of entriesOf(shown)) expect(entry.available).toBe(false)
  // It is the mode and not the world: the same request on a balanced node finds free ones.
  expect(entriesOf(await ask({ count: 50 })).every(({ available }) => available)).toBe(true)
})
