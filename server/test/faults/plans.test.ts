/**
 * Fault plans on a real cluster under load: two nodes behind HAProxy, PostgreSQL with a standby under Patroni, Redis
 * under Sentinel. The usual tier runs the one that kills the primary and fails over, the full tier all that `pnpm faults
 * ci` has.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sizeOf } from '../../../scripts/test/tiers.ts'
import { SHORT_PLANS } from './plans/short.ts'
import type { PlanReport } from './run.ts'

const RUN = new URL('run.ts', import.meta.url).pathname
const MINUTES = 30
// Half of what `pnpm faults ci` asks for: other tests run beside it.
const RATE = 30

// The crash of the primary comes first: a node that outlives it has been through most of what the others do.
const plans = SHORT_PLANS.toSorted((one, other) => Number(other === 'r5') - Number(one === 'r5')).slice(
  0,
  sizeOf('faultPlans'),
)
const folder = mkdtempSync(`${tmpdir()}/namewright-plans-`)
let reports: readonly PlanReport[] = []
beforeAll(async () => {
  const path = `${folder}/report.json`
  const run = spawn(process.execPath, [RUN, ...plans, '--length', 'ci', '--rate', String(RATE), '--json', path], {
    stdio: 'inherit',
  })
  await once(run, 'exit')
  reports = (JSON.parse(readFileSync(path, 'utf8')) as { reports: PlanReport[] }).reports
}, MINUTES * 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(plans)('%s keeps every promise of safety', (id) => {
  const bars = reports.find((report) => report.id === id)?.bars.filter(({ kind }) => kind === 'safety')
  expect(bars?.length).toBeGreaterThan(0)
  expect(bars?.filter(({ ok }) => !ok)).toEqual([])
})
