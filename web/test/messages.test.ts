/**
 * The texts of the app in every language: all of them there, none too many, with the same values and the same markup inside
 * as the English one, and each used by the app.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { describe, expect, test } from 'vitest'
import { readTexts } from '../catalogs.ts'

const MESSAGES = new URL('../messages', import.meta.url).pathname
const SOURCE = new URL('../src', import.meta.url).pathname
const LANGUAGES = ['es', 'de', 'fr', 'pt-BR', 'it', 'ru', 'ja', 'zh-Hans', 'ko', 'tr', 'ar']
const ENGLISH = readTexts(MESSAGES, 'en')

/** Names of values and numbers of elements, each once. */
function partsOf(text: string): readonly string[] {
  const found = new Set<string>()
  const walk = (part: unknown): void => {
    if (!Array.isArray(part)) return
    const [name, , forms] = part as [unknown, unknown?, Record<string, unknown>?]
    if (typeof name === 'string') found.add(name)
    for (const form of Object.values(forms ?? {})) if (Array.isArray(form)) for (const one of form) walk(one)
  }
  const message = compileMessage(text)
  if (Array.isArray(message)) for (const part of message) walk(part)
  for (const [tag] of text.matchAll(/<\/?\d+\/?>/g)) found.add(tag)
  return [...found].toSorted()
}

/** The forms that a plural of this language has, of those that whole numbers take. */
function pluralsOf(language: string): readonly string[] {
  const rules = new Intl.PluralRules(language)
  return [...new Set(Array.from({ length: 200 }, (_, count) => rules.select(count)))]
}

test('every id is used by the app, and there is no text twice', () => {
  const sources = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => readFileSync(`${SOURCE}/${path}`, 'utf8'))
    .join('\n')
  // Whole ids, or the beginnings of those that are put together: `scopes.${scope}`.
  const made = [...sources.matchAll(/`([a-zA-Z]+\.[\w.-]*)\$\{/g)].map(([, beginning = '']) => beginning)
  const isUsed = (id: string) =>
    sources.includes(`'${id}'`) || sources.includes(`"${id}"`) || made.some((beginning) => id.startsWith(beginning))
  expect(Object.keys(ENGLISH).filter((id) => !isUsed(id))).toEqual([])
})

describe.each(LANGUAGES)('in %s', (language) => {
  const texts = readTexts(MESSAGES, language)

  test('every text is there, and no other', () => {
    expect(Object.keys(texts).toSorted()).toEqual(Object.keys(ENGLISH).toSorted())
  })

  test('every text takes the same values and elements, in a form that can be read', () => {
    const wrong = Object.entries(texts).filter(
      ([id, text]) => text.trim() === '' || partsOf(text).join(' ') !== partsOf(ENGLISH[id] ?? '').join(' '),
    )
    expect(wrong).toEqual([])
  })

  test('a text with a number has every form that the language needs', () => {
    const needed = pluralsOf(language)
    const wrong = Object.entries(texts).filter(([, text]) =>
      [...text.matchAll(/\{\w+, plural,((?:[^{}]|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\})*)\}/g)].some(
        ([, forms = '']) => !needed.every((form) => new RegExp(`\\b${form}\\s*\\{`).test(forms)),
      ),
    )
    expect(wrong).toEqual([])
  })

  test('it is a translation: almost no sentence is the English one', () => {
    // What is left without values, forms and signs is what people read.
    const wordsIn = (text: string) => text.replaceAll(/\{\w+(?:, plural,)?|[^\p{L}\s]/gu, '').match(/\p{L}{2,}/gu) ?? []
    const same = Object.entries(texts).filter(([id, text]) => text === ENGLISH[id] && wordsIn(text).length > 3)
    expect(same).toEqual([])
  })
})
