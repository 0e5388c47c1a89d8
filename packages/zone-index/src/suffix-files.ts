/**
 * The open files of one suffix: dropped since the base is absent, added since is registered, otherwise the base
 * decides.
 */
import type { FindFile } from './file-cache.ts'
import { BadIndexFile } from './filter-file.ts'
import { openFilter } from './filter.ts'
import { openHashList } from './hash-list.ts'
import { fileName, namesOf, type FileKind, type IndexFile, type Suffix, type SuffixIndex } from './manifest.ts'
import type { Mapped, OpenBytes } from './mapped.ts'

export interface SuffixFiles {
  readonly index: SuffixIndex
  hasHash(first: number, second: number): boolean
  close(): void
}

/** Throws BadIndexFile; nothing stays open then. */
export async function openSuffixFiles(
  suffix: Suffix,
  index: SuffixIndex,
  find: FindFile,
  openBytes: OpenBytes,
): Promise<SuffixFiles> {
  const mapped: Mapped[] = []
  const close = () => {
    for (const one of mapped) one.close()
  }
  async function bytesOf(kind: FileKind, file: IndexFile): Promise<Uint8Array> {
    const one = await openBytes(await find(fileName(suffix, kind, file), file))
    mapped.push(one)
    return one.bytes
  }
  async function listOf(kind: 'adds' | 'drops') {
    const file = index[kind]
    if (file === undefined) return undefined
    const list = openHashList(await bytesOf(kind, file))
    if (list.names !== namesOf(file)) throw new BadIndexFile(`${kind} has ${list.names} names`)
    return list
  }
  try {
    const base = openFilter(await bytesOf('bf16', index.base))
    if (base.names !== index.base.names) {
      throw new BadIndexFile(`the filter has ${base.names} names, the manifest says ${index.base.names}`)
    }
    const drops = await listOf('drops')
    const adds = await listOf('adds')
    return {
      index,
      hasHash(first, second) {
        if (drops?.hasHash(first, second) === true) return false
        return adds?.hasHash(first, second) === true || base.hasHash(first, second)
      },
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

/** Whether both indexes have the same files. */
export function isSameIndex(one: SuffixIndex, other: SuffixIndex): boolean {
  return (
    one.snapshotAt === other.snapshotAt &&
    one.base.sha256 === other.base.sha256 &&
    one.adds?.sha256 === other.adds?.sha256 &&
    one.drops?.sha256 === other.drops?.sha256
  )
}
