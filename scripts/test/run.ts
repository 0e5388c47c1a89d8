/**
 * The tests of a tier, each once, then a table of the slowest files and one closing line `N passed, N failed`.
 *
 *   pnpm test [FILES] [--shard=1/4]      the usual tier
 *   pnpm test:full [FILES]               the full tier: what has a larger size there, and what has no small form
 *
 * Everything after the tier goes to Vitest. What failed is named last of all, where a reader of a long log looks first.
 * Nothing is run a second time: a test that fails now and then is a defect, and stands in quarantine.json until it is
 * mended. `NAMEWRIGHT_TEST_REPORT` names a file to keep the whole report in.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openOwnPostgres } from '../../server/test/own-postgres.ts'
import { emptyEveryDatabase } from '../../server/test/redis.ts'
import { prepare } from '../../server/test/setup/services.ts'
import { readQuarantine } from './quarantine.ts'
import { judge, slowestOf } from './report.ts'
import type { TestReport } from './report.ts'

const ROOT = `${import.meta.dirname}/../..`

const isFull = process.argv[2] === '--full'
const args = process.argv.slice(isFull ? 3 : 2)
const scratch = mkdtempSync(join(tmpdir(), 'namewright-tests-'))
try {
  const startedAt = performance.now()
  prepare(isFull ? 'full' : 'usual')
  await emptyEveryDatabase()
  // Nothing of a run outlives it, so nothing is written out before it is acknowledged. The tests that crash a server have
  // one of their own.
  await using postgres = await openOwnPostgres({ settings: ['max_connections=400', 'fsync=off'] })
  const report = await runAll(postgres.adminUrl)
  const { passed, skipped, failed, tolerated } = judge(report, readQuarantine())
  console.log(['\nslowest files', ...slowestOf(report.files)].join('\n'))
  console.log(`the run took ${Math.round((performance.now() - startedAt) / 1000)} s`)
  if (tolerated.length > 0) console.log(['\nQUARANTINED, failed', ...tolerated].join('\n  '))
  if (failed.length > 0) console.log(['\nFAILED', ...failed].join('\n  '))
  console.log(`${passed} passed, ${failed.length} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`)
  process.exitCode = failed.length === 0 ? 0 : 1
} finally {
  rmSync(scratch, { recursive: true })
}

async function runAll(adminUrl: string): Promise<TestReport> {
  const reports = await Promise.all([runProject('shared', 1, adminUrl), runProject('isolated', 3, adminUrl)])
  console.log(readFileSync(join(scratch, 'isolated.log'), 'utf8'))
  const report: TestReport = {
    files: reports.flatMap(({ files }) => files),
    unhandledErrors: reports.reduce((sum, { unhandledErrors }) => sum + unhandledErrors, 0),
  }
  const { NAMEWRIGHT_TEST_REPORT: path } = process.env
  if (path !== undefined) writeFileSync(path, JSON.stringify(report))
  return report
}

/**
 * Files of their own process mostly wait, for a lease to end or a server to start; those that share one mostly compute. So
 * both groups run at the same time, with two workers each. In the full tier each has one worker: its files are long, load
 * clusters and measure, and nobody waits for them. What breaks off before it has written anything is one failure.
 */
async function runProject(project: 'shared' | 'isolated', firstWorker: number, adminUrl: string): Promise<TestReport> {
  const path = join(scratch, `${project}.json`)
  const options = [
    `--project=${project}`,
    '--passWithNoTests',
    '--reporter=default',
    '--reporter=./scripts/test/reporter.ts',
    ...(isFull ? ['--maxWorkers=1'] : []),
  ]
  const env = {
    ...process.env,
    NAMEWRIGHT_TEST_TIER: isFull ? 'full' : 'usual',
    NAMEWRIGHT_TEST_REPORT: path,
    NAMEWRIGHT_TEST_PREPARED: 'yes',
    // Nodes and commands that tests start as processes: half of what a start costs is compiling the same files again.
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node-compile'),
    NAMEWRIGHT_TEST_POSTGRES: new URL(adminUrl).href.replace(/\/[^/]*$/, ''),
    NAMEWRIGHT_TEST_FIRST_WORKER: String(firstWorker),
  }
  // One of them at a time can be read.
  const output = project === 'shared' ? 'inherit' : openSync(join(scratch, `${project}.log`), 'w')
  const child = spawn('pnpm', ['exec', 'vitest', 'run', ...options, ...args], {
    cwd: ROOT,
    stdio: ['ignore', output, output],
    env,
  })
  // Who is stopped stops its tests, and goes on to remove what it has started.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal))
  const [code] = (await once(child, 'exit')) as [number | null]
  if (output !== 'inherit') closeSync(output)
  if (!existsSync(path)) return { files: [], unhandledErrors: code === 0 ? 0 : 1 }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the reporter just now
  return JSON.parse(readFileSync(path, 'utf8')) as TestReport
}
