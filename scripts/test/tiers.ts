/**
 * The two tiers of the tests, and how large each test is in which of them.
 *
 *   usual   `pnpm test`: every assertion about behaviour, at a size that fits into minutes
 *   full    `pnpm test:full`: the same tests at the sizes that promises are made for, and `*.full.test.ts`, which have no
 *           small form; nightly or by hand
 *
 * A size is a parameter of one test and never a second test. Files that have no size here are the same in both tiers, so
 * only the usual one runs them. CONTRIBUTING.md has this table with its reasons; tiers.test.ts holds the two together.
 */
import { globSync } from 'node:fs'
import { matchesGlob } from 'node:path'

export type Tier = 'usual' | 'full'

export const TIER: Tier = process.env['NAMEWRIGHT_TEST_TIER'] === 'full' ? 'full' : 'usual'

export interface Size {
  /** What is counted. */
  readonly what: string
  readonly usual: number
  readonly full: number
  /** Who asks for it: files or, for what many share, a glob. */
  readonly files: readonly string[]
}

export const SIZES = {
  batchItems: {
    what: 'items of a batch while workers are killed and PostgreSQL restarts',
    usual: 500,
    full: 10_000,
    files: ['server/test/jobs/batch-chaos.test.ts'],
  },
  batchKills: {
    what: 'workers that are killed meanwhile',
    usual: 4,
    full: 20,
    files: ['server/test/jobs/batch-chaos.test.ts'],
  },
  largeBodies: {
    what: 'large bodies of batches that are sent at once',
    usual: 6,
    full: 12,
    files: ['server/test/api/batches-accepting.test.ts'],
  },
  truthNames: {
    what: 'names checked while every source misbehaves',
    usual: 1_500,
    full: 10_000,
    files: ['server/test/truth/truth.test.ts'],
  },
  neighbourChecks: {
    what: 'checks of healthy suffixes beside sick ones, in each of four windows',
    usual: 100,
    full: 400,
    files: ['server/test/truth/neighbours.test.ts'],
  },
  lyingNames: {
    what: 'registered names checked on each lying network, in both modes',
    usual: 150,
    full: 1_000,
    files: ['server/test/lying-network.test.ts'],
  },
  faultPlans: {
    what: 'fault plans on a cluster under load',
    usual: 1,
    full: 11,
    files: ['server/test/faults/plans.test.ts'],
  },
  simulatedSchedules: {
    what: 'simulated schedules of nodes, PostgreSQL and Redis, of each scenario',
    usual: 500,
    full: 2_500,
    files: ['server/test/simulation/{midnight,revoking,spending,telling}.test.ts'],
  },
  mirroredLives: {
    what: 'random lives that the simulated stores are held to the real ones with',
    usual: 30,
    full: 150,
    files: ['server/test/simulation/conformance.test.ts'],
  },
  slowReaders: {
    what: 'slow readers of a stream',
    usual: 100,
    full: 500,
    files: ['server/test/faults/stream-readers.test.ts'],
  },
  slowReaderSeconds: {
    what: 'seconds that they read',
    usual: 15,
    full: 60,
    files: ['server/test/faults/stream-readers.test.ts'],
  },
  accountLimit: {
    what: 'names a day that the keys and applications of one account share on four nodes',
    usual: 2_000,
    full: 10_000,
    files: ['server/test/attacks/account-plan.test.ts'],
  },
  cutStreams: {
    what: 'streams that are cut at random moments, a tenth of them at once',
    usual: 150,
    full: 1_000,
    files: ['server/test/attacks/cut-streams.test.ts'],
  },
  restoredRows: {
    what: 'rows that are deleted and restored',
    usual: 2_000,
    full: 1_000_000,
    files: ['server/test/faults/restore.test.ts'],
  },
  historyRows: {
    what: 'rows of history, against 100,000',
    usual: 300_000,
    full: 1_000_000,
    files: ['server/test/faults/growth.test.ts'],
  },
  quotaAttempts: {
    what: 'attempts of four processes to spend one quota',
    usual: 16_000,
    full: 80_000,
    files: ['server/test/faults/quota.test.ts'],
  },
  idempotencyKeys: {
    what: 'idempotency keys while a node dies',
    usual: 200,
    full: 1_000,
    files: ['server/test/faults/idempotency.test.ts'],
  },
  killsAfterAnswer: {
    what: 'nodes killed right after an answer',
    usual: 9,
    full: 30,
    files: ['server/test/faults/durability.test.ts'],
  },
  watchedFavorites: {
    what: 'watched favorites at twenty registries',
    usual: 10_000,
    full: 100_000,
    files: ['server/test/jobs/watch-many.test.ts'],
  },
  burstSeconds: {
    what: 'seconds that sixty requests wait for the rate limit of a registrar',
    usual: 6,
    full: 25,
    files: ['server/test/budget-burst.test.ts'],
  },
  fuzzedRequests: {
    what: 'fuzzed requests',
    usual: 2_000,
    full: 40_000,
    files: ['server/test/fuzz/fuzz.test.ts'],
  },
  faultyCalls: {
    what: 'calls of the client over a broken network',
    usual: 300,
    full: 1_000,
    files: ['sdk/test/faults.test.ts'],
  },
  faultyStreams: {
    what: 'streams of the client over a broken network',
    usual: 60,
    full: 200,
    files: ['sdk/test/faults.test.ts'],
  },
  outageSeconds: {
    what: 'seconds that this network is gone',
    usual: 5,
    full: 20,
    files: ['sdk/test/faults.test.ts'],
  },
  checkedNames: {
    what: 'names checked one by one at package registries and code hosts that misbehave in turns',
    usual: 36,
    full: 200,
    files: ['server/test/api/names-check.test.ts'],
  },
  benchedItems: {
    what: 'items of a batch against the same requests in a loop',
    usual: 60,
    full: 300,
    files: ['bench/batches.test.ts'],
  },
  quickstartInstalls: {
    what: 'times that the quickstart downloads and installs everything anew',
    usual: 0,
    full: 1,
    files: ['sdk/test/quickstart.test.ts'],
  },
  looks: {
    what: 'combinations of width, language, theme and contrast on every page',
    usual: 1,
    full: 10,
    files: ['web/test/access.test.ts'],
  },
  handsOfOtherJourneys: {
    what: 'ways to walk each journey (the five main ones: always both)',
    usual: 1,
    full: 2,
    files: ['web/test/journeys/*.test.ts'],
  },
} as const satisfies Readonly<Record<string, Size>>

