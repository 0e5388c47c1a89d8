/**
 * The tests, each once, then a table of the slowest files and one closing line `N passed, N failed`.
 *
 *   pnpm test [FILES]           on every change
 *   pnpm test:nightly [FILES]   what needs a cluster, a quiet machine or minutes
 *
 * Everything after the tier goes to Vitest. What failed is named last of all, where a reader of a long log looks first.
 * Nothing is run a second time. `NAMEWRIGHT_TEST_REPORT` names a file to keep the whole report in.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openOwnPostgres } from '../../server/test/own-postgres.ts'
import { emptyEveryDatabase } from '../../server/test/redis.ts'
import { prepare } from '../../server/test/setup/services.ts'
import { judge, slowestOf, type TestReport } from './report.ts'

const ROOT = `${import.meta.dirname}/../..`

const isNightly = process.argv[2] === '--nightly'
const args = process.argv.slice(isNightly ? 3 : 2)
const scratch = mkdtempSync(join(tmpdir(), 'namewright-tests-'))
try {
  const startedAt = performance.now()
  prepare(isNightly ? 'nightly' : 'usual')
  await emptyEveryDatabase()
  // Nothing of a run outlives it, so nothing is written out before it is acknowledged. The tests that crash a server have
  // one of their own.
  await using postgres = await openOwnPostgres({ settings: ['max_connections=400', 'fsync=off'] })
  const report = await runAll(new URL(postgres.adminUrl).href.replace(/\/[^/]*$/, ''))
  const { passed, skipped, failed } = judge(report)
  console.log(['\nslowest files', ...slowestOf(report.files)].join('\n'))
  console.log(`the run took ${Math.round((performance.now() - startedAt) / 1000)} s`)
  if (failed.length > 0) console.log(['\nFAILED', ...failed].join('\n  '))
  console.log(`${passed} passed, ${failed.length} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`)
  process.exitCode = failed.length === 0 ? 0 : 1
} finally {
  rmSync(scratch, { recursive: true })
}

/** What breaks off before it has written anything is one failure. */
async function runAll(postgresUrl: string): Promise<TestReport> {
  const path = process.env['NAMEWRIGHT_TEST_REPORT'] ?? join(scratch, 'report.json')
  const reporters = ['--reporter=default', '--reporter=./scripts/test/reporter.ts']
  const child = spawn('pnpm', ['exec', 'vitest', 'run', '--passWithNoTests', ...reporters, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      NAMEWRIGHT_TEST_TIER: isNightly ? 'nightly' : 'usual',
      NAMEWRIGHT_TEST_REPORT: path,
      NAMEWRIGHT_TEST_PREPARED: 'yes',
      // Nodes and commands that tests start as processes: half of what a start costs is compiling the same files again.
      NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node-compile'),
      NAMEWRIGHT_TEST_POSTGRES: postgresUrl,
    },
  })
  // Who is stopped stops its tests, and goes on to remove what it has started.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal))
  const [code] = (await once(child, 'exit')) as [number | null]
  if (!existsSync(path)) return { files: [], unhandledErrors: code === 0 ? 0 : 1 }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the reporter just now
  return JSON.parse(readFileSync(path, 'utf8')) as TestReport
}
