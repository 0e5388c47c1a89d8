/** The optional fields of POST /v1/generate that shape names, suffixes and money: each is obeyed, or refused by name. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entriesOf, faultsOf, labelOf, namesOf, spentBy, suffixOf, suggestionsOf } from '../readings.ts'
import { startApp } from '../start-app.ts'
import type { Node, World } from '../world.ts'

const presetsFile = new URL('../../data/presets.json', import.meta.url)
const presets = JSON.parse(readFileSync(presetsFile, 'utf8')) as Record<string, string[]>
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

const ask = (more: object = {}, on = node) =>
  on.call('/v1/generate', {
    key,
    body: { description: DESCRIPTION, count: 10, tlds: ['net'], deadline_ms: 30_000, ...more },
  })
const labels = async (more: object) => entriesOf(await ask(more)).map(labelOf)

describe('what is out of bounds is refused with a pointer', () => {
  test.each([
    [{ language: 'en_US' }, '/language bad_format'],
    [{ language: 'x' }, '/language bad_format'],
    [{ language: '' }, '/language too_short'],
    [{ language: 5 }, '/language wrong_type'],
    [{ tlds: [] }, '/tlds too_few'],
    [{ tlds: Array.from({ length: 51 }, (_, i) => `suffix${i}`) }, '/tlds too_many'],
    [{ tlds: ['com', 'com'] }, '/tlds repeated'],
    [{ tlds: 'com' }, '/tlds wrong_type'],
    [{ tlds: ['com', 'nosuchsuffix'] }, '/tlds/1 unknown_suffix'],
    [{ tlds: ['com', 'io', 'country:zz'] }, '/tlds/2 unknown_preset'],
    [{ styles: ['compound', 'poetic'] }, '/styles/1 not_allowed'],
    [{ styles: [] }, '/styles too_few'],
    [{ styles: ['blend', 'blend'] }, '/styles repeated'],
    [{ include_words: [''] }, '/include_words/0 too_short'],
    [{ include_words: Array.from({ length: 21 }, (_, i) => `w${i}`) }, '/include_words too_many'],
    [{ exclude_words: ['x'.repeat(41)] }, '/exclude_words/0 too_long'],
    [{ min_length: 0 }, '/min_length too_small'],
    [{ max_length: 64 }, '/max_length too_large'],
    [{ min_length: 9, max_length: 8 }, '/min_length min_above_max'],
    [{ hyphens: 'yes' }, '/hyphens wrong_type'],
    [{ digits: 1 }, '/digits wrong_type'],
    [{ idn: null }, '/idn wrong_type'],
    [{ country: 'GBR' }, '/country bad_format'],
    [{ currency: 'EUR' }, '/currency not_allowed'],
    [{ max_price: -1 }, '/max_price too_small'],
    [{ max_price: '12' }, '/max_price wrong_type'],
    [{ premium: 'no' }, '/premium wrong_type'],
    [{ only_available: 0 }, '/only_available wrong_type'],
    [{ verify: 'maybe' }, '/verify not_allowed'],
    [{ deadline_ms: 99 }, '/deadline_ms too_small'],
    [{ deadline_ms: 30_001 }, '/deadline_ms too_large'],
    [{ variants: [] }, '/variants wrong_type'],
    [{ like: 'Mayfly' }, '/like wrong_type'],
    [{ unlike: [3] }, '/unlike/0 wrong_type'],
    [{ seed: -1 }, '/seed too_small'],
    [{ seed: 0.5 }, '/seed wrong_type'],
    [{ include: ['everything'] }, '/include/0 not_allowed'],
    [{ include: ['score', 'score'] }, '/include repeated'],
  ])('%j', async (option, fault) => {
    const answer = await ask(option)
    expect(answer.status).toBe(400)
    expect(answer.json.error.code).toBe('invalid_request')
    expect(faultsOf(answer)).toEqual([fault])
  })

  test('all that is wrong is named at once', async () => {
    const answer = await ask({ language: '!', tlds: ['zzzz', 'com', 'country:zz'], min_length: 9, max_length: 3 })
    expect(faultsOf(answer)).toEqual([
      '/language bad_format',
      '/tlds/0 unknown_suffix',
      '/tlds/2 unknown_preset',
      '/min_length min_above_max',
    ])
  })

  test.each(['\u0000bread', '\ud800bread'])(
    'a word that no database can keep is no failure of ours: %j',
    async (word) => {
      expect((await ask({ include_words: [word] })).status).toBeLessThan(500)
    },
  )
})

describe('tlds', () => {
  const suffixesFor = async (more: object) => suggestionsOf(await ask({ count: 2, ...more }))[0]?.domains.map(suffixOf)

  test('are suffixes in any case, with or without the dot, in the order given', async () => {
    expect(await suffixesFor({ tlds: ['.IO', 'Com', 'CO.UK', '.com'] })).toEqual(['io', 'com', 'co.uk'])
  })

  test('may be presets, alone and among suffixes', async () => {
    expect(await suffixesFor({ tlds: ['startup'] })).toEqual(['com', 'ai', 'io', 'co', 'dev', 'app'])
    expect(await suffixesFor({ tlds: ['dev', 'country:de', 'Startup', 'country:gb'] })).toEqual([
      'dev',
      'de',
      'com',
      'ai',
      'io',
      'co',
      'app',
      'co.uk',
    ])
  })

  test.each(Object.entries(presets))('reach the preset %s by its name', async (preset, suffixes) => {
    expect(await suffixesFor({ tlds: [preset], only_available: false })).toEqual(suffixes)
  })

  test('may be 50 at once', async () => {
    const catalogue =
      'com net org io dev ai app co co.uk xyz shop store online site tech club art bar best bid bike bio'
    const more = 'cafe camp care cash center chat city cloud coach cool dance design digital direct dog email'
    const rest = 'energy events expert farm fit fun fund fyi games gift gifts'
    const tlds = `${catalogue} ${more} ${rest} global`.split(' ')
    expect(tlds).toHaveLength(50)
    expect(await suffixesFor({ tlds })).toEqual(tlds)
  })

  test('of a country come last, and without tlds after the usual ones', async () => {
    expect(await suffixesFor({ country: 'GB' })).toEqual(['net', 'co.uk'])
    const answer = await node.call('/v1/generate', { key, body: { description: DESCRIPTION, count: 1, country: 'gb' } })
    expect(entriesOf(answer).map(suffixOf)).toEqual(['com', 'ai', 'io', 'co', 'co.uk'])
  })
})

describe('country', () => {
  const DNS = { tlds: ['us', 'net'], include: ['evidence'], count: 3 }

  test('rules out suffixes that need a presence in another one, and no name counts as available for them', async () => {
    const answer = await ask({ ...DNS, country: 'fr' })
    const suggestions = suggestionsOf(answer)
    expect(suggestions).toHaveLength(3)
    for (const { domains } of suggestions) {
      expect(domains.map(suffixOf)).toEqual(['us', 'net', 'fr'])
      expect(domains[0]).toMatchObject({ available: false, status: 'restricted', eligibility: 'us_nexus' })
      expect(domains.some(({ available }) => available)).toBe(true)
    }
  })

  test('changes nothing where it satisfies the rule, and where it is not given', async () => {
    for (const more of [{}, { country: 'US' }]) {
      const entries = entriesOf(await ask({ ...DNS, ...more, seed: 7 })).filter((entry) => suffixOf(entry) === 'us')
      expect(entries).toHaveLength(3)
      expect(entries.map((entry) => ({ ...entry }))).not.toContainEqual(
        expect.objectContaining({ status: 'restricted' }),
      )
    }
  })

  test('that leaves no suffix gives no name, and the reason with what to do', async () => {
    const answer = await ask({ tlds: ['us', 'ca'], country: 'IR', language: 'de' })
    expect(answer.json.data.suggestions).toEqual([])
    expect(answer.json.data.shortfall).toMatchObject({ returned: 0, reason: 'restricted' })
    expect(answer.json.data.shortfall.hint).toContain('country')
    expect(suggestionsOf(await ask({ tlds: ['us'], country: 'IR', only_available: false, count: 2 }))).toHaveLength(2)
  })
})

describe('the shape of names', () => {
  test('every name contains one of include_words', async () => {
    for (const label of await labels({ include_words: ['Loaf', 'wheel'] })) expect(label).toMatch(/loaf|wheel/)
  })

  test('no name contains any of exclude_words', async () => {
    const plain = await labels({ count: 50 })
    expect(plain.some((label) => /bread|loaf/.test(label))).toBe(true)
    for (const label of await labels({ count: 50, exclude_words: ['BREAD', 'loaf'] })) {
      expect(label).not.toMatch(/bread|loaf/)
    }
  })

  test.each([{ min_length: 10 }, { max_length: 6 }, { min_length: 7, max_length: 7 }, { min_length: 12 }])(
    'every name is as long as asked: %j',
    async (lengths) => {
      const found = await labels(lengths)
      expect(found.length).toBeGreaterThan(0)
      for (const { length } of found) {
        expect(length).toBeGreaterThanOrEqual(lengths.min_length ?? 3)
        expect(length).toBeLessThanOrEqual(lengths.max_length ?? 63)
      }
    },
  )

  test('lengths that no name has are no_names, and cost nothing', async () => {
    const account = await world.makeAccount()
    const { secret } = await world.makeKey(account)
    const body = { description: DESCRIPTION, count: 3, min_length: 60 }
    const answer = await node.call('/v1/generate', { key: secret, body })
    expect(answer.status).toBe(422)
    expect(answer.json.error.code).toBe('no_names')
    expect(await spentBy(world, account)).toBe(0)
  })

  test('without a word about it, a name has neither hyphens nor digits nor letters beyond a to z', async () => {
    for (const description of ['4x4 web3 über-café 360', 'Bücherstube für Ängstliche', 'مخبز على النهر']) {
      for (const label of await labels({ description, count: 40 })) expect(label).toMatch(/^[a-z]+$/)
    }
  })

  test('hyphens: some names carry one, and the domain is written like the name', async () => {
    const answer = await ask({ hyphens: true, count: 30, include_words: ['bread'] })
    expect(namesOf(answer).filter((name) => /^\p{L}+-\p{L}+$/u.test(name)).length).toBeGreaterThan(1)
    for (const { name, domains } of suggestionsOf(answer))
      expect(domains[0]?.domain).toBe(`${name.toLowerCase().replaceAll(' ', '')}.net`)
  })

  test('digits: a word with one is used only when they are allowed', async () => {
    for (const label of await labels({ include_words: ['web3'], digits: true })) expect(label).toContain('web3')
    const answer = await ask({ include_words: ['web3'] })
    expect(answer.status).toBe(422)
    expect(answer.json.error.code).toBe('no_names')
  })

  test.each([
    ['real_word', {}, /^\p{L}+ · real word(?: · |$)/u],
    ['compound', { include_words: ['bread'] }, /^\p{L}+ \+ \p{L}+ · compound(?: · |$)/u],
    ['affix', { include_words: ['bread'] }, /^\p{L}+ \+ -\p{L}+ · ending(?: · |$)/u],
    ['short_phrase', { include_words: ['bread'] }, /^[\p{L} ]+ · phrase(?: · |$)/u],
  ])('styles: only %s when only that is wanted', async (style, words, line) => {
    const found = suggestionsOf(await ask({ styles: [style], include: ['rationale'], count: 5, ...words }))
    expect(found.length).toBeGreaterThan(0)
    for (const { rationale } of found) expect(rationale).toMatch(line)
  })

  test('like draws the names towards it', async () => {
    const towards = /harbor|lantern/
    const without = await labels({ count: 30 })
    const found = await labels({ count: 30, like: ['Harborlantern'] })
    expect(without.filter((label) => towards.test(label))).toEqual([])
    expect(found.filter((label) => towards.test(label)).length).toBeGreaterThan(2)
  })

  test('unlike keeps its words away', async () => {
    const [first, second] = namesOf(await ask({ styles: ['compound'] }))
    const left = namesOf(await ask({ styles: ['compound'], unlike: [first, second] }))
    expect(left).toHaveLength(10)
    expect(left).not.toContain(first)
    expect(left).not.toContain(second)
  })
})

describe('seed', () => {
  test('the same request gives the same names, now, again and on another node', async () => {
    const other = await world.startNode()
    for (const more of [{}, { seed: 1 }, { seed: 2_147_483_647, count: 40 }]) {
      const names = namesOf(await ask(more))
      expect(namesOf(await ask(more))).toEqual(names)
      expect(namesOf(await ask(more, other))).toEqual(names)
    }
  })

  test('another seed gives other names', async () => {
    const lists = await Promise.all([0, 1, 2, 3].map(async (seed) => namesOf(await ask({ seed, count: 20 })).join()))
    expect(new Set(lists).size).toBe(4)
    expect(namesOf(await ask({ count: 20 })).join()).toBe(lists[0])
  })
})

describe('money', () => {
  test('a suffix dearer than max_price is not offered', async () => {
    const entries = entriesOf(await ask({ tlds: ['startup'], max_price: 12, currency: 'USD' }))
    expect(new Set(entries.map(suffixOf))).toEqual(new Set(['com', 'dev', 'app']))
    for (const { price } of entries) expect(Number(price.slice(1))).toBeLessThanOrEqual(12)
  })

  test('max_price is met by a price that equals it to the cent', async () => {
    const price = Number(entriesOf(await ask({ tlds: ['com'], count: 1 }))[0]?.price.slice(1))
    const met = await ask({ tlds: ['com'], count: 1, max_price: price })
    expect(suggestionsOf(met)).toHaveLength(1)
    const missed = await ask({ tlds: ['com'], count: 1, max_price: price - 0.01 })
    expect(missed.json.data).toEqual({ suggestions: [], shortfall: { wanted: 1, returned: 0, reason: 'max_price' } })
  })

  test('nothing for nothing: max_price 0 is a shortfall, not an error', async () => {
    const answer = await ask({ max_price: 0, count: 7 })
    expect(answer.status).toBe(200)
    expect(answer.json.data).toEqual({ suggestions: [], shortfall: { wanted: 7, returned: 0, reason: 'max_price' } })
  })

  test('premium may be asked for or not', async () => {
    for (const premium of [true, false]) expect((await ask({ premium, idn: false })).status).toBe(200)
  })
})
