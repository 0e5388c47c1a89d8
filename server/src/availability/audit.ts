/**
 * We check ourselves: a sample of the names that callers were told are available is asked again later, of sources
 * that had no part in the verdict, and the answers are counted by suffix and by who was believed.
 *
 * A name that somebody registered in between counts against us too, so the figure is a lower bound. What is waiting is
 * kept in this process only and lost with it: a sample needs no memory.
 */
import { behindLabel } from '../model/domain.ts'
import type { Domain } from '../model/domain.ts'
import type { Verdict } from '../model/verdict.ts'
import type { Evidence, EvidenceSource } from './evidence.ts'

export interface Tally {
  readonly suffix: string
  readonly source: string
  confirmed: number
  contradicted: number
  unanswered: number
}

export interface Audit {
  /** A caller was told that this domain is available. */
  note(verdict: Verdict): void
  tallies(): readonly Readonly<Tally>[]
  /** Asks what is due now; run once a minute. */
  ask(): Promise<void>
  close(): void
}

// One in a hundred: enough to see a lying source within a few thousand answers, too little to strain a registry.
const SHARE = 0.01
const LATER_MS = 3_600_000
const EVERY_MS = 60_000
const MOST_WAITING = 1_000
const PATIENCE_MS = 10_000

export function createAudit(options: {
  sources: readonly EvidenceSource[]
  now: () => number
  random?: () => number
  laterMs?: number
}): Audit {
  const { sources, now, random = Math.random, laterMs = LATER_MS } = options
  const waiting: { domain: Domain; believed: readonly string[]; dueAt: number }[] = []
  const counted = new Map<string, Tally>()
  const timer = setInterval(() => void ask(), EVERY_MS).unref()

  function tallyOf(domain: Domain, source: string): Tally {
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
    const heard = new Map<Domain, Evidence[]>()
    for (const source of sources) {
      const domains = due.filter(({ believed }) => !believed.includes(source.name)).map(({ domain }) => domain)
      if (domains.length === 0) continue
      for (const [domain, evidence] of await source.ask(domains, AbortSignal.timeout(PATIENCE_MS))) {
        heard.set(domain, [...(heard.get(domain) ?? []), evidence])
      }
    }
    for (const { domain, believed } of due) {
      // A registrar may be asked again as one of several; its own word twice proves nothing.
      const others = (heard.get(domain) ?? []).filter(({ source }) => !believed.includes(source))
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
      if (random() >= SHARE || waiting.length >= MOST_WAITING) return
      waiting.push({ domain, believed, dueAt: now() + laterMs })
    },
    tallies: () => [...counted.values()],
    ask,
    close: () => clearInterval(timer),
  }
}
