import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Domain } from '../../model/domain.ts'
import { combine, RULES } from './combine.ts'
import type { Doubts } from './combine.ts'
import type { Evidence, Says } from './evidence.ts'

const domain = 'mayfly.com' as Domain
const NOW = 1_000_000
const sure: Doubts = { premiumProne: false, rdapLies: false }

function says(source: string, what: Says, more: Partial<Evidence> = {}): Evidence {
  return { domain, source, says: what, at: NOW - 1000, ttlMs: 300_000, ...more }
}

function verdict(evidence: Evidence[], doubts: Doubts = sure) {
  const { status, confidence } = combine(domain, evidence, () => doubts, NOW)
  return `${status} ${confidence}`
}

const PRICE = { registration: { minor: 250_000, currency: 'USD' as const }, years: 1 }

test.each<[string, Evidence[], Doubts, string]>([
  ['nobody spoke', [], sure, 'unknown likely'],
  ['everybody shrugged', [says('dns', 'unknown'), says('rdap', 'unknown')], sure, 'unknown likely'],
  ['DNS has it', [says('dns', 'registered')], sure, 'taken definitive'],
  ['the index has it', [says('index', 'registered')], sure, 'taken definitive'],
  ['its owner offers it', [says('dns', 'registered'), says('dns', 'for_sale')], sure, 'for_sale definitive'],
  ['DNS alone lacks it', [says('dns', 'absent')], sure, 'available likely'],
  ['RDAP alone lacks it', [says('rdap', 'absent')], sure, 'available likely'],
  ['DNS and RDAP both lack it', [says('dns', 'absent'), says('rdap', 'absent')], sure, 'available definitive'],
  [
    'both lack it, and a registrar that sells the suffix was not heard',
    [says('dns', 'absent'), says('vercel', 'unknown', { unanswered: true }), says('rdap', 'absent')],
    sure,
    'available likely',
  ],
  [
    'both lack it, and what a registrar says is not believed',
    [says('dns', 'absent'), says('vercel', 'unknown'), says('rdap', 'absent')],
    sure,
    'unknown likely',
  ],
  [
    'the RDAP of that suffix lies',
    [says('dns', 'absent'), says('rdap', 'absent')],
    { ...sure, rdapLies: true },
    'available likely',
  ],
  [
    'it may be premium',
    [says('dns', 'absent'), says('rdap', 'absent')],
    { ...sure, premiumProne: true },
    'available likely',
  ],
  ['a registrar sells it', [says('dns', 'absent'), says('vercel', 'available')], sure, 'available definitive'],
  [
    'a registrar sells the doubtful one',
    [says('vercel', 'available')],
    { premiumProne: true, rdapLies: true },
    'available definitive',
  ],
  [
    'a registrar sells what DNS has',
    [says('dns', 'registered'), says('vercel', 'available')],
    sure,
    'taken definitive',
  ],
  [
    'premium with its price',
    [says('dns', 'absent'), says('vercel', 'premium', { price: PRICE })],
    sure,
    'premium definitive',
  ],
  [
    'a registrar contradicted itself',
    [says('dns', 'absent'), says('rdap', 'absent'), says('vercel', 'unknown')],
    sure,
    'unknown likely',
  ],
  ['premium without a price', [says('dns', 'absent'), says('vercel', 'premium')], sure, 'unknown likely'],
  [
    'reserved, whatever the lists lack',
    [says('rdap', 'absent'), says('cloudflare', 'reserved')],
    sure,
    'reserved definitive',
  ],
  ['restricted', [says('cloudflare', 'restricted')], sure, 'restricted definitive'],
  ['not a domain', [says('syntax', 'invalid'), says('vercel', 'available')], sure, 'invalid definitive'],
])('%s', (_case, evidence, doubts, expected) => {
  expect(verdict(evidence, doubts)).toBe(expected)
})

