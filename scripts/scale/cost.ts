/** What `pnpm bench cost` has measured, and the cost of a count that lies between those measured. */
import { readFileSync } from 'node:fs'

const COST_FILE = new URL('../../docs/figures/cost.json', import.meta.url).pathname

/** One generate, on average. */
export interface GenerateCost extends Used {
  readonly index: boolean
  readonly verdicts: 'new' | 'remembered'
  readonly statements: number
  readonly memoryLookups: number
}

export interface Used {
  readonly count: number
  readonly nodeCpuMs: number
  readonly postgresCpuMs: number
  readonly redisCpuMs: number
  readonly transactions: number
  readonly walBytes: number
  readonly redisScripts: number
  readonly redisCommands: number
  readonly redisBytesIn: number
  readonly redisBytesOut: number
  readonly redisKeys: number
  readonly dnsQuestions: number
  readonly bytesIn: number
  readonly bytesOut: number
  readonly domainsShown: number
}

export interface Cost {
  readonly date: string
  readonly machine: string
  /** Of a node that nobody asks anything. */
  readonly idlePerSecond: Readonly<Record<'statements' | 'postgresCpuMs', number>>
  readonly generate: readonly GenerateCost[]
  /** Of a record of history on disk, index and overflow included. */
  readonly recordBytes: readonly { readonly count: number; readonly bytes: number }[]
  readonly redisBytesPerKey: number
}

export function readCost(): Cost {
  return JSON.parse(readFileSync(COST_FILE, 'utf8')) as Cost
}

/** Of a generate of `count` names, where `newShare` of them bring names that nobody has asked about lately. */
export function costOf(cost: Cost, count: number, newShare: number): Used {
  const of = (verdicts: GenerateCost['verdicts']) =>
    cost.generate.filter((one) => one.verdicts === verdicts && !one.index)
  const [fresh, remembered] = [of('new'), of('remembered')]
  const field = (name: keyof Used) => {
    const at = (points: readonly GenerateCost[]) =>
      between(
        points.map((one) => [one.count, one[name]]),
        count,
      )
    return newShare * at(fresh) + (1 - newShare) * at(remembered)
  }
  const names = Object.keys(NAMES) as (keyof Used)[]
  return Object.fromEntries(names.map((name) => [name, field(name)])) as Record<keyof Used, number>
}

const NAMES: Record<keyof Used, true> = {
  count: true,
  nodeCpuMs: true,
  postgresCpuMs: true,
  redisCpuMs: true,
  transactions: true,
  walBytes: true,
  redisScripts: true,
  redisCommands: true,
  redisBytesIn: true,
  redisBytesOut: true,
  redisKeys: true,
  dnsQuestions: true,
  bytesIn: true,
  bytesOut: true,
  domainsShown: true,
}

/** On the straight line between the two measured points beside it; beyond the last, that of the last. */
export function between(points: readonly (readonly [x: number, y: number])[], x: number): number {
  const sorted = points.toSorted(([a], [b]) => a - b)
  const above = sorted.find(([at]) => at >= x) ?? sorted.at(-1)
  const below = sorted.findLast(([at]) => at <= x) ?? sorted[0]
  if (!above || !below) throw new Error('nothing was measured')
  if (above[0] === below[0]) return above[1]
  return below[1] + ((x - below[0]) / (above[0] - below[0])) * (above[1] - below[1])
}
