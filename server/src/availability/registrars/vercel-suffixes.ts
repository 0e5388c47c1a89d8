/** Which suffixes Vercel sells, by its own list: read when first needed and once a day after that. */
import { listIn } from './fields.ts'
import type { Send } from './registrar.ts'
import { put } from './registrar.ts'

export interface VercelSuffixes {
  /** Undefined while the list could not be read. Never rejects. */
  find(): Promise<ReadonlySet<string> | undefined>
}

// Suffixes come and go over months.
const KEEP_MS = 24 * 60 * 60_000
// After a failure: often enough to recover soon, seldom enough that a broken list costs nobody anything.
const RETRY_MS = 5 * 60_000
// com and net have been on it from the start; a list without them, or a handful long, is not the list.
const FEWEST = 3

export function createVercelSuffixes(options: { send: Send; url: string; now: () => number }): VercelSuffixes {
  const { send, url, now } = options
  const endpoint = new URL('/v1/registrar/tlds/supported', url)
  let known: ReadonlySet<string> | undefined
  let reading: Promise<void> | undefined
  let nextAt = 0

  async function read(): Promise<void> {
    // Not the asking caller's signal: the list is for all callers after it.
    const { signal } = new AbortController()
    const question = { url: endpoint.href, method: 'GET', headers: { accept: 'application/json' } } as const
    const suffixes = listIn(await put(send, question, signal).catch(() => ''))
    const isList = suffixes.length >= FEWEST && suffixes.includes('com')
    if (isList) known = new Set(suffixes)
    nextAt = now() + (isList ? KEEP_MS : RETRY_MS)
  }

  return {
    async find() {
      if (now() >= nextAt) {
        reading ??= read().finally(() => (reading = undefined))
        // Only the first reading is waited for; later ones happen beside an older list.
        if (known === undefined) await reading
      }
      return known
    },
  }
}