test('a free name may be repeated only as long as its shortest-lived evidence, a taken one as long as its longest', () => {
  const free = combine(
    domain,
    [says('dns', 'absent', { ttlMs: 60_000 }), says('vercel', 'available', { ttlMs: 300_000 })],
    () => sure,
    NOW,
  )
  expect(free.expiresAt).toBe(NOW - 1000 + 60_000)
  const taken = combine(
    domain,
    [says('dns', 'registered', { ttlMs: 60_000 }), says('index', 'registered', { ttlMs: 900_000 })],
    () => sure,
    NOW,
  )
  expect(taken.expiresAt).toBe(NOW - 1000 + 900_000)
})

test('an unknown verdict lasts seconds, however long its evidence is good', () => {
  const endOf = (...evidence: Evidence[]) => {
    const { status, expiresAt } = combine(domain, evidence, () => sure, NOW)
    expect(status).toBe('unknown')
    return expiresAt - NOW
  }
  expect(endOf()).toBe(15_000)
  expect(endOf(says('vercel', 'premium', { ttlMs: 3_600_000 }))).toBe(15_000)
  expect(endOf(says('dns', 'absent', { ttlMs: 3_600_000 }), says('vercel', 'unknown'))).toBe(15_000)
  expect(endOf(says('vercel', 'premium', { ttlMs: 6_000 }))).toBe(5_000)
})

const SAYS = [
  'registered',
  'absent',
  'available',
  'premium',
  'reserved',
  'restricted',
  'unsupported',
  'unknown',
] as const
const anyEvidence = fc.array(
  fc.record({
    source: fc.constantFrom('dns', 'index', 'rdap', 'vercel', 'cloudflare'),
    what: fc.constantFrom(...SAYS),
  }),
  { maxLength: 6 },
)

test('whatever else is said, one listing makes it taken, and without any word it is never available', () => {
  fc.assert(
    fc.property(anyEvidence, fc.boolean(), fc.boolean(), (said, premiumProne, rdapLies) => {
      const evidence = said.map(({ source, what }) => says(source, what))
      const { status, confidence } = combine(domain, evidence, () => ({ premiumProne, rdapLies }), NOW)
      const has = (what: Says) => said.some((one) => one.what === what)
      if (has('registered')) expect(status).toBe('taken')
      if (status === 'available' && confidence === 'definitive') {
        const listsAgree =
          !premiumProne &&
          !rdapLies &&
          ['dns', 'rdap'].every((source) => said.some((one) => one.source === source && one.what === 'absent'))
        expect(has('available') || listsAgree).toBe(true)
      }
      if (!has('available') && !has('absent')) expect(status).not.toBe('available')
    }),
    { numRuns: 5_000 },
  )
})

test('the order in which sources spoke does not matter', () => {
  fc.assert(
    fc.property(anyEvidence, (said) => {
      const evidence = said.map(({ source, what }) => says(source, what))
      expect(verdict(evidence.toReversed())).toBe(verdict(evidence))
    }),
  )
})

test('every rule has its reason', () => {
  for (const { why } of RULES) expect(why.length).toBeGreaterThan(15)
})

test('until when a name is registered is told of one that is taken, and of no other', () => {
  const dated = says('rdap', 'registered', { registeredUntil: 5_000_000 })
  expect(combine(domain, [says('dns', 'registered'), dated], () => sure, NOW)).toMatchObject({
    status: 'taken',
    registeredUntil: 5_000_000,
  })
  const free = says('vercel', 'available', { registeredUntil: 5_000_000 })
  expect(combine(domain, [says('dns', 'absent'), free], () => sure, NOW)).not.toHaveProperty('registeredUntil')
})

test('what is unknown because somebody could not be asked says so; what is known does not', () => {
  const unasked = says('rdap', 'unknown', { unasked: true })
  for (const others of [[], [says('dns', 'absent')]]) {
    expect(combine(domain, [...others, unasked], () => sure, NOW)).toMatchObject({ status: 'unknown', unasked: true })
  }
  const known = combine(domain, [says('dns', 'registered'), unasked], () => sure, NOW)
  expect(known).toMatchObject({ status: 'taken' })
  expect(known).not.toHaveProperty('unasked')
  expect(combine(domain, [says('rdap', 'unknown')], () => sure, NOW)).not.toHaveProperty('unasked')
})
