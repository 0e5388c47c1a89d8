/**
 * Tests whether a resolver can be trusted about a suffix, with control names (`control-names.ts`): a name that
 * certainly exists must be found, a random one must not.
 *
 * This catches a resolver that denies everything, for example behind a firewall or with a search domain; one that
 * finds everything, such as a captive portal or a provider that rewrites NXDOMAIN; and a suffix whose registry
 * answers for all names. It cannot catch a false response for a single name. Until the existing name leaves the
 * resolver's cache, it cannot catch false responses of the servers behind it either.
 *
 * A resolver can begin to give false responses between two queries. So no absence counts before the resolver has
 * found an existing name that was queried after it (`confirm`); many responses share one such query. The random name
 * is queried when a suffix is first used and every ten minutes. A few suffixes are tested in turn continuously, with
 * both names, so that the state is known even without traffic. Every suffix that failed is tested until it passes.
 */
import { makeUnregisteredName } from './control-names.ts'
import type { RegisteredNames } from './control-names.ts'
import type { DnsClient } from './dns-client.ts'
import { summarizeTests } from './trust.ts'
import type { SourceTrust, TrustState } from './trust.ts'

export interface DnsTrust {
  stateOf(resolver: number, suffix: string): TrustState
  /** Tests the resolver after this call; concurrent callers share the test. True: its responses count. */
  confirm(resolver: number, suffix: string): Promise<boolean>
  /** Queries about the suffix timed out: every resolver is tested, unless a test is already running. */
  suspect(suffix: string): void
  /** The resolver's state for most suffixes. */
  read(resolver: number): SourceTrust | undefined
  close(): Promise<void>
}

export interface DnsTrustOptions {
  /** One client per resolver. */
  readonly clients: readonly DnsClient[]
  readonly registeredIn: RegisteredNames
  /** Tested continuously, one of them every `sampleMs`. */
  readonly sampled: readonly string[]
  readonly sampleMs?: number | undefined
  readonly now: () => number
  readonly onChange?: ((resolver: number, trust: SourceTrust) => void) | undefined
}

interface Test {
  readonly suffix: string
  state: TrustState
  why: string | undefined
  /** The existing name that was found last. */
  found: string | undefined
  randomAt: number
  running: Promise<boolean> | undefined
  next: Promise<boolean> | undefined
}

const SAMPLE_MS = 5_000
const RANDOM_MS = 600_000
// Callers can send suffixes that do not exist.
const MAX_TESTS = 5_000
const MAX_RETESTS = 50

