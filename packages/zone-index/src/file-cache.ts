/**
 * The node's own copies of index files. `find` and `get` return a path only after this process has read the whole
 * file and verified the promised size and SHA-256. Several processes of a machine share one cache and one page cache.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { verifyFile } from './digest.ts'
import { BadIndexFile } from './filter-file.ts'
import type { IndexFile } from './manifest.ts'
import type { IndexOrigin } from './origin.ts'

/** The path of a verified file; throws BadIndexFile. */
export type FindFile = (name: string, promised: IndexFile) => Promise<string>

export interface FileCache {
  /** Only files that are already cached. */
  readonly find: FindFile
  /** Throws BadIndexFile if the origin has other content under that name. */
  get(name: string, promised: IndexFile, signal: AbortSignal): Promise<string>
  /** Deletes files that are not named and not new. A process that has such a file mapped keeps its bytes. */
  keepOnly(names: ReadonlySet<string>, now: number): Promise<void>
}

// Another process may have just fetched a file that it is about to map.
const NEW_MS = 3_600_000

export async function openFileCache({
  directory,
  origin,
}: {
  directory: string
  origin: IndexOrigin
}): Promise<FileCache> {
  await mkdir(directory, { recursive: true })

  async function find(name: string, promised: IndexFile): Promise<string> {
    const path = join(directory, name)
    await verifyFile(path, promised)
    return path
  }

  return {
    find,
    async get(name, promised, signal) {
      const path = join(directory, name)
      const there = await find(name, promised).catch(() => undefined)
      if (there !== undefined) return there
      const part = `${path}.${randomUUID()}.part`
      try {
        await origin.copy(name, part, promised.bytes, signal)
        await verifyFile(part, promised)
        await rename(part, path)
        return path
      } catch (cause) {
        if (cause instanceof BadIndexFile) throw cause
        throw new BadIndexFile(cause instanceof Error ? cause.message : 'it could not be copied', { cause })
      } finally {
        await rm(part, { force: true })
      }
    },
    async keepOnly(names, now) {
      for (const name of await readdir(directory)) {
        if (!/\.[0-9a-f]{16}\.(?:bf16|adds|drops)$/.test(name) || names.has(name)) continue
        const path = join(directory, name)
        const found = await stat(path).catch(() => undefined)
        if (found !== undefined && now - found.mtimeMs > NEW_MS) await rm(path, { force: true })
      }
    },
  }
}
