/**
 * The npm packages of a release.
 *
 *   namewright           the command with the engines, in one bundle; `pnpm pack` builds and packs it
 *   @namewright/client   the client and the element; likewise
 *   @namewright/names    the naming, which the service depends on
 *   @namewright/zone-index    the index of registered names, likewise
 *   @namewright/server   the service; like the naming it is packed by pnpm, which writes the versions of the workspace into
 *                        its manifest, then unpacked, its sources turned into JavaScript, and packed again. Node strips
 *                        types in a checkout, but refuses to do so for files under `node_modules`
 *
 * The second step happens in a temporary folder, and never in the source tree. The same tree gives the same bytes.
 * `node scripts/release/packages.ts FOLDER…` does it to packages that are installed, as in the image.
 */
import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { posix } from 'node:path'

interface Manifest {
  readonly bin?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly [key: string]: unknown
}

// What is for whoever develops the package.
const NOT_PUBLISHED = ['devDependencies', 'scripts']

/** Writes the package of `source`, such as `sdk`, which builds itself, to `tarball`. */
export function packBuilt(source: string, tarball: string): void {
  inFolder((folder) => {
    // `prepack` of a package builds with the Node of the PATH, which has to be the pinned one.
    renameSync(pack(source, folder), tarball)
  })
}

/** Writes the package of `source`, such as `server`, which must be built, to `tarball`. */
export function packSources(source: string, tarball: string): void {
  inFolder((folder) => {
    execFileSync('tar', ['-xzf', pack(source, folder), '-C', folder])
    const home = `${folder}/package`
    convertPackage(home)
    mkdirSync(`${folder}/packed`)
    renameSync(pack(home, `${folder}/packed`), tarball)
  })
}

function convertPackage(home: string): void {
  const paths = globSync('src/**/*.ts', { cwd: home }).toSorted()
  const sources = new Map(paths.map((path) => [path, readFileSync(`${home}/${path}`, 'utf8')]))
  for (const [path, code] of toJavaScript(sources)) {
    writeFileSync(`${home}/${path}`, code, { flag: 'wx' }) // A file that is there already must not be lost.
  }
  const manifest = JSON.parse(readFileSync(`${home}/package.json`, 'utf8')) as Manifest
  // Removed before it is written: an installed file may be another name of the source's.
  for (const path of [...paths, 'package.json']) rmSync(`${home}/${path}`)
  writeFileSync(`${home}/package.json`, `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`)
}

/** Programs and modules end in `.js`, and nothing refers to the workspace any more. */
export function publishedManifest(manifest: Manifest): Manifest {
  const bound = Object.entries(manifest.dependencies ?? {}).filter(([, version]) => !/^\d/.test(version))
  if (bound.length > 0) throw new Error(`these have no exact version: ${bound.map(([name]) => name).join(', ')}`)
  if (manifest['private'] === true) throw new Error('the package is private')
  const kept = Object.entries(manifest).filter(([key]) => !NOT_PUBLISHED.includes(key))
  const named = (['bin', 'exports'] as const).flatMap((key) => {
    const paths = Object.entries(manifest[key] ?? {}).map(([name, path]) => [name, path.replace(/\.ts$/, '.js')])
    return manifest[key] === undefined ? [] : [[key, Object.fromEntries(paths)]]
  })
  return { ...Object.fromEntries(kept), ...Object.fromEntries(named) }
}

// `import … from`, `export … from`, `import '…'`, `import('…')` with a relative path; `new URL('…')` with any.
const PATH = /(\b(?:from|import)\s*\(?\s*|\bnew URL\(\s*)(['"])([^'"\n]+)\.ts\2/g

/**
 * Removes the types by Node's own type stripping, so that the package runs the code that a checkout runs, with the same
 * line numbers. Paths to sources then end in `.js`; one to a file that is not in the package is an error. `sources` maps
 * paths in the package to TypeScript, the result to JavaScript.
 */
export function toJavaScript(sources: ReadonlyMap<string, string>): Map<string, string> {
  const result = new Map<string, string>()
  for (const [path, source] of sources) {
    const rename = (whole: string, before: string, quote: string, to: string) => {
      if (!before.startsWith('new') && !to.startsWith('.')) return whole
      const target = posix.join(posix.dirname(path), `${to}.ts`)
      if (!sources.has(target)) throw new Error(`${path} refers to ${target}, which is not in the package`)
      return `${before}${quote}${to}.js${quote}`
    }
    result.set(path.replace(/\.ts$/, '.js'), stripTypeScriptTypes(source, { mode: 'strip' }).replaceAll(PATH, rename))
  }
  return result
}

/** Returns the path of the tarball. */
function pack(home: string, to: string): string {
  const env = { ...process.env, PATH: `${import.meta.dirname}/../../node_modules/.bin:${process.env['PATH']}` }
  execFileSync('pnpm', ['pack', '--pack-destination', to], { cwd: home, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const [name] = readdirSync(to).filter((one) => one.endsWith('.tgz'))
  if (name === undefined) throw new Error(`pnpm has not packed ${home}`)
  return `${to}/${name}`
}

function inFolder(use: (folder: string) => void): void {
  const folder = mkdtempSync(`${tmpdir()}/namewright-package-`)
  try {
    use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) for (const folder of process.argv.slice(2)) convertPackage(folder)
