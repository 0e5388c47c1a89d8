import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isDomain } from '../../server/src/model/domain.ts'
import { judge, makeFreeDomains, parseKnownDomains, proofLines, prove } from './prove.ts'
import type { KnownDomain, KnownState, Outcome, VerdictToProve } from './prove.ts'

const NOW = Date.parse('2026-11-19T12:00:00Z')
const TAKEN: VerdictToProve = { available: false, status: 'taken', confidence: 'definitive' }
const AVAILABLE: VerdictToProve = { available: true, status: 'available', confidence: 'definitive' }
const UNPROVEN: VerdictToProve = { available: false, status: 'unproven' }
const UNKNOWN: VerdictToProve = { available: false, status: 'unknown' }
const PREMIUM: VerdictToProve = { available: false, status: 'premium', confidence: 'definitive' }
const RESERVED: VerdictToProve = { available: false, status: 'reserved', confidence: 'definitive' }
const NOT_FREE: readonly KnownState[] = ['taken', 'parked', 'premium', 'reserved']

const known = (domain: string, state: KnownState, asOf = '2026-11-01'): KnownDomain => ({ domain, state, as_of: asOf })
const line = (fields: Record<string, unknown>) => JSON.stringify({ ...known('curl.se', 'taken'), ...fields })
const proven = (domains: readonly KnownDomain[], verdicts: readonly (VerdictToProve | undefined)[], elapsedMs = 0) =>
  prove(
    domains,
    new Map(domains.flatMap(({ domain }, i) => (verdicts[i] === undefined ? [] : [[domain, verdicts[i]] as const]))),
    { elapsedMs, now: NOW },
  )

describe('a verdict on a domain of known state', () => {
  test.each(NOT_FREE)('is wrong if a %s domain is called available', (state) => {
    expect(judge(state, AVAILABLE)).toBe('wrong_available')
    expect(judge(state, { ...AVAILABLE, confidence: 'likely' })).toBe('wrong_available')
  })

  test.each(NOT_FREE)('is right if a %s domain is called taken, reserved or for sale', (state) => {
    expect(judge(state, TAKEN)).toBe('right')
    expect(judge(state, RESERVED)).toBe('right')
    expect(judge(state, { available: false, status: 'for_sale' })).toBe('right')
  })

  test.each<[KnownState, Outcome]>([
    ['taken', 'wrong_available'],
    ['parked', 'wrong_available'],
    ['reserved', 'wrong_available'],
    ['premium', 'right'],
    ['free', 'wrong_taken'],
  ])('of "premium" on a %s domain is %s, whether or not premium domains were wanted', (state, outcome) => {
    expect(judge(state, PREMIUM)).toBe(outcome)
    expect(judge(state, { ...PREMIUM, available: true })).toBe(outcome)
  })

  test('is right if a free domain is called available, and wrong if it is called taken or reserved', () => {
    expect(judge('free', AVAILABLE)).toBe('right')
    expect(judge('free', TAKEN)).toBe('wrong_taken')
    expect(judge('free', RESERVED)).toBe('wrong_taken')
  })

  test.each<KnownState>([...NOT_FREE, 'free'])(
    'counts neither for nor against on a %s domain if it is open',
    (state) => {
      for (const status of ['unproven', 'unknown', 'unsupported', 'invalid', 'restricted', 'available'] as const) {
        expect(judge(state, { available: false, status })).toBe('undetermined')
      }
      expect(judge(state, { ...TAKEN, confidence: 'likely' })).toBe('undetermined')
      expect(judge(state, undefined)).toBe('undetermined')
    },
  )
})

