/** Half an hour of steady load: neither memory nor open files of a node grow. */
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiNode } from '../cluster/cluster.ts'
import { allDone, figuresOf, kept, safety } from './bars.ts'
import { drive, groundOf } from './drive.ts'
import type { Plan } from './plan.ts'
import { slopeOf } from './slope.ts'

const SECONDS = { ci: 240, full: 1_800 }
const PER_SECOND = 100
const SAMPLE_MS = 5_000
// Caches fill and code is compiled first.
const WARM_SHARE = 1 / 3
// A slope over a short time is mostly noise of the collector.
const MB_A_MINUTE = { ci: 10, full: 1 }
const FILES = 20

interface Sample {
  readonly minutes: number
  readonly megabytes: number
  readonly files: number
}

export const plan: Plan = {
  id: 'r23',
  title: 'a long steady load',
  async run(stage) {
    const cluster = await stage.cluster()
    const seconds = SECONDS[stage.length]
    const samples = new Map<ApiNode, Sample[]>(cluster.nodes.map((node) => [node, []]))
    const driven = await drive(stage, groundOf(cluster), {
      name: 'r23',
      seconds,
      perSecond: Math.min(PER_SECOND, stage.perSecond),
      keys: { accounts: 8, keysEach: 2, budget: seconds * 5 },
      async faults(clock) {
        const startedAt = Date.now()
        while (Date.now() < clock.momentOf(seconds)) {
          for (const [node, list] of samples) list.push(await sample(node, startedAt))
          await sleep(SAMPLE_MS)
        }
      },
    })
    const judged = [...samples].map(([{ index }, list]) => {
      const warm = list.slice(Math.floor(list.length * WARM_SHARE))
      const half = Math.floor(warm.length / 2)
      const mean = (part: readonly Sample[]) =>
        part.reduce((sum, { files }) => sum + files, 0) / Math.max(1, part.length)
      return {
        index,
        slope: slopeOf(warm.map(({ minutes, megabytes }) => [minutes, megabytes])),
        files: mean(warm.slice(half)) - mean(warm.slice(0, half)),
        last: warm.at(-1)?.megabytes ?? 0,
      }
    })
    const most = MB_A_MINUTE[stage.length]
    return {
      bars: [
        allDone(driven.log),
        ...kept(driven.findings),
        ...judged.flatMap(({ index, slope, files }) => [
          safety(`memory of node ${index} by regression`, `< ${most} MB a minute`, slope.toFixed(2), slope < most),
          safety(`more open files of node ${index} in the second half`, `≤ ${FILES}`, files.toFixed(1), files <= FILES),
        ]),
      ],
      figures: [
        figuresOf('all', driven.log),
        ...judged.map(({ index, last }) => `node ${index}: ${Math.round(last)} MB at the end`),
      ],
      logFile: driven.logFile,
      details: driven.details(),
    }
  },
}

async function sample(node: ApiNode, startedAt: number): Promise<Sample> {
  const pid = node.pid()
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return {
    minutes: (Date.now() - startedAt) / 60_000,
    megabytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024,
    files: (await readdir(`/proc/${pid}/fd`)).length,
  }
}
