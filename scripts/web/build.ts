/**
 * The web app: `web/` → `server/build/web/`, which the service hands out. `--if-stale` does nothing when it was made of
 * these sources.
 */
import { hash } from 'node:crypto'
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { prerenderHome } from './prerender.ts'
import type { BuiltFile, DevBundler } from './prerender.ts'

/** As much of Vite as is used. */
interface Bundler extends DevBundler {
  readonly build: (options: object) => Promise<{ readonly output: readonly BuiltFile[] }>
}

const ROOT = `${import.meta.dirname}/../..`
const STAMP = `${ROOT}/server/build/web.sha256`
const SOURCES = ['web/src', 'web/messages', 'web/public', 'web/service-worker', 'sdk/src']
const SINGLE = [
  'web/index.html',
  'web/vite.config.ts',
  'web/catalogs.ts',
  'web/first-load.ts',
  'web/styles.ts',
  'web/package.json',
  'scripts/web/build.ts',
  'scripts/web/prerender.ts',
  'NOTICE',
]

export async function buildWeb(): Promise<void> {
  // Tests say `test` here, with which React would be the one for developing: three times as heavy, and slower.
  process.env['NODE_ENV'] = 'production'
  const vite = (await import(createRequire(`${ROOT}/web/package.json`).resolve('vite'))) as Bundler
  const config = `${ROOT}/web/vite.config.ts`
  const folder = process.env['WEB_OUT'] ?? `${ROOT}/server/build/web`
  const { output } = await vite.build({ configFile: config, logLevel: 'warn' })
  await prerenderHome(vite, { config, folder, built: output })
  // The licence of the fonts goes where they go.
  copyFileSync(`${ROOT}/NOTICE`, `${folder}/NOTICE.txt`)
  // Built elsewhere, it says nothing about the usual place.
  if (process.env['WEB_OUT'] !== undefined) return
  writeFileSync(STAMP, stamp())
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

if (import.meta.main && (!process.argv.includes('--if-stale') || isWebStale())) {
  console.error('Building the web app …')
  await buildWeb()
}
