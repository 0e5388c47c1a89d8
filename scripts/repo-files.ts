/** The repository's own files, read from disk so that a checkout without `.git` can be checked too. */
import { readdirSync } from 'node:fs'

// Made by tools or by running services; never ours to check.
const NOT_OURS = new Set(['node_modules', '.git', '.services', 'coverage', 'dist'])

/** Paths from `root`, with `/` between the parts, in order; folders are not listed. */
export function listFiles(root: string, folder = ''): string[] {
  return readdirSync(`${root}/${folder}`, { withFileTypes: true })
    .filter((entry) => !NOT_OURS.has(entry.name))
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      return entry.isDirectory() ? listFiles(root, path) : [path]
    })
    .toSorted()
}
