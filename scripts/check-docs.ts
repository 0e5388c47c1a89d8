/**
 * The pages say what is true: `node scripts/check-docs.ts`.
 *
 * A pure function from the repository's files to violations. It checks what a machine can know: the pages a visitor
 * expects are there, links lead somewhere, the map names real paths, and every runtime dependency was decided on paper.
 * Whether a page is well written it never asks.
 */
import { readFileSync } from 'node:fs'
import { checkDecisions } from './docs/decisions.ts'
import { checkLinks } from './docs/links.ts'
import { readPage } from './docs/markdown.ts'
import { checkNamedPaths } from './docs/named-paths.ts'
import { listFiles } from './repo-files.ts'
import { reportViolations, type Violation } from './violation.ts'

const MAP = 'ARCHITECTURE.md'
const PAGES = ['README.md', MAP, 'CONTRIBUTING.md', 'CODE_OF_CONDUCT.md', 'SECURITY.md', 'ROADMAP.md', 'CHANGELOG.md']
const REQUIRED = [...PAGES, 'LICENSE', 'example.env']

/** Every file of the repository by its path; only pages and package.json files need their text. */
export function checkDocs(files: ReadonlyMap<string, string>): Violation[] {
  const pages = new Map([...files].filter(([path]) => isPage(path)).map(([path, text]) => [path, readPage(text)]))
  const packages = new Map([...files].filter(([path]) => isPackage(path)).map(([path, text]) => [path, shipped(text)]))
  const paths = new Set([...files.keys()].flatMap(withFolders))
  const map = pages.get(MAP)
  return [
    ...REQUIRED.filter((path) => !files.has(path)).map((path) => missing(path)),
    ...checkLinks(pages, paths),
    ...(map === undefined ? [] : checkNamedPaths(MAP, map, paths)),
    ...checkDecisions(pages, packages),
  ]
}

function isPage(path: string): boolean {
  return PAGES.includes(path) || (path.startsWith('docs/') && path.endsWith('.md'))
}

function isPackage(path: string): boolean {
  return path === 'package.json' || path.endsWith('/package.json')
}

/** What is installed with a package, apart from our own workspaces. */
function shipped(packageJson: string): string[] {
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(packageJson) as Record<
    string,
    Record<string, string> | undefined
  >
  return Object.entries({ ...dependencies, ...optionalDependencies })
    .filter(([, version]) => !version.startsWith('workspace:'))
    .map(([name]) => name)
}

function withFolders(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

function missing(file: string): Violation {
  return { file, line: 1, rule: 'missing', advice: 'every visitor looks for this file: write it' }
}

if (import.meta.main) {
  const root = `${import.meta.dirname}/..`
  const read = (path: string) => (isPage(path) || isPackage(path) ? readFileSync(`${root}/${path}`, 'utf8') : '')
  const files = new Map(listFiles(root).map((path) => [path, read(path)]))
  process.exitCode = reportViolations(checkDocs(files), console.log)
  if (process.exitCode === 0) console.log(`${[...files.keys()].filter(isPage).length} pages, 0 violations`)
}
