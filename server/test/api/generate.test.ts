/** POST /v1/generate as a client of the plain interface meets it: two fields in, exactly the shown fields out. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isPremiumProne, readInternet } from '../internet/read-internet.ts'
import { REGISTRIES } from '../internet/zones.ts'
import { entriesOf, faultsOf, labelOf, namesOf, spentBy, suffixOf, suggestionsOf } from '../readings.ts'
import { startApp } from '../start-app.ts'
import type { Node, World } from '../world.ts'

const DESCRIPTION = 'a bakery that brings bread to your door by bicycle'

let world: World
let node: Node
let key: string
beforeAll(async () => {
  world = await startApp()
  node = await world.startNode()
  key = (await world.makeKey(await world.makeAccount())).secret
})
afterAll(() => world[Symbol.asyncDispose]())

const send = (body: unknown, headers: Record<string, string> = {}) => node.call('/v1/generate', { key, body, headers })
const generate = (more: object = {}) => send({ description: DESCRIPTION, count: 5, deadline_ms: 30_000, ...more })

describe('required fields', () => {
  test.each([
    ['no field at all', {}, ['/description required', '/count required']],
    ['no count', { description: DESCRIPTION }, ['/count required']],
    ['no description', { count: 5 }, ['/description required']],
    ['a description that is no text', { description: 7, count: 5 }, ['/description wrong_type']],
    ['null for both', { description: null, count: null }, ['/description wrong_type', '/count wrong_type']],
    ['an empty description', { description: '', count: 5 }, ['/description too_short']],
    ['nothing but white space', { description: ' \n\t\u3000 ', count: 5 }, ['/description too_short']],
    ['no letter', { description: '2026 → 24/7 !', count: 5 }, ['/description no_letter']],
    ['a count of 0', { description: DESCRIPTION, count: 0 }, ['/count too_small']],
    ['a count of 101', { description: DESCRIPTION, count: 101 }, ['/count too_large']],
    ['half a suggestion', { description: DESCRIPTION, count: 1.5 }, ['/count wrong_type']],
    ['a count in quotes', { description: DESCRIPTION, count: '5' }, ['/count wrong_type']],
    ['a field that does not exist', { description: DESCRIPTION, count: 5, tld: 'com' }, ['/tld unknown_field']],
    ['an array', [], [' wrong_type']],
    ['null', null, [' wrong_type']],
  ])('%s is refused with a pointer', async (_what, body, faults) => {
    const answer = await send(body)
    expect(answer.status).toBe(400)
    expect(answer.json.error.code).toBe('invalid_request')
    expect(faultsOf(answer)).toEqual(faults)
  })

  test('a request without a body is refused, not failed', async () => {
    const answer = await node.call('/v1/generate', { key, method: 'POST' })
    expect(answer.status).toBe(400)
    expect(answer.json.error.code).toBe('invalid_request')
  })

  test('a refused request costs nothing', async () => {
    const account = await world.makeAccount()
    const { secret } = await world.makeKey(account)
    await node.call('/v1/generate', { key: secret, body: { description: '...', count: 5 } })
    expect(await spentBy(world, account)).toBe(0)
  })
})

describe('the length of a description', () => {
  // A pair of UTF-16 units each: counted in units, 1001 of them would already be too many.
  const longest = `bakery ${'🥐'.repeat(1993)}`

  test('is 2000 characters at most, whatever they are written with', async () => {
    expect((await generate({ description: longest, count: 1 })).status).toBe(200)
    const answer = await generate({ description: `${longest}🥐`, count: 1 })
    expect(answer.status).toBe(400)
    expect(faultsOf(answer)).toEqual(['/description too_long'])
  })

  test('is counted after trimming', async () => {
    expect((await generate({ description: `  \n${longest}\t  `, count: 1 })).status).toBe(200)
    const words = 'bread '.repeat(334)
    expect((await generate({ description: `${words.slice(0, 2000).trim()}${' '.repeat(500)}` })).status).toBe(200)
  })
})

test('white space around a description changes nothing', async () => {
  const padded = await generate({ description: `\n  ${DESCRIPTION}\u00a0 ` })
  expect(padded.text).toBe((await generate()).text)
})

test.each([1, 2, 7, 20, 99, 100])('count %i gives exactly as many suggestions, all different', async (count) => {
  const answer = await generate({ count })
  expect(answer.status).toBe(200)
  expect(answer.json.data).not.toHaveProperty('shortfall')
  expect(new Set(namesOf(answer)).size).toBe(count)
  expect(suggestionsOf(answer)).toHaveLength(count)
})

test('the suggestions spent are the suggestions returned', async () => {
  const account = await world.makeAccount()
  const { secret } = await world.makeKey(account)
  for (const count of [3, 8]) {
    await node.call('/v1/generate', { key: secret, body: { description: DESCRIPTION, count, deadline_ms: 30_000 } })
  }
  expect(await spentBy(world, account)).toBe(11)
})

test('an answer has the fields of the interface and no more', async () => {
  const { json } = await generate()
  expect(Object.keys(json)).toEqual(['status', 'data'])
  expect(json.status).toBe('success')
  expect(Object.keys(json.data)).toEqual(['suggestions'])
  for (const suggestion of json.data.suggestions) {
    expect(Object.keys(suggestion)).toEqual(['name', 'domains'])
    expect(suggestion.name).toMatch(/^\S+( \S+){0,2}$/)
    for (const entry of suggestion.domains) expect(Object.keys(entry)).toEqual(['domain', 'available', 'price'])
  }
})

test('every name has one entry for each suffix, in the order of the suffixes', async () => {
  for (const { name, domains } of suggestionsOf(await generate({ count: 20 }))) {
    expect(domains.map(suffixOf)).toEqual(['com', 'ai', 'io', 'co'])
    expect(new Set(domains.map(labelOf))).toEqual(new Set([name.toLowerCase().replaceAll(' ', '')]))
  }
})

test('the best come first', async () => {
  const answer = await generate({ count: 50, tlds: ['net'], include: ['score'] })
  const totals = suggestionsOf(answer).map(({ score }) => score?.total ?? Number.NaN)
  expect(totals).toEqual(totals.toSorted((a, b) => b - a))
  expect(new Set(totals).size).toBeGreaterThan(5)
})

test('a price is a symbol and two decimals for every entry, also under a suffix of two labels', async () => {
  const tlds = ['com', 'co.uk', 'co.nz', 'ai', 'auto', 'xyz']
  const entries = entriesOf(await generate({ count: 10, tlds }))
  expect(new Set(entries.map(suffixOf))).toEqual(new Set(tlds))
  for (const { price } of entries) expect(price).toMatch(/^\p{Sc}\d+\.\d{2}$/u)
  const bySuffix = new Map(entries.map((entry) => [suffixOf(entry), entry.price]))
  expect(bySuffix.get('com')).not.toBe(bySuffix.get('ai'))
  expect(Number(bySuffix.get('auto')?.slice(1))).toBeGreaterThan(1000)
})

test('a price is written the same in every language', async () => {
  const english = entriesOf(await generate({ language: 'en' })).map(({ price }) => price)
  const german = await send({ description: DESCRIPTION, count: 5, deadline_ms: 30_000 }, { 'accept-language': 'de' })
  expect(german.headers.get('content-language')).toBe('de')
  expect(entriesOf(german).map(({ price }) => price)).toEqual(english)
})

test('available is what the registries say, for every entry of 200 suggestions', async () => {
  const internet = readInternet()
  const isOftenTaken = (word: string) =>
    ['kin', 'keep', 'stead', 'wick', 'mill', 'loom'].filter((end) => internet.isDelegated(`${word}${end}.com`)).length >
    2
  // Names free under the first suffix come first, and nothing that is free in com is taken elsewhere: com goes last.
  const tlds = Object.keys(REGISTRIES).toReversed()
  const options = { count: 100, tlds, only_available: false }
  const answers = [
    await generate(options),
    await generate({ ...options, include_words: internet.labelsOf('com').filter(isOftenTaken).slice(0, 20) }),
  ]
  const entries = answers.flatMap(entriesOf)
  expect(entries).toHaveLength(200 * tlds.length)
  const isFree = (domain: string) => !internet.isDelegated(domain) && !isPremiumProne(domain)
  const wrong = entries.filter(({ domain, available }) => available !== isFree(domain))
  expect(wrong).toEqual([])
  // Otherwise the test has shown nothing.
  expect(entries.filter(({ available }) => !available).length).toBeGreaterThan(20)
  expect(entries.filter(({ available }) => available).length).toBeGreaterThan(300)
})

test('a description in any script that the naming reads gets names', async () => {
  for (const description of [
    '日本の茶道教室',
    'пекарня у реки',
    'مخبز على النهر',
    '빵집',
    'नदी किनारे बेकरी',
    'ร้านเบเกอรี่',
  ])
    expect(suggestionsOf(await generate({ description, count: 3 })), description).toHaveLength(3)
})

test('a description of which nothing is understood gets no_names, and a hint that says what to do', async () => {
  for (const description of ['ਬੇਕਰੀ', 'ξενοδοχείο στην Αθήνα', 'xqzt wvutq']) {
    const { status, json } = await generate({ description })
    expect([status, json.error.code], description).toEqual([422, 'no_names'])
    expect(json.error.hint).toContain('what it sells or does')
  }
})
