/**
 * Every language says the same things: the same codes, the same placeholders, in its own words and its own script.
 *
 * The codes come from the tables that own them, so a new error, field code, style or scope fails here until all
 * languages have words for it; pages and mails follow English. Whether the words are good is for readers, not for
 * this file.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { STYLES } from '@namewright/names'
import { ERRORS, FIELD_CODES } from '../../model/errors.ts'
import { SCOPES } from '../../model/caller.ts'

const LANGUAGES = ['en', 'es', 'de', 'fr', 'pt-BR', 'it', 'ru', 'ja', 'zh-Hans', 'ko', 'tr', 'ar']
const TRANSLATIONS = LANGUAGES.filter((language) => language !== 'en')
const OWN_SCRIPT: readonly (readonly [string, RegExp])[] = [
  ['ar', /\p{Script=Arabic}/u],
  ['ru', /\p{Script=Cyrillic}/u],
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['ko', /\p{Script=Hangul}/u],
  ['zh-Hans', /\p{Script=Han}/u],
]

interface Texts {
  readonly [key: string]: string | Texts
}

describe.each(LANGUAGES)('the messages of %s', (language) => {
  const messages = readTexts('messages', language)

  test('have words for every code, in the order of the tables, and for nothing else', () => {
    expect(Object.keys(messages)).toEqual([
      'errors',
      'fields',
      'did_you_mean',
      'may_be_done',
      'rationale',
      'shortfall',
      'scopes',
      'pages',
      'previews',
    ])
    expect(keysOf(messages, 'errors')).toEqual(
      Object.keys(ERRORS).flatMap((code) => [`${code}.message`, `${code}.hint`]),
    )
    expect(keysOf(messages, 'fields')).toEqual(FIELD_CODES)
    expect(keysOf(messages, 'rationale')).toEqual([...STYLES, 'because', 'image'])
    expect(keysOf(messages, 'scopes')).toEqual([...SCOPES, 'offline_access'])
  })
})

describe.each(['messages', 'mails'])('the %s', (folder) => {
  const english = flatten(readTexts(folder, 'en'))

  test('are one file for each supported language and no other', () => {
    expect(readdirSync(folderOf(folder)).toSorted()).toEqual(LANGUAGES.map((language) => `${language}.json`).toSorted())
  })

  describe.each(LANGUAGES)('of %s', (language) => {
    const texts = flatten(readTexts(folder, language))

    test('leave no text empty or with stray spaces', () => {
      for (const [key, text] of texts) {
        expect(text, key).not.toBe('')
        expect(text, key).toBe(text.trim())
        expect(text, key).not.toMatch(/ {2}|\n/)
      }
    })

    test('open and close every placeholder', () => {
      for (const [key, text] of texts) expect(text.replaceAll(/\{[a-z]+\}/g, ''), key).not.toMatch(/[{}]/)
    })
  })

  describe.each(TRANSLATIONS)('of %s beside English', (language) => {
    const texts = flatten(readTexts(folder, language))

    test('have exactly the same keys, in the same order', () => {
      expect([...texts.keys()]).toEqual([...english.keys()])
    })

    test('keep the placeholders of every text', () => {
      for (const [key, text] of texts) expect(placeholdersOf(text), key).toEqual(placeholdersOf(english.get(key) ?? ''))
    })

    test('repeat no English text', () => {
      for (const [key, text] of texts) expect(text, key).not.toBe(english.get(key))
    })
  })

  test.each(OWN_SCRIPT)('of %s are written in its own script', (language, script) => {
    for (const [key, text] of flatten(readTexts(folder, language))) expect(text, key).toMatch(script)
  })
})

function folderOf(folder: string): URL {
  return new URL(`../../../data/${folder}/`, import.meta.url)
}

function readTexts(folder: string, language: string): Texts {
  return JSON.parse(readFileSync(new URL(`${language}.json`, folderOf(folder)), 'utf8')) as Texts
}

/** Flat, so that one loop reaches every text: `errors.not_found.hint` → the words. */
function flatten(texts: Texts): Map<string, string> {
  const entries = Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[key, value]] : [...flatten(value)].map(([below, text]) => [`${key}.${below}`, text]),
  )
  return new Map(entries)
}

function keysOf(texts: Texts, section: string): string[] {
  const within = texts[section]
  return typeof within === 'object' ? [...flatten(within).keys()] : []
}

function placeholdersOf(text: string): string[] {
  return [...text.matchAll(/\{[a-z]+\}/g)].map(([placeholder]) => placeholder).toSorted()
}
