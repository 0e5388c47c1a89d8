/** Writes what run.ts wants to know of a run of Vitest to the file that `NAMEWRIGHT_TEST_REPORT` names. */
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import type { FileReport, TestReport } from './report.ts'

const ROOT = `${import.meta.dirname}/../..`

export default class ReportWriter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const path = process.env['NAMEWRIGHT_TEST_REPORT']
    if (path === undefined) return
    const report: TestReport = { files: modules.map(fileReportOf), unhandledErrors: unhandled.length }
    writeFileSync(path, JSON.stringify(report))
  }
}

function fileReportOf(module: TestModule): FileReport {
  const { prepareDuration, setupDuration, collectDuration, duration } = module.diagnostic()
  const { cpuSeconds } = module.meta()
  return {
    name: relative(ROOT, module.moduleId),
    isFailed: module.state() === 'failed',
    wallSeconds: (prepareDuration + setupDuration + collectDuration + duration) / 1000,
    ...(cpuSeconds === undefined ? {} : { cpuSeconds }),
    tests: [...module.children.allTests()].map(testReportOf),
  }
}

function testReportOf(test: TestCase): FileReport['tests'][number] {
  const { state, errors } = test.result()
  const [error] = errors ?? []
  const text = error === undefined ? undefined : stripVTControlCharacters(`${error.message}\n${error.diff ?? ''}`)
  return { name: test.fullName, state, ...(text === undefined ? {} : { error: text }) }
}
