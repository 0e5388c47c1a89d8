import { expect, test } from 'vitest'
import { plainLine, plainText } from './plain-text.ts'

test('control characters, direction marks and piles of marks go, letters of every language stay', () => {
  expect(plainText('a\u0000b\u001b[31mc')).toBe('a b [31mc')
  expect(plainText('safe\u202Eelif.exe')).toBe('safeelif.exe')
  expect(plainText('e\u0301\u0301\u0301\u0301\u0301')).toBe('é\u0301\u0301')
  expect(plainText('日本語 عربي हिन्दी 👩‍👧')).toBe('日本語 عربي हिन्दी 👩‍👧')
})

test('lines stay in a text and not in a line', () => {
  expect(plainText('  one\r\ntwo\n\n\n\nthree\n')).toBe('one\ntwo\n\nthree')
  expect(plainLine('  one\r\ntwo \t three')).toBe('one two three')
})

test('what has nothing to see is empty', () => {
  expect(plainText('\u0007\u202E \n')).toBe('')
})
