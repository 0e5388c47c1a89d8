/**
 * What a run of the tests came to: which failures count, and the table of the slowest files. Pure; reporter.ts gathers
 * it and run.ts prints it.
 */
export interface TestReport {
  readonly files: readonly FileReport[]
  /** Errors outside of every test. */
  readonly unhandledErrors: number
}

export interface FileReport {
  /** From the root of the repository. */
  readonly name: string
  readonly isFailed: boolean
  readonly wallSeconds: number
  readonly cpuSeconds?: number
  readonly tests: readonly { readonly name: string; readonly state: string; readonly error?: string }[]
}

export interface Outcome {
  readonly passed: number
  readonly skipped: number
  /** `file: test`, each of which fails the run, with the beginning of its error. */
  readonly failed: readonly string[]
}

const SLOWEST = 10
const ERROR_LINES = 12
const ERROR_WIDTH = 200

export function judge({ files, unhandledErrors }: TestReport): Outcome {
  const failed = files.flatMap(({ name: file, isFailed, tests }) => {
    const failing = tests.filter(({ state }) => state === 'failed')
    // A file that cannot be read, or whose hooks fail, has no failing test of its own.
    if (isFailed && failing.length === 0) return [`${file}: outside of its tests`]
    return failing.map(({ name, error }) => `${file}: ${name}${errorLines(error)}`)
  })
  if (unhandledErrors > 0) failed.push(`${unhandledErrors} errors outside of every test`)
  const count = (state: string) => files.flatMap(({ tests }) => tests).filter((test) => test.state === state).length
  return { passed: count('passed'), skipped: count('skipped'), failed }
}

/** So that the end of a log says why, where that is all of it that is kept. */
function errorLines(error: string | undefined): string {
  if (error === undefined) return ''
  const lines = error.split('\n').filter((line) => line.trim() !== '')
  return lines
    .slice(0, ERROR_LINES)
    .map((line) => `\n      ${line.slice(0, ERROR_WIDTH)}`)
    .join('')
}

/** Wall time, and CPU time with every process that the file started. */
export function slowestOf(files: readonly FileReport[]): string[] {
  const sum = (list: readonly (number | undefined)[]) => list.reduce<number>((total, one) => total + (one ?? 0), 0)
  const row = (name: string, wall: number, cpu: number | undefined) =>
    `${wall.toFixed(1).padStart(8)} ${(cpu?.toFixed(1) ?? '-').padStart(8)}  ${name}`
  const slowest = files.toSorted((one, other) => other.wallSeconds - one.wallSeconds).slice(0, SLOWEST)
  const totals = [sum(files.map((one) => one.wallSeconds)), sum(files.map((one) => one.cpuSeconds))] as const
  return [
    '  wall s    cpu s  file',
    ...slowest.map(({ name, wallSeconds, cpuSeconds }) => row(name, wallSeconds, cpuSeconds)),
    row(`all ${files.length} files`, ...totals),
  ]
}
