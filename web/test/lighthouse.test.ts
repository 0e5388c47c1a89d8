/**
 * The search page through Lighthouse, as on a middling phone. What can be read off the page is held always; how fast it is
 * depends on how busy this machine is, so the best of three counts, and nothing is held where the machine has no time.
 */
import lighthouse from 'lighthouse'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser } from '../../server/test/browser.ts'
import { freePort } from '../../server/test/free-port.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'

const CATEGORIES = ['accessibility', 'best-practices', 'performance'] as const
const TRIES = 3
/** What Lighthouse says of a machine with a core to spare: below it the times are of the other work, not of the page. */
const LEAST_BENCHMARK = 1_000

interface Scores {
  readonly accessibility: number
  readonly 'best-practices': number
  readonly performance: number
  readonly benchmark: number
  readonly failed: readonly string[]
}

const closing = new AsyncDisposableStack()
let stage: Stage
let port: number
beforeAll(async () => {
  stage = closing.use(await openStage())
  port = await freePort()
  const browser = await openBrowser([`--remote-debugging-port=${port}`])
  closing.defer(() => browser.close())
}, 120_000)
afterAll(() => closing.disposeAsync(), 120_000)

async function look(): Promise<Scores> {
  const found = await lighthouse(`${stage.url}/`, { port, logLevel: 'error', onlyCategories: [...CATEGORIES] })
  if (!found) throw new Error('Lighthouse said nothing')
  const { categories, audits, environment } = found.lhr
  const scoreOf = (name: (typeof CATEGORIES)[number]) => Math.round((categories[name]?.score ?? 0) * 100)
  const isWanted = (name: string) =>
    (['accessibility', 'best-practices'] as const).some((category) =>
      categories[category]?.auditRefs.some(({ id, weight }) => id === name && weight > 0),
    )
  return {
    accessibility: scoreOf('accessibility'),
    'best-practices': scoreOf('best-practices'),
    performance: scoreOf('performance'),
    benchmark: environment.benchmarkIndex,
    failed: Object.entries(audits).flatMap(([name, { score }]) => (score === 0 && isWanted(name) ? [name] : [])),
  }
}

it('is for everybody, built as pages should be, and fast', { timeout: 300_000 }, async () => {
  let best: Scores | undefined
  for (let tries = 0; tries < TRIES; tries++) {
    const scores = await look()
    expect(scores.failed).toEqual([])
    expect(scores.accessibility).toBe(100)
    expect(scores['best-practices']).toBeGreaterThanOrEqual(95)
    if (scores.performance > (best?.performance ?? -1)) best = scores
    if (scores.performance >= 90) break
  }
  console.log(JSON.stringify(best))
  if ((best?.benchmark ?? 0) >= LEAST_BENCHMARK) expect(best?.performance).toBeGreaterThanOrEqual(90)
})
