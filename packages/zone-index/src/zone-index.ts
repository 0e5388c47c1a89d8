/**
 * The index of registered names in this process: a name that was delegated in its zone is registered. Of a name that is
 * not listed nothing is known, because absence from a zone proves nothing.
 *
 * A node polls the manifest. For each suffix that changed it checks plausibility, copies the files, verifies them,
 * maps them and tests them with control names (`trust.ts`). Then it swaps one pointer, and unmaps the previous files
 * a minute later. If anything fails for a suffix, its last good files stay in use and the failure is logged once. The
 * manifest in use is kept in the cache, so a node starts without its origin. After three days without a new snapshot
 * a suffix counts as having no index.
 *
 * Lookups never wait: they run to their end on the pointer they found.
 */
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { openFileCache, type FindFile } from './file-cache.ts'
import { BadIndexFile } from './filter-file.ts'
import { createHash, hashText } from './hash.ts'
import {
  filesOf,
  formatManifest,
  MANIFEST,
  parseManifest,
  type Manifest,
  type Suffix,
  type SuffixIndex,
} from './manifest.ts'
import { findOpenBytes, type OpenBytes } from './mapped.ts'
import { openOrigin, type OriginOptions } from './origin.ts'
import { findDoubt } from './plausible.ts'
import { replaceFile } from './replace-file.ts'
import { isSameIndex, openSuffixFiles, type SuffixFiles } from './suffix-files.ts'
import { findFault, type KnownName } from './trust.ts'

export interface ZoneIndex {
  /** For how long the domain counts as registered from `at` on; undefined if it is not listed. */
  registeredMs(domain: string, at: number): number | undefined
  /** Reads the manifest now; resolves when its files are in use or refused. Never rejects. */
  refresh(): Promise<void>
  /** The suffixes in use, too old or not. */
  suffixes(): ReadonlyMap<Suffix, { readonly names: number; readonly snapshotAt: number }>
  /** How many suffixes are not too old to be trusted. */
  believed(): number
  close(): Promise<void>
}

export interface ZoneIndexOptions {
  readonly from: OriginOptions
  readonly cacheDirectory: string
  readonly now: () => number
  readonly log: Readonly<Record<'info' | 'warn', (fields: object, message: string) => void>>
  /** To test the files of a suffix with. */
  readonly knownName?: KnownName
  /** Called after each look at the manifest: whether the offered files pass their tests. Files that fail are not used. */
  readonly onState?: (state: 'trusted' | 'untrusted' | 'unreachable', why?: string) => void
  /** Called once for each warning that is logged. */
  readonly onRefused?: () => void
  readonly openBytes?: OpenBytes
  readonly pollMs?: number
  readonly unmapMs?: number
}

const POLL_MS = 300_000
// Nodes that were started together must not poll at the same time.
const JITTER = 0.2
// No lookup takes a millisecond; the minute covers a debugger or profiler that stops the process.
const UNMAP_MS = 60_000
// Zones are published daily. Two missed days can be a weekend; after three a dropped name has been available too
// long.
export const AGE_MAX_MS = 72 * 3_600_000
const REPEAT_MS = 24 * 3_600_000

