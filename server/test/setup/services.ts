/**
 * Runs before the first test: `scripts/services --tests` starts whatever is missing of PostgreSQL, Redis, NSD and
 * unbound, the builds make the element, the web app and the manual, and a template database is created.
 * After the last test whatever the run has left in the folder for temporary files is removed.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { TIER, type Tier } from '../../../scripts/test/tiers.ts'
import { makeTemplate } from '../template.ts'

/** Services and builds. Two runs that begin at the same time must not both build, so who starts them calls this first. */
export function prepare(tier: Tier = TIER): void {
  const env = { ...process.env, NAMEWRIGHT_TEST_TIER: tier }
  execFileSync(new URL('../../../scripts/services', import.meta.url).pathname, ['--tests'], { stdio: 'inherit', env })
  for (const build of ['sdk/element.ts', 'web/build.ts', 'docs/build.ts']) {
    const { pathname } = new URL(`../../../scripts/${build}`, import.meta.url)
    execFileSync(process.execPath, [pathname, '--if-stale'], { stdio: 'inherit' })
  }
}

export default async function setup(): Promise<() => Promise<void>> {
  if (process.env['NAMEWRIGHT_TEST_PREPARED'] === undefined) prepare()
  const removeDatabases = await makeTemplate()
  const folder = mkdtempSync(`${tmpdir()}/namewright-run-`)
  // Some tests start servers as another user.
  chmodSync(folder, 0o755)
  process.env['TMPDIR'] = folder
  return async () => {
    rmSync(folder, { recursive: true, force: true })
    await removeDatabases()
  }
}
