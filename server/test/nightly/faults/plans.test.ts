/**
 * Fault plans on a real cluster under load: two nodes behind HAProxy, PostgreSQL with a standby under Patroni, Redis
 * under Sentinel.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SHORT_PLANS } from './plans/short.ts'
import type { PlanReport } from './run.ts'

const RUN = new URL('run.ts', import.meta.url).pathname
const MINUTES = 30
// Half of what `pnpm exec node server/test/nightly/faults/run.ts ci` asks for.
const RATE = 30

const folder = mkdtempSync(`${tmpdir()}/namewright-plans-`)
let reports: readonly PlanReport[] = []
beforeAll(async () => {
  const path = `${folder}/report.json`
  const run = spawn(process.execPath, [RUN, ...SHORT_PLANS, '--length', 'ci', '--rate', String(RATE), '--json', path], {
    stdio: 'inherit',
  })
  await once(run, 'exit')
  reports = (JSON.parse(readFileSync(path, 'utf8')) as { reports: PlanReport[] }).reports
}, MINUTES * 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(SHORT_PLANS)('%s keeps every promise of safety', (id) => {
  const bars = reports.find((report) => report.id === id)?.bars.filter(({ kind }) => kind === 'safety')
  expect(bars?.length).toBeGreaterThan(0)
  expect(bars?.filter(({ ok }) => !ok)).toEqual([])
})