describe('a proof', () => {
  test('counts each domain once and names what is wrong and what is open', () => {
    const domains = [
      known('curl.se', 'taken'),
      known('b.com', 'parked'),
      known('example.com', 'reserved'),
      known('k3v9.com', 'free'),
      known('q7x2.io', 'free'),
      known('z8w4.de', 'free'),
    ]
    const report = proven(domains, [TAKEN, AVAILABLE, UNKNOWN, AVAILABLE, UNPROVEN, TAKEN], 7_349)
    expect(report).toEqual({
      checked: 6,
      right: 2,
      wrongAvailable: 1,
      wrongTaken: 1,
      undetermined: 2,
      seconds: 7.3,
      asOf: '2026-11-01',
      isOutdated: false,
      mistakes: [
        { ...known('b.com', 'parked'), status: 'available' },
        { ...known('z8w4.de', 'free'), status: 'taken' },
      ],
      open: ['example.com', 'q7x2.io'],
    })
    expect(proofLines(report)).toEqual([
      '6 domains of known state, checked in 7.3 s',
      '  right                  2',
      '  wrong "available"      1',
      '  wrong "taken"          1',
      '  no definite answer     2',
      'Wrong: b.com was called available. It is parked (2026-11-01).',
      'Wrong: z8w4.de was called taken. It is free (2026-11-01).',
      'No definite answer: example.com, q7x2.io',
    ])
  })

  test('counts a domain without a verdict as open', () => {
    expect(proven([known('curl.se', 'taken')], [undefined])).toMatchObject({ right: 0, undetermined: 1 })
  })

  test('says that it proves nothing when no domain got a definite answer', () => {
    const open = proven([known('curl.se', 'taken'), known('k3v9.com', 'free')], [UNKNOWN, UNPROVEN])
    expect(open).toMatchObject({ wrongAvailable: 0, wrongTaken: 0, undetermined: 2 })
    expect(proofLines(open)).toContain('This run proves nothing: no domain got a definite answer.')
    const right = proven([known('curl.se', 'taken')], [TAKEN])
    expect(proofLines(right).join('\n')).not.toContain('proves nothing')
  })

  test('says why a domain is known to be what it is', () => {
    const domain = { ...known('curl.se', 'taken'), why: 'curl; homepage of curl in Debian unstable' }
    expect(proofLines(proven([domain], [AVAILABLE]))).toContain(
      'Wrong: curl.se was called available. It is taken (2026-11-01: curl; homepage of curl in Debian unstable).',
    )
  })

  test('says that a list is outdated when its oldest state is more than a year old', () => {
    const outdated = 'The list of known domains is of 2025-11-18, more than a year old: update the command.'
    const old = proven([known('curl.se', 'taken'), known('b.com', 'parked', '2025-11-18')], [TAKEN, TAKEN])
    expect(old.isOutdated).toBe(true)
    expect(proofLines(old)).toContain(outdated)
    const recent = proven([known('curl.se', 'taken'), known('b.com', 'parked', '2025-11-20')], [TAKEN, TAKEN])
    expect(recent.isOutdated).toBe(false)
    expect(proofLines(recent).join('\n')).not.toContain('more than a year old')
  })

  test('of no domains is empty', () => {
    expect(proven([], [])).toMatchObject({ checked: 0, right: 0, asOf: undefined, isOutdated: false, mistakes: [] })
  })

  test('loses no domain, whatever the verdicts', () => {
    const state = fc.constantFrom<KnownState>(...NOT_FREE, 'free')
    const status = fc.constantFrom<VerdictToProve['status']>(
      ...(['available', 'premium', 'for_sale', 'taken', 'reserved', 'restricted'] as const),
      ...(['unsupported', 'invalid', 'unknown', 'unproven'] as const),
    )
    const verdict = fc.option(fc.record({ available: fc.boolean(), status }), { nil: undefined })
    fc.assert(
      fc.property(fc.array(fc.tuple(state, verdict), { maxLength: 20 }), (pairs) => {
        const domains = pairs.map(([one], i) => known(`name${i}.com`, one))
        const report = proven(
          domains,
          pairs.map(([, one]) => one),
        )
        const { right, wrongAvailable, wrongTaken, undetermined, mistakes, open } = report
        expect(right + wrongAvailable + wrongTaken + undetermined).toBe(domains.length)
        expect(mistakes).toHaveLength(wrongAvailable + wrongTaken)
        expect(open).toHaveLength(undetermined)
      }),
    )
  })
})

