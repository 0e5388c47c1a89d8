import { expect, test } from 'vitest'
import { correctStoredSuggestions } from './stored-suggestions.ts'

function domainOf(price: string, currency: string, [registration, renewal, transfer, total]: readonly number[]) {
  const amounts = { registration_minor: registration, renewal_minor: renewal, transfer_minor: transfer }
  return { domain: 'a.com', price, pricing: { currency, ...amounts, total_5y_minor: total } }
}
const storedOf = (...domains: object[]) => JSON.stringify([{ name: 'A', domains }])

test('amounts in hundredths of a yen are corrected, with a rounded half upwards', () => {
  const before = storedOf(domainOf('¥1500.50', 'JPY', [150_050, 160_000, 0, 790_050]))
  expect(JSON.parse(correctStoredSuggestions(before))).toEqual(
    JSON.parse(storedOf(domainOf('¥1500.50', 'JPY', [1501, 1600, 0, 7901]))),
  )
})

test.each([
  ['whole yen', storedOf(domainOf('¥1500.00', 'JPY', [1500, 1600, 0, 7900]))],
  ['cents', storedOf(domainOf('$15.00', 'USD', [1500, 1600, 0, 7900]))],
  ['a domain without pricing', storedOf({ domain: 'a.com', price: '¥1500.00' })],
  ['a price of nothing', storedOf(domainOf('¥0.00', 'JPY', [0, 1600, 0, 6400]))],
])('%s stay as they are', (_what, json) => {
  expect(JSON.parse(correctStoredSuggestions(json))).toEqual(JSON.parse(json))
})

test('the form in which jsonb is read, and the result of a batch item, are understood', () => {
  const list = storedOf(domainOf('¥1500.00', 'JPY', [150_000, 160_000, 0, 790_000]))
  const corrected = JSON.parse(correctStoredSuggestions(list)) as unknown
  expect(JSON.parse(correctStoredSuggestions(list.replaceAll('":', '": ')))).toEqual(corrected)
  expect(JSON.parse(correctStoredSuggestions(`{"suggestions":${list}}`))).toEqual({ suggestions: corrected })
})

test('an unknown has no confidence, and is available nowhere', () => {
  const verdict = (status: string, available: boolean | string, confidence: string) => ({
    status,
    available,
    confidence,
  })
  const npm = { ...verdict('unknown', 'unknown', 'likely'), rule: 'not_found' }
  const taken = { ...verdict('taken', false, 'definitive'), rule: 'exists' }
  const domains = [verdict('unknown', false, 'likely'), verdict('available', true, 'likely')]
  const stored = JSON.stringify([{ name: 'A', domains, handles: { packages: [npm], code: [taken] } }])
  for (const json of [stored, stored.replaceAll('":', '": ')]) {
    expect(JSON.parse(correctStoredSuggestions(json))).toEqual([
      {
        name: 'A',
        domains: [{ status: 'unknown', available: false }, domains[1]],
        handles: { packages: [{ status: 'unknown', available: false, rule: 'not_found' }], code: [taken] },
      },
    ])
  }
})

test('pricing from before there were terms gets today’s shape, and says what it said', () => {
  const { pricing, ...domain } = domainOf('¥3000.00', 'JPY', [300_000, 160_000, 0, 780_000])
  const stored = storedOf({ ...domain, pricing: { ...pricing, years: 2, kind: 'list' } })
  const [{ domains }] = JSON.parse(correctStoredSuggestions(stored)) as [{ domains: [{ pricing: object }] }]
  expect(Object.entries(domains[0].pricing)).toEqual(
    Object.entries({
      currency: 'JPY',
      registration_minor: 1500,
      renewal_minor: 1600,
      transfer_minor: 0,
      term_years: 2,
      due_minor: 3000,
      renews_at_minor: 1600,
      renewal_years: 1,
      total_5y_minor: 7800,
      kind: 'list',
    }),
  )
})
