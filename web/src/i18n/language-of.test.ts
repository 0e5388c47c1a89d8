import { expect, test } from 'vitest'
import { languageOf } from './language-of.ts'

test('a text without letters of the page language is English', () => {
  expect(languageOf('bun + sunrise', 'ar')).toBe('en')
  expect(languageOf('bell for each dose', 'ja')).toBe('en')
  expect(languageOf('did I? took it', 'ru')).toBe('en')
})

test('a text with one of them is in the language of the page', () => {
  expect(languageOf('bun + sunrise · من «bakery»', 'ar')).toBeUndefined()
  expect(languageOf('flour + tile · つなげた言葉', 'ja')).toBeUndefined()
  expect(languageOf('flour + tile · 合成词', 'zh-Hans')).toBeUndefined()
})

test('letters do not tell languages of one script apart', () => {
  expect(languageOf('bell for each dose', 'de')).toBeUndefined()
  expect(languageOf('123', 'ar')).toBeUndefined()
})
