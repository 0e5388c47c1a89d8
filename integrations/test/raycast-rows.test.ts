/** What the commands of the Raycast extension send with the real client, and the rows that they show. */
import { describe, expect, test } from 'vitest'
import { createNamewright } from '../../sdk/src/index.ts'
import { openScripted, refuse, json, success } from '../../sdk/test/scripted.ts'
import type { Reply } from '../../sdk/test/scripted.ts'
import { ask, findOf } from '../raycast/src/ask.ts'
import type { Question } from '../raycast/src/ask.ts'
import { problemOf } from '../raycast/src/problem.ts'
import type { Row } from '../raycast/src/rows.ts'
import { checked, everyVerdict, generated, names } from './answers.ts'

const FIND: Question = { kind: 'find', description: 'a bakery', count: 10 }

async function run(question: Question, reply: Reply) {
  await using service = await openScripted(reply)
  const namewright = createNamewright({ baseUrl: service.url, apiKey: 'nw_test', timeBudgetMs: 2_000 })
  const sections = await ask(namewright, question, AbortSignal.timeout(10_000))
  const [request] = service.requests
  if (request === undefined) throw new Error('nothing was sent')
  const { url, body, headers } = request
  return { url, body: JSON.parse(body) as unknown, headers, sections, rows: sections.flatMap(({ rows }) => rows) }
}

const cells = ({ title, price, status, isFree }: Row) => [title, price, status, isFree]

describe('find names', () => {
  test('sends the description and shows a section for each name', async () => {
    const { url, body, headers, sections, rows } = await run(FIND, success(generated))
    expect(url).toBe('/v1/generate')
    expect(headers.authorization).toBe('Bearer nw_test')
    expect(body).toEqual({ description: 'a bakery', count: 10, include: ['evidence', 'pricing', 'rationale'] })
    expect(sections.map(({ title, subtitle }) => [title, subtitle])).toEqual([
      ['Storkloom', 'stork and loom'],
      ['Breadwheel', ''],
    ])
    expect(rows.map(cells)).toEqual([
      ['storkloom.com', undefined, 'Taken', false],
      ['storkloom.io', '$12.99', 'Available', true],
      ['storkloom.dev', undefined, 'Unknown', false],
      ['breadwheel.com', '$12.99', 'Premium', true],
    ])
  })

  test('says in the first section why there are fewer names', async () => {
    const shortfall = { wanted: 10, returned: 2, reason: 'no_more_names' }
    const { sections } = await run(FIND, success({ ...generated, shortfall }))
    expect(sections[0]?.subtitle).toBe('2 of 10 names: no more names')
  })

  test('sends nothing without a description, or with another count', () => {
    expect(findOf({ description: ' a bakery ', count: '10' })).toEqual(FIND)
    expect(findOf({ description: ' \n', count: '10' })).toBeUndefined()
    expect(findOf({ description: 'a bakery', count: '1000' })).toBeUndefined()
  })
})

describe('check', () => {
  test('what has a dot is a domain', async () => {
    const { url, body, rows } = await run(
      { kind: 'check', query: ' storkloom.com ' },
      success({ domains: [checked('storkloom.com', 'taken')] }),
    )
    expect([url, body]).toEqual(['/v1/domains/check', { domains: ['storkloom.com'] }])
    expect(rows.map(cells)).toEqual([['storkloom.com', undefined, 'Taken', false]])
  })

  test('anything else is a name, and a registry that shows no entry is unknown', async () => {
    const { url, body, sections, rows } = await run({ kind: 'check', query: 'Storkloom' }, success({ names }))
    expect([url, body]).toEqual(['/v1/names/check', { names: ['Storkloom'], include: ['packages', 'code'] }])
    expect(sections.map(({ title }) => title)).toEqual(['storkloom', 'Package Registries', 'Code Hosts'])
    expect(rows.map(cells)).toEqual([
      ['storkloom.com', undefined, 'Taken', false],
      ['storkloom.io', '$12.99', 'Available', true],
      ['npm: storkloom', undefined, 'Unknown', false],
      ['pypi: storkloom', undefined, 'Taken', false],
      ['github: storkloom', undefined, 'Unknown', false],
    ])
    expect(rows.at(-1)?.page).toBe('https://github.example/storkloom')
  })

  test('only what is surely free is shown as free, with a price and links to register', async () => {
    const { rows } = await run({ kind: 'check', query: 'a.com' }, success({ domains: everyVerdict }))
    expect(rows.filter(({ isFree }) => isFree).map(({ title }) => title)).toEqual([
      'available-true.com',
      'premium-true.com',
    ])
    for (const { isFree, kind, price, register } of rows) {
      expect([price !== undefined, register !== undefined, kind === 'free' || kind === 'premium']).toEqual(
        Array(3).fill(isFree),
      )
    }
    const contradicting = rows.filter(({ title }) =>
      /^(?!available|premium).*-true|^(?:available-false|unknown)/.test(title),
    )
    expect(contradicting).toHaveLength(9)
    expect(new Set(contradicting.map(({ status }) => status))).toEqual(new Set(['Unknown']))
  })

  test('the registrar whose price is shown is first; the others are searches', async () => {
    const { rows } = await run({ kind: 'check', query: 'a.com' }, success({ domains: [checked('a.com', 'available')] }))
    expect(rows[0]?.register?.sold).toEqual([
      { title: 'Register at Porkbun', url: 'https://porkbun.com/checkout/search?q=a.com' },
    ])
    expect(rows[0]?.register?.searches.length).toBeGreaterThan(3)
    for (const { title, url } of rows[0]?.register?.searches ?? []) {
      expect(title).toMatch(/^Search at /)
      expect(url).toMatch(/^https:\/\/.*a\.com/)
    }
  })

  test('a name whose fields contradict each other is unknown', async () => {
    const [name] = names
    const packages = name?.packages?.map((one) => ({ ...one, available: 'unknown', status: 'available' }))
    const { rows } = await run({ kind: 'check', query: 'a' }, success({ names: [{ ...name, packages }] }))
    expect(rows.find(({ title }) => title.startsWith('npm'))).toMatchObject({ status: 'Unknown', isFree: false })
  })

  test('a page that is no https address is not opened', async () => {
    const [name] = names
    const packages = name?.packages?.map((one) => ({ ...one, url: 'javascript:alert(1)' }))
    const { rows } = await run({ kind: 'check', query: 'a' }, success({ names: [{ ...name, packages }] }))
    expect(rows.find(({ title }) => title.startsWith('npm'))?.page).toBeUndefined()
  })
})

describe('problems', () => {
  const problem = async (reply: Reply) => problemOf(await run(FIND, reply).catch((error: unknown) => error))

  test('an error of the service has its message, hint, code and request', async () => {
    const error = { code: 'no_names', message: 'No names.', request_id: 'req-1', docs: '', hint: 'Describe it more.' }
    expect(await problem(json(422, { status: 'error', error }))).toEqual({
      title: 'No names.',
      description: 'Describe it more.\nCode: no_names\nRequest: req-1',
    })
    expect((await problem(refuse(401, 'invalid_token'))).description).toContain('Code: invalid_token')
  })

  test('without a response the preferences are named', async () => {
    const namewright = createNamewright({ baseUrl: 'http://127.0.0.1:1', apiKey: 'nw_test', timeBudgetMs: 300 })
    const error: unknown = await ask(namewright, FIND, AbortSignal.timeout(10_000)).catch((thrown: unknown) => thrown)
    expect(problemOf(error).description).toContain('Base URL')
    expect(problemOf('odd')).toEqual({ title: 'Something unexpected happened', description: 'odd' })
  })
})
