/**
 * `manifest.json`: the files of each suffix's index, with their size, SHA-256, number of names and time. A node
 * trusts a file only through this list.
 *
 * A suffix has a base (a filter) and, between two bases, the names added and dropped since. Files are named by their
 * content, so a name never refers to other bytes and old files can stay until no node needs them.
 *
 * Parsing throws BadManifest for anything that the builder would not have written.
 */
import { domainToASCII, domainToUnicode } from 'node:url'

/** Where domains are registered ("com", "co.uk"), in lower-case A-label form (RFC 5890). */
export type Suffix = string & { readonly __suffix: true }

export class BadManifest extends Error {}

export interface IndexFile {
  readonly sha256: string
  readonly bytes: number
}

export interface SuffixIndex {
  readonly names: number
  readonly snapshotAt: number
  readonly base: IndexFile & {
    readonly names: number
    readonly snapshotAt: number
    /** SHA-256 of the plain list of hashes, which stays on the builder. */
    readonly listSha256: string
  }
  readonly adds?: IndexFile
  readonly drops?: IndexFile
}

export type Manifest = ReadonlyMap<Suffix, SuffixIndex>

export type FileKind = 'bf16' | 'adds' | 'drops'

export const MANIFEST = 'manifest.json'
const FORMAT = 1
// Names that have a delegation in the zone. A registered name without one is not listed, so absence proves nothing.
const COVERAGE = 'delegated'
const SHA256 = /^[0-9a-f]{64}$/
// RFC 1035 §2.3.4 and RFC 5890 §2.3.1: letters, digits, hyphens, no hyphen at either end, 63 octets.
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const DOMAIN_MAX = 253

/** A suffix is part of the names of its files, and must not lead anywhere else. */
export function isSuffix(text: string): text is Suffix {
  return text.length <= DOMAIN_MAX && text.split('.').every(isLabel) && !/^\d+$/.test(text)
}

function isLabel(text: string): boolean {
  // RFC 5891 §4.2.3.1: hyphens in third and fourth place are reserved for A-labels.
  return LABEL.test(text) && (text.slice(2, 4) !== '--' || isALabel(text))
}

function isALabel(text: string): boolean {
  return text.startsWith('xn--') && domainToUnicode(text) !== text && domainToASCII(text) === text
}

export function fileName(suffix: Suffix, kind: FileKind, { sha256 }: IndexFile): string {
  return `${suffix}.${sha256.slice(0, 16)}.${kind}`
}

export function filesOf(suffix: Suffix, index: SuffixIndex): { kind: FileKind; file: IndexFile; name: string }[] {
  const files: [FileKind, IndexFile | undefined][] = [
    ['bf16', index.base],
    ['adds', index.adds],
    ['drops', index.drops],
  ]
  return files.flatMap(([kind, file]) =>
    file === undefined ? [] : [{ kind, file, name: fileName(suffix, kind, file) }],
  )
}

export function formatManifest(manifest: Manifest): string {
  const suffixes = Object.fromEntries(
    [...manifest]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([suffix, { snapshotAt, base, ...rest }]) => [
        suffix,
        {
          ...rest,
          snapshotAt: new Date(snapshotAt).toISOString(),
          coverage: COVERAGE,
          base: { ...base, snapshotAt: new Date(base.snapshotAt).toISOString() },
        },
      ]),
  )
  return `${JSON.stringify({ format: FORMAT, suffixes }, null, 2)}\n`
}

export function parseManifest(text: string): Manifest {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new BadManifest('the manifest is not JSON', { cause })
  }
  const { format, suffixes } = objectOf(value, 'the manifest')
  if (format !== FORMAT) throw new BadManifest(`the manifest has format ${String(format)}, not ${FORMAT}`)
  const entries = Object.entries(objectOf(suffixes, 'suffixes'))
  if (entries.length === 0) throw new BadManifest('the manifest lists no suffix')
  return new Map(
    entries.map(([suffix, entry]) => {
      if (!isSuffix(suffix)) throw new BadManifest(`${JSON.stringify(suffix)} is not a suffix`)
      return [suffix, suffixIndexOf(objectOf(entry, suffix), suffix)]
    }),
  )
}

function suffixIndexOf(entry: Record<string, unknown>, suffix: Suffix): SuffixIndex {
  if (entry.coverage !== COVERAGE) throw new BadManifest(`${suffix} has an unknown coverage`)
  const base = objectOf(entry.base, `${suffix}.base`)
  const adds = entry.adds === undefined ? undefined : fileOf(entry.adds, `${suffix}.adds`)
  const drops = entry.drops === undefined ? undefined : fileOf(entry.drops, `${suffix}.drops`)
  const index: SuffixIndex = {
    names: countOf(entry.names, `${suffix}.names`),
    snapshotAt: timeOf(entry.snapshotAt, `${suffix}.snapshotAt`),
    base: {
      ...fileOf(base, `${suffix}.base`),
      names: countOf(base.names, `${suffix}.base.names`),
      snapshotAt: timeOf(base.snapshotAt, `${suffix}.base.snapshotAt`),
      listSha256: shaOf(base.listSha256, `${suffix}.base.listSha256`),
    },
    ...(adds === undefined ? {} : { adds }),
    ...(drops === undefined ? {} : { drops }),
  }
  const names = index.base.names + namesOf(adds) - namesOf(drops)
  if (index.names !== names) throw new BadManifest(`${suffix} has ${names} names, not ${index.names}`)
  return index
}

/** Number of names in a list of hashes: eight bytes each. */
export function namesOf(file: IndexFile | undefined): number {
  return (file?.bytes ?? 0) / 8
}

function fileOf(value: unknown, where: string): IndexFile {
  const { sha256, bytes } = objectOf(value, where)
  return { sha256: shaOf(sha256, where), bytes: countOf(bytes, `${where}.bytes`) }
}

function objectOf(value: unknown, where: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BadManifest(`${where} is not an object`)
  return value as Record<string, unknown>
}

function countOf(value: unknown, where: string): number {
  if (!Number.isSafeInteger(value) || Number(value) < 1) throw new BadManifest(`${where} is not a count`)
  return Number(value)
}

function shaOf(value: unknown, where: string): string {
  if (typeof value !== 'string' || !SHA256.test(value)) throw new BadManifest(`${where} has no SHA-256`)
  return value
}

function timeOf(value: unknown, where: string): number {
  const time = typeof value === 'string' ? Date.parse(value) : NaN
  if (Number.isNaN(time)) throw new BadManifest(`${where} is not a time`)
  return time
}
