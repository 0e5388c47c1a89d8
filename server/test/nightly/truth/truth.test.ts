/**
 * Thousands of names through the whole chain, while everybody outside misbehaves: nothing that is not free may be
 * called available, no check may take longer than it may, and nothing may pile up.
 *
 * The chain is the product's own, over UDP and TLS to servers on loopback and with a real Redis; `cells.ts` says
 * who meets whom about which names. Never do all who can know about a name lie about it in the same direction: that
 * nobody could find out, and `isKnowable` there says exactly what is left out for it.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { memoryInUse } from '../../memory.ts'
import {
  isRegistrable,
  openNames,
  openPrices,
  parseGenerateRequest,
  suggest,
  type SuggestContext,
  type Verdict,
} from '../../source.ts'
import { isKnowable, makeCells, PER_CELL, premiumMinor, SUFFIXES, TIERED, worldOf } from './world/cells.ts'
import type { Cell, Name } from './world/cells.ts'
import { inTurns, rankOf } from './measure.ts'
import { openTruthInternet } from './world/open-internet.ts'
import { DNS_STATES, RDAP_STATES, REGISTRAR_STATES } from './world/states.ts'
import type { State } from './world/states.ts'
import { openSources } from './runners/engines.ts'
import type { Matrix } from './runners/engines.ts'
import { runningMs } from '../../../../scripts/test/running-ms.ts'

// What a caller of the API gets who names none.
const DEADLINE_MS = 2_500
// So many wait at any time, mostly for somebody silent.
const AT_ONCE = 48
// So few that a machine with other work to do answers them in time.
const FEW_AT_ONCE = 4
const CALM_ROUNDS = 3

const cells = makeCells()
const NAMES = cells.length * PER_CELL
const closing = new AsyncDisposableStack()
let matrix: Matrix
beforeAll(async () => {
  const { addresses } = closing.use(await openTruthInternet(worldOf(cells.flatMap(({ names }) => names))))
  const sources = closing.use(await openSources({ addresses, suffixes: [...SUFFIXES, TIERED] }))
  matrix = await sources.openMatrix()
})
afterAll(() => closing.disposeAsync())

interface Checked {
  readonly cell: Cell
  readonly name: Name
  readonly verdict: Verdict
  /** While the evidence was gathered its registrars were known to be unreachable, and the lists stood in for them. */
  readonly isStandIn: boolean
}

/** Every name of the cells, checked as names that will be shown are, and what each check took. */
async function checkAll(asked: readonly Cell[], atOnce = AT_ONCE): Promise<{ checked: Checked[]; tookMs: number[] }> {
  const checked: Checked[] = []
  const tookMs: number[] = []
  await inTurns(asked, atOnce, async (cell) => {
    const availability = matrix.openCell(cell)
    const { signal } = new AbortController()
    const domains = cell.names.map(({ domain }) => domain)
    // Twice: what was learned from the sick must not be repeated as if it were healthy.
    for (const deadlineMs of [DEADLINE_MS, DEADLINE_MS]) {
      const startedAt = runningMs()
      const verdicts = await availability.check(domains, { deadlineMs, depth: 'confirm', fresh: false, signal })
      tookMs.push(runningMs() - startedAt)
      const endedAt = Date.now()
      for (const name of cell.names) {
        const verdict = verdicts.get(name.domain)!
        // A verdict from the cache is as old as its evidence.
        const isStandIn = matrix.wasUnreachable(cell, verdict.checkedAt, endedAt)
        checked.push({ cell, name, verdict, isStandIn })
      }
    }
  })
  return { checked, tookMs }
}

const describeOne = ({ cell, name, verdict }: Checked) =>
  `${name.kind} ${name.domain}: ${verdict.status} by ${verdict.sources.join(' and ')}` +
  ` (dns ${cell.dns.name}; registrar ${cell.registrar.name}; rdap ${cell.rdap.name})`