export async function openZoneIndex(options: ZoneIndexOptions): Promise<ZoneIndex> {
  const { from, cacheDirectory, now, log, onState, pollMs = POLL_MS, unmapMs = UNMAP_MS } = options
  if ('directory' in from && resolve(from.directory) === resolve(cacheDirectory)) {
    throw new Error('the index cache needs its own directory, separate from the source directory')
  }
  const openBytes = options.openBytes ?? (await findOpenBytes())
  const origin = openOrigin(from)
  const cache = await openFileCache({ directory: cacheDirectory, origin })
  const stop = new AbortController()
  const retired = new Map<SuffixFiles, NodeJS.Timeout>()
  const complaints = new Map<string, string>()
  /** Why the newest files of a suffix are not used. */
  const failed = new Map<Suffix, string>()
  const hash = createHash()
  let current: ReadonlyMap<Suffix, SuffixFiles> = new Map()
  let refreshing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  function complain(what: string, reason: string) {
    if (complaints.get(what) === reason) return
    complaints.set(what, reason)
    log.warn({ index: what, reason }, 'index rejected, the last valid one stays in use')
    options.onRefused?.()
  }

  function retire(files: SuffixFiles) {
    const ended = setTimeout(() => {
      retired.delete(files)
      files.close()
    }, unmapMs)
    ended.unref()
    retired.set(files, ended)
  }

  /** The files for one suffix: new ones, or those in use if nothing changed or the new ones are refused. */
  async function choose(suffix: Suffix, offered: SuffixIndex, find: FindFile): Promise<SuffixFiles | undefined> {
    const used = current.get(suffix)
    if (used !== undefined && isSameIndex(used.index, offered)) return used
    try {
      const doubt = findDoubt(offered, used?.index, now())
      if (doubt !== undefined) throw new BadIndexFile(doubt)
      const files = await openSuffixFiles(suffix, offered, find, openBytes)
      const fault = options.knownName && findFault(suffix, files, options.knownName)
      if (fault === undefined) {
        failed.delete(suffix)
        complaints.delete(suffix)
        return files
      }
      files.close()
      failed.set(suffix, fault)
      throw new BadIndexFile(fault)
    } catch (error) {
      complain(suffix, error instanceof Error ? error.message : String(error))
    }
    // Read again at the next poll even if the manifest is the same: the file may exist by then.
    origin.forget()
    return used
  }

  async function use(manifest: Manifest, find: FindFile) {
    const next = new Map<Suffix, SuffixFiles>()
    for (const [suffix, offered] of manifest) {
      const files = await choose(suffix, offered, find)
      if (files !== undefined) next.set(suffix, files)
    }
    const before = current
    if (stop.signal.aborted) {
      for (const [suffix, files] of next) if (before.get(suffix) !== files) files.close()
      return
    }
    current = next
    for (const suffix of failed.keys()) if (!manifest.has(suffix)) failed.delete(suffix)
    report()
    const kept = new Set(next.values())
    for (const files of before.values()) if (!kept.has(files)) retire(files)
    const changed = [...next].filter(([suffix, files]) => before.get(suffix) !== files)
    if (changed.length > 0) log.info({ suffixes: changed.map(([suffix]) => suffix) }, 'index in use')
    if (changed.length > 0 || next.size !== before.size) await keep(next)
  }

  function report(): void {
    const faults = [...failed.values()]
    const [first, ...more] = faults
    if (first !== undefined) onState?.('untrusted', `${first}${more.length > 0 ? `; ${more.length} more` : ''}`)
    else if (current.size > 0) onState?.('trusted')
    else onState?.('unreachable', complaints.get(MANIFEST) ?? 'no index files')
  }

  async function keep(files: ReadonlyMap<Suffix, SuffixFiles>) {
    const inUse = new Map([...files].map(([suffix, one]) => [suffix, one.index]))
    if (inUse.size > 0) await replaceFile(join(cacheDirectory, MANIFEST), formatManifest(inUse))
    const names = [...inUse].flatMap(([suffix, one]) => filesOf(suffix, one).map(({ name }) => name))
    await cache.keepOnly(new Set(names), now())
  }

  async function refresh() {
    try {
      const text = await origin.readManifest(stop.signal)
      if (text === undefined) return
      await use(parseManifest(text), (name, file) => cache.get(name, file, stop.signal))
      complaints.delete(MANIFEST)
    } catch (error) {
      origin.forget()
      if (stop.signal.aborted) return
      complain(MANIFEST, error instanceof Error ? error.message : String(error))
      report()
    }
  }

  function schedule() {
    const wait = pollMs * (1 + JITTER * (2 * Math.random() - 1))
    timer = setTimeout(() => void index.refresh().finally(schedule), wait)
    timer.unref()
    if (stop.signal.aborted) clearTimeout(timer)
  }

  const index: ZoneIndex = {
    registeredMs(domain, at) {
      const files = current.get(domain.slice(domain.indexOf('.') + 1) as Suffix)
      if (files === undefined) return undefined
      const left = files.index.snapshotAt + AGE_MAX_MS - at
      if (left <= 0) return undefined
      hashText(domain, hash)
      return files.hasHash(hash[0] as number, hash[1] as number) ? Math.min(REPEAT_MS, left) : undefined
    },
    refresh: () => (refreshing ??= refresh().finally(() => (refreshing = undefined))),
    believed: () =>
      current.values().reduce((sum, { index: { snapshotAt } }) => sum + Number(now() < snapshotAt + AGE_MAX_MS), 0),
    suffixes: () => new Map([...current].map(([suffix, files]) => [suffix, files.index])),
    async close() {
      stop.abort()
      clearTimeout(timer)
      await refreshing
      for (const [files, ended] of retired) {
        clearTimeout(ended)
        files.close()
      }
      for (const files of current.values()) files.close()
      current = new Map()
    },
  }

  // Without the origin: a node must not depend on another machine to start.
  await readFile(join(cacheDirectory, MANIFEST), 'utf8')
    .then((text) => use(parseManifest(text), cache.find))
    .catch(() => undefined)
  void index.refresh().finally(schedule)
  return index
}
