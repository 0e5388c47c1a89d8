/** Health and trust of all external sources of evidence, by name. */
import { createHealthTracker } from '../../platform/outbound/health-tracker.ts'
import type { HealthTracker, HealthReading } from '../../platform/outbound/health-tracker.ts'
import type { SourceTrouble } from '../../model/generate-request.ts'
import type { SourceTrust, TrustState } from './trust.ts'

export type OutsideKind = 'registry' | 'registrar' | 'dns' | 'index' | 'namespace'

export interface SourceReading extends HealthReading {
  readonly name: string
  readonly kind: OutsideKind
  /** Only for sources that are tested with control names. */
  readonly trust?: SourceTrust | undefined
}

/** Why the circuit is open; undefined if it is closed. */
export type CircuitReason = () => string | undefined

/**
 * Whether a source is trusted: overall, and for one suffix if that can differ; undefined for a suffix it does not
 * cover.
 */
export interface TrustReader {
  read(): SourceTrust | undefined
  about?(suffix: string): TrustState | undefined
}

export interface SourceHealth {
  /** Returns the same tracker for the same name. Several callers can add a circuit reason each. */
  of(kind: OutsideKind, name: string, circuitReason?: CircuitReason): HealthTracker
  trusting(kind: OutsideKind, name: string, trust: TrustReader): void
  list(): readonly SourceReading[]
  /** The sources that cannot be used now for these suffixes. */
  troubles(suffixes: Iterable<string>): readonly SourceTrouble[]
}

// A nearby resolver responds in milliseconds, a distant registry within a second, and a registrar asks the registries
// while we wait.
const SLOW_MS: Readonly<Record<OutsideKind, number>> = {
  dns: 200,
  registry: 1_200,
  registrar: 2_500,
  index: 1,
  namespace: 1_200,
}

interface Source {
  readonly kind: OutsideKind
  readonly name: string
  readonly health: HealthTracker
  readonly reasons: CircuitReason[]
  trust?: TrustReader
}

// The worst first: it is reported for a source whose state differs between suffixes.
const TROUBLES: readonly TrustState[] = ['untrusted', 'unreachable', 'proving']

export function createSourceHealth(now: () => number): SourceHealth {
  const known = new Map<string, Source>()

  function open(kind: OutsideKind, name: string): Source {
    const reasons: CircuitReason[] = []
    const firstOf = () => reasons.map((circuitReason) => circuitReason()).find((why) => why !== undefined)
    return { kind, name, reasons, health: createHealthTracker({ now, slowMs: SLOW_MS[kind], circuitReason: firstOf }) }
  }

  function sourceOf(kind: OutsideKind, name: string): Source {
    const key = `${kind} ${name}`
    const found = known.get(key) ?? open(kind, name)
    known.set(key, found)
    return found
  }

  const list = (): readonly SourceReading[] =>
    [...known.values()].map(({ kind, name, health, trust }) => ({ kind, name, ...health.read(), trust: trust?.read() }))

  /** Undefined if it can be used or does not cover these suffixes. */
  function troubleOf({ health, trust }: Source, suffixes: readonly string[]): SourceTrouble['state'] | undefined {
    const states = trust?.about ? suffixes.map((suffix) => trust.about?.(suffix)) : [trust?.read()?.state]
    if (trust !== undefined && states.every((state) => state === undefined)) return undefined
    const worst = TROUBLES.find((state) => states.includes(state))
    if (worst !== undefined && worst !== 'trusted') return worst
    const { state } = health.read()
    return state === 'failing' || state === 'resting' ? state : undefined
  }

  /** While one resolver can be used, another that cannot is not reported. */
  function troubleOfDns(resolvers: readonly Source[], suffix: string): SourceTrouble[] {
    const states = resolvers.flatMap((resolver) => troubleOf(resolver, [suffix]) ?? [])
    const [state] = states
    return state === undefined || states.length < resolvers.length ? [] : [{ source: 'dns', state }]
  }

  return {
    of(kind, name, circuitReason) {
      const { health, reasons } = sourceOf(kind, name)
      if (circuitReason) reasons.push(circuitReason)
      return health
    },
    trusting(kind, name, trust) {
      sourceOf(kind, name).trust = trust
    },
    list,
    troubles(suffixes) {
      const about = [...suffixes]
      if (about.length === 0) return []
      const { dns = [], registry = [], registrar = [] } = Object.groupBy(known.values(), ({ kind }) => kind)
      const others = [...registrar, ...registry].flatMap((source): SourceTrouble[] => {
        const state = troubleOf(source, about)
        return state === undefined ? [] : [{ source: source.name, state }]
      })
      const troubles = [...about.flatMap((suffix) => troubleOfDns(dns, suffix)), ...others]
      return [...new Map(troubles.map((one) => [`${one.source} ${one.state}`, one])).values()]
    },
  }
}