export const sizeOf = (name: keyof typeof SIZES): number => SIZES[name][TIER]

const ROOT = `${import.meta.dirname}/../..`
const FOLDERS = '{server,sdk,web,scripts,bench,eval}'
const FULL_ONLY = '**/*.full.test.ts'
// Processes that are killed, clocks that are watched, memory that is measured: nothing else in the same process. Most of
// the time they wait.
const ISOLATED = [
  'server/test/{faults,jobs,truth,simulation,fuzz}/**',
  'server/test/{overload,leaks,tracing,streams,lying-network,budget-burst}.test.ts',
  'server/test/attacks/flood.full.test.ts',
  'server/test/api/{batches,warnings}.test.ts',
  'sdk/test/faults.test.ts',
  'bench/**',
]

const isOneOf = (globs: readonly string[]) => (path: string) => globs.some((glob) => matchesGlob(path, glob))

/** `isolated` have a process each; `shared` run in one process per worker, one after the other. */
export function testFilesOf(tier: Tier): { readonly isolated: string[]; readonly shared: string[] } {
  const all = globSync(`${FOLDERS}/**/*.test.ts`, { cwd: ROOT, exclude: (name) => name.includes('node_modules') })
  const isFull = isOneOf([FULL_ONLY, ...Object.values<Size>(SIZES).flatMap(({ files }) => files)])
  const files = all.filter(tier === 'full' ? isFull : (path) => !matchesGlob(path, FULL_ONLY)).toSorted()
  const { isolated = [], shared = [] } = Object.groupBy(files, (path) =>
    isOneOf(ISOLATED)(path) ? 'isolated' : 'shared',
  )
  return { isolated, shared }
}
