/** Which tests run when: those in a folder named `nightly` every night, all others on every change. */
import { globSync } from 'node:fs'
import { matchesGlob } from 'node:path'

export type Tier = 'usual' | 'nightly'

export const TIER: Tier = process.env['NAMEWRIGHT_TEST_TIER'] === 'nightly' ? 'nightly' : 'usual'

const ROOT = `${import.meta.dirname}/../..`
const NIGHTLY = '**/nightly/**'
// Processes that are killed, memory that is measured, a queue that others would empty: nothing else in the same process.
const ISOLATED = [
  NIGHTLY,
  'server/test/{faults,jobs}/**',
  'server/test/tracing.test.ts',
  'server/test/api/batches.test.ts',
]

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
