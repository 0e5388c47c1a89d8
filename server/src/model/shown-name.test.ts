import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shownName } from './shown-name.ts'

test('an ordinary name stays as it is, in any script', () => {
  for (const name of ['Agent', 'Zoë’s App', '名前の店', 'متجر الأسماء', 'Приложение', '👍🏽 Tool'])
    expect(shownName(name)).toBe(name)
})

test('what is not seen or turns the text around is gone', () => {
  expect(shownName('  Goo\u202Egle\u200B\u0000 \n\t Inc.\u2066 ')).toBe('Goo gle Inc.')
  expect(shownName('\u202E\u200F\u0007')).toBe('')
})

test('marks do not pile up', () => {
  expect(shownName(`Z${'\u0300'.repeat(40)}`)).toBe('Z\u0300\u0300')
})

test('any text becomes one line of at most 80 characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const shown = shownName(text)
      expect(shown).not.toMatch(/\p{C}|[\p{Z}\s]{2}|^\s|\s$/u)
      expect([...new Intl.Segmenter().segment(shown)].length).toBeLessThanOrEqual(80)
    }),
  )
})
