/** What came of a run, for people; and the list of what must not have. */
import type { Failure, Report } from './run-fuzz.ts'
import { SLACK_MS } from './run-fuzz.ts'

const MAX_GROWTH = 1.1
// Half of a short run does not warm a node up: 3,000 requests have ended 6 to 22 % above a quarter of it. Only a long run holds the
// resident memory to the tenth; a short one holds what is in use to it.
const SETTLED = 40_000
const MAX_UNSETTLED_GROWTH = 1.3
// Connections to PostgreSQL and Redis come and go, and so do those of whoever measures.
const MORE_FILES = 12

/** Empty when all is well. */
export function faultsOf(report: Report): string[] {
  const { failures, holdings, isOtherUntouched, loggedErrors, latestMs, seed, sent } = report
  const [warm, end] = holdings
  return [
    ...failures.map((failure) => failureText(failure, seed)),
    ...(isOtherUntouched ? [] : ['something of the other account was changed']),
    ...loggedErrors.slice(0, 5).map((line) => `the node logged ${line.slice(0, 1_500)}`),
    ...(latestMs > SLACK_MS ? [`an answer came ${latestMs} ms after its deadline`] : []),
    ...(end.rss > warm.rss * (sent < SETTLED ? MAX_UNSETTLED_GROWTH : MAX_GROWTH)
      ? [`the node had ${megabytes(warm.rss)} after warming up and ${megabytes(end.rss)} at the end`]
      : []),
    ...(end.used > warm.used * MAX_GROWTH
      ? [`the node used ${megabytes(warm.used)} after warming up and ${megabytes(end.used)} at the end`]
      : []),
    ...(end.files > warm.files + MORE_FILES
      ? [`${warm.files} files were open after warming up and ${end.files} at the end`]
      : []),
  ]
}

export function formatReport(report: Report): string {
  const { sent, shed, seconds, statuses, holdings, latestMs } = report
  const [warm, end] = holdings
  const rows = [...statuses]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([operation, counts]) => {
      const statusCounts = [...counts]
        .toSorted(([a], [b]) => a - b)
        .map(([status, times]) => `${status || 'none'}×${times}`)
      return `  ${operation.padEnd(62)} ${statusCounts.join(' ')}`
    })
  const faults = faultsOf(report)
  return [
    ...rows,
    `${sent} requests in ${seconds.toFixed(1)} s, ${(sent / seconds).toFixed(0)} a second; seed ${report.seed}; ${shed} times it was busy`,
    `resident ${megabytes(warm.rss)} after warming up, ${megabytes(end.rss)} at the end; in use ${megabytes(warm.used)}, ${megabytes(end.used)}; open files ${warm.files}, ${end.files}`,
    `the latest answer came ${Math.round(latestMs)} ms after its deadline`,
    ...faults.map((fault) => `\n${fault}`),
    faults.length === 0 ? 'nothing wrong' : `\n${faults.length} wrong`,
  ].join('\n')
}

function failureText({ number, fault, shot, more }: Failure, seed: number): string {
  const again = `pnpm exec node server/test/nightly/fuzz/fuzz.ts --seed ${seed} --only ${number}`
  return `${shot.operation}: ${fault}\n  ${JSON.stringify(shot).slice(0, 2_000)}\n  ${more} more like it. Again: ${again}`
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`
}
