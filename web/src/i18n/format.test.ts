import { expect, test } from 'vitest'
import { dotted, formatOf } from './format.ts'

test('money is counted in the minor units of each currency', () => {
  expect(formatOf('en').money(1_125, 'USD')).toBe('$11.25')
  expect(formatOf('de').money(123_400, 'EUR')).toBe('1.234,00\u00a0€')
  expect(formatOf('ja').money(1_234, 'JPY')).toBe('￥1,234')
  expect(formatOf('ko').money(15_000, 'KRW')).toBe('₩15,000')
})

test('money and suffixes keep their order inside a text that runs from right to left', () => {
  expect(formatOf('ar').money(1_125, 'USD')).toMatch(/^\u2066[^\u200e\u200f]*11[.,٫]25[^\u200e\u200f]*\u2069$/)
  expect(dotted('com')).toBe('\u2066.com\u2069')
})

test('a moment is shown relative to now', () => {
  const now = Date.UTC(2026, 10, 15, 12)
  expect(formatOf('en').ago(now - 12_000, now)).toBe('12 seconds ago')
  expect(formatOf('en').ago(now + 3 * 86_400_000, now)).toBe('in 3 days')
})
