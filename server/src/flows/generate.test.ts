import { expect, test } from 'vitest'
import type { CheckOptions } from '../availability/availability.ts'
import { suggest } from './generate.ts'
import type { GenerateContext } from './generate.ts'
import type { GenerateRequest } from '../model/generate-request.ts'
import type { Domain, Suffix } from '../model/domain.ts'
import type { Candidate } from '../model/name.ts'
import { openPrices } from '../prices/prices.ts'
import { nothingUnderstood } from '../../test/nothing-understood.ts'

test('a name that was promising but not needed is shown when those before it are not confirmed', async () => {
  const names = ['mayfly', 'bivouac', 'elsewhere'].map((label) => ({ label, name: label }) as Candidate)
  const asked: string[] = []
  const ctx: Partial<GenerateContext> = {
    now: Date.now,
    availabilityMode: 'strict',
    sourceHealth: { troubles: () => [] },
    variants: [],
    prices: await openPrices(),
    names: { propose: async () => names, summarise: nothingUnderstood },
    availability: {
      async check(domains: readonly Domain[], { depth }: CheckOptions) {
        if (depth === 'confirm') asked.push(...domains)
        const verdict = (domain: Domain) => ({
          domain,
          status: depth === 'confirm' && domain === 'mayfly.com' ? ('taken' as const) : ('available' as const),
          confidence: depth === 'confirm' ? ('definitive' as const) : ('likely' as const),
          sources: [],
          checkedAt: 0,
          expiresAt: 0,
        })
        return new Map(domains.map((domain) => [domain, verdict(domain)]))
      },
    },
  }
  const request: Partial<GenerateRequest> = {
    count: 1,
    include: [],
    suffixes: ['com' as Suffix],
    onlyAvailable: true,
    deadlineMs: 5_000,
    verify: 'fast',
    currency: 'USD',
    priceLimits: { due: undefined, fiveYears: undefined },
  }
  const { suggestions, shortfall } = await suggest(
    ctx as GenerateContext,
    request as GenerateRequest,
    new AbortController().signal,
  )
  expect(suggestions.map(({ candidate }) => candidate.label)).toEqual(['bivouac'])
  expect(shortfall).toBeUndefined()
  // One at a time: no outside source sees a name that is not about to be shown.
  expect(asked).toEqual(['mayfly.com', 'bivouac.com'])
})
