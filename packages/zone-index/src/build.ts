/**
 * Builds the index from zone files: the files of each suffix and, last, the manifest that names them. Nodes poll it.
 *
 * The first zone of a week becomes a new base. On the days after, the zone is compared with the base's list of
 * hashes, and only added and dropped names are published: a fleet downloads megabytes a day and not half a gigabyte.
 * If too much has changed, or the list does not match the manifest, a new base is built instead.
 *
 * A zone that is truncated, empty or not the zone of its suffix is refused, and the suffix keeps its previous files:
 * nodes stop using them when they are too old. Every file is written under a temporary name and renamed, the manifest
 * last, so a concurrent reader sees the old index or the new one.
 *
 * Zones are processed one after the other, in memory that does not grow with their size.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findDelta, type Delta } from './delta.ts'
import { digestFile } from './digest.ts'
import { BadIndexFile } from './filter-file.ts'
import { readHashList } from './hash-list.ts'
import {
  fileName,
  filesOf,
  formatManifest,
  MANIFEST,
  parseManifest,
  type IndexFile,
  type Manifest,
  type Suffix,
  type SuffixIndex,
} from './manifest.ts'
import { replaceFile, settle } from './replace-file.ts'
import { bytesOf, openSpool, type Spool } from './spool.ts'
import { writeFilter } from './write-filter.ts'
import { BadZone, readZone } from './zone.ts'

export interface ZoneFile {
  readonly suffix: Suffix
  readonly path: string
  /** When the registry wrote it, if known more precisely than for the whole build. */
  readonly snapshotAt?: number
}

export interface Progress {
  readonly suffix: Suffix
  readonly phase: 'read' | 'build'
  /** Bytes of the zone file while it is read, then names. */
  readonly done: number
  readonly total: number
}

export type BuildOutcome =
  | {
      readonly suffix: Suffix
      readonly kind: 'base' | 'delta'
      readonly names: number
      readonly malformedLines: number
    }
  | { readonly suffix: Suffix; readonly kind: 'refused'; readonly reason: string }

export interface BuildOptions {
  readonly zones: readonly ZoneFile[]
  readonly out: string
  readonly snapshotAt: number
  readonly onProgress?: (progress: Progress) => void
}

const BASE_MAX_AGE_MS = 7 * 86_400_000
// A changed name costs a node eight bytes instead of two and a quarter, and a binary search instead of a filter
// lookup.
const DELTA_SHARE = 0.05
const DELTA_AT_LEAST = 1_000

export async function buildIndex(options: BuildOptions): Promise<readonly BuildOutcome[]> {
  const { zones, out, snapshotAt, onProgress = () => {} } = options
  await mkdir(out, { recursive: true })
  const before = await findManifest(out)
  const after = new Map(before)
  const outcomes: BuildOutcome[] = []
  for (const zone of zones) {
    try {
      using spool = openSpool(join(out, `.spool-${process.pid}`))
      const { size } = await stat(zone.path)
      let read = 0
      const take = (first: number, second: number) => spool.add(first, second)
      const { malformedLines } = await readZone(zone.path, zone.suffix, take, (bytes) => {
        onProgress({ suffix: zone.suffix, phase: 'read', done: (read += bytes), total: size })
      })
      if (spool.count === 0) throw new BadZone(`the zone of ${zone.suffix} contains no delegations`)
      const made = await makeIndex({ snapshotAt, ...zone }, spool, out, before.get(zone.suffix), onProgress)
      after.set(zone.suffix, made)
      const kind = made.base.snapshotAt === made.snapshotAt ? 'base' : 'delta'
      outcomes.push({ suffix: zone.suffix, kind, names: made.names, malformedLines })
    } catch (error) {
      if (!(error instanceof BadZone) && !isMissing(error)) throw error
      outcomes.push({ suffix: zone.suffix, kind: 'refused', reason: error.message })
    }
  }
  if (outcomes.some(({ kind }) => kind !== 'refused')) {
    await replaceFile(join(out, MANIFEST), formatManifest(after))
    await prune(out, [before, after])
  }
  return outcomes
}

async function makeIndex(
  { suffix, snapshotAt }: { suffix: Suffix; snapshotAt: number },
  spool: Spool,
  out: string,
  before: SuffixIndex | undefined,
  onProgress: (progress: Progress) => void,
): Promise<SuffixIndex> {
  const list = join(out, `${suffix}.hashes`)
  const age = snapshotAt - (before?.base.snapshotAt ?? -Infinity)
  if (before !== undefined && age > 0 && age < BASE_MAX_AGE_MS) {
    const delta = changesSince(before, list, spool)
    if (delta !== undefined) {
      const adds = await publishList(out, suffix, 'adds', delta.adds)
      const drops = await publishList(out, suffix, 'drops', delta.drops)
      const names = before.base.names + (delta.adds.length - delta.drops.length) / 2
      return { names, snapshotAt, base: before.base, ...adds, ...drops }
    }
  }
  const paths = { filter: join(out, `.${suffix}.bf16.part`), list: join(out, `.${suffix}.hashes.part`) }
  let done = 0
  const { names, listSha256 } = writeFilter(paths, spool.count, spool.sorted(), (more) => {
    onProgress({ suffix, phase: 'build', done: (done += more), total: spool.count })
  })
  const file = await digestFile(paths.filter)
  await settle(paths.filter, join(out, fileName(suffix, 'bf16', file)))
  await settle(paths.list, list)
  return { names, snapshotAt, base: { ...file, names, snapshotAt, listSha256 } }
}

/** Undefined if a new base is needed. */
function changesSince(before: SuffixIndex, list: string, spool: Spool): Delta | undefined {
  const digest = createHash('sha256')
  function* verified() {
    for (const piece of readHashList(list)) {
      digest.update(bytesOf(piece))
      yield piece
    }
  }
  try {
    const most = Math.max(DELTA_AT_LEAST, before.base.names * DELTA_SHARE)
    const delta = findDelta(verified(), spool.sorted(), most)
    return delta !== undefined && digest.digest('hex') === before.base.listSha256 ? delta : undefined
  } catch (error) {
    if (error instanceof BadIndexFile || isMissing(error)) return undefined
    throw error
  }
}

async function publishList(
  out: string,
  suffix: Suffix,
  kind: 'adds' | 'drops',
  hashes: Uint32Array,
): Promise<Partial<Record<typeof kind, IndexFile>>> {
  if (hashes.length === 0) return {}
  const part = join(out, `.${suffix}.${kind}.part`)
  await writeFile(part, bytesOf(hashes))
  const file = await digestFile(part)
  await settle(part, join(out, fileName(suffix, kind, file)))
  return { [kind]: file }
}

async function findManifest(out: string): Promise<Manifest> {
  try {
    return parseManifest(await readFile(join(out, MANIFEST), 'utf8'))
  } catch (error) {
    if (isMissing(error)) return new Map()
    throw error
  }
}

/**
 * A reader of the last manifest may still be downloading its files. Files that only older manifests name are deleted.
 */
async function prune(out: string, manifests: readonly Manifest[]): Promise<void> {
  const named = new Set(
    manifests.flatMap((one) => [...one].flatMap(([suffix, index]) => filesOf(suffix, index).map(({ name }) => name))),
  )
  for (const name of await readdir(out)) {
    if (/\.[0-9a-f]{16}\.(?:bf16|adds|drops)$/.test(name) && !named.has(name))
      await rm(join(out, name), { force: true })
  }
}

function isMissing(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
