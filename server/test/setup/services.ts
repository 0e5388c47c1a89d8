/** Before the first test: whatever is missing of PostgreSQL, Redis, NSD and unbound is brought up, the names compiled. */
import { execFileSync } from 'node:child_process'

export default function setup(): void {
  execFileSync(new URL('../../../scripts/services', import.meta.url).pathname, { stdio: 'inherit' })
  const build = new URL('../../../scripts/names/build.ts', import.meta.url).pathname
  execFileSync(process.execPath, [build, '--if-stale'], { stdio: 'inherit' })
}