/** As far as sellers speak: one that cannot be reached does not. */
function isKnown({ cell, name, isStandIn }: Checked): boolean {
  const registrar = isStandIn ? { ...cell.registrar, speaks: false, contradicts: false } : cell.registrar
  return isKnowable(name.kind, { ...cell, registrar })
}

// Alone, while both lists are sick, a seller is not believed.
const isFindableBySeller = ({ cell }: Checked) => cell.registrar.speaks && (cell.dns.speaks || cell.rdap.speaks)
const isFindableByLists = ({ cell }: Checked) => !cell.registrar.speaks && cell.dns.speaks && cell.rdap.speaks
const isFindable = (one: Checked) => one.name.kind === 'free' && (isFindableBySeller(one) || isFindableByLists(one))

test('each state of each witness meets healthy and sick others', () => {
  const tiers = ['dns', 'registrar', 'rdap'] as const
  const all: Readonly<Record<(typeof tiers)[number], readonly State[]>> = {
    dns: DNS_STATES,
    registrar: REGISTRAR_STATES,
    rdap: RDAP_STATES,
  }
  for (const tier of tiers) {
    for (const state of all[tier]) {
      const met = cells.filter((cell) => cell[tier] === state)
      for (const other of tiers.filter((one) => one !== tier)) {
        const others = new Set(met.map((cell) => cell[other].name))
        expect(
          [...others].some((name) => name.endsWith('well')),
          `${tier} ${state.name}`,
        ).toBe(true)
        expect(others.size, `${tier} ${state.name} and ${other}`).toBeGreaterThanOrEqual(10)
      }
    }
  }
})

test('of thousands of names in a sick world none is falsely available', { timeout: 300_000 }, async () => {
  const alone = DNS_STATES.length + REGISTRAR_STATES.length + RDAP_STATES.length
  const warmUp = await checkAll(cells.slice(0, alone))
  const before = await memoryInUse()
  const run = await checkAll(cells.slice(alone))
  const grown = (await memoryInUse()) - before

  const isFound = ({ verdict }: Checked) => isRegistrable(verdict, 'strict')
  const late = [...warmUp.checked, ...run.checked].filter((one) => isFindable(one) && !isFound(one))
  const calm: Checked[] = []
  // What only the lists know hangs on the budget of the registries; what a seller knows is there for who asks again.
  for (let round = 0, missed = late; round < CALM_ROUNDS && missed.length > 0; round++) {
    const again = await checkAll([...new Set(missed.map(({ cell }) => cell))], FEW_AT_ONCE)
    calm.push(...again.checked)
    missed = again.checked.filter((one) => isFindableBySeller(one) && !isFound(one))
  }

  const checked = [...warmUp.checked, ...run.checked, ...calm]
  const names = new Set(checked.map(({ name }) => name.domain))
  expect(names.size).toBe(NAMES)

  const called = new Set(checked.filter(isFound))
  const lies = [...called].filter((one) => one.name.kind !== 'free' && isKnown(one))
  expect(lies.map(describeOne)).toEqual([])
  // At its own price, or not at all.
  const premium = checked.filter(
    ({ verdict }) => verdict.status === 'premium' && isRegistrable(verdict, 'strict', true),
  )
  const misquoted = premium.filter(
    ({ name, verdict }) => name.kind !== 'premium' || verdict.price?.registration.minor !== premiumMinor(name.domain),
  )
  expect(misquoted.map(describeOne)).toEqual([])
  expect(premium.length).toBeGreaterThan(NAMES / 100)

  const free = new Map(checked.filter(({ name }) => name.kind === 'free').map((one) => [one.name.domain, one]))
  const found = new Set([...called].map(({ name }) => name.domain))
  const bySeller = [...free.values()].filter(isFindableBySeller)
  const byLists = [...free.values()].filter(isFindableByLists)
  const share = (list: readonly Checked[]) => list.filter(({ name }) => found.has(name.domain)).length / list.length
  const tookMs = run.tookMs.toSorted((a, b) => a - b)
  console.log(
    `${names.size} names in ${cells.length} cells: ${found.size} of ${free.size} free ones found,` +
      ` ${(100 * share(bySeller)).toFixed(1)} % where a seller and a list speak, ${(100 * share(byLists)).toFixed(1)} % where` +
      ` only both lists do; a check took ${rankOf(tookMs, 0.5)} / ${rankOf(tookMs, 0.99)} / ${rankOf(tookMs, 1)} ms` +
      ` (p50, p99, max); memory grew by ${(grown / 1e6).toFixed(1)} MB`,
  )
  expect(share(bySeller)).toBeGreaterThan(0.9)
  // What the budget of the registries allows in the time the run takes.
  expect(share(byLists)).toBeGreaterThan(0.3)

  // A call that does not keep to its deadline waits for a source that never answers; one on a busy machine is only late.
  expect(rankOf(tookMs, 0.99)).toBeLessThanOrEqual(2 * DEADLINE_MS)
  expect(rankOf(tookMs, 1)).toBeLessThanOrEqual(5 * DEADLINE_MS)
  expect(grown).toBeLessThan(50e6)
})

