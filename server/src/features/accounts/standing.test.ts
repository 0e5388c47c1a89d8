/**
 * What an answer says of a domain in `available` and in `status`, over every verdict, mode and wish of a caller: the two never
 * contradict each other. Checks, suggestions, streams, batches and MCP are all written by the two functions that are held here;
 * a favorite has no status.
 */
import { expect, test } from 'vitest'
import type { AvailabilityMode, CheckOptions } from '../../engines/availability/availability.ts'
import { checkDomains } from '../check/check-domains.ts'
import type { Checked, CheckContext } from '../check/check-domains.ts'
import { suggest } from '../generate/suggest.ts'
import type { SuggestContext } from '../generate/suggest.ts'
import type { GenerateRequest, Suggestion } from '../../model/generate-request.ts'
import type { Domain, Suffix } from '../../model/domain.ts'
import type { Proposal } from '../../model/name.ts'
import type { Status, Verdict } from '../../model/verdict.ts'
import { openPrices } from '../../engines/prices/prices.ts'
import { readMessages } from '../../http/wire/language.ts'
import { suggestionEntry } from '../generate/shown.ts'
import { checkedEntry } from '../check/shown.ts'
import { nothingUnderstood } from '../../../test/nothing-understood.ts'

interface Entry {
  readonly available: boolean
  readonly status: Status
  readonly confidence?: Verdict['confidence']
}

const STATUSES: readonly Status[] = [
  'available',
  'premium',
  'for_sale',
  'taken',
  'reserved',
  'restricted',
  'unsupported',
  'invalid',
  'unknown',
]
const MODES: readonly AvailabilityMode[] = ['strict', 'balanced']
const CONFIDENCES = ['definitive', 'likely'] as const
const BOTH = [true, false] as const
const NEVER = { asked: 0, answered: 0, lastAnswerAt: undefined }
const DOMAIN = 'mayfly.com' as Domain
/** Its suffix is only for registrants of the United States. */
const RULED = 'mayfly.us' as Domain

const prices = await openPrices()
const messages = readMessages().get('en')!
const signal = new AbortController().signal

/** Cheap, dear and in money that there is no rate for. */
const PRICES: readonly Partial<Verdict>[] = [
  {},
  ...[
    { minor: 500, currency: 'USD' as const },
    { minor: 90_000, currency: 'USD' as const },
    { minor: 500, currency: 'XTS' as 'USD' },
  ].map((registration) => ({ price: { registration, years: 1, seller: 'vercel' } })),
]

const VERDICTS: readonly Verdict[] = STATUSES.flatMap((status) =>
  CONFIDENCES.flatMap((confidence) =>
    BOTH.flatMap((isProne) =>
      PRICES.map((price) => ({
        domain: DOMAIN,
        status,
        confidence,
        sources: ['dns'],
        checkedAt: 0,
        expiresAt: 0,
        ...(isProne ? { premiumProne: true as const } : {}),
        ...price,
      })),
    ),
  ),
)

function contextOf(verdict: Verdict, availabilityMode: AvailabilityMode): SuggestContext & CheckContext {
  const ctx: Partial<SuggestContext & CheckContext> = {
    now: Date.now,
    availabilityMode,
    prices,
    variants: [],
    sourceHealth: { troubles: () => [] },
    forSale: { findOffers: async () => new Map() },
    names: {
      propose: async () => [{ label: 'mayfly', name: 'Mayfly' } as Proposal],
      admit: async () => [],
      summarise: nothingUnderstood,
    },
    availability: {
      lookupsOf: () => ({ memory: NEVER, shared: NEVER }),
      async check(_domains: readonly Domain[], { onVerdict }: CheckOptions) {
        onVerdict?.(verdict)
        return new Map([[verdict.domain, verdict]])
      },
    },
  }
  return ctx as SuggestContext & CheckContext
}

async function entriesOfCheck(verdict: Verdict, mode: AvailabilityMode, country?: string): Promise<Entry[]> {
  const updates: Checked[] = []
  const wish = { deadlineMs: 5_000, fresh: false, forSale: false, country, fairnessKey: '' }
  const onUpdate = (_index: number, one: Checked) => void updates.push(one)
  const checked = await checkDomains(contextOf(verdict, mode), [verdict.domain, 'not a domain'], wish, signal, onUpdate)
  return [...checked, ...updates].map((one) => checkedEntry(one, []))
}

