import { expect, test } from 'vitest'
import { plainLine } from './plain-line.ts'

test('control characters, direction marks and piles of marks go, letters of every language stay', () => {
  expect(plainLine('a\u0000b\u001b[31mc')).toBe('a b [31mc')
  expect(plainLine('safe\u202Eelif.exe')).toBe('safeelif.exe')
  expect(plainLine('e\u0301\u0301\u0301\u0301\u0301')).toBe('é\u0301\u0301')
  expect(plainLine('日本語 عربي हिन्दी 👩‍👧')).toBe('日本語 عربي हिन्दी 👩‍👧')
})

test('several lines become one', () => {
  expect(plainLine('  one\r\ntwo \t three\n\n')).toBe('one two three')
})

test('what has nothing to see is empty', () => {
  expect(plainLine('\u0007\u202E \n')).toBe('')
})
