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
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readQuarantine } from './quarantine.ts'
import { judge, slowestOf } from './report.ts'
import type { TestReport } from './report.ts'

const ROOT = `${import.meta.dirname}/../..`

const isFull = process.argv[2] === '--full'
const args = process.argv.slice(isFull ? 3 : 2)
const scratch = mkdtempSync(join(tmpdir(), 'namewright-tests-'))
try {
  const startedAt = performance.now()
  const report = runVitest(process.env['NAMEWRIGHT_TEST_REPORT'] ?? join(scratch, 'report.json'))
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

/** What breaks off before it has written anything is one failure. */
function runVitest(path: string): TestReport {
  rmSync(path, { force: true })
  const reporters = ['--reporter=default', '--reporter=./scripts/test/reporter.ts']
  const env = {
    ...process.env,
    NAMEWRIGHT_TEST_TIER: isFull ? 'full' : 'usual',
    NAMEWRIGHT_TEST_REPORT: path,
  }
  spawnSync('pnpm', ['exec', 'vitest', 'run', ...reporters, ...args], { cwd: ROOT, stdio: 'inherit', env })
  if (!existsSync(path)) return { files: [], unhandledErrors: 1 }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the reporter just now
  return JSON.parse(readFileSync(path, 'utf8')) as TestReport
}
