/**
 * Whether a source is trusted: it is tested with control names (`control-names.ts`), and its results count only while
 * it passes.
 */
export const TRUST_STATES = ['proving', 'trusted', 'untrusted', 'unreachable'] as const
export type TrustState = (typeof TRUST_STATES)[number]

export interface SourceTrust {
  readonly state: TrustState
  /** Milliseconds since 1970. */
  readonly since: number
  readonly why: string | undefined
}

/** The state for most suffixes is the state of the source; faults for the other suffixes are added to the reason. */
export function summarizeTests(
  tests: readonly Pick<SourceTrust, 'state' | 'why'>[],
): Pick<SourceTrust, 'state' | 'why'> {
  const of = (state: TrustState) => tests.filter((test) => test.state === state)
  const [trusted, untrusted, unreachable] = [of('trusted'), of('untrusted'), of('unreachable')]
  const ended = trusted.length + untrusted.length + unreachable.length
  const worst = untrusted.length >= unreachable.length ? 'untrusted' : 'unreachable'
  const state = ended === 0 ? 'proving' : trusted.length * 2 >= ended ? 'trusted' : worst
  const reasons = [...untrusted, ...unreachable].map(({ why }) => why)
  return { state, why: reasons.length === 0 ? undefined : reasons.slice(0, 3).join('; ') }
}

export interface TrustRecord {
  read(): SourceTrust
  set(state: TrustState, why?: string): void
}

/**
 * `since` changes, and `onChange` is called, only when the state changes. A new reason for the same state is stored
 * silently.
 */
export function createTrustRecord(now: () => number, onChange?: (trust: SourceTrust) => void): TrustRecord {
  let trust: SourceTrust = { state: 'proving', since: now(), why: undefined }
  return {
    read: () => trust,
    set(state, why) {
      const isNew = state !== trust.state
      trust = { state, why, since: isNew ? now() : trust.since }
      if (isNew) onChange?.(trust)
    },
  }
}
