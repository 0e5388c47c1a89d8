/**
 * What can be wrong with a field: every field code, where its pointer leads, and that all of them come at once.
 *
 * A field that we do not know is refused too, because a misspelt option that is silently ignored is found much later.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectError, fieldsOf } from '../expect-error.ts'
import { startApp } from '../start-app.ts'
import { valuesOf } from './contract.ts'
import type { Node, World } from '../world.ts'

let world: World
let node: Node
let key: string
beforeAll(async () => {
  world = await startApp()
  node = await world.startNode()
  key = (await world.makeKey(await world.makeAccount())).secret
})
afterAll(() => world[Symbol.asyncDispose]())

const GOOD = { description: 'a bakery', count: 1 }
const FIFTY_ONE = Array.from({ length: 51 }, (_, i) => `x${i}`)

const WRONG: readonly (readonly [unknown, string, string])[] = [
  [{ count: 1 }, '/description', 'required'],
  [{ description: 'a bakery' }, '/count', 'required'],
  [{ ...GOOD, count: '5' }, '/count', 'wrong_type'],
  [{ ...GOOD, count: 1.5 }, '/count', 'wrong_type'],
  [{ ...GOOD, count: null }, '/count', 'wrong_type'],
  [{ ...GOOD, description: 7 }, '/description', 'wrong_type'],
  [{ ...GOOD, hyphens: 'yes' }, '/hyphens', 'wrong_type'],
  [{ ...GOOD, include_words: ['ok', 7] }, '/include_words/1', 'wrong_type'],
  [{ ...GOOD, description: '' }, '/description', 'too_short'],
  [{ ...GOOD, description: ' \n\t ' }, '/description', 'too_short'],
  [{ ...GOOD, description: 'a'.repeat(2001) }, '/description', 'too_long'],
  [{ ...GOOD, count: 0 }, '/count', 'too_small'],
  [{ ...GOOD, count: -3 }, '/count', 'too_small'],
  [{ ...GOOD, count: 101 }, '/count', 'too_large'],
  [{ ...GOOD, deadline_ms: 99 }, '/deadline_ms', 'too_small'],
  [{ ...GOOD, deadline_ms: 30_001 }, '/deadline_ms', 'too_large'],
  [{ ...GOOD, tlds: [] }, '/tlds', 'too_few'],
  [{ ...GOOD, tlds: FIFTY_ONE }, '/tlds', 'too_many'],
  [{ ...GOOD, styles: ['compound', 'silly'] }, '/styles/1', 'not_allowed'],
  [{ ...GOOD, verify: 'slow' }, '/verify', 'not_allowed'],
  [{ ...GOOD, country: 'DEU' }, '/country', 'bad_format'],
  [{ ...GOOD, language: 'not a tag' }, '/language', 'bad_format'],
  [{ ...GOOD, tlds: ['com', 'com'] }, '/tlds', 'repeated'],
  [{ ...GOOD, description: '123 — 456' }, '/description', 'no_letter'],
  [{ ...GOOD, tlds: ['com', 'nosuchsuffix'] }, '/tlds/1', 'unknown_suffix'],
  [{ ...GOOD, tlds: ['country:zz'] }, '/tlds/0', 'unknown_preset'],
  [{ ...GOOD, min_length: 9, max_length: 5 }, '/min_length', 'min_above_max'],
  [{ ...GOOD, max_length: 2 }, '/max_length', 'too_small'],
  [{ ...GOOD, coutn: 5 }, '/coutn', 'unknown_field'],
]

const WRONG_FAVORITE: readonly (readonly [unknown, string, string])[] = [
  [{}, '/domain', 'required'],
  [{ domain: 'no dots' }, '/domain', 'invalid_domain'],
  [{ domain: '192.0.2.1' }, '/domain', 'invalid_domain'],
  [{ domain: '-a.com' }, '/domain', 'invalid_domain'],
  [{ domain: 'mayfly.nosuchsuffix' }, '/domain', 'unknown_suffix'],
  [{ domain: 'mayfly.com', tags: ['a', 'a'] }, '/tags', 'repeated'],
  [{ domain: 'mayfly.com', note: 'n'.repeat(2001) }, '/note', 'too_long'],
  [{ domain: 'mayfly.com', note: 7 }, '/note', 'wrong_type'],
]

describe('POST /v1/generate', () => {
  test.each(WRONG)('%j is refused at %s as %s', async (body, pointer, code) => {
    const error = expectError(await node.call('/v1/generate', { key, body }), 400, 'invalid_request')
    expect(fieldsOf(error)).toEqual([`${pointer} ${code}`])
  })

  test('counts characters and not bytes or halves of them', async () => {
    const body = { description: `bakery ${'🥐'.repeat(1993)}`, count: 1 }
    expect((await node.call('/v1/generate', { key, body })).status).toBe(200)
  })

  test('names every wrong field at once', async () => {
    const body = { count: 'x', tlds: [], styles: ['silly'], seed: -1, coutn: 1, country: 'DEU' }
    const error = expectError(await node.call('/v1/generate', { key, body }), 400, 'invalid_request')
    expect(fieldsOf(error)).toEqual([
      '/count wrong_type',
      '/country bad_format',
      '/coutn unknown_field',
      '/description required',
      '/seed too_small',
      '/styles/0 not_allowed',
      '/tlds too_few',
    ])
  })

  test('says what a format looks like, and not how it is looked for', async () => {
    const { errors = [] } = expectError(
      await node.call('/v1/generate', { key, body: { ...GOOD, country: 'DEU' } }),
      400,
      'invalid_request',
    )
    expect(errors[0]?.message).toContain('DE, fr')
    for (const moment of ['yesterday', '2026-01-01T00:00:00%2B16:00']) {
      const refused = expectError(await node.call(`/v1/history?since=${moment}`, { key }), 400, 'invalid_request')
      expect(refused.errors?.[0]?.message).toMatch(/date-time\.$/)
    }
  })

  test('names a dozen wrong fields at once', async () => {
    const wrong = ['hyphens', 'digits', 'idn', 'premium', 'variants', 'only_available', 'seed', 'min_length']
    const more = ['max_length', 'deadline_ms', 'styles', 'include']
    const body = {
      description: 'a bakery',
      count: 1,
      ...Object.fromEntries([...wrong, ...more].map((one) => [one, {}])),
    }
    const answer = await node.call('/v1/generate', { key, body })
    const pointers = answer.json.error.errors.map(({ pointer }: { pointer: string }) => pointer)
    expect(new Set(pointers)).toEqual(new Set([...wrong, ...more].map((one) => `/${one}`)))
  })

  test('names every field whose meaning is wrong at once', async () => {
    const body = {
      description: '42',
      count: 1,
      language: '!',
      tlds: ['nope', 'country:zz'],
      min_length: 9,
      max_length: 3,
    }
    const error = expectError(await node.call('/v1/generate', { key, body }), 400, 'invalid_request')
    expect(fieldsOf(error)).toEqual([
      '/description no_letter',
      '/language bad_format',
      '/min_length min_above_max',
      '/tlds/0 unknown_suffix',
      '/tlds/1 unknown_preset',
    ])
  })

  test.each([
    ['__proto__', '/__proto__'],
    ['constructor', '/constructor'],
    ['toString', '/toString'],
    ['hasOwnProperty', '/hasOwnProperty'],
    ['a/b', '/a~1b'],
    ['a~b', '/a~0b'],
    ['~1', '/~01'],
    ['', '/'],
    ['ключ', '/ключ'],
    ['a"b\\c', '/a"b\\c'],
  ])('refuses the unknown field %j with the pointer %s', async (name, pointer) => {
    const body = `{"description":"a bakery","count":1,${JSON.stringify(name)}:{"isAdmin":true}}`
    const error = expectError(await node.call('/v1/generate', { key, body }), 400, 'invalid_request')
    expect(fieldsOf(error)).toEqual([`${pointer} unknown_field`])
  })

  test('does not drown its caller in a hostile number of problems', async () => {
    const body = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`f${i}`, 1]))
    const error = expectError(await node.call('/v1/generate', { key, body }), 400, 'invalid_request')
    expect(error.errors?.length).toBeLessThanOrEqual(20)
  })
})

describe('POST /v1/favorites', () => {
  test.each(WRONG_FAVORITE)('%j is refused at %s as %s', async (body, pointer, code) => {
    const error = expectError(await node.call('/v1/favorites', { key, body }), 400, 'invalid_request')
    expect(fieldsOf(error)).toEqual([`${pointer} ${code}`])
  })
})

describe('a query', () => {
  test.each([
    ['/v1/history?limit=0', '?limit too_small'],
    ['/v1/history?limit=101', '?limit too_large'],
    ['/v1/history?limit=ten', '?limit wrong_type'],
    ['/v1/history?limit=1&limit=2', '?limit wrong_type'],
    ['/v1/history?limit=', '?limit wrong_type'],
    ['/v1/history?page=2', '?page unknown_field'],
    ['/v1/history?__proto__=2', '?__proto__ unknown_field'],
    ['/v1/history?since=yesterday', '?since bad_format'],
    ['/v1/history?key_id=7', '?key_id bad_format'],
    ['/v1/favorites?watch=perhaps', '?watch wrong_type'],
    ['/v1/favorites?q=', '?q too_short'],
  ])('%s is refused as %s', async (path, field) => {
    const error = expectError(await node.call(path, { key }), 400, 'invalid_request')
    expect(fieldsOf(error)).toEqual([field])
  })

  test.each([
    '/v1/history?since=0000-01-01T00:00:00Z',
    '/v1/history?until=2026-12-31T23:59:60Z',
    '/v1/history?key_id=urn:uuid:0198d2c4-0000-7000-8000-000000000000',
    '/v1/history?q=%00',
    '/v1/favorites?q=a%00b',
    '/v1/favorites?tag=%00',
    '/v1/history?q=%ff%fe',
  ])('%s is understood or refused, never a failure of ours', async (path) => {
    const answer = await node.call(path, { key })
    if (answer.status !== 200) expectError(answer, 400, 'invalid_request')
  })
})

describe('a text that PostgreSQL cannot keep', () => {
  const POISON = ['a\u0000b', 'a\ud800b']

  test.each(
    POISON.flatMap((text) => [
      [{ ...GOOD, description: `bakery ${text}` }],
      [{ ...GOOD, include_words: [text] }],
      [{ ...GOOD, like: [text] }],
      [{ ...GOOD, tlds: [text] }],
      [{ ...GOOD, language: text }],
    ]),
  )('is understood or refused in a request for names: %j', async (body) => {
    const answer = await node.call('/v1/generate', { key, body })
    if (answer.status !== 200) expectError(answer, 400, 'invalid_request')
  })

  test.each(
    POISON.flatMap((text) => [
      [{ domain: 'mayfly.com', name: text }],
      [{ domain: 'mayfly.net', note: text }],
      [{ domain: 'mayfly.org', tags: [text] }],
      [{ domain: `${text}.com` }],
    ]),
  )('is understood or refused in a favorite: %j', async (body) => {
    const answer = await node.call('/v1/favorites', { key, body })
    if (answer.status >= 300) expectError(answer, 400, 'invalid_request')
  })
})

const HOOK = { url: 'https://hooks.example.com/', events: ['batch.completed'] }
const NOBODYS = '01890a5d-ac96-774b-bcce-b302099a8057'
const WRONG_ELSEWHERE: readonly (readonly [string, unknown, string, string])[] = [
  ['/v1/webhooks', { ...HOOK, url: 'https://169.254.169.254/' }, '/url', 'url_not_allowed'],
  ['/v1/webhooks', { ...HOOK, events: ['favorite.sold'] }, '/events/0', 'not_allowed'],
  ['/v1/batches', { requests: [GOOD], webhook_id: NOBODYS }, '/webhook_id', 'unknown_webhook'],
]

test.each(WRONG_ELSEWHERE)('%s %j is refused at %s as %s', async (path, body, pointer, code) => {
  const error = expectError(await node.call(path, { key, body }), 400, 'invalid_request')
  expect(fieldsOf(error)).toEqual([`${pointer} ${code}`])
})

test('every field code has a request above that is refused with it', () => {
  const met = new Set([...WRONG, ...WRONG_FAVORITE, ...WRONG_ELSEWHERE].map((wrong) => wrong.at(-1) as string))
  expect([...met].toSorted()).toEqual([...valuesOf('FieldError', 'code')].toSorted())
})

describe('the message names the field', () => {
  const messageOf = async (body: unknown, language = 'en') => {
    const headers = { 'accept-language': language }
    return expectError(await node.call('/v1/generate', { key, body, headers }), 400, 'invalid_request').message
  }

  test.each<[unknown, string]>([
    [{ description: 'a bakery', cuont: 5 }, '`cuont` is unknown: did you mean `count`?'],
    [{ ...GOOD, suffixes: ['com'] }, '`suffixes` is unknown: did you mean `tlds`?'],
    [{ ...GOOD, extensions: ['com'] }, '`extensions` is unknown: did you mean `tlds`?'],
    [{ ...GOOD, favourite_colour: 'red' }, '`favourite_colour` is unknown. Check the spelling.'],
    [{ ...GOOD, max_length: 2 }, '`max_length`: Use a value of 3 or more.'],
    [
      { ...GOOD, tlds: ['com', 'nosuchsuffix'] },
      '`tlds[1]`: The suffix “nosuchsuffix” is unknown or has no price. Choose another one.',
    ],
    [{ count: 0 }, '`description`: This field is required. `count`: Use a value of 1 or more.'],
  ])('%j', async (body, message) => {
    const sentences = (text: string) => text.split(/(?<=[.?]) (?=`)/).toSorted()
    expect(sentences(await messageOf(body))).toEqual(sentences(message))
  })

  test('in the language of the caller, and no longer than the name that is sent back allows', async () => {
    expect(await messageOf({ ...GOOD, cuont: 5 }, 'de')).toBe('`cuont` gibt es hier nicht: Meinten Sie `count`?')
    expect((await messageOf({ ...GOOD, ['x'.repeat(5_000)]: 5 })).length).toBeLessThan(120)
  })

  test('of a query, too', async () => {
    const answer = await node.call('/v1/history?limt=5', { key })
    expect(expectError(answer, 400, 'invalid_request').message).toBe('`limt` is unknown: did you mean `limit`?')
  })
})
