/**
 * The sandbox registry: replaces every external source, so that the service can be tried without a network.
 *
 * Its results are simulated, and the same for the same domain in every process:
 *
 *   famous names                     registered everywhere
 *   dictionary words, short labels   nearly all registered, a few premium
 *   all other labels                 a share registered, by a hash of the domain; a few premium
 *
 * An ordinary domain costs the list price of its suffix; a premium one has its own price.
 *
 * Depends on data files only. It must never be opened beside another source (`platform/config/sandbox.ts` refuses
 * that), and none of its results may reach a cache that a node with real sources reads (`sources.ts`).
 */
import { hash } from 'node:crypto'
import { readData } from '../../data.ts'
import { behindLabel } from '../../model/domain.ts'
import type { Domain } from '../../model/domain.ts'
import type { Evidence, EvidenceSource } from './evidence.ts'

export const SANDBOX = 'sandbox'

// At four letters and below nearly everything is registered under a real suffix, too.
const SHORT = 4
// A rough estimate from real zones: half of the pronounceable labels are registered in .com, one in five elsewhere.
const TAKEN_IN_COM = 0.5
const TAKEN_ELSEWHERE = 0.2
const TAKEN_WORDS = 0.9
const PREMIUM = 0.03
// Long enough that a page and its reload show the same time; nothing depends on it.
const TTL_MS = 3_600_000

export function openSandbox(now: () => number): EvidenceSource {
  const read = (file: string) => {
    const lines = readData(file).split('\n')
    return new Set(lines.map((line) => line.split(' ')[0]?.replace(/^=/, '') ?? ''))
  }
  const [famous, words] = [read('brands.txt'), read('plain-words.txt')]

  function decide(domain: Domain): Pick<Evidence, 'says' | 'price'> {
    const suffix = behindLabel(domain)
    const label = domain.slice(0, -suffix.length - 1)
    if (famous.has(label)) return { says: 'registered' }
    const drawn = drawOf(domain)
    if (words.has(label) || label.length <= SHORT) return drawn < TAKEN_WORDS ? { says: 'registered' } : premium(domain)
    if (drawn < (suffix === 'com' ? TAKEN_IN_COM : TAKEN_ELSEWHERE)) return { says: 'registered' }
    return drawn > 1 - PREMIUM ? premium(domain) : { says: 'available' }
  }

  return {
    name: SANDBOX,
    async ask(domains) {
      return new Map(
        domains.map((domain) => [domain, { domain, source: SANDBOX, ...decide(domain), at: now(), ttlMs: TTL_MS }]),
      )
    },
  }
}

/** Hundreds to thousands of dollars, and a renewal price of a tenth of that. */
function premium(domain: Domain): Pick<Evidence, 'says' | 'price'> {
  const dollars = 100 * Math.round(1 + 60 * drawOf(`${domain} price`) ** 3)
  const usd = (amount: number) => ({ minor: amount * 100, currency: 'USD' }) as const
  return { says: 'premium', price: { registration: usd(dollars), renewal: usd(dollars / 10), years: 1 } }
}

/** From 0 to 1, the same for the same text. */
function drawOf(text: string): number {
  return hash('sha256', text, 'buffer').readUInt32BE(0) / 2 ** 32
}
