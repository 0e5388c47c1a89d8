/** The pulses of everybody who is asked about domains, by what they are called: one list to look at. */
import { createPulse } from '../outbound/pulse.ts'
import type { Pulse, Reading } from '../outbound/pulse.ts'

export type OutsideKind = 'registry' | 'registrar' | 'dns'

export interface SourceReading extends Reading {
  readonly name: string
  readonly kind: OutsideKind
}

/** Why somebody is left alone just now; undefined when they are not. */
export type Rests = () => string | undefined

export interface Pulses {
  /** The same for the same name. Several may leave it alone, each for a reason of its own. */
  of(kind: OutsideKind, name: string, rests?: Rests): Pulse
  list(): readonly SourceReading[]
}

// A resolver next door answers in milliseconds, a registry across the world within a second, and a registrar asks the
// registries while we wait.
const SLOW_MS: Readonly<Record<OutsideKind, number>> = { dns: 200, registry: 1_200, registrar: 2_500 }

export function createPulses(now: () => number): Pulses {
  const known = new Map<string, { kind: OutsideKind; name: string; pulse: Pulse; reasons: Rests[] }>()

  function open(kind: OutsideKind, name: string) {
    const reasons: Rests[] = []
    const firstOf = () => reasons.map((rests) => rests()).find((why) => why !== undefined)
    return { kind, name, reasons, pulse: createPulse({ now, slowMs: SLOW_MS[kind], rests: firstOf }) }
  }

  return {
    of(kind, name, rests) {
      const key = `${kind} ${name}`
      const found = known.get(key) ?? open(kind, name)
      known.set(key, found)
      if (rests) found.reasons.push(rests)
      return found.pulse
    },
    list: () => [...known.values()].map(({ kind, name, pulse }) => ({ kind, name, ...pulse.read() })),
  }
}