async function entriesOfGenerate(
  verdict: Verdict,
  mode: AvailabilityMode,
  wish: Partial<GenerateRequest>,
): Promise<Entry[]> {
  const updates: Suggestion[] = []
  const ask = {
    count: 1,
    suffixes: [verdict.domain.slice(verdict.domain.indexOf('.') + 1) as Suffix],
    onlyAvailable: false,
    deadlineMs: 5_000,
    currency: 'USD',
    include: ['evidence'],
    ...wish,
  } as Partial<GenerateRequest> as GenerateRequest
  const onUpdate = (shown: readonly Suggestion[]) => void updates.push(...shown)
  const { suggestions } = await suggest(contextOf(verdict, mode), ask, signal, { onUpdate })
  // As it goes over the wire.
  const shown = [...suggestions, ...updates].flatMap((one) => suggestionEntry(one, ask, messages).domains)
  return JSON.parse(JSON.stringify(shown)) as Entry[]
}

/** What would contradict itself, with the verdict that it was made from. */
const contradictionsIn = (entries: readonly Entry[], from: object) =>
  entries
    .filter(
      ({ available, status, confidence }) =>
        (available ? status !== 'available' && status !== 'premium' : status === 'available') ||
        (status === 'unknown') !== (confidence === undefined),
    )
    .map((entry) => ({ entry, from }))

test('a check never calls a domain available by one field and not by the other', async () => {
  for (const mode of MODES) {
    for (const verdict of VERDICTS) {
      const entries = await entriesOfCheck(verdict, mode)
      expect(entries.length).toBeGreaterThan(1)
      expect(contradictionsIn(entries, { mode, verdict })).toEqual([])
    }
  }
})

test('nor does generate, at once or as a stream, whatever its caller wishes', async () => {
  for (const mode of MODES) {
    for (const premium of BOTH) {
      for (const verify of ['fast', 'full'] as const) {
        for (const due of [undefined, 2_000]) {
          const wish = { premium, verify, priceLimits: { due, fiveYears: undefined } }
          for (const verdict of VERDICTS) {
            const entries = await entriesOfGenerate(verdict, mode, wish)
            expect(entries.length).toBeGreaterThan(0)
            expect(contradictionsIn(entries, { mode, verdict, wish })).toEqual([])
          }
        }
      }
    }
  }
})

test('what does not suffice is unknown, and what costs more than was asked for is premium', async () => {
  const free: Verdict = { ...VERDICTS[0]!, status: 'available', confidence: 'likely' }
  const unknown = { available: false, status: 'unknown' }
  expect((await entriesOfCheck(free, 'strict'))[0]).toMatchObject(unknown)
  expect((await entriesOfCheck({ ...free, premiumProne: true }, 'balanced'))[0]).toMatchObject(unknown)
  const dear = { ...free, confidence: 'definitive' as const, ...PRICES[2] }
  const wish = { premium: false, verify: 'fast' as const, priceLimits: { due: 2_000, fiveYears: undefined } }
  expect((await entriesOfGenerate(dear, 'strict', wish))[0]).toMatchObject({
    available: false,
    status: 'premium',
    confidence: 'definitive',
    price: '$900.00',
  })
})

test('a domain that the country of a caller rules out is never available to them, whatever is known of it', async () => {
  for (const mode of MODES) {
    for (const found of VERDICTS) {
      const verdict = { ...found, domain: RULED }
      const ofGenerate = (country?: string) =>
        entriesOfGenerate(verdict, mode, {
          premium: true,
          country,
          priceLimits: { due: undefined, fiveYears: undefined },
        })
      const barred = [...(await entriesOfCheck(verdict, mode, 'de')), ...(await ofGenerate('DE'))]
      expect(barred.filter(({ available }) => available)).toEqual([])
      expect(contradictionsIn(barred, { mode, verdict })).toEqual([])
      const known = ['taken', 'reserved', 'for_sale', 'unsupported', 'invalid'].includes(found.status)
      const wanted = { status: known ? found.status : 'restricted', eligibility: 'us_nexus' }
      expect(barred[0]).toMatchObject(wanted)
      expect(barred.at(-1)).toMatchObject(wanted)
      // With a country that satisfies the rule, and without any, it is as if there were no rule.
      for (const entriesOf of [(country?: string) => entriesOfCheck(verdict, mode, country), ofGenerate]) {
        const said = async (country?: string) =>
          (await entriesOf(country)).map(({ available, status }) => [available, status])
        expect(await said('PR')).toEqual(await said())
      }
    }
  }
})
