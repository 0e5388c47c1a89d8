import { expect, test } from 'vitest'
import { correctStoredAmounts } from './stored-amounts.ts'

function domainOf(price: string, currency: string, [registration, renewal, transfer, total]: readonly number[]) {
  const amounts = { registration_minor: registration, renewal_minor: renewal, transfer_minor: transfer }
  return { domain: 'a.com', price, pricing: { currency, ...amounts, total_5y_minor: total } }
}
const storedOf = (...domains: object[]) => JSON.stringify([{ name: 'A', domains }])

test('amounts in hundredths of a yen are corrected, with a rounded half upwards', () => {
  const before = storedOf(domainOf('¥1500.50', 'JPY', [150_050, 160_000, 0, 790_050]))
  expect(JSON.parse(correctStoredAmounts(before))).toEqual(
    JSON.parse(storedOf(domainOf('¥1500.50', 'JPY', [1501, 1600, 0, 7901]))),
  )
})

test.each([
  ['whole yen', storedOf(domainOf('¥1500.00', 'JPY', [1500, 1600, 0, 7900]))],
  ['cents', storedOf(domainOf('$15.00', 'USD', [1500, 1600, 0, 7900]))],
  ['a domain without pricing', storedOf({ domain: 'a.com', price: '¥1500.00' })],
  ['a price of nothing', storedOf(domainOf('¥0.00', 'JPY', [0, 1600, 0, 6400]))],
])('%s stay as they are', (_what, json) => {
  expect(JSON.parse(correctStoredAmounts(json))).toEqual(JSON.parse(json))
})

test('the form in which jsonb is read, and the result of a batch item, are understood', () => {
  const list = storedOf(domainOf('¥1500.00', 'JPY', [150_000, 160_000, 0, 790_000]))
  const corrected = JSON.parse(correctStoredAmounts(list)) as unknown
  expect(JSON.parse(correctStoredAmounts(list.replaceAll('":', '": ')))).toEqual(corrected)
  expect(JSON.parse(correctStoredAmounts(`{"suggestions":${list}}`))).toEqual({ suggestions: corrected })
})
