/**
 * Every test, and the closing line `N passed, N failed`.
 *
 *   node scripts/test-everything.ts
 *
 * Many tests kill processes, cut connections and measure against the clock, on a machine that others may be using too.
 * When one or two files fail, they are run once more, alone, when nothing else runs. What then passes is named as
 * unsteady, in capitals, so that it is mended; what fails again has failed. Tests of the truth get no second look: a
 * domain called free wrongly once is one too many.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

const MOST_SECOND_LOOKS = 2
const NO_SECOND_LOOK = 'server/test/truth/'

interface Report {
  /** Vitest ended well: an error outside of every test makes this false as well. */
  readonly success: boolean
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: 'passed' | 'failed'
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

const scratch = mkdtempSync(join(tmpdir(), 'namewright-tests-'))
try {
  const first = runTests('first')
  const failing = first.testResults.filter(({ status }) => status === 'failed')
  const isWorthALook =
    failing.length <= MOST_SECOND_LOOKS && !failing.some(({ name }) => relative('.', name).startsWith(NO_SECOND_LOOK))
  const second = failing.length > 0 && isWorthALook ? runTests('second', ...failing.map(({ name }) => name)) : undefined
  if (second === undefined) {
    close(first.numPassedTests, failuresIn(first))
  } else {
    const named = failing.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName }) => `${relative('.', name)}: ${fullName}`),
    )
    console.log(`\nUNSTEADY, run a second time:\n${named.map((line) => `  ${line}`).join('\n')}`)
    const passedBefore = first.testResults
      .filter(({ status }) => status === 'passed')
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'passed').length
    close(passedBefore + second.numPassedTests, failuresIn(second))
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

/** A file that fails before its first test counts as one, and so does an error outside of every test. */
function failuresIn({ success, numFailedTests, testResults }: Report): number {
  const failedFiles = testResults.filter(({ status }) => status === 'failed').length
  return Math.max(numFailedTests, failedFiles, success ? 0 : 1)
}

function close(passed: number, failed: number): void {
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}