/** What is suggested of the names of a cell when they are a caller's candidates; each is in one list of the answer. */
async function suggestAll(cell: Cell, { names, prices }: Pick<SuggestContext, 'names' | 'prices'>): Promise<Checked[]> {
  const ctx: Partial<SuggestContext> = {
    now: Date.now,
    availabilityMode: 'strict',
    availability: matrix.openCell(cell),
    names,
    prices,
    sourceHealth: { troubles: () => [] },
    variants: [],
  }
  const given = cell.names.map(({ domain }) => domain)
  // Nothing remembered is used, so that each source is asked as it is now.
  const body = { description: 'a harbour', count: PER_CELL, candidates: given, verify: 'full' as const }
  const request = parseGenerateRequest(body, {
    prices,
    suffixes: [],
    withModel: false,
    deadlineMs: DEADLINE_MS,
    language: 'en',
    currency: undefined,
  })
  const { suggestions, rejected = [] } = await suggest(ctx as SuggestContext, request, new AbortController().signal)
  const endedAt = Date.now()
  const shown = suggestions.map(({ proposal }) => proposal.name)
  expect([...shown, ...rejected.map((one) => one.name)].toSorted()).toEqual(given.toSorted())
  return suggestions.map(({ proposal, domains }) => {
    const name = cell.names.find(({ domain }) => domain === proposal.name)!
    const { verdict } = domains[0]!
    return { cell, name, verdict, isStandIn: matrix.wasUnreachable(cell, verdict.checkedAt, endedAt) }
  })
}

test('in a sick world no candidate that is not free is suggested', { timeout: 300_000 }, async () => {
  const prices = await openPrices()
  await using names = openNames()
  const alone = DNS_STATES.length + REGISTRAR_STATES.length + RDAP_STATES.length
  // A seller is believed when it has been tested.
  await expect.poll(() => suggestAll(cells[0]!, { names, prices }), { interval: 1_000 }).not.toEqual([])
  const suggested: Checked[] = []
  // Each state alone, and some of the meetings.
  const some = cells.filter((_, at) => at < alone || at % 7 === 0)
  await inTurns(some, AT_ONCE, async (cell) => {
    suggested.push(...(await suggestAll(cell, { names, prices })))
  })
  const lies = suggested.filter((one) => one.name.kind !== 'free' && isKnown(one))
  expect(lies.map(describeOne)).toEqual([])
  const healthy = some.filter((cell) => cell.registrar.speaks && cell.dns.speaks && cell.rdap.speaks)
  const found = healthy.filter((cell) => suggested.some((one) => one.cell === cell))
  console.log(
    `${suggested.length} of ${some.length * PER_CELL} candidates suggested, in ${found.length} of ${healthy.length} cells`,
  )
  expect(found.length).toBeGreaterThan(healthy.length / 2)
})
