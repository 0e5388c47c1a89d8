/** Before the first test: whatever is missing of PostgreSQL, Redis, NSD and unbound is brought up. */
import { execFileSync } from 'node:child_process'

export default function setup(): void {
  execFileSync(new URL('../../../scripts/services', import.meta.url).pathname, { stdio: 'inherit' })
}