export function openDnsTrust(options: DnsTrustOptions): DnsTrust {
  const { clients, registeredIn, sampled, sampleMs = SAMPLE_MS, now, onChange } = options
  const resolvers = clients.map((client) => ({
    client,
    tests: new Map<string, Test>(),
    trust: { state: 'proving', since: now(), why: undefined } as SourceTrust,
  }))
  let turn = 0

  /** For a suffix without a certainly registered name, at least the suffix itself exists. */
  function existingIn(suffix: string): readonly [string, ...string[]] {
    const names = registeredIn(suffix)
    return names.length > 1 ? names : [...names, suffix]
  }

  const sample = () => {
    const suffix = sampled[turn++ % sampled.length]
    for (const [index, { tests }] of resolvers.entries()) {
      const failed = [...tests.values()].filter(({ state }) => state === 'untrusted' || state === 'unreachable')
      for (const test of failed.slice(0, MAX_RETESTS)) testAnew(index, test)
      const sampledTest = suffix === undefined ? undefined : testOf(index, suffix)
      if (sampledTest) testAnew(index, sampledTest)
    }
  }
  for (const suffix of sampled) for (const index of resolvers.keys()) void confirm(index, suffix)
  const timer = setInterval(sample, sampleMs).unref()

  function testOf(resolver: number, suffix: string): Test | undefined {
    const tests = resolvers[resolver]?.tests
    if (tests === undefined) return undefined
    let test = tests.get(suffix)
    if (test === undefined) {
      test = {
        suffix,
        state: 'proving',
        why: undefined,
        found: undefined,
        randomAt: -Infinity,
        running: undefined,
        next: undefined,
      }
      tests.set(suffix, test)
      const [oldest] = tests.keys()
      if (tests.size > MAX_TESTS && oldest !== undefined) tests.delete(oldest)
    }
    return test
  }

  /**
   * A test that is already running began too early for this caller; the next one serves all callers until it begins.
   */
  function confirm(resolver: number, suffix: string): Promise<boolean> {
    const test = testOf(resolver, suffix)
    if (test === undefined) return Promise.resolve(false)
    if (test.next !== undefined) return test.next
    if (test.running === undefined) return start(resolver, test)
    test.next = test.running.then(() => start(resolver, test))
    return test.next
  }

  function start(resolver: number, test: Test): Promise<boolean> {
    test.next = undefined
    test.running = prove(resolver, test).finally(() => {
      test.running = undefined
    })
    return test.running
  }

  async function prove(resolver: number, test: Test): Promise<boolean> {
    const client = resolvers[resolver]?.client
    if (client === undefined) return false
    const { suffix } = test
    const isRandomDue = test.state !== 'trusted' || now() - test.randomAt >= RANDOM_MS
    const [found, random] = await Promise.all([
      findExisting(client, test),
      isRandomDue ? ask(client, makeUnregisteredName(suffix)) : undefined,
    ])
    if (random !== undefined && random !== 'unanswered') test.randomAt = now()
    if (random === 'exists')
      note(resolver, test, 'untrusted', `reports unregistered domains under .${suffix} as registered`)
    else if (found === 'absent')
      note(resolver, test, 'untrusted', `reports ${existingIn(suffix).join(' and ')} as unregistered`)
    else if (found === 'unanswered' || random === 'unanswered')
      note(resolver, test, 'unreachable', `does not respond for .${suffix}`)
    else note(resolver, test, 'trusted', undefined)
    return test.state === 'trusted'
  }

  async function findExisting(client: DnsClient, test: Test): Promise<ProbeOutcome> {
    const names = existingIn(test.suffix)
    const first = test.found ?? names[0]
    for (const name of [first, ...names.filter((other) => other !== first)]) {
      const outcome = await ask(client, name)
      if (outcome === 'exists') test.found = name
      if (outcome !== 'absent') return outcome
    }
    return 'absent'
  }

  function note(resolver: number, test: Test, state: TrustState, why: string | undefined): void {
    test.why = why
    if (test.state === state) return
    test.state = state
    const one = resolvers[resolver]
    if (one === undefined) return
    // A fault for one suffix usually affects all of them.
    const others = [...one.tests.values()].filter((other) => other.state !== state)
    for (const other of others.slice(0, MAX_RETESTS)) testAnew(resolver, other)
    const trust = summarizeTests([...one.tests.values()])
    const isNew = trust.state !== one.trust.state
    if (isNew || trust.why !== one.trust.why) one.trust = { ...trust, since: isNew ? now() : one.trust.since }
    if (isNew) onChange?.(resolver, one.trust)
  }

  /** Tests with both names. */
  function testAnew(resolver: number, test: Test): void {
    test.randomAt = -Infinity
    if (test.running === undefined) void start(resolver, test)
  }

  return {
    stateOf: (resolver, suffix) => resolvers[resolver]?.tests.get(suffix)?.state ?? 'proving',
    confirm,
    suspect(suffix) {
      for (const index of resolvers.keys()) {
        const test = testOf(index, suffix)
        if (test !== undefined && test.running === undefined) void start(index, test)
      }
    },
    read: (resolver) => resolvers[resolver]?.trust,
    async close() {
      clearInterval(timer)
      await Promise.all(clients.map((client) => client.close()))
    },
  }
}

type ProbeOutcome = 'exists' | 'absent' | 'unanswered'

function ask(client: DnsClient, name: string): Promise<ProbeOutcome> {
  return new Promise((resolve) => {
    client.ask(name, 'DS', ({ kind }) => resolve(kind === 'exists' || kind === 'absent' ? kind : 'unanswered'))
  })
}