describe('free domains', () => {
  const domainsOf = (seed: string, now = NOW) => makeFreeDomains(seed, now).map(({ domain }) => domain)

  test('are valid, have long random labels and one suffix each', () => {
    const made = makeFreeDomains('a seed', NOW)
    expect(made.length).toBeGreaterThanOrEqual(6)
    expect(new Set(made.map(({ domain }) => domain.slice(domain.indexOf('.')))).size).toBe(made.length)
    for (const { domain, state, as_of: asOf } of made) {
      expect(isDomain(domain)).toBe(true)
      expect(domain).toMatch(/^[a-z][a-z0-9]{19}\.[a-z]+$/)
      expect(new Set(domain).size).toBeGreaterThan(8)
      expect({ state, asOf }).toEqual({ state: 'free', asOf: '2026-11-19' })
    }
  })

  test('have the suffixes that are asked for', () => {
    const made = makeFreeDomains('a seed', NOW, ['co.uk', 'ch'])
    expect(made.map(({ domain }) => domain.slice(domain.indexOf('.') + 1))).toEqual(['co.uk', 'ch'])
  })

  test('are the same for a seed and a day, and others for another seed or day', () => {
    expect(domainsOf('a seed')).toEqual(domainsOf('a seed', NOW + 3_600_000))
    const all = [...domainsOf('a seed'), ...domainsOf('another'), ...domainsOf('a seed', NOW + 86_400_000)]
    expect(new Set(all).size).toBe(all.length)
  })
})

describe('the list of known domains', () => {
  test.each([
    ['a state that does not exist', line({ state: 'bought' })],
    ['a day that does not exist', line({ as_of: '2026-02-30' })],
    ['a day in another form', line({ as_of: '2026-2-3' })],
    ['something that is not a domain', line({ domain: 'curl' })],
    ['capital letters', line({ domain: 'Curl.se' })],
    ['a reason that is not text', line({ why: 7 })],
    ['no domain', '{}'],
    ['null', 'null'],
    ['no JSON', 'curl.se'],
  ])('is refused with %s, and the line is named', (_, wrong) => {
    expect(() => parseKnownDomains(`${line({})}\n${wrong}\n`)).toThrow(/^line 2 of the known domains is not/)
  })

  test('is refused with the same domain twice', () => {
    expect(() => parseKnownDomains(`${line({})}\n${line({ state: 'parked' })}`)).toThrow(/^line 2 .* repeats curl\.se$/)
  })

  describe('that is shipped', () => {
    const shipped = parseKnownDomains(readFileSync(new URL('known-domains.jsonl', import.meta.url), 'utf8'))
    const dataOf = (name: string) => readFileSync(new URL(`../../server/data/${name}`, import.meta.url), 'utf8')

    test('makes 60 lookups with the free domains, names no free or premium ones, and has a reason for each', () => {
      expect(shipped.length + makeFreeDomains('a seed', NOW).length).toBe(60)
      expect(new Set(shipped.map(({ state }) => state))).toEqual(new Set(['taken', 'parked', 'reserved']))
      for (const { domain, why = '' } of shipped) {
        expect(isDomain(domain)).toBe(true)
        expect(why.length).toBeGreaterThan(10)
      }
    })

    test('has domains directly under suffixes that the command checks', () => {
      const suffixes = new Set(
        dataOf('suffixes.jsonl')
          .trim()
          .split('\n')
          .map((text) => (JSON.parse(text) as { suffix: string }).suffix),
      )
      const others = shipped.filter(({ domain }) => !suffixes.has(domain.slice(domain.indexOf('.') + 1)))
      expect(others).toEqual([])
    })

    test('has no domain that the sources themselves are tested with', () => {
      const { registered } = JSON.parse(dataOf('rdap.json')) as { registered: { domains: string } }
      const controls = new Set(registered.domains.split(' '))
      expect(shipped.filter(({ domain }) => controls.has(domain))).toEqual([])
    })
  })
})
