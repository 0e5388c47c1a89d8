import { expect, test } from 'vitest'
import { isPress } from './keys.ts'

const press = (key: string, change: Partial<Parameters<typeof isPress>[1]> = {}) => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  repeat: false,
  ...change,
})

test('a key is itself, also with caps lock on', () => {
  expect(isPress('f', press('f'))).toBe(true)
  expect(isPress('f', press('F'))).toBe(true)
  expect(isPress('f', press('g'))).toBe(false)
})

test('signs may need the shift key, letters must not', () => {
  expect(isPress('?', press('?', { shiftKey: true }))).toBe(true)
  expect(isPress('f', press('F', { shiftKey: true }))).toBe(false)
})

test('presses that belong to the browser, to an input method or to a held key are left alone', () => {
  for (const other of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { isComposing: true }, { repeat: true }])
    expect(isPress('f', press('f', other))).toBe(false)
})

test('on a keyboard of another script the key at the same place counts', () => {
  expect(isPress('f', press('а', { code: 'KeyF' }))).toBe(true)
  expect(isPress('f', press('а', { code: 'KeyA' }))).toBe(false)
  // The letter that is on the key goes before its place.
  expect(isPress('f', press('u', { code: 'KeyF' }))).toBe(false)
})
