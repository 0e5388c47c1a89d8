/**
 * Suffixes that are well are answered as well and as soon while others, asked through the same resolver, registrar and
 * RDAP host, are sick. Both are measured in turns in one run, so that a busy machine slows both alike.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Availability, type Domain, isRegistrable } from '../../source.ts'
import { inTurns, rankOf } from './measure.ts'
import { worldOf } from './world/cells.ts'
import { freeName, HEALTHY, SICK } from './world/neighbours.ts'
import { openTruthInternet } from './world/open-internet.ts'
import { openSources } from './runners/engines.ts'

const WINDOWS = 4
const CHECKS = 400
const NAMES = 10
// Of a hundred checks the 99th hundredth is one check, and one lost datagram decides it.
const SLOWEST = 0.99
// Together more than one resolver is sent at a time: who is well must not wait for who is silent.
const SICK_LOOPS = 30
const SICK_NAMES = 20
const SICK_DEADLINE_MS = 1_500
// Those that fail at once would otherwise measure how many handshakes two cores can do.
const SICK_PAUSE_MS = 250

const closing = new AsyncDisposableStack()
let availability: Availability
beforeAll(async () => {
  const { addresses } = closing.use(await openTruthInternet(worldOf([])))
  const shared = [...HEALTHY, ...SICK.filter(({ sharesHost }) => sharesHost).map(({ suffix }) => suffix)]
  const own = SICK.filter(({ sharesHost }) => !sharesHost).map(({ suffix, rdap }) => [
    addresses.rdap[rdap] ?? '',
    suffix,
  ])
  const sources = closing.use(await openSources({ addresses, suffixes: HEALTHY }))
  availability = await sources.openOne({ [addresses.mixedRdap]: shared.join(' '), ...Object.fromEntries(own) })
})
afterAll(() => closing.disposeAsync())

let drawn = 0
const { signal } = new AbortController()

async function check(suffixes: readonly string[], count: number, deadlineMs: number) {
  const domains = Array.from(
    { length: count },
    () => freeName(drawn++, suffixes[drawn % suffixes.length] ?? '') as Domain,
  )
  const startedAt = performance.now()
  const verdicts = await availability.check(domains, { deadlineMs, depth: 'confirm', fresh: false, signal })
  return { tookMs: performance.now() - startedAt, verdicts: [...verdicts.values()] }
}

async function measureHealthy(): Promise<{ tookMs: number[]; available: number }> {
  const tookMs: number[] = []
  let available = 0
  await inTurns(Array.from({ length: CHECKS }), 2, async () => {
    const checked = await check(HEALTHY, NAMES, 5_000)
    tookMs.push(checked.tookMs)
    available += checked.verdicts.filter((verdict) => isRegistrable(verdict, 'strict')).length
  })
  return { tookMs, available }
}

/** Until stopped: callers who ask about sick suffixes again and again. */
function bother(): () => Promise<void> {
  const stop = new AbortController()
  const loops = Array.from({ length: SICK_LOOPS }, async (_, at) => {
    while (!stop.signal.aborted) {
      await check([SICK[at % SICK.length]?.suffix ?? ''], SICK_NAMES, SICK_DEADLINE_MS)
      await sleep(SICK_PAUSE_MS)
    }
  })
  return async () => {
    stop.abort()
    await Promise.all(loops)
  }
}

// All of them are free; the hundredth is for a datagram that a busy machine drops.
const isWhole = ({ available }: { available: number }) => available > 0.99 * CHECKS * NAMES

test('sick suffixes neither slow nor spoil the others', { timeout: 600_000 }, async () => {
  await measureHealthy()
  const summaries: string[] = []
  // Sick suffixes that did harm would do it in every window; a machine that stalls for seconds spoils one or two.
  let isUnharmed = false
  while (!isUnharmed && summaries.length < WINDOWS) {
    const alone = await measureHealthy()
    const stop = bother()
    await sleep(500)
    const beside = await measureHealthy()
    await stop()
    const [quiet, bothered] = [alone, beside].map(({ tookMs }) => tookMs.toSorted((a, b) => a - b)) as [
      number[],
      number[],
    ]
    const text = (sorted: readonly number[], { available }: { available: number }) =>
      `${[0.5, 0.95, 0.99].map((rank) => rankOf(sorted, rank)).join(' / ')} ms, ${available} available`
    summaries.push(`${text(quiet, alone)} alone; ${text(bothered, beside)} beside sick ones`)
    // A tenth on a machine of one's own; the rest is what others do to one check in two, and to the slowest. A line that
    // sick suffixes hold up costs everybody seconds.
    isUnharmed =
      isWhole(alone) &&
      isWhole(beside) &&
      rankOf(bothered, 0.5) <= 1.5 * rankOf(quiet, 0.5) + 50 &&
      rankOf(bothered, SLOWEST) <= 2 * rankOf(quiet, SLOWEST) + 500
  }
  console.log(`healthy suffixes (p50 / p95 / p99):\n${summaries.join('\n')}`)
  expect(isUnharmed, summaries.join('\n')).toBe(true)
})
