import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { plainNameRequest } from '@namewright/names'
import type { CheckOptions } from '../../engines/availability/availability.ts'
import { suggest } from './suggest.ts'
import type { SuggestContext, SuggestOptions } from './suggest.ts'
import type { ProposeOptions } from '../../engines/language-model/language-model.ts'
import type { GenerateRequest } from '../../model/generate-request.ts'
import type { Domain, Suffix } from '../../model/domain.ts'
import type { Proposal } from '../../model/name.ts'
import { openPrices } from '../../engines/prices/prices.ts'
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

describe('a model whose names are taken', () => {
  const TAKEN = ['Mayfly', 'Bivouac']
  const DEADLINE_MS = 5_000

  interface Told {
    /** What the model writes when it is asked, and when it is asked again. */
    readonly replies: readonly (readonly string[])[]
    /** How long it takes to write each. */
    readonly tookMs?: readonly number[]
    readonly onAsked?: (calls: number) => void
    /** Writes on until it is let go. */
    readonly isEndless?: boolean
  }

  /** A flow with that model, on a clock that only the model moves. */
  async function openFlow({ replies, tookMs = [], onAsked, isEndless = false }: Told) {
    let at = 0
    const asked: ProposeOptions[] = []
    const base = await contextWith({})
    const ctx = await contextWith({
      now: () => at,
      names: {
        async propose({ proposals = [], onlyProposals }) {
          const names = [...proposals.map(({ name }) => name), ...(onlyProposals ? [] : ['Builtin'])]
          return names.map((name) => ({ name, label: name.toLowerCase() }) as Proposal)
        },
        admit: async () => [],
        summarise: nothingUnderstood,
      },
      availability: {
        async check(domains, options) {
          const verdicts = await base.availability.check(domains, options)
          const isTaken = (domain: string) => TAKEN.some((name) => domain === `${name.toLowerCase()}.com`)
          return new Map(
            [...verdicts].map(([domain, one]) => [
              domain,
              isTaken(domain) ? { ...one, status: 'taken' as const } : one,
            ]),
          )
        },
      },
      languageModel: {
        isReusing: false,
        async propose(_request, signal, options) {
          asked.push(options)
          onAsked?.(asked.length)
          at += tookMs[asked.length - 1] ?? 0
          const names = signal.aborted ? [] : (replies[asked.length - 1] ?? [])
          for (const name of names) options.onProposal?.({ name })
          if (isEndless) await once(signal, 'abort')
          return names.map((name) => ({ name }))
        },
        store: async () => {},
      },
    })
    const find = async (more: Partial<GenerateRequest> = {}, options: SuggestOptions = {}, signal = never) => {
      const request = plain({ quality: 'best', count: 2, deadlineMs: DEADLINE_MS, ...more })
      const { suggestions } = await suggest(ctx, request, signal, options)
      return suggestions.map(({ proposal }) => proposal.name)
    }
    return { asked, find }
  }

  const never = new AbortController().signal
  const streams: [how: string, options: SuggestOptions][] = [
    ['without a stream', {}],
    ['in a stream', { onUpdate: () => {} }],
    ['in a batch', { isBackground: true }],
  ]

  test.each(streams)('is asked once more, and told which, %s', async (_how, options) => {
    const { asked, find } = await openFlow({
      replies: [
        [...TAKEN, 'Elsewhere'],
        ['Outpost', 'Bivouac'],
      ],
    })
    expect(await find({}, options)).toEqual(['Elsewhere', 'Outpost'])
    expect(asked.map(({ again }) => again)).toEqual([undefined, expect.objectContaining({ taken: TAKEN, missing: 1 })])
    // The rest of the deadline is for checking.
    expect(asked[1]?.allowedMs).toBeLessThan(DEADLINE_MS)
    expect(asked[1]?.isBackground).toBeUndefined()
  })

  test.each(streams)('is not asked again when enough others are free, %s', async (_how, options) => {
    const { asked, find } = await openFlow({ replies: [[...TAKEN, 'Elsewhere', 'Outpost']] })
    expect(await find({}, options)).toEqual(['Elsewhere', 'Outpost'])
    expect(asked).toHaveLength(1)
  })

  test.each(streams)('keeps what is free under a later suffix, before built-in names, %s', async (_how, options) => {
    const { asked, find } = await openFlow({ replies: [TAKEN, []] })
    expect(await find({ suffixes: ['com', 'io'] as Suffix[] }, options)).toEqual(TAKEN)
    expect(asked).toHaveLength(2)
  })

  test('is not asked again when its reply took longer than what is left', async () => {
    const { asked, find } = await openFlow({ replies: [[...TAKEN, 'Elsewhere'], ['Outpost']], tookMs: [2_100] })
    expect(await find()).toEqual(['Elsewhere', 'Builtin'])
    expect(asked).toHaveLength(1)
  })

  test.each(streams)(
    'leaves the rest to built-in names when its second reply has none in time, %s',
    async (_how, options) => {
      const { asked, find } = await openFlow({ replies: [[...TAKEN, 'Elsewhere'], []], tookMs: [1_000, 2_900] })
      expect(await find({}, options)).toEqual(['Elsewhere', 'Builtin'])
      expect(asked).toHaveLength(2)
    },
  )

  test.each(streams.slice(0, 2))('is asked no more when the caller leaves meanwhile, %s', async (_how, options) => {
    const leaving = new AbortController()
    const { asked, find } = await openFlow({
      replies: [TAKEN, ['Outpost']],
      onAsked: (calls) => calls === 2 && leaving.abort(),
    })
    await expect(find({}, options, leaving.signal)).rejects.toMatchObject({ name: 'AbortError' })
    expect(asked).toHaveLength(2)
  })

  test('fills up after the candidates, and is asked again only for what they leave', async () => {
    const { asked, find } = await openFlow({ replies: [[...TAKEN], ['Outpost']] })
    const candidates = { names: [], rules: plainNameRequest(''), fill: true }
    expect(await find({ candidates })).toEqual(['Outpost', 'Builtin'])
    expect(asked[1]?.again).toMatchObject({ taken: TAKEN, missing: 2 })
  })

  test('is let go as soon as enough of its names are free, also without a stream', async () => {
    const { asked, find } = await openFlow({ replies: [['Elsewhere', 'Outpost', 'Fernmate']], isEndless: true })
    expect(await find()).toEqual(['Elsewhere', 'Outpost'])
    expect(asked).toHaveLength(1)
  })
})
