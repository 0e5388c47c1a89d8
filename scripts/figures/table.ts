/** The table of `docs/scaling.md`, made of what was measured. A test holds the page to it. */
import type { Cost, GenerateCost } from '../scale/cost.ts'

const COLUMNS = [
  { count: 5, verdicts: 'new' },
  { count: 5, verdicts: 'remembered' },
  { count: 20, verdicts: 'new' },
  { count: 20, verdicts: 'remembered' },
] as const

const ROWS: readonly (readonly [string, keyof GenerateCost])[] = [
  ['CPU of the node, ms', 'nodeCpuMs'],
  ['CPU of PostgreSQL, ms', 'postgresCpuMs'],
  ['CPU of Redis, ms', 'redisCpuMs'],
  ['transactions that write', 'transactions'],
  ['statements', 'statements'],
  ['write-ahead log, bytes', 'walBytes'],
  ['Redis scripts', 'redisScripts'],
  ['Redis commands, including those of scripts', 'redisCommands'],
  ['bytes to Redis', 'redisBytesIn'],
  ['bytes from Redis', 'redisBytesOut'],
  ['keys added to Redis', 'redisKeys'],
  ['lookups in memory', 'memoryLookups'],
  ['DNS queries', 'dnsQuestions'],
  ['bytes in', 'bytesIn'],
  ['bytes out', 'bytesOut'],
  ['domains shown', 'domainsShown'],
]

/** Lines of Markdown with one space around every cell. */
export function costTable(cost: Cost): string[] {
  const of = COLUMNS.map(({ count, verdicts }) =>
    cost.generate.find((one) => !one.index && one.count === count && one.verdicts === verdicts),
  )
  const lines = ROWS.map(([label, name]) => [label, ...of.map((one) => formatNumber(Number(one?.[name])))])
  const records = COLUMNS.map(({ count }) =>
    formatNumber(cost.recordBytes.find((one) => one.count === count)?.bytes ?? NaN),
  )
  const heads = [
    'one generate',
    ...COLUMNS.map(({ count, verdicts }) => `count ${count}, ${verdicts === 'new' ? 'new' : 'cached'}`),
  ]
  return [heads, ...lines, ['its record on disk, bytes', ...records]].map((cells) => `| ${cells.join(' | ')} |`)
}

function formatNumber(value: number): string {
  return value >= 1000 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)))
}
