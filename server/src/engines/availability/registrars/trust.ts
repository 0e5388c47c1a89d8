/**
 * Tests whether a registrar can be trusted, with control names (`control-names.ts`): a certainly registered name must
 * not be for sale, and a random name must not be registered.
 *
 * Every request with a free place includes a control name, at no extra cost. A response that offers it for sale is
 * discarded as a whole, so a registrar that begins to give false results is detected by the first one. A separate
 * test request is sent at the start, every ten minutes, and after requests without a response. If a request takes
 * only one name, no control name can be included, and the test of the last ten minutes counts. Every test is paid
 * from the host's budget.
 *
 * Most suffixes have no certainly registered name, so `com` is part of every test and stands in for them.
 *
 * An untrusted registrar is not asked: its result is `unknown` until it passes again. Callers then take no budget, so
 * that there is some for the test. An unreachable registrar is asked as before, and the control name in each response
 * must pass. A registrar that has not passed its first test in time covers nothing: what it might know must not keep
 * the other sources from proving what they know.
 *
 * This cannot catch a false result for a single name.
 */
import { behindLabel } from '../../../model/domain.ts'
import type { Domain } from '../../../model/domain.ts'
import type { LookupBudget } from '../budget.ts'
import { findSureName, makeUnregisteredName } from '../control-names.ts'
import type { RegisteredNames } from '../control-names.ts'
import type { Evidence, Says } from '../evidence.ts'
import { createTrustRecord } from '../trust.ts'
import type { SourceTrust, TrustState } from '../trust.ts'
import { Limited } from './registrar.ts'
import type { Registrar } from './registrar.ts'

export interface TestedRegistrar extends Registrar {
  /** `why` also says what could not be read besides the results. */
  read(): SourceTrust
  /** Tests it now. */
  test(): Promise<SourceTrust>
  close(): void
}

export interface RegistrarTrustOptions {
  readonly registrar: Registrar
  readonly registeredIn: RegisteredNames
  /** The offered suffixes. */
  readonly suffixes: readonly string[]
  readonly budget: Pick<LookupBudget, 'take' | 'limited' | 'waitOf'>
  readonly now: () => number
  readonly onChange?: ((trust: SourceTrust) => void) | undefined
  /** Interval between two tests while it is trusted, and while it is not. */
  readonly sampleMs?: number | undefined
  readonly retestMs?: number | undefined
  /** How long a test may take. */
  readonly testMs?: number | undefined
}

// 144 requests a day: under 2 % of what the slowest registrar allows (one request in ten seconds).
const SAMPLE_MS = 600_000
const RETEST_MS = 15_000
// After a test without a response, since one lost connection is not yet an outage; also the minimum wait without
// budget.
const SOON_MS = 1_000
const MISSES = 2
// A test has few names. A registrar that is slower than this is of no use to a caller either.
const TEST_MS = 3_000
// A caller gave up after this time: reason enough for a test, which has its own timeout.
const LATE_MS = 1_000
// Minimum interval between two tests that failed requests trigger.
const HINT_MS = 5_000
// Two: for some registrars "not available" also means that they could not find out.
const RANDOM_NAMES = 2
// Every registrar sells it, and it has a certainly registered name.
const FALLBACK = 'com'
const FOR_SALE: ReadonlySet<Says> = new Set(['available', 'premium'])
const NOT_FOR_SALE: ReadonlySet<Says> = new Set(['registered', 'reserved', 'restricted'])

interface ControlNames {
  /** Certainly registered. */
  readonly existing: readonly Domain[]
  /** Certainly unregistered. */
  readonly random: readonly Domain[]
}

