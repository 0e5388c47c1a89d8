/**
 * In which language a caller is spoken to: body `language`, then Accept-Language with its q-values, then the account's
 * setting, then English. What a language says is held together by messages.test.ts; here it is who gets which.
 */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectError } from '../expect-error.ts'
import { startApp } from '../start-app.ts'
import type { Node, World } from '../world.ts'

const LANGUAGES = ['en', 'es', 'de', 'fr', 'pt-BR', 'it', 'ru', 'ja', 'zh-Hans', 'ko', 'tr', 'ar']

let world: World
let node: Node
let key: string
let koreanKey: string
beforeAll(async () => {
  world = await startApp()
  node = await world.startNode()
  key = (await world.makeKey(await world.makeAccount())).secret
  koreanKey = (await world.makeKey(await world.makeAccount({ language: 'ko' }))).secret
})
afterAll(() => world[Symbol.asyncDispose]())

const accepting = (languages: string, of: string = key) =>
  node.call('/v1/generate', { key: of, body: { count: 0 }, headers: { 'accept-language': languages } })

interface Messages {
  errors: Record<string, { message: string }>
  fields: Record<string, string>
}
const messagesIn = (language: string) =>
  JSON.parse(readFileSync(new URL(`../../data/messages/${language}.json`, import.meta.url), 'utf8')) as Messages

test.each(LANGUAGES)('a caller who accepts %s reads message and fields in it', async (language) => {
  const answer = await accepting(language)
  const error = expectError(answer, 400, 'invalid_request')
  const { fields } = messagesIn(language)
  expect(error.message).toContain(`\`description\`: ${fields.required}`)
  expect(error.message).toContain(`\`count\`: ${fields.too_small?.replace('{limit}', '1')}`)
  const messages = error.errors?.map(({ message }) => message)
  expect(messages).toContain(fields.required)
  expect(messages).toContain(fields.too_small?.replace('{limit}', '1'))
  expect(answer.headers.get('content-language')).toBe(language)
  expect(answer.headers.get('vary')).toMatch(/\baccept-language\b/i)
})

describe('Accept-Language', () => {
  test.each([
    ['de;q=0.3, fr;q=0.9, en;q=0.5', 'fr'],
    ['de, fr', 'de'],
    ['fr;q=0.8, de', 'de'],
    ['xx, ja;q=0.1', 'ja'],
    ['de;q=0, tr', 'tr'],
    ['de;q=0, tr;q=0.2', 'tr'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['PT-br', 'pt-BR'],
    ['zh-CN', 'zh-Hans'],
    ['zh', 'zh-Hans'],
    ['de-CH-1996', 'de'],
    ['  es ; q=1.0 , de', 'es'],
  ])('%s means %s', async (accepted, language) => {
    expect((await accepting(accepted)).headers.get('content-language')).toBe(language)
  })

  test.each(['xx', '*', 'de;q=0', ';;;,,,', 'de;q=banana', 'x'.repeat(4000), ','.repeat(4000)])(
    '%j names no language of ours, which is English and never a 406',
    async (accepted) => {
      const answer = await accepting(accepted)
      expectError(answer, 400, 'invalid_request')
      expect(answer.headers.get('content-language')).toBe('en')
    },
  )
})

describe('the order of wishes', () => {
  const ask = (language: string | undefined, accepted: string, of: string) => {
    const body = { count: 0, ...(language === undefined ? {} : { language }) }
    return node.call('/v1/generate', { key: of, body, headers: { 'accept-language': accepted } })
  }

  test.each([
    ['body before Accept-Language', 'tr', 'de', 'tr'],
    ['body before the account', 'tr', 'xx', 'tr'],
    ['Accept-Language before the account', undefined, 'de', 'de'],
    ['the account before English', undefined, 'xx', 'ko'],
    ['a body in a language that we lack gives way to Accept-Language', 'sw', 'de', 'de'],
    ['a body that is no language gives way too', '!', 'fr', 'fr'],
  ])('%s', async (_rule, body, accepted, language) => {
    const answer = await ask(body, accepted, koreanKey)
    expect(answer.headers.get('content-language')).toBe(language)
    expect(answer.json.error.message).toContain(messagesIn(language).fields.too_small?.replace('{limit}', '1'))
  })

  test('holds for a success too', async () => {
    const body = { description: 'a bakery', count: 1, language: 'it', include: ['rationale'] }
    const answer = await node.call('/v1/generate', { key: koreanKey, body, headers: { 'accept-language': 'de' } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-language')).toBe('it')
    expect(answer.headers.get('vary')).toMatch(/\baccept-language\b/i)
  })
})

test('the code, the pointers and the status are the same in every language', async () => {
  const facts = await Promise.all(
    LANGUAGES.map(async (language) => {
      const { status, json } = await accepting(language)
      const { code, errors } = json.error
      return { status, code, errors: errors.map((one: { pointer: string; code: string }) => [one.pointer, one.code]) }
    }),
  )
  for (const fact of facts) expect(fact).toEqual(facts[0])
})

test('whoever sends no token is still spoken to in their language', async () => {
  const answer = await node.call('/v1/history', { headers: { 'accept-language': 'ru' } })
  const error = expectError(answer, 401, 'missing_token')
  expect(error.message).toBe(messagesIn('ru').errors.missing_token?.message)
})
