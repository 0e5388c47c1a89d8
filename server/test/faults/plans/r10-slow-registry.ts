/**
 * One registry hangs and one says that it is asked too often, while a third is well: every answer comes in time, and
 * the two are left alone.
 */
import { allDone, doneWithin, figuresOf, kept, timing } from './bars.ts'
import { drive } from './drive.ts'
import type { Plan } from './plan.ts'
import { openRegistryWorld } from './registry-world.ts'
import { within } from '../check/summary.ts'

const CALM = { ci: 10, full: 20 }
const ROUGH = { ci: 20, full: 60 }
const PER_SECOND = 4
// What a request is given unless it says otherwise.
const DEADLINE_MS = 2_500
// Ten times what an answer takes on a busy machine beyond its deadline.
const SLACK_MS = 2_000
const RETRY_AFTER = 5
const NODES = 2
// Of each node and suffix: three failures and what was on its way open the breaker, which lets one through now and then.
const BREAKER_LOOKUPS = 3 + 4
const REST_SECONDS = 10

export const plan: Plan = {
  id: 'r10',
  title: 'a registry that hangs, and one that is asked too often',
  async run(stage) {
    const [calm, rough] = [CALM[stage.length], ROUGH[stage.length]]
    await using registryWorld = await openRegistryWorld({})
    const { registries, ground } = registryWorld
    const asked = { hanging: 0, limited: 0, well: 0 }
    const count = () => ({
      hanging: registries.identity.asked.length,
      limited: registries.pir.asked.length,
      well: registries.google.asked.length,
    })
    let before = count()
    const driven = await drive(stage, ground, {
      name: 'r10',
      seconds: calm + rough,
      perSecond: PER_SECOND,
      mix: { generate: 1, favorite: 0, read: 0 },
      ask: { tlds: ['dev', 'ai', 'org'], verify: 'full' },
      async faults(clock) {
        await clock.at(calm)
        before = count()
        registries.identity.set('*', 'silent')
        registries.pir.set('*', { status: 429, retryAfter: String(RETRY_AFTER) })
        await clock.at(calm + rough)
        const after = count()
        for (const which of ['hanging', 'limited', 'well'] as const) asked[which] = after[which] - before[which]
        registries.identity.set('*', undefined)
        registries.pir.set('*', undefined)
      },
    })
    const calmLog = within(driven.log, driven.span(0, calm))
    const roughLog = within(driven.log, driven.span(calm, calm + rough))
    const mostHanging = NODES * (BREAKER_LOOKUPS + Math.ceil(rough / REST_SECONDS))
    const mostLimited = NODES * (BREAKER_LOOKUPS + Math.ceil(rough / RETRY_AFTER))
    return {
      bars: [
        allDone(driven.log),
        ...kept(driven.findings),
        doneWithin('slowest answer meanwhile', roughLog, DEADLINE_MS + SLACK_MS),
        timing('questions to the one that hangs', `≤ ${mostHanging}`, asked.hanging, asked.hanging <= mostHanging),
        timing('questions to the one that says 429', `≤ ${mostLimited}`, asked.limited, asked.limited <= mostLimited),
        timing('questions to the one that is well', '≥ 1', asked.well, asked.well >= 1),
      ],
      figures: [
        figuresOf('calm', calmLog),
        figuresOf('meanwhile', roughLog),
        `before: ${before.hanging} questions to the one that then hangs, ${before.limited} to the one that then says 429`,
      ],
      logFile: driven.logFile,
      details: driven.details(),
    }
  },
}
