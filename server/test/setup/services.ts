/**
 * Before the first test: whatever is missing of PostgreSQL, Redis, NSD and unbound is brought up, the names compiled, the
 * element and the web app bundled, and a database made to copy.
 */
import { execFileSync } from 'node:child_process'
import { makeTemplate } from '../template.ts'

export default function setup(): Promise<() => Promise<void>> {
  execFileSync(new URL('../../../scripts/services', import.meta.url).pathname, { stdio: 'inherit' })
  for (const build of ['names/build.ts', 'sdk/element.ts', 'web/build.ts']) {
    const { pathname } = new URL(`../../../scripts/${build}`, import.meta.url)
    execFileSync(process.execPath, [pathname, '--if-stale'], { stdio: 'inherit' })
  }
  return makeTemplate()
}
