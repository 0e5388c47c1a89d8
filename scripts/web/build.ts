/**
 * The web app: `web/` → `server/build/web/`, which the service hands out. `--if-stale` does nothing when it was made of
 * these sources.
 */
import { hash } from 'node:crypto'
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** As much of Vite as is used. */
interface Bundler {
  readonly build: (options: object) => Promise<unknown>
}

const ROOT = `${import.meta.dirname}/../..`
const STAMP = `${ROOT}/server/build/web.sha256`
const SOURCES = ['web/src', 'web/messages', 'web/public', 'web/service-worker', 'sdk/src']
const SINGLE = [
  'web/index.html',
  'web/vite.config.ts',
  'web/catalogs.ts',
  'web/package.json',
  'scripts/web/build.ts',
  'NOTICE',
]

export async function buildWeb(): Promise<void> {
  // Tests say `test` here, with which React would be the one for developing: three times as heavy, and slower.
  process.env['NODE_ENV'] = 'production'
  const { build } = (await import(createRequire(`${ROOT}/web/package.json`).resolve('vite'))) as Bundler
  await build({ configFile: `${ROOT}/web/vite.config.ts`, logLevel: 'warn' })
  // The licence of the fonts goes where they go.
  copyFileSync(`${ROOT}/NOTICE`, `${process.env['WEB_OUT'] ?? `${ROOT}/server/build/web`}/NOTICE.txt`)
  // Built elsewhere, it says nothing about the usual place.
  if (process.env['WEB_OUT'] === undefined) writeFileSync(STAMP, stamp())
}

function stamp(): string {
  const files = SOURCES.flatMap((folder) =>
    readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => `${parentPath}/${name}`),
  )
  const texts = [...files.toSorted(), ...SINGLE.map((path) => `${ROOT}/${path}`)].map((path) =>
    hash('sha256', readFileSync(path)),
  )
  return hash('sha256', texts.join('\n'))
}

export function isWebStale(): boolean {
  try {
    readFileSync(`${ROOT}/server/build/web/index.html`)
    return readFileSync(STAMP, 'utf8') !== stamp()
  } catch {
    return true
  }
}

if (import.meta.main && (!process.argv.includes('--if-stale') || isWebStale())) await buildWeb()
