/**
 * The registered-name index as a source of evidence: a name that was delegated in its zone is registered. A name that
 * is not listed is left out, because absence from a zone proves nothing.
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
import type { Logger } from '../../platform/log.ts'
import { behindLabel } from '../../model/domain.ts'
import type { Domain, Suffix } from '../../model/domain.ts'
import type { Evidence, EvidenceSource } from '../availability/evidence.ts'
import type { RegisteredNames } from '../availability/control-names.ts'
import { createLookups } from '../availability/lookups.ts'
import type { LookupCounts } from '../availability/lookups.ts'
import { createTrustRecord } from '../availability/trust.ts'
import type { SourceTrust } from '../availability/trust.ts'
import { openFileCache } from './file-cache.ts'
import type { FindFile } from './file-cache.ts'
import { BadIndexFile } from './filter-file.ts'
import { createHash, hashText } from './hash.ts'
import { filesOf, formatManifest, MANIFEST, parseManifest } from './manifest.ts'
import type { Manifest, SuffixIndex } from './manifest.ts'
import { findOpenBytes } from './mapped.ts'
import type { OpenBytes } from './mapped.ts'
import { openOrigin } from './origin.ts'
import type { OriginOptions } from './origin.ts'
import { findDoubt } from './plausible.ts'
import { replaceFile } from './replace-file.ts'
import { isSameIndex, openSuffixFiles } from './suffix-files.ts'
import type { SuffixFiles } from './suffix-files.ts'
import { findFault } from './trust.ts'

export interface Registered extends EvidenceSource {
  /** Reads the manifest now; resolves when its files are in use or refused. Never rejects. */
  refresh(): Promise<void>
  /** Milliseconds since the snapshot in use, undefined without one. */
  age(suffix: Suffix): number | undefined
  /** The suffixes in use, too old or not. */
  suffixes(): ReadonlyMap<Suffix, { readonly names: number; readonly snapshotAt: number }>
  /** How many suffixes are not too old to be trusted. */
  believed(): number
  lookups(): LookupCounts
  /** Whether the offered files pass their tests; files that fail are not used. */
  trust(): SourceTrust
  close(): Promise<void>
}

export interface RegisteredOptions {
  readonly from: OriginOptions
  readonly cacheDirectory: string
  readonly now: () => number
  readonly log: Pick<Logger, 'info' | 'warn'>
  /** Control names to test the files of a suffix with. */
  readonly registeredIn?: RegisteredNames
  readonly onTrust?: (trust: SourceTrust) => void
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
const AGE_MAX_MS = 72 * 3_600_000
const REPEAT_MS = 24 * 3_600_000

export async function openRegistered(options: RegisteredOptions): Promise<Registered> {
  const { from, cacheDirectory, now, log, pollMs = POLL_MS, unmapMs = UNMAP_MS } = options
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
  const record = createTrustRecord(now, options.onTrust)
  const hash = createHash()
  const lookups = createLookups(now)
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
  async function choose(suffix: Suffix, index: SuffixIndex, find: FindFile): Promise<SuffixFiles | undefined> {
    const used = current.get(suffix)
    if (used !== undefined && isSameIndex(used.index, index)) return used
    try {
      const doubt = findDoubt(index, used?.index, now())
      if (doubt !== undefined) throw new BadIndexFile(doubt)
      const files = await openSuffixFiles(suffix, index, find, openBytes)
      const fault = options.registeredIn && findFault(suffix, files, options.registeredIn)
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
    for (const [suffix, index] of manifest) {
      const files = await choose(suffix, index, find)
      if (files !== undefined) next.set(suffix, files)
    }
    const before = current
    if (stop.signal.aborted) {
      for (const [suffix, files] of next) if (before.get(suffix) !== files) files.close()
      return
    }
    current = next
    for (const suffix of failed.keys()) if (!manifest.has(suffix)) failed.delete(suffix)
    noteTrust()
    const kept = new Set(next.values())
    for (const files of before.values()) if (!kept.has(files)) retire(files)
    const changed = [...next].filter(([suffix, files]) => before.get(suffix) !== files)
    if (changed.length > 0) log.info({ suffixes: changed.map(([suffix]) => suffix) }, 'index in use')
    if (changed.length > 0 || next.size !== before.size) await keep(next)
  }

  function noteTrust(): void {
    const faults = [...failed.values()]
    const [first, ...more] = faults
    if (first !== undefined) record.set('untrusted', `${first}${more.length > 0 ? `; ${more.length} more` : ''}`)
    else if (current.size > 0) record.set('trusted')
    else record.set('unreachable', complaints.get(MANIFEST) ?? 'no index files')
  }

  async function keep(files: ReadonlyMap<Suffix, SuffixFiles>) {
    const inUse = new Map([...files].map(([suffix, { index }]) => [suffix, index]))
    if (inUse.size > 0) await replaceFile(join(cacheDirectory, MANIFEST), formatManifest(inUse))
    const names = [...inUse].flatMap(([suffix, index]) => filesOf(suffix, index).map(({ name }) => name))
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
      if (!stop.signal.aborted) complain(MANIFEST, error instanceof Error ? error.message : String(error))
      if (!stop.signal.aborted) noteTrust()
    }
  }

  function schedule() {
    const wait = pollMs * (1 + JITTER * (2 * Math.random() - 1))
    timer = setTimeout(() => void source.refresh().finally(schedule), wait)
    timer.unref()
    if (stop.signal.aborted) clearTimeout(timer)
  }

  function evidenceOf(domain: Domain, at: number): Evidence | undefined {
    const files = current.get(behindLabel(domain) as Suffix)
    if (files === undefined) return undefined
    const left = files.index.snapshotAt + AGE_MAX_MS - at
    if (left <= 0) return undefined
    hashText(domain, hash)
    if (!files.hasHash(hash[0] as number, hash[1] as number)) return undefined
    return { domain, source: 'index', says: 'registered', at, ttlMs: Math.min(REPEAT_MS, left) }
  }

  const source: Registered = {
    name: 'index',
    async ask(domains, signal) {
      const found = new Map<Domain, Evidence>()
      if (signal.aborted) return found
      const at = now()
      for (const domain of domains) {
        const evidence = evidenceOf(domain, at)
        if (evidence !== undefined) found.set(domain, evidence)
      }
      return lookups.note(domains, found)
    },
    refresh: () => (refreshing ??= refresh().finally(() => (refreshing = undefined))),
    age(suffix) {
      const files = current.get(suffix)
      return files === undefined ? undefined : now() - files.index.snapshotAt
    },
    lookups: () => lookups.read(),
    trust: () => record.read(),
    believed: () => current.values().reduce((sum, { index }) => sum + Number(now() < index.snapshotAt + AGE_MAX_MS), 0),
    suffixes: () => new Map([...current].map(([suffix, { index }]) => [suffix, index])),
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
  void source.refresh().finally(schedule)
  return source
}
