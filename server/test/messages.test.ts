/**
 * Every language says the same things: the same codes, the same placeholders, in its own words and its own script.
 *
 * The codes come from the tables that own them, so a new error, field code or style fails here until all languages
 * have words for it. Whether the words are good is for readers, not for this file.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ERRORS, FIELD_CODES } from '../src/errors.ts'
import { STYLES } from '../src/model/name.ts'

const FOLDER = new URL('../data/messages/', import.meta.url)
const LANGUAGES = ['en', 'es', 'de', 'fr', 'pt-BR', 'it', 'ru', 'ja', 'zh-Hans', 'ko', 'tr', 'ar']
const OWN_SCRIPT: readonly (readonly [string, RegExp])[] = [
  ['ar', /\p{Script=Arabic}/u],
  ['ru', /\p{Script=Cyrillic}/u],
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['ko', /\p{Script=Hangul}/u],
  ['zh-Hans', /\p{Script=Han}/u],
]

interface Messages {
  readonly errors: Readonly<Record<string, { readonly message: string; readonly hint: string }>>
  readonly fields: Readonly<Record<string, string>>
  readonly rationale: Readonly<Record<string, string>>
}

const ENGLISH = textsOf(readMessages('en'))
const TRANSLATIONS = LANGUAGES.filter((language) => language !== 'en')

test('there is one file for each supported language and no other', () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual(LANGUAGES.map((language) => `${language}.json`).toSorted())
})

describe.each(LANGUAGES)('%s', (language) => {
  const messages = readMessages(language)

  test('has words for every code, in the order of the tables, and for nothing else', () => {
    expect(Object.keys(messages)).toEqual(['errors', 'fields', 'rationale'])
    expect(Object.keys(messages.errors)).toEqual(Object.keys(ERRORS))
    for (const entry of Object.values(messages.errors)) expect(Object.keys(entry)).toEqual(['message', 'hint'])
    expect(Object.keys(messages.fields)).toEqual(FIELD_CODES)
    expect(Object.keys(messages.rationale)).toEqual([...STYLES, 'because', 'image'])
  })

  test('leaves no text empty or with stray spaces', () => {
    for (const [key, text] of textsOf(messages)) {
      expect(text, key).not.toBe('')
      expect(text, key).toBe(text.trim())
      expect(text, key).not.toMatch(/ {2}|\n/)
    }
  })

  test('opens and closes every placeholder', () => {
    for (const [key, text] of textsOf(messages)) expect(text.replaceAll(/\{[a-z]+\}/g, ''), key).not.toMatch(/[{}]/)
  })
})

describe.each(TRANSLATIONS)('%s beside English', (language) => {
  const texts = textsOf(readMessages(language))

  test('has exactly the same keys', () => {
    expect([...texts.keys()]).toEqual([...ENGLISH.keys()])
  })

  test('keeps the placeholders of every text', () => {
    for (const [key, text] of texts) expect(placeholdersOf(text), key).toEqual(placeholdersOf(ENGLISH.get(key) ?? ''))
  })

  test('repeats no English text', () => {
    for (const [key, text] of texts) expect(text, key).not.toBe(ENGLISH.get(key))
  })
})

test.each(OWN_SCRIPT)('every text of %s is written in its own script', (language, script) => {
  for (const [key, text] of textsOf(readMessages(language))) expect(text, key).toMatch(script)
})

function readMessages(language: string): Messages {
  return JSON.parse(readFileSync(new URL(`${language}.json`, FOLDER), 'utf8')) as Messages
}

/** Flat, so that one loop reaches every text: `errors.not_found.hint` → the words. */
function textsOf({ errors, fields, rationale }: Messages): Map<string, string> {
  const texts = new Map<string, string>()
  for (const [code, { message, hint }] of Object.entries(errors)) {
    texts.set(`errors.${code}.message`, message)
    texts.set(`errors.${code}.hint`, hint)
  }
  for (const [code, text] of Object.entries(fields)) texts.set(`fields.${code}`, text)
  for (const [code, text] of Object.entries(rationale)) texts.set(`rationale.${code}`, text)
  return texts
}

function placeholdersOf(text: string): string[] {
  return [...text.matchAll(/\{[a-z]+\}/g)].map(([placeholder]) => placeholder).toSorted()
}
