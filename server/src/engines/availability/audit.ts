/**
 * Audits our own verdicts. A sample of the domains reported as available is checked again later, by sources that had
 * no part in the verdict. The results are counted per suffix and per source that was trusted.
 *
 * A domain that is registered in between counts as a contradiction too, so the measured accuracy is a lower bound.
 * Pending checks are kept in this process only and are lost on restart: a sample does not need to be durable.
 */
import { behindLabel } from '../../model/domain.ts'
import type { Domain } from '../../model/domain.ts'
import type { Verdict } from '../../model/verdict.ts'
import type { Evidence, EvidenceSource } from './evidence.ts'

export interface AuditTally {
  readonly suffix: string
  readonly source: string
  confirmed: number
  contradicted: number
  unanswered: number
}

export interface Audit {
  /** Records that this domain was reported to a caller as available. */
  note(verdict: Verdict): void
  tallies(): readonly Readonly<AuditTally>[]
  /** Checks the domains that are due. Runs once a minute. */
  ask(): Promise<void>
  close(): void
}

// 1 %: enough to detect a wrong source within a few thousand results, too little to load a registry.
const SHARE = 0.01
const LATER_MS = 3_600_000
const EVERY_MS = 60_000
const MAX_WAITING = 1_000
const PATIENCE_MS = 10_000

export function createAudit(options: {
  sources: readonly EvidenceSource[]
  now: () => number
  random?: () => number
  laterMs?: number
}): Audit {
  const { sources, now, random = Math.random, laterMs = LATER_MS } = options
  const waiting: { domain: Domain; believed: readonly string[]; dueAt: number }[] = []
  const counted = new Map<string, AuditTally>()
  const timer = setInterval(() => void ask(), EVERY_MS).unref()

  function tallyOf(domain: Domain, source: string): AuditTally {
    const suffix = behindLabel(domain)
    const key = `${suffix} ${source}`
    let tally = counted.get(key)
    if (!tally) counted.set(key, (tally = { suffix, source, confirmed: 0, contradicted: 0, unanswered: 0 }))
    return tally
  }

  async function ask(): Promise<void> {
    const at = now()
    const due = waiting.filter(({ dueAt }) => dueAt <= at)
    for (const one of due) waiting.splice(waiting.indexOf(one), 1)
    const collected = new Map<Domain, Evidence[]>()
    for (const source of sources) {
      const domains = due.filter(({ believed }) => !believed.includes(source.name)).map(({ domain }) => domain)
      if (domains.length === 0) continue
      for (const [domain, evidence] of await source.ask(domains, AbortSignal.timeout(PATIENCE_MS))) {
        collected.set(domain, [...(collected.get(domain) ?? []), evidence])
      }
    }
    for (const { domain, believed } of due) {
      // A registrar can be asked again as one of several. A second result from the same source proves nothing.
      const others = (collected.get(domain) ?? []).filter(({ source }) => !believed.includes(source))
      const said = others.map(({ says }) => says)
      for (const source of believed) {
        const tally = tallyOf(domain, source)
        if (said.includes('registered') || said.includes('reserved')) tally.contradicted++
        else if (said.includes('absent') || said.includes('available')) tally.confirmed++
        else tally.unanswered++
      }
    }
  }

  return {
    note({ domain, sources: believed }) {
      if (random() >= SHARE || waiting.length >= MAX_WAITING) return
      waiting.push({ domain, believed, dueAt: now() + laterMs })
    },
    tallies: () => [...counted.values()],
    ask,
    close: () => clearInterval(timer),
  }
}
