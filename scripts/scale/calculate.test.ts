import { expect, test } from 'vitest'
import { POOL_SIZE } from '../../server/src/context.ts'
import { POOL_SIZE as JOBS } from '../../server/src/platform/db/jobs-pool.ts'
import { POOL_SIZE as PEOPLE } from '../../server/src/platform/db/people-pool.ts'
import { calculate } from './calculate.ts'
import { between, readCost } from './cost.ts'
import type { Cost, GenerateCost } from './cost.ts'
import { INPUTS, parseInputs } from './inputs.ts'
import type { Inputs } from './inputs.ts'
import { report } from './report.ts'

const ONE: GenerateCost = {
  count: 1,
  index: false,
  verdicts: 'new',
  statements: 3,
  memoryLookups: 40,
  nodeCpuMs: 10,
  postgresCpuMs: 1,
  redisCpuMs: 0.5,
  transactions: 1,
  walBytes: 2 ** 20,
  redisScripts: 2,
  redisCommands: 10,
  redisBytesIn: 1,
  redisBytesOut: 1,
  redisKeys: 4,
  dnsQuestions: 4,
  bytesIn: 100,
  bytesOut: 1000,
  domainsShown: 4,
}

/** Of round numbers, so that what comes out can be seen by eye. */
const COST: Cost = {
  date: '2026-01-01',
  machine: 'paper',
  idlePerSecond: { statements: 4, postgresCpuMs: 0 },
  generate: [
    ONE,
    { ...ONE, count: 11, nodeCpuMs: 30, domainsShown: 44 },
    { ...ONE, verdicts: 'remembered', dnsQuestions: 0, redisKeys: 0 },
    { ...ONE, count: 11, verdicts: 'remembered', nodeCpuMs: 20, dnsQuestions: 0, redisKeys: 0 },
  ],
  recordBytes: [
    { count: 1, bytes: 500 },
    { count: 11, bytes: 1500 },
  ],
  redisBytesPerKey: 100,
}

const planOf = (words: string) => calculate(COST, parseInputs(words.split(' ').filter((word) => word !== '')))

test('the cost of a count that was not measured lies on the line between those beside it', () => {
  const points = [
    [5, 10],
    [1, 2],
    [20, 40],
  ] as const
  expect(between(points, 3)).toBe(6)
  expect(between(points, 5)).toBe(10)
  expect(between(points, 12.5)).toBe(25)
})

test('beyond what was measured nothing is made up', () => {
  const points = [
    [5, 10],
    [20, 40],
  ] as const
  expect(between(points, 1)).toBe(10)
  expect(between(points, 100)).toBe(40)
})

test('cores are the load times the CPU of one, at the share of a core that may be busy', () => {
  const { nodes } = planOf('--generate-per-second 100 --count 1 --busy-share 0.5 --node-cores 2 --spare-nodes 1')
  expect(nodes.cores).toBe(2)
  expect(nodes.machines).toBe(2)
})

test('names that are remembered make a generate cheaper', () => {
  expect(planOf('--count 11 --new-share 1').one.nodeCpuMs).toBe(30)
  expect(planOf('--count 11 --new-share 0').one.nodeCpuMs).toBe(20)
  expect(planOf('--count 11 --new-share 0.5').one.nodeCpuMs).toBe(25)
})

test('the smallest load still has one of everything', () => {
  const { nodes, postgres, redis } = planOf('--generate-per-second 0 --spare-nodes 0')
  expect([nodes.machines, postgres.shards, redis.masters]).toEqual([1, 1, 1])
})

test('a database is cut into shards for whichever of CPU, commits and disk runs out first', () => {
  expect(planOf('--generate-per-second 12000 --postgres-commits 5000 --history-days 0').postgres).toMatchObject({
    shards: 3,
    because: 'CPU',
    servers: 6,
  })
  expect(planOf('--generate-per-second 12000 --postgres-commits 1000 --history-days 0').postgres).toMatchObject({
    shards: 12,
    because: 'commits',
  })
  expect(planOf('--generate-per-second 100 --history-days 3650').postgres).toMatchObject({ because: 'disk' })
})

