/** The suffixes that Vercel sells, from its own list: read on first use and then once a day. */
import { listIn } from './fields.ts'
import type { Send } from './registrar.ts'
import { put } from './registrar.ts'

export interface VercelSuffixes {
  /** Undefined while the list could not be read. Never rejects. */
  find(): Promise<ReadonlySet<string> | undefined>
}

// Suffixes change over months.
const KEEP_MS = 24 * 60 * 60_000
// After a failure, and only when names are checked: without the list a recovered registrar's results cannot be
// interpreted.
const RETRY_MS = 10_000
// com and net have always been on it; a list without them, or with only a few entries, is not the list.
const FEWEST = 3

export function createVercelSuffixes(options: { send: Send; url: string; now: () => number }): VercelSuffixes {
  const { send, url, now } = options
  const endpoint = new URL('/v1/registrar/tlds/supported', url)
  let known: ReadonlySet<string> | undefined
  let reading: Promise<void> | undefined
  let nextAt = 0

  async function read(): Promise<void> {
    // Not the caller's signal: the list is for all later callers too.
    const { signal } = new AbortController()
    const query = { url: endpoint.href, method: 'GET', headers: { accept: 'application/json' } } as const
    const suffixes = listIn(await put(send, query, signal).catch(() => ''))
    const isList = suffixes.length >= FEWEST && suffixes.includes('com')
    if (isList) known = new Set(suffixes)
    nextAt = now() + (isList ? KEEP_MS : RETRY_MS)
  }

  return {
    async find() {
      if (now() >= nextAt) {
        reading ??= read().finally(() => (reading = undefined))
        // Only the first read is awaited; later ones run in the background while the old list is used.
        if (known === undefined) await reading
      }
      return known
    },
  }
}