export function openRegistrarTrust(options: RegistrarTrustOptions): TestedRegistrar {
  const { registrar, registeredIn, budget, now, onChange, sampleMs = SAMPLE_MS, retestMs = RETEST_MS } = options
  const { testMs = TEST_MS } = options
  const suffixes = [...new Set([FALLBACK, ...options.suffixes])]
  const coversAllUntil = now() + testMs
  const record = createTrustRecord(now, onChange)
  const hasRoom = registrar.batch > 1
  const sold = new Set<string>()
  const closing = new AbortController()
  let running: Promise<SourceTrust> | undefined
  let timer: NodeJS.Timeout | undefined
  let misses = 0
  /** The last test had no budget and is repeated as soon as there may be some. */
  let isUnpaid = false
  let testedAt = -Infinity
  let dueAt = Infinity
  let turn = 0

  function test(): Promise<SourceTrust> {
    clearTimeout(timer)
    running ??= prove().then(() => {
      running = undefined
      schedule()
      return record.read()
    })
    return running
  }

  function schedule(): void {
    if (closing.signal.aborted) return
    const isTrusted = record.read().state === 'trusted'
    if (isUnpaid) return testIn(Math.min(retestMs, Math.max(SOON_MS, budget.waitOf(registrar.host))))
    testIn(isTrusted && misses === 0 ? sampleMs : isTrusted ? Math.min(SOON_MS, retestMs) : retestMs)
  }

  function testIn(waitMs: number): void {
    clearTimeout(timer)
    dueAt = now() + waitMs
    timer = setTimeout(() => void test(), waitMs).unref()
  }

  async function prove(): Promise<void> {
    testedAt = now()
    const controls = controlsOfTest()
    const names = [...controls.existing, ...controls.random]
    isUnpaid = names.length > 0 && (await budget.take(registrar.host, 1).catch(() => 0)) === 0
    if (isUnpaid || names.length === 0) return
    try {
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(testMs)])
      evaluate(controls, await registrar.check(names, signal))
    } catch (cause) {
      if (!(cause instanceof Limited)) throw cause
      await budget.limited(registrar.host, cause.retryAfterMs).catch(() => {})
      if (record.read().state === 'proving') record.set('unreachable', 'rate limited')
    }
  }

  /** The names of one test request. If it takes one name only, both kinds alternate while the registrar is trusted. */
  function controlsOfTest(): ControlNames {
    const existing = surelyRegistered(suffixes)
    const random = Array.from({ length: RANDOM_NAMES }, () => makeUnregisteredName(FALLBACK) as Domain)
    if (hasRoom) return { existing: existing.slice(0, registrar.batch - RANDOM_NAMES), random }
    const isRandomsTurn = record.read().state === 'trusted' && turn++ % 2 === 0
    return isRandomsTurn ? { existing: [], random: random.slice(0, 1) } : { existing: existing.slice(0, 1), random: [] }
  }

  function evaluate({ existing, random }: ControlNames, evidence: readonly Evidence[]): void {
    if (closing.signal.aborted) return
    const said = new Map(evidence.map(({ domain, says }) => [domain, says]))
    const find = (names: readonly Domain[], list: ReadonlySet<Says>) =>
      names.filter((name) => list.has(said.get(name) ?? 'unsupported'))
    const [offered] = find(existing, FOR_SALE)
    const [unclear] = find(existing, new Set(['unknown']))
    const taken = find(random, new Set(['registered']))
    if (offered !== undefined) note('untrusted', `reports the registered domain ${offered} as available`)
    else if (unclear !== undefined) note('untrusted', `contradicts itself about ${unclear}`)
    else if (taken.length > 0 && taken.length === random.length)
      note('untrusted', 'reports unregistered domains as taken')
    else if (find(existing, NOT_FOR_SALE).length > 0) note('trusted')
    else if (evidence.length > 0) noteUnclear(existing)
    else noteMiss()
    for (const { domain, says } of evidence) if (says !== 'unknown') sold.add(behindLabel(domain))
  }

  function note(state: TrustState, why?: string): void {
    misses = 0
    record.set(state, why)
  }

  /** It responds, but not about the control names: nothing that speaks against it, and no test passed. */
  function noteUnclear(existing: readonly Domain[]): void {
    misses = 0
    if (record.read().state === 'proving' && existing.length > 0)
      record.set('proving', `has no result for ${existing.join(', ')}`)
  }

  function noteMiss(): void {
    misses += 1
    if (misses < MISSES && record.read().state === 'trusted') return
    record.set('unreachable', 'does not respond, or sends malformed responses')
  }

  /** Called when a caller's request had no response. */
  function suspect(): void {
    testBy(Math.max(0, testedAt + Math.min(HINT_MS, retestMs) - now()))
  }

  /** Schedules a test unless an earlier one is already scheduled. */
  function testBy(waitMs: number): void {
    if (running === undefined && now() + waitMs < dueAt && !closing.signal.aborted) testIn(waitMs)
  }

  /** A control name for one of the requested suffixes, in rotation; the first of the test if none has one. */
  function findControl(domains: readonly Domain[]): Domain | undefined {
    const requested = surelyRegistered(new Set(domains.map(behindLabel)))
    const sure = requested.length > 0 ? requested : surelyRegistered(suffixes).slice(0, 1)
    return sure[turn++ % sure.length]
  }

  function surelyRegistered(some: Iterable<string>): Domain[] {
    return [...some].flatMap((suffix) => findSureName(registeredIn, suffix) ?? []) as Domain[]
  }

  async function check(domains: readonly Domain[], signal: AbortSignal): Promise<readonly Evidence[]> {
    const control = hasRoom ? findControl(domains) : undefined
    const isAdded = control !== undefined && !domains.includes(control)
    const askedAt = performance.now()
    const evidence = await registrar.check(isAdded ? [...domains, control] : domains, signal)
    const isLate = signal.aborted && performance.now() - askedAt >= LATE_MS
    if (evidence.length === 0) {
      if (isLate || !signal.aborted) suspect()
      return []
    }
    evaluate({ existing: control === undefined ? [] : [control], random: [] }, evidence)
    if (record.read().state === 'untrusted') testBy(retestMs)
    return isAdded ? evidence.filter(({ domain }) => domain !== control) : evidence
  }

  void test()

  return {
    name: registrar.name,
    host: registrar.host,
    batch: hasRoom ? registrar.batch - 1 : registrar.batch,
    covers(domain) {
      const { state } = record.read()
      if (registrar.isOccasional) return false
      if (state === 'proving') return now() < coversAllUntil
      return state === 'trusted' && sold.has(behindLabel(domain))
    },
    async check(domains, signal) {
      if (record.read().state === 'proving' && !hasRoom) await Promise.race([test(), ended(signal)])
      const evidence = record.read().state === 'untrusted' ? [] : await check(domains, signal)
      const { state } = record.read()
      if (state === 'untrusted') return domains.map((domain) => unknownOf(domain))
      return state === 'trusted' ? evidence : []
    },
    fault: () => registrar.fault?.(),
    isAsked: () => record.read().state !== 'untrusted',
    read() {
      const trust = record.read()
      return { ...trust, why: trust.why ?? registrar.fault?.() }
    },
    test,
    close() {
      closing.abort()
      clearTimeout(timer)
    },
  }

  function unknownOf(domain: Domain): Evidence {
    return { domain, source: registrar.name, says: 'unknown', at: now(), ttlMs: 0 }
  }
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
