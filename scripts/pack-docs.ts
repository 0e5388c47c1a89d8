/**
 * The manual travels with the server's package: `prepack` puts a copy beside `src`, where an installed server finds it, and
 * `postpack` (`--remove`) takes it away again, so that a checkout has every page once.
 */
import { cpSync, rmSync } from 'node:fs'

/** What the site is made of; decisions are for whoever changes the code. */
export const PACKED = ['docs', 'CHANGELOG.md', 'SECURITY.md'] as const

export function copyDocs(root: string, to: string): void {
  for (const name of PACKED) {
    cpSync(`${root}/${name}`, `${to}/${name}`, {
      recursive: true,
      filter: (path) => !/[/\\]docs[/\\]decisions$/.test(path),
    })
  }
}

export function removeDocs(from: string): void {
  for (const name of PACKED) rmSync(`${from}/${name}`, { recursive: true, force: true })
}

if (import.meta.main) {
  const root = `${import.meta.dirname}/..`
  if (process.argv.includes('--remove')) removeDocs(`${root}/server`)
  else copyDocs(root, `${root}/server`)
}