test('history that is not kept takes no disk, and kept twice as long takes twice as much', () => {
  const gib = (days: number) => planOf(`--accounts 0 --history-days ${days}`).postgres.gib
  expect(gib(0)).toBe(0)
  expect(gib(60)).toBeCloseTo(2 * gib(30), 9)
})

test('registries are asked for shown names that are new and that no registrar answers for', () => {
  const of = (more: string) => planOf(`--generate-per-second 10 --count 1 --new-share 0.5 ${more}`).rdap
  expect(of('').wantedPerSecond).toBe(20)
  expect(of('--registrar-share 1')).toMatchObject({ wantedPerSecond: 0, share: 1 })
  expect(of('--rdap-hosts 2 --rdap-per-second 1').share).toBe(0.1)
})

test('an index takes memory and spares questions', () => {
  const without = planOf('')
  const withOne = planOf('--index 1 --index-names 370e6 --index-listed 0.25')
  expect(without.nodes.indexGib).toBe(0)
  expect(withOne.nodes.indexGib).toBeCloseTo(0.777, 2)
  expect(withOne.dnsPerSecond).toBeCloseTo(without.dnsPerSecond * 0.75, 9)
  expect(planOf('--index 1 --node-gib 1').nodes.fits).toBe(false)
})

test('every node holds connections and looks for changes, also when nobody asks anything', () => {
  const { nodes, postgres } = planOf('--generate-per-second 1000')
  expect(postgres.idleStatementsPerSecond).toBe(nodes.machines * 4)
  expect(postgres.connections).toBe(nodes.machines * (POOL_SIZE + PEOPLE + JOBS))
})

test('money is the sum of its parts, and doubles when every price does', () => {
  const { money } = planOf('')
  const { total, ...parts } = money
  expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(total, 6)
  const prices = Object.entries(INPUTS).filter(([name]) => name.startsWith('price-'))
  const doubled = prices.map(([name, input]) => `--${name} ${input.default * 2}`).join(' ')
  expect(planOf(doubled).money.total).toBeCloseTo(2 * total, 6)
})

test('prices that nobody gave are called examples, and prices that were given are not', () => {
  const reportFor = (words: string) => {
    const inputs: Inputs = parseInputs(words.split(' ').filter((word) => word !== ''))
    return report(calculate(COST, inputs), inputs, COST)
  }
  expect(reportFor('')).toContain('EXAMPLE prices')
  const own = '--price-core-hour 1 --price-gib-hour 1 --price-disk-gib-month 1 --price-traffic-gib 1'
  expect(reportFor(own)).not.toContain('EXAMPLE')
  expect(Object.entries(INPUTS).every(([name, input]) => !name.startsWith('price-') || input.example)).toBe(true)
})

test.each([
  ['--generates 5', 'there is no such input'],
  ['--count', 'nothing is not a number from 1 to 100'],
  ['--count 101', '101 is not a number from 1 to 100'],
  ['--accounts many', 'many is not a number'],
  ['--busy-share 0', 'not a number from 0.05 to 1'],
  ['5', 'there is no such input'],
])('%s is refused with a reason', (words, reason) => {
  expect(() => parseInputs(words.split(' '))).toThrow(reason)
})

test('the figures that are committed can be calculated with', () => {
  const cost = readCost()
  const plan = calculate(cost, parseInputs(['--generate-per-second', '1e3', '--count', '10']))
  expect(plan.nodes.cores).toBeGreaterThan(1)
  const numbers = [plan.one, plan.nodes, plan.postgres, plan.redis, plan.rdap, plan.money].flatMap((part) =>
    Object.values(part).filter((value) => typeof value === 'number'),
  )
  for (const number of numbers) expect(number).toBeGreaterThanOrEqual(0)
})
