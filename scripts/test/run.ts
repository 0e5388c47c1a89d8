/**
 * Every test, then faults on a cluster under load, and one closing line `N passed, N failed` for both.
 *
 *   node scripts/test-everything.ts
 *
 * Many tests kill processes, cut connections and measure against the clock, on a machine that others may be using too.
 * When a few files fail, they are run once more, alone, when nothing else runs. What then passes is named as
 * unsteady, in capitals, so that it is mended; what fails again has failed. Tests of the truth get no second look: a
 * domain called free wrongly once is one too many. The faults decide by themselves what is looked at twice.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

const MOST_SECOND_LOOKS = 5
const NO_SECOND_LOOK = 'server/test/truth/'
// Shorter ones find their place between the others.
const LONG_SECONDS = 30

interface Report {
  /** Vitest ended well: an error outside of every test makes this false as well. */
  readonly success: boolean
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: 'passed' | 'failed'
    readonly startTime: number
    readonly endTime: number
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

/** Each bar of a plan counts as a test. */
interface FaultReport {
  readonly passed: number
  readonly failed: number
}

const scratch = mkdtempSync(join(tmpdir(), 'namewright-tests-'))
try {
  const first = runTests('first')
  tellLongest(first)
  const failing = first.testResults.filter(({ status }) => status === 'failed')
  const isWorthALook =
    failing.length <= MOST_SECOND_LOOKS && !failing.some(({ name }) => relative('.', name).startsWith(NO_SECOND_LOOK))
  const second = failing.length > 0 && isWorthALook ? runTests('second', ...failing.map(({ name }) => name)) : undefined
  if (second === undefined) {
    close(first.numPassedTests, first)
  } else {
    tellFailed('UNSTEADY, run a second time', first)
    const passedBefore = first.testResults
      .filter(({ status }) => status === 'passed')
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'passed').length
    close(passedBefore + second.numPassedTests, second)
  }
} finally {
  rmSync(scratch, { recursive: true })
}

function runTests(name: string, ...files: readonly string[]): Report {
  const path = join(scratch, `${name}.json`)
  const options = ['--reporter=default', '--reporter=json', `--outputFile.json=${path}`]
  const { status } = spawnSync('pnpm', ['exec', 'vitest', 'run', ...options, ...files], { stdio: 'inherit' })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by vitest just now
  return { ...(JSON.parse(readFileSync(path, 'utf8')) as Report), success: status === 0 }
}

/** For longest-first.json, in its form. */
function tellLongest({ testResults }: Report): void {
  const seconds = testResults.map(({ name, startTime, endTime }) => {
    return [relative('.', name), Math.round((endTime - startTime) / 1000)] as const
  })
  const longest = seconds.filter(([, took]) => took >= LONG_SECONDS).toSorted(([, one], [, other]) => other - one)
  console.log(`\nlongest files, in seconds\n${longest.map(([name, took]) => `  "${name}": ${took},`).join('\n')}`)
}

function tellFailed(heading: string, { testResults }: Report): void {
  const named = testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const tests = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)
      return (tests.length === 0 ? ['before its first test'] : tests).map((test) => `  ${relative('.', name)}: ${test}`)
    })
  console.log([`\n${heading}:`, ...named].join('\n'))
}

/** What breaks off before it has written anything is one failure. */
function runFaults(): FaultReport {
  const path = join(scratch, 'faults.json')
  console.log('\nfaults on a cluster under load')
  const { status } = spawnSync('pnpm', ['faults', 'ci', '--json', path], { stdio: 'inherit' })
  if (!existsSync(path)) return { passed: 0, failed: 1 }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the plans just now
  const { passed, failed } = JSON.parse(readFileSync(path, 'utf8')) as FaultReport
  return { passed, failed: Math.max(failed, status === 0 ? 0 : 1) }
}

/** A file that fails before its first test counts as one, and so does an error outside of every test. */
function failuresIn({ success, numFailedTests, testResults }: Report): number {
  const failedFiles = testResults.filter(({ status }) => status === 'failed').length
  return Math.max(numFailedTests, failedFiles, success ? 0 : 1)
}

/** Names what failed last of all, where a reader of a long log looks first. */
function close(passedTests: number, tests: Report): void {
  const faults = runFaults()
  const passed = passedTests + faults.passed
  const failed = failuresIn(tests) + faults.failed
  if (failuresIn(tests) > 0) tellFailed('FAILED', tests)
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}
