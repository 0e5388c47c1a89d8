import type { DomainEntry } from '@namewright/client'
import { expect, test } from 'vitest'
import { bestOf } from './result.ts'

const free = (domain: string, total5yMinor: number): DomainEntry => ({
  domain,
  available: true,
  status: 'available',
  confidence: 'definitive',
  price: '$11.00',
  pricing: {
    kind: 'list',
    currency: 'USD',
    registration_minor: 1_100,
    renewal_minor: 1_100,
    transfer_minor: 1_100,
    term_years: 1,
    due_minor: 1_100,
    renews_at_minor: 1_100,
    renewal_years: 1,
    total_5y_minor: total5yMinor,
    registrar: 'porkbun',
    as_of: '2026-11-01',
  },
})
const taken = (domain: string): DomainEntry => ({ domain, available: false, status: 'taken', price: '' })
const unknown = (domain: string): DomainEntry => ({ domain, available: false, status: 'unknown', price: '' })

const bestAmong = (domains: readonly DomainEntry[], isLive = false) =>
  bestOf({ name: 'Ovenly', domains: [...domains] }, isLive)?.domain

test('of what is available the one that costs least over five years is shown first', () => {
  expect(bestAmong([taken('ovenly.com'), free('ovenly.ai', 41_350), free('ovenly.co', 14_056)])).toBe('ovenly.co')
  expect(bestAmong([free('ovenly.io', 23_532), free('ovenly.com', 5_540)])).toBe('ovenly.com')
})

test('of equal prices the suffix that was asked for first is shown, and a price never goes before availability', () => {
  expect(bestAmong([free('ovenly.net', 5_540), free('ovenly.com', 5_540)])).toBe('ovenly.net')
  expect(bestAmong([taken('ovenly.com'), unknown('ovenly.net'), free('ovenly.ai', 41_350)])).toBe('ovenly.ai')
})
