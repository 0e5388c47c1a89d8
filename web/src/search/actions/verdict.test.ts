import type { CheckedDomain, DomainEntry, Pricing } from '@namewright/client'
import { expect, test } from 'vitest'
import { outcomeOf, withVerdict } from './verdict.ts'

const EARLY = '2026-11-15T10:00:00.000Z'
const LATE = '2026-11-15T10:05:00.000Z'

const pricing = (currency: string, kind: Pricing['kind'] = 'list'): Pricing => ({
  currency,
  registration_minor: 1_000,
  renewal_minor: 1_000,
  transfer_minor: 1_000,
  term_years: 1,
  due_minor: 1_000,
  renews_at_minor: 1_000,
  renewal_years: 1,
  total_5y_minor: 5_000,
  kind,
  registrar: 'example',
  as_of: EARLY,
})

const FREE: DomainEntry = {
  domain: 'a.com',
  available: true,
  status: 'available',
  confidence: 'definitive',
  price: '€10.00',
  pricing: pricing('EUR'),
  checked_at: EARLY,
}

const checked = (status: CheckedDomain['status'], change: Partial<CheckedDomain> = {}): CheckedDomain => ({
  input: 'a.com',
  domain: 'a.com',
  available: status === 'available',
  status,
  confidence: 'definitive',
  sources: ['registrar'],
  checked_at: LATE,
  expires_at: LATE,
  price: '$11.00',
  pricing: pricing('USD'),
  ...change,
})

test('what was free and is taken or held back is gone', () => {
  expect(outcomeOf(FREE, checked('taken'))).toBe('gone')
  expect(outcomeOf(FREE, checked('reserved'))).toBe('gone')
  expect(withVerdict(FREE, checked('taken'))).toMatchObject({ available: false, status: 'taken', checked_at: LATE })
})

test('what nobody could say takes nothing away', () => {
  for (const after of [checked('unknown'), checked('available', { available: false, confidence: 'likely' })]) {
    expect(outcomeOf(FREE, after)).toBe('unseen')
    expect(withVerdict(FREE, after)).toBe(FREE)
  }
})

test('what was free at the usual price and is premium is said, at its own price', () => {
  const after = checked('premium', { available: false, price: '$2,499.00', pricing: pricing('USD', 'quote') })
  expect(outcomeOf(FREE, after)).toBe('premium')
  expect(withVerdict(FREE, after)).toMatchObject({ status: 'premium', price: '$2,499.00' })
})

test('what was premium before and still is, is the same', () => {
  expect(outcomeOf({ ...FREE, available: false, status: 'premium' }, checked('premium', { available: false }))).toBe(
    'same',
  )
})

test('what was taken and is free is freed', () => {
  expect(outcomeOf({ ...FREE, available: false, status: 'taken' }, checked('available'))).toBe('freed')
})

test('a list price in another currency does not replace the one that the reader asked for', () => {
  expect(withVerdict(FREE, checked('available'))).toMatchObject({ price: '€10.00', pricing: { currency: 'EUR' } })
  const same = checked('available', { price: '€12.00', pricing: pricing('EUR') })
  expect(withVerdict(FREE, same)).toMatchObject({ price: '€12.00' })
})

test('a later search is believed more than an earlier second look', () => {
  const later = { ...FREE, checked_at: LATE }
  expect(withVerdict(later, checked('taken', { checked_at: EARLY }))).toBe(later)
})
