/**
 * `node scripts/figures/plot.ts`: draws what `pnpm bench cost` has measured, `docs/figures/*.json`, as SVG beside it.
 * The same files make the same pictures, byte for byte, and a test holds the committed ones to that.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { readCost } from '../scale/cost.ts'
import type { Cost, GenerateCost } from '../scale/cost.ts'
import { draw } from './chart.ts'
import type { Chart, Line } from './chart.ts'

export const FIGURES = new URL('../../docs/figures/', import.meta.url).pathname

interface Measured<Point> {
  readonly date: string
  readonly machine: string
  readonly series: readonly Point[]
}

type HistoryPoint = Record<'records' | 'firstPage' | 'deepPage' | 'textThatIsNowhere', number>
type QuotaPoint = Record<'requestsPerMinute' | 'requests' | 'leases', number>

/** By file name. */
export function plots(): Map<string, string> {
  const cost = readCost()
  const fresh = withoutIndex(cost, 'new')
  const remembered = withoutIndex(cost, 'remembered')
  const history = read('history.json') as Measured<HistoryPoint>
  const quota = read('quota.json') as Measured<QuotaPoint>
  const charts: Record<string, Chart> = {
    'cost-cpu.svg': generateChart(cost, 'CPU of one generate', 'milliseconds of CPU', [
      lineOf('node, names new to it', fresh, 'count', 'nodeCpuMs'),
      lineOf('node, verdicts cached', remembered, 'count', 'nodeCpuMs'),
      lineOf('PostgreSQL', fresh, 'count', 'postgresCpuMs'),
      lineOf('Redis, names new', fresh, 'count', 'redisCpuMs'),
    ]),
    'cost-bytes.svg': generateChart(cost, 'Bytes of one generate', 'bytes', [
      lineOf('answer', fresh, 'count', 'bytesOut'),
      lineOf('write-ahead log', fresh, 'count', 'walBytes'),
      { name: 'record on disk', points: cost.recordBytes.map(({ count, bytes }) => [count, bytes]) },
    ]),
    'cost-questions.svg': generateChart(
      cost,
      'Questions of one generate whose names are new to the node',
      'a generate',
      [
        lineOf('domains shown', fresh, 'count', 'domainsShown'),
        lineOf('DNS queries', fresh, 'count', 'dnsQuestions'),
        lineOf('commands of Redis', fresh, 'count', 'redisCommands'),
      ],
    ),
    'history-pages.svg': {
      title: 'Pages of PostgreSQL that one list of history touches',
      about: aboutOf(history),
      x: { label: 'records of the account', scale: 'log' },
      y: { label: 'pages of 8 KiB', scale: 'log' },
      lines: [
        lineOf('first page', history.series, 'records', 'firstPage'),
        lineOf('page in the middle', history.series, 'records', 'deepPage'),
        lineOf('a text found nowhere', history.series, 'records', 'textThatIsNowhere'),
      ],
    },
    'quota-leases.svg': {
      title: 'Transactions of the budget alone, for 1,000 requests of one key',
      about: `${aboutOf(quota)}; 20 suggestions each`,
      x: { label: 'requests of the key in a minute', scale: 'log' },
      y: { label: 'leases per 1,000 requests', scale: 'linear' },
      lines: [
        {
          name: 'leases',
          points: quota.series.map((point) => [point.requestsPerMinute, (point.leases * 1000) / point.requests]),
        },
      ],
    },
  }
  return new Map(Object.entries(charts).map(([name, chart]) => [name, draw(chart)]))
}

/** Everything about one generate is drawn over how many names it asks for. */
function generateChart(cost: Cost, title: string, unit: string, lines: readonly Line[]): Chart {
  return {
    title,
    about: aboutOf(cost),
    x: { label: 'names asked for (count)', scale: 'linear' },
    y: { label: unit, scale: 'linear' },
    lines,
  }
}

function withoutIndex(cost: Cost, wanted: GenerateCost['verdicts']): GenerateCost[] {
  return cost.generate.filter(({ index, verdicts }) => !index && verdicts === wanted)
}

function lineOf<Key extends string>(name: string, from: readonly Record<Key, number>[], x: Key, y: Key): Line {
  return { name, points: from.map((point) => [point[x], point[y]]) }
}

function aboutOf({ date, machine }: { date: string; machine: string }): string {
  return `${date}, ${machine.split(', ').slice(0, 2).join(', ')}`
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(`${FIGURES}${name}`, 'utf8'))
}

if (import.meta.main) {
  for (const [name, svg] of plots()) writeFileSync(`${FIGURES}${name}`, svg)
}
