/**
 * Faults on a real cluster under load, and whether the service keeps its word meanwhile.
 *
 *   pnpm exec node server/test/nightly/faults/run.ts ci              the plans of the nightly tests, short
 *   pnpm exec node server/test/nightly/faults/run.ts full            everything at once, ten minutes
 *   pnpm exec node server/test/nightly/faults/run.ts r5 r17 …        these plans, at full length; `--length ci` makes them short
 *
 *   --rate N       operations a second, instead of 60 (ci) or 150
 *   --json FILE    what came out, for a program, which then prints the last line
 *   --keep         keeps the logs also where nothing failed
 *
 * A table per plan, and a last line `N passed, N failed` that counts bars. At full length a plan that misses only bars
 * of timing is run once more, and the second run counts; what was missed of safety is never tried again. Short runs show
 * what they missed of timing and do not count it: they run on whatever machine there is.
 */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect, parseArgs } from 'node:util'
import type { Cluster } from './cluster/cluster.ts'
import { openCluster } from './cluster/cluster.ts'
import type { Bar, Outcome, Plan, Stage } from './plans/plan.ts'
import { SHORT_PLANS } from './plans/short.ts'
import { makeWhole } from './plans/whole.ts'
import { tableOf } from './table.ts'

const FULL = ['r8']
const RATE = { ci: 60, full: 150 }
const MAX_COMPLAINTS = 5
const MAX_CHARACTERS = 400
// Where neighbours take the cores a node sheds load, rightly, and that is not what the short plans are about;
// the one that is about it says so itself.
const UNSHED = { NAMEWRIGHT_OVERLOAD: 'off' }

export interface PlanReport {
  readonly id: string
  readonly title: string
  readonly bars: readonly Bar[]
  readonly figures: readonly string[]
  readonly seconds: number
  readonly runs: number
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'string' },
    rate: { type: 'string' },
    length: { type: 'string' },
    keep: { type: 'boolean' },
  },
})
const plans = await findPlans()
const wanted = positionals.flatMap((word) =>
  word === 'ci' ? SHORT_PLANS : word === 'full' ? FULL : [word.toLowerCase()],
)
const unknown = wanted.filter((id) => !plans.has(id))
if (wanted.length === 0 || unknown.length > 0) {
  if (unknown.length > 0) console.error(`no such plan: ${unknown.join(', ')}`)
  console.error(
    'usage: pnpm exec node server/test/nightly/faults/run.ts ci | full | rN … [--length ci|full] [--rate N] [--json FILE] [--keep]',
  )
  for (const { id, title } of plans.values()) console.error(`  ${id.padEnd(4)} ${title}`)
  process.exit(2)
}

const length = values.length === 'ci' || (values.length === undefined && positionals.includes('ci')) ? 'ci' : 'full'
const folder = await mkdtemp(join(tmpdir(), 'namewright-faults-'))
let shared: Cluster | undefined
const stage: Stage = {
  length,
  perSecond: values.rate === undefined ? RATE[length] : Number(values.rate),
  folder,
  say: (text) => console.log(`  ${text}`),
  async cluster() {
    if (shared) {
      await makeWhole(shared)
      return shared
    }
    const startedAt = Date.now()
    shared = await openCluster({ apiNodes: 2, env: length === 'ci' ? UNSHED : {} })
    console.log(`  the cluster was up after ${secondsSince(startedAt)} s`)
    return shared
  },
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void closeCluster().finally(() => process.exit(130))
  })
}

const reports: PlanReport[] = []
try {
  for (const id of wanted) {
    const plan = plans.get(id)
    if (plan) reports.push(await runPlan(plan))
  }
} finally {
  await closeCluster()
}
const bars = reports.flatMap((report) => report.bars).filter(({ ok, kind }) => ok || isCounted(kind))
const failed = bars.filter(({ ok }) => !ok).length
const passed = bars.length - failed
if (values.json !== undefined) await writeFile(values.json, JSON.stringify({ passed, failed, reports }, undefined, 2))
if (failed === 0 && !values.keep) await rm(folder, { recursive: true, force: true })
else console.log(`\nthe logs are in ${folder}`)
if (values.json === undefined) console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

function isCounted(kind: Bar['kind']): boolean {
  return kind === 'safety' || length === 'full'
}

async function findPlans(): Promise<Map<string, Plan>> {
  const files = (await readdir(join(import.meta.dirname, 'plans'))).filter((name) => /^r\d+-.*\.ts$/.test(name))
  const found = await Promise.all(files.map(async (name) => ((await import(`./plans/${name}`)) as { plan: Plan }).plan))
  const number = ({ id }: Plan) => Number(id.slice(1))
  return new Map(found.toSorted((a, b) => number(a) - number(b)).map((plan) => [plan.id, plan]))
}

async function runPlan(plan: Plan): Promise<PlanReport> {
  const startedAt = Date.now()
  console.log(`\n${plan.id}  ${plan.title}`)
  const first = await tryPlan(plan)
  const isWorthRetrying =
    isCounted('timing') &&
    first.bars.every(({ ok, kind }) => ok || kind === 'timing') &&
    first.bars.some(({ ok }) => !ok)
  if (isWorthRetrying) console.log('  only timing was missed: once more')
  const last = isWorthRetrying ? await tryPlan(plan) : first
  const seconds = secondsSince(startedAt)
  console.log(`  ${seconds} s`)
  const { bars: found, figures = [] } = last
  return { id: plan.id, title: plan.title, bars: found, figures, seconds, runs: isWorthRetrying ? 2 : 1 }
}

/** A plan that breaks off is a missed bar of its own, and its cluster is not used again. */
async function tryPlan(plan: Plan): Promise<Outcome> {
  const outcome = await plan.run(stage).catch(async (error: unknown): Promise<Outcome> => {
    await closeCluster()
    const text = inspect(error)
    const bar: Bar = { name: 'the plan ran to its end', wanted: 'yes', measured: 'no', ok: false, kind: 'safety' }
    return { bars: [bar], details: text.split('\n') }
  })
  for (const line of tableOf(outcome.bars)) console.log(`  ${line}`)
  for (const line of outcome.figures ?? []) console.log(`  ${line}`)
  if (outcome.bars.some(({ ok }) => !ok)) {
    for (const line of outcome.details ?? []) console.log(`    ${line}`)
    for (const line of complaints()) console.log(`    ${line}`)
    if (outcome.logFile !== undefined) console.log(`    what the callers saw: ${outcome.logFile}`)
  }
  return outcome
}

/** What the nodes of the cluster have to say for themselves: the last lines that are not mere news. */
function complaints(): string[] {
  return (shared?.nodes ?? []).flatMap((node) => {
    const lines = node.output().split('\n')
    const serious = lines.filter((line) => line !== '' && !/"level":(10|20|30),/.test(line))
    return serious.slice(-MAX_COMPLAINTS).map((line) => `node ${node.index}: ${line.slice(0, MAX_CHARACTERS)}`)
  })
}

async function closeCluster(): Promise<void> {
  const open = shared
  shared = undefined
  try {
    await open?.[Symbol.asyncDispose]()
  } catch (error) {
    console.error('the cluster did not close:', error)
  }
}

function secondsSince(startedAt: number): number {
  return Math.round((Date.now() - startedAt) / 100) / 10
}
