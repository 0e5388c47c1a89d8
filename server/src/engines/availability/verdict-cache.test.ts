import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Domain } from '../../model/domain.ts'
import type { Verdict } from '../../model/verdict.ts'
import { createVerdictCache, readVerdict, writeVerdict } from './verdict-cache.ts'

const domain = 'mayfly.com' as Domain
const statuses = [
  'available',
  'premium',
  'for_sale',
  'taken',
  'reserved',
  'restricted',
  'unsupported',
  'invalid',
] as const

const certainties: Pick<Verdict, 'confidence' | 'premiumProne'>[] = [
  { confidence: 'definitive' },
  { confidence: 'likely' },
  { confidence: 'likely', premiumProne: true },
]

test('every verdict but unknown is read as it was written, no surer and with its doubt', () => {
  const anyVerdict = fc.record({
    status: fc.constantFrom(...statuses),
    sources: fc.array(fc.constantFrom('dns', 'rdap', 'vercel'), { minLength: 1, maxLength: 3 }),
    checkedAt: fc.nat(),
    expiresAt: fc.nat(),
  })
  fc.assert(
    fc.property(anyVerdict, fc.constantFrom(...certainties), (found, certainty) => {
      const verdict: Verdict = { domain, ...found, ...certainty }
      expect(readVerdict(domain, writeVerdict(verdict) ?? '')).toEqual(verdict)
    }),
  )
})

test('unknown is never written', () => {
  const verdict: Verdict = { domain, status: 'unknown', confidence: 'likely', sources: [], checkedAt: 1, expiresAt: 2 }
  expect(writeVerdict(verdict)).toBeUndefined()
})

test('what was not written by us is not read', () => {
  for (const value of ['', 'a', 'a|d', 'z|d|1|2|dns', 'a|z|1|2|dns', '{"status":"available"}', 'a|d|1|2']) {
    expect(readVerdict(domain, value), value).toBeUndefined()
  }
})

test('a damaged value is a miss, and the domains beside it are found', async () => {
  const price = { registration: { minor: 250_000, currency: 'USD' as const }, years: 1, seller: 'vercel' }
  const whole = { domain, status: 'premium', confidence: 'definitive', sources: ['vercel'], price } as const
  const written = writeVerdict({ ...whole, checkedAt: 1, expiresAt: 9_000 }) ?? ''
  const damaged = ['a|d|never|9000|dns', 'a|d|1|never|dns', written.slice(0, -1), written.replace(/\{.*/, '"free"')]
  const values = [written, ...damaged, written]
  const cache = createVerdictCache({
    cache: { getMany: () => Promise.resolve(values), setMany: () => Promise.resolve() },
    now: () => 1_000,
  })
  const asked = values.map((_, index) => `mayfly-${index}.com` as Domain)
  const found = await cache.find(asked, new AbortController().signal)
  expect([...found.keys()]).toEqual([asked[0], asked.at(-1)])
  expect(found.get(asked[0]!)?.price).toEqual(price)
})
