import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Domain } from '../model/domain.ts'
import type { Verdict } from '../model/verdict.ts'
import { readVerdict, writeVerdict } from './verdict-cache.ts'

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

test('every verdict but unknown is read as it was written', () => {
  fc.assert(
    fc.property(
      fc.record({
        domain: fc.constant(domain),
        status: fc.constantFrom(...statuses),
        confidence: fc.constantFrom('definitive' as const, 'likely' as const),
        sources: fc.array(fc.constantFrom('dns', 'rdap', 'vercel'), { minLength: 1, maxLength: 3 }),
        checkedAt: fc.nat(),
        expiresAt: fc.nat(),
      }),
      (verdict: Verdict) => {
        expect(readVerdict(domain, writeVerdict(verdict) ?? '')).toEqual(verdict)
      },
    ),
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

test('a damaged time is an expired one', () => {
  const verdict = readVerdict(domain, 'a|d|1|never|dns')
  expect((verdict?.expiresAt ?? 0) > 0).toBe(false)
})
