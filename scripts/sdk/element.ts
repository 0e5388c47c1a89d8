/**
 * `<namewright-search>` as one file: `sdk/src/element` → `server/build/namewright-search.js`, which the service hands out at
 * /embed/ and the package has in `dist`.
 *
 * Bundled by Vite, which is here because Vitest is. `--if-stale` does nothing when the file was made of these sources.
 */
import { hash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { gzipSync } from 'node:zlib'

/** As much of Vite as is used. */
interface Bundler {
  readonly build: (options: object) => Promise<[{ output: [{ code: string }] }]>
}

const ROOT = `${import.meta.dirname}/../..`
const SOURCE = `${ROOT}/sdk/src`
export const EMBEDDED = `${ROOT}/server/build/namewright-search.js`
const STAMP = `${ROOT}/server/build/namewright-search.sha256`
const BANNER = '/*! namewright-search, Apache-2.0 */'

export async function buildElement(): Promise<number> {
  const { build } = (await import(createRequire(import.meta.resolve('vitest')).resolve('vite'))) as Bundler
  const [{ output }] = await build({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      write: false,
      minify: 'oxc',
      target: 'es2022',
      lib: { entry: `${SOURCE}/element/namewright-search.ts`, formats: ['es'] },
      rolldownOptions: { output: { minify: true } },
    },
  })
  const code = `${BANNER}\n${output[0].code}`
  mkdirSync(dirname(EMBEDDED), { recursive: true })
  writeFileSync(EMBEDDED, code)
  writeFileSync(STAMP, stamp())
  return gzipSync(code).length
}

/** Of every file that has a say in it: the client, the element, and this file. */
function stamp(): string {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .toSorted()
    .map((path) => `${path}\n${readFileSync(`${SOURCE}/${path}`, 'utf8')}`)
  return hash('sha256', [...files, readFileSync(import.meta.filename, 'utf8')].join('\n'))
}

function isStale(): boolean {
  try {
    readFileSync(EMBEDDED)
    return readFileSync(STAMP, 'utf8') !== stamp()
  } catch {
    return true
  }
}

if (import.meta.main && (!process.argv.includes('--if-stale') || isStale()))
  console.error(`namewright-search.js: ${((await buildElement()) / 1000).toFixed(1)} kB zipped`)
