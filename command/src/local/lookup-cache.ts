/**
 * What one command found out and the next one may use, in a file: domains that are taken, the outcomes of the tests of
 * RDAP servers, and the registrar's list of suffixes.
 *
 * Never anything that makes a domain available, and never trust in a resolver, because a laptop changes networks. This
 * holds for what is read as well: each entry is parsed again, so that nothing written by hand counts for more. What
 * cannot be parsed is not there.
 */
import { readTrust, TRUST_PREFIX } from '../../../server/src/engines/availability/rdap/trust.ts'
import { readSuffixes, SUFFIXES_KEY } from '../../../server/src/engines/availability/registrars/vercel-suffixes.ts'
import { readVerdict, VERDICT_PREFIX, writeVerdict } from '../../../server/src/engines/availability/verdict-cache.ts'
import type { LookupCache } from '../../../server/src/engines/availability/verdict-cache.ts'
import { isDomain } from '../../../server/src/model/domain.ts'
import { findJson, isRecord } from '../../../server/src/platform/outbound/shallow-json.ts'
import type { CacheFile, CacheFolder } from './cache-file.ts'

export interface FileLookupCache extends LookupCache {
  /** Ends when everything that was set is written, or cannot be. */
  settle(): Promise<void>
}

export interface LookupCacheOptions {
  readonly folder: CacheFolder
  readonly now: () => number
}

interface Entry {
  readonly value: string
  readonly expiresAt: number
}

interface Content {
  /** When it was written. */
  readonly at: number
  readonly entries: ReadonlyMap<string, Entry>
}

const NAME = 'lookups.json'
const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS
// A taken domain is about 80 bytes; the longest entries that are accepted make 3 MB.
const MAX_ENTRIES = 5_000
const MAX_BYTES = 4 * 1024 * 1024
const MAX_KEY = 300
const MAX_VERDICT = 300
const EMPTY: Content = { at: 0, entries: new Map() }

export function openLookupCache({ folder, now }: LookupCacheOptions): FileLookupCache {
  const file: CacheFile = folder.open(NAME, MAX_BYTES)
  let last: { readonly bytes: Buffer; readonly content: Content } | undefined
  let writing: Promise<unknown> = Promise.resolve()

  function contentOf(bytes: Buffer | undefined): Content {
    if (bytes === undefined) return EMPTY
    if (last?.bytes !== bytes) last = { bytes, content: readContent(bytes) }
    // The clock has gone back, so no entry's age is known.
    return last.content.at > now() ? EMPTY : last.content
  }

  function write(added: ReadonlyMap<string, Entry>): void {
    const written = file.update((bytes) => {
      const at = now()
      const kept = [...contentOf(bytes).entries].filter(([key, { expiresAt }]) => expiresAt > at && !added.has(key))
      return writeContent(at, [...kept, ...added].slice(-MAX_ENTRIES))
    })
    writing = Promise.all([writing, written])
  }

  return {
    async getMany(keys) {
      const { entries } = contentOf(file.read())
      const at = now()
      // Removed from the file, not only passed over: otherwise a clock that goes back would revive them.
      if (entries.values().some(({ expiresAt }) => expiresAt <= at)) write(new Map())
      return keys.map((key) => {
        const entry = entries.get(key)
        return entry !== undefined && isKept(key, entry, at) ? entry.value : null
      })
    },
    async setMany(entries) {
      const at = now()
      const added = new Map<string, Entry>()
      for (const { key, value, ttlMs } of entries) {
        const entry = { value, expiresAt: at + Math.ceil(ttlMs) }
        if (isKept(key, entry, at)) added.set(key, entry)
      }
      if (added.size > 0) write(added)
    },
    async settle() {
      await writing
    },
  }
}

/** Whether it is something that a command may keep, and has not expired. */
function isKept(key: string, { value, expiresAt }: Entry, at: number): boolean {
  const lastsUntil = (atMost: number) => expiresAt > at && expiresAt <= at + atMost
  if (key.length > MAX_KEY) return false
  if (key.startsWith(VERDICT_PREFIX)) return lastsUntil(DAY_MS) && isTaken(key.slice(VERDICT_PREFIX.length), value, at)
  if (key.startsWith(TRUST_PREFIX)) return lastsUntil(6 * HOUR_MS) && isPast(readTrust(value), at)
  return key === SUFFIXES_KEY && lastsUntil(DAY_MS) && isPast(readSuffixes(value), at)
}

function isTaken(domain: string, value: string, at: number): boolean {
  if (!isDomain(domain) || value.length > MAX_VERDICT) return false
  const verdict = readVerdict(domain, value)
  if (verdict?.status !== 'taken' || verdict.confidence !== 'definitive' || verdict.price !== undefined) return false
  if (verdict.checkedAt > at || verdict.expiresAt > at + DAY_MS) return false
  return writeVerdict(verdict) === value && verdict.sources.every((source) => /^[a-z0-9-]{1,40}$/.test(source))
}

function isPast(found: { readonly at: number } | undefined, at: number): boolean {
  return found !== undefined && found.at <= at
}

/** Empty for anything that `writeContent` did not write. */
function readContent(bytes: Buffer): Content {
  const found = findJson(bytes, 3)
  if (!isRecord(found) || typeof found.at !== 'number' || !Array.isArray(found.entries)) return EMPTY
  if (found.entries.length > MAX_ENTRIES) return EMPTY
  const entries = new Map<string, Entry>()
  for (const entry of found.entries as readonly unknown[]) {
    if (!Array.isArray(entry)) return EMPTY
    const [key, value, expiresAt] = entry as readonly unknown[]
    if (typeof key !== 'string' || typeof value !== 'string' || typeof expiresAt !== 'number') return EMPTY
    entries.set(key, { value, expiresAt })
  }
  return { at: found.at, entries }
}

function writeContent(at: number, entries: readonly (readonly [string, Entry])[]): string {
  return JSON.stringify({ at, entries: entries.map(([key, { value, expiresAt }]) => [key, value, expiresAt]) })
}
