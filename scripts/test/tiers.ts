/** Which tests run when: those in a folder named `nightly` every night, all others on every change. */
import { globSync } from 'node:fs'
import { matchesGlob } from 'node:path'

export type Tier = 'usual' | 'nightly'

export const TIER: Tier = process.env['NAMEWRIGHT_TEST_TIER'] === 'nightly' ? 'nightly' : 'usual'

const ROOT = `${import.meta.dirname}/../..`
const NIGHTLY = '**/nightly/**'
// Memory that is measured, and jobs whose leases a busy event loop would let expire: nothing else in the same process.
const ISOLATED = [NIGHTLY, 'server/test/faults/keys-memory.test.ts', 'server/test/jobs/**']

/** `isolated` have a process each; `shared` run in one process per worker, one after the other. */
export function testFilesOf(tier: Tier): { readonly isolated: string[]; readonly shared: string[] } {
  const all = globSync('{packages,server,sdk,command,web,scripts,bench,eval}/**/*.test.ts', {
    cwd: ROOT,
    exclude: (name) => name.includes('node_modules'),
  })
  const files = all.filter((path) => matchesGlob(path, NIGHTLY) === (tier === 'nightly')).toSorted()
  const { isolated = [], shared = [] } = Object.groupBy(files, (path) =>
    ISOLATED.some((glob) => matchesGlob(path, glob)) ? 'isolated' : 'shared',
  )
  return { isolated, shared }
}
