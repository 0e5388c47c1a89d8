/** The package as users get it: built, or packed by pnpm and installed by npm, without a network. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { buildSdk } from '../../scripts/sdk/build.ts'

export const SDK = new URL('..', import.meta.url).pathname

/** A temporary folder in which a script can import the package. */
export interface Installed extends Disposable {
  readonly folder: string
  /** The folder of the package in it. */
  readonly home: string
}

function openFolder(): Installed {
  const folder = mkdtempSync(`${tmpdir()}/namewright-sdk-`)
  writeFileSync(`${folder}/package.json`, '{"private":true,"type":"module"}')
  return {
    folder,
    home: `${folder}/node_modules/@namewright/client`,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Builds in place, in `sdk/dist`: only one test file may do this. */
export function installPacked(): Installed {
  const installed = openFolder()
  const { folder } = installed
  execFileSync('pnpm', ['pack', '--pack-destination', folder], { cwd: SDK, stdio: 'pipe' })
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  // Without the settings and caches of this machine.
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, npm_config_update_notifier: 'false' }
  const args = ['install', '--offline', '--no-audit', '--no-fund', `${folder}/${tarball}`]
  execFileSync('npm', args, { cwd: folder, env, stdio: 'pipe' })
  return installed
}

export function installBuilt(): Installed {
  const installed = openFolder()
  mkdirSync(installed.home, { recursive: true })
  copyFileSync(`${SDK}package.json`, `${installed.home}/package.json`)
  buildSdk(`${installed.home}/dist`)
  return installed
}
