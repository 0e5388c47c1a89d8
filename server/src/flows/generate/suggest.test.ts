import { expect, test } from 'vitest'
import type { CheckOptions } from '../../availability/availability.ts'
import { suggest } from './suggest.ts'
import type { SuggestContext } from './suggest.ts'
import type { GenerateRequest } from '../../model/generate-request.ts'
import type { Domain, Suffix } from '../../model/domain.ts'
import type { Proposal } from '../../model/name.ts'
import { plainNameRequest } from '../../names/plain-name-request.ts'
import { openPrices } from '../../prices/prices.ts'
import { nothingUnderstood } from '../../../test/nothing-understood.ts'

test('a name that was promising but not needed is shown when those before it are not confirmed', async () => {
  const names = ['mayfly', 'bivouac', 'elsewhere'].map((label) => ({ label, name: label }) as Proposal)
  const asked: string[] = []
  const ctx: Partial<SuggestContext> = {
    now: Date.now,
    availabilityMode: 'strict',
    sourceHealth: { troubles: () => [] },
    variants: [],
    prices: await openPrices(),
    names: { propose: async () => names, admit: async () => [], summarise: nothingUnderstood },
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
    ctx as SuggestContext,
    request as GenerateRequest,
    new AbortController().signal,
  )
  expect(suggestions.map(({ proposal }) => proposal.label)).toEqual(['bivouac'])
  expect(shortfall).toBeUndefined()
  // One at a time: no outside source sees a name that is not about to be shown.
  expect(asked).toEqual(['mayfly.com', 'bivouac.com'])
})

/** A flow whose names come from where a test says, and whose domains are all free. */
async function contextWith(more: Partial<SuggestContext>): Promise<SuggestContext> {
  const free = (domain: Domain) => ({
    domain,
    status: 'available' as const,
    confidence: 'definitive' as const,
    sources: [],
    checkedAt: 0,
    expiresAt: 0,
  })
  const ctx: Partial<SuggestContext> = {
    now: Date.now,
    availabilityMode: 'balanced',
    sourceHealth: { troubles: () => [] },
    variants: [],
    prices: await openPrices(),
    availability: { check: async (domains: readonly Domain[]) => new Map(domains.map((one) => [one, free(one)])) },
    ...more,
  }
  return ctx as SuggestContext
}

const plain = (more: Partial<GenerateRequest>): GenerateRequest => {
  const request: Partial<GenerateRequest> = {
    names: plainNameRequest('a bakery'),
    count: 1,
    include: [],
    suffixes: ['com' as Suffix],
    onlyAvailable: true,
    deadlineMs: 5_000,
    verify: 'fast',
    currency: 'USD',
    priceLimits: { due: undefined, fiveYears: undefined },
    ...more,
  }
  return request as GenerateRequest
}

test('names of a model are shown where none are built in, also if it is still writing then', async () => {
  const written = { label: 'mayfly', name: 'Mayfly' } as Proposal
  const ctx = await contextWith({
    names: {
      propose: async ({ proposals = [] }) => (proposals.length > 0 ? [written] : []),
      admit: async () => [],
      summarise: nothingUnderstood,
    },
    languageModel: {
      isReusing: false,
      async propose(_request, _signal, { onProposal }) {
        // The built-in side has long ended by then.
        await new Promise(setImmediate)
        onProposal?.({ name: 'Mayfly' })
        return [{ name: 'Mayfly' }]
      },
      store: async () => {},
    },
  })
  const { signal } = new AbortController()
  const { suggestions } = await suggest(ctx, plain({ quality: 'best' }), signal, { onUpdate: () => {} })
  expect(suggestions.map(({ proposal }) => proposal.name)).toEqual(['Mayfly'])
})

test('without any name there is an error, whoever was asked', async () => {
  const ctx = await contextWith({
    names: { propose: async () => [], admit: async () => [], summarise: nothingUnderstood },
    languageModel: { isReusing: false, propose: async () => [], store: async () => {} },
  })
  const { signal } = new AbortController()
  for (const options of [{}, { onUpdate: () => {} }]) {
    await expect(suggest(ctx, plain({ quality: 'best' }), signal, options)).rejects.toMatchObject({ code: 'no_names' })
  }
})

test('the time for understanding the description is part of the deadline', async () => {
  let at = 0
  const deadlines: number[] = []
  const base = await contextWith({})
  const ctx = await contextWith({
    now: () => at,
    names: {
      propose: async () => [{ label: 'mayfly', name: 'Mayfly' } as Proposal],
      admit: async () => [],
      async summarise() {
        at += 4_000
        return nothingUnderstood()
      },
    },
    availability: {
      check(domains, options) {
        deadlines.push(options?.deadlineMs ?? Infinity)
        return base.availability.check(domains, options)
      },
    },
  })
  await suggest(ctx, plain({ include: ['understanding'] }), new AbortController().signal)
  expect(deadlines).toEqual([1_000])
})

test('a caller who leaves while names are checked has no more looked up, and the request ends', async () => {
  const leaving = new AbortController()
  const asked: string[] = []
  const labels = ['mayfly', 'bivouac', 'elsewhere']
  const ctx = await contextWith({
    availabilityMode: 'strict',
    names: {
      propose: async () => labels.map((label) => ({ label, name: label }) as Proposal),
      admit: async () => [],
      summarise: nothingUnderstood,
    },
    availability: {
      async check(domains) {
        asked.push(...domains)
        leaving.abort()
        return new Map()
      },
    },
  })
  await expect(suggest(ctx, plain({ count: 3 }), leaving.signal)).rejects.toMatchObject({ name: 'AbortError' })
  expect(asked).toEqual(labels.map((label) => `${label}.com`))
})
