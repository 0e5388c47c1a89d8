/** A registry by EPP, for operators who are its accredited registrar: nobody knows better, and it answers in batches. */
import { behindLabel } from '../../model/domain.ts'
import { evidenceOf } from './claim.ts'
import { claimsIn } from './epp-check.ts'
import { writeCheck } from './epp-messages.ts'
import type { EppSessionOptions } from './epp-session.ts'
import { openEppSession } from './epp-session.ts'
import type { Pulse } from '../../outbound/pulse.ts'
import type { Registrar } from './registrar.ts'
import { Limited } from './registrar.ts'

export interface EppOptions extends EppSessionOptions {
  /** What its evidence is called; give each registry its own when there are several. */
  readonly name?: string
  /** Whose budget a command is taken from. */
  readonly host: string
  /** It is asked about these only; what it says of others would mean nothing. */
  readonly suffixes: readonly string[]
  /** The most names in one command; registries publish theirs. */
  readonly batch?: number
  /** The registry has no price tiers, so that its `avail` is the whole truth. */
  readonly onePrice?: boolean
  readonly pulse?: Pulse
}

export interface EppRegistrar extends Registrar {
  close(): Promise<void>
}

// Few registries take fewer; those that take more say so to their registrars.
const BATCH = 20
// RFC 5730 §3, "session limit exceeded", which registries also use for "too many commands".
const TOO_MANY = 2502

export function openEpp(options: EppOptions): EppRegistrar {
  const { name = 'epp', host, suffixes, batch = BATCH, onePrice = false, now, pulse } = options
  const session = openEppSession(options)
  const ours = new Set(suffixes)

  return {
    name,
    host,
    batch,
    async check(domains, signal) {
      const asked = domains.filter((domain) => ours.has(behindLabel(domain)))
      if (asked.length === 0) return []
      const at = now()
      const sentAt = performance.now()
      pulse?.ask()
      const response = await session.exchange(
        (clTrid, hasFees) => writeCheck({ domains: asked, withFees: hasFees && !onePrice, clTrid }),
        signal,
      )
      if (response?.code === 1000) pulse?.answered(performance.now() - sentAt)
      else if (signal.aborted) pulse?.withdrew()
      else pulse?.failed()
      if (response?.code === TOO_MANY) throw new Limited()
      if (response?.code !== 1000) return []
      return evidenceOf(name, at, asked, claimsIn(response.element, { onePrice }))
    },
    close: () => session.close(),
  }
}
