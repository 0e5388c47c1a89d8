import { expect, test } from 'vitest'
import type { Domain } from '../../model/domain.ts'
import { createReceiptTokens } from './receipt-token.ts'
import type { Receipt } from './receipt-token.ts'

const AT = Date.parse('2026-11-17T21:57:12Z')
const tokens = createReceiptTokens(['a secret of the service'])
const RECEIPT: Receipt = {
  name: 'Pedalier',
  asks: ['dns', 'vercel', 'rdap'],
  domains: [
    { domain: 'pedalier.com' as Domain, available: true, status: 'available', confidence: 'definitive', sources: ['dns', 'rdap'], checkedAt: AT },
    { domain: 'pedalier.co.uk' as Domain, available: false, status: 'unknown', confidence: 'likely', sources: [], checkedAt: AT - 61_000 },
    {
      domain: 'getpedalier.io' as Domain,
      available: true,
      status: 'premium',
      confidence: 'definitive',
      sources: ['vercel'],
      checkedAt: AT,
      price: { registration: { minor: 249_900, currency: 'USD' }, renewal: { minor: 3_500, currency: 'USD' }, years: 1, seller: 'vercel' },
    },
  ],
} // prettier-ignore

test('what was confirmed, by whom and when comes back from the link alone', () => {
  const token = tokens.make(RECEIPT)
  expect(tokens.find(token)).toEqual(RECEIPT)
  expect(token).toMatch(/^[\w-]+$/)
  const one = tokens.make({ ...RECEIPT, domains: RECEIPT.domains.slice(0, 1) })
  expect(one.length).toBeLessThan(90)
  const arabic = { ...RECEIPT, name: 'مخبز' }
  expect(tokens.find(tokens.make(arabic))).toEqual(arabic)
})

test('a link that is altered, cut, of another service or spelled otherwise is none', () => {
  const token = tokens.make(RECEIPT)
  const bytes = Buffer.from(token, 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const altered = Buffer.from(bytes)
    altered[at] = (altered[at] ?? 0) ^ 1
    expect(tokens.find(altered.toString('base64url'))).toBeUndefined()
  }
  for (const wrong of ['', 'abc', token.slice(0, -4), `${token}=`, `${token}A`, 'A'.repeat(100_000)])
    expect(tokens.find(wrong)).toBeUndefined()
  expect(createReceiptTokens(['another']).find(token)).toBeUndefined()
  // After a rotation the old secret still verifies.
  expect(createReceiptTokens(['new', 'a secret of the service']).find(token)).toEqual(RECEIPT)
})

test('a name with a line break cannot pass for fields', () => {
  const sly = { ...RECEIPT, name: 'Pedalier\ngoogle\nzz\n\n.com A 0 d' }
  expect(tokens.find(tokens.make(sly))).toEqual({ ...RECEIPT, name: 'Pedalier google zz  .com A 0 d' })
})
