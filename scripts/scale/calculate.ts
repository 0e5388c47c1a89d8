/**
 * `pnpm scale --generate-per-second 1000 --count 10 …`: from a load to machines, disks and money, by the costs that were
 * measured (`docs/figures/cost.json`). `pnpm scale --help` lists its inputs.
 *
 * Arithmetic, not a promise: the costs are those of one machine, generate is all that callers do, and a store that is
 * asked by hundreds of nodes may cost more than one that is asked by one.
 */
import { costOf, between, readCost } from './cost.ts'
import type { Cost } from './cost.ts'
import { INPUTS, parseInputs } from './inputs.ts'
import type { Input, Inputs } from './inputs.ts'
import type { Plan } from './plan.ts'
import { report } from './report.ts'

const GIB = 2 ** 30
const MONTH_SECONDS = 30 * 86_400
const MONTH_HOURS = MONTH_SECONDS / 3600
// 18.05 bits, as measured at 370 million names (docs/performance.md).
const INDEX_BYTES_PER_NAME = 18.05 / 8
// A node had 293 MB at rest, the knowledge about names included (docs/performance.md), and needs room to work in.
const NODE_GIB = 0.5
// 10 for requests, 4 for people, 3 for jobs: the pools of a node.
const NODE_CONNECTIONS = 17

export function calculate(cost: Cost, inputs: Inputs): Plan {
  const { count, 'generate-per-second': peak, 'busy-share': busy } = inputs
  const average = peak * inputs['average-share']
  const one = costOf(cost, count, inputs['new-share'])
  const coresFor = (cpuMs: number) => (peak * cpuMs) / 1000 / busy

  const nodeCores = coresFor(one.nodeCpuMs)
  const indexGib = inputs.index > 0 ? (inputs['index-names'] * INDEX_BYTES_PER_NAME) / GIB : 0
  const machines = Math.max(1, Math.ceil(nodeCores / inputs['node-cores'])) + inputs['spare-nodes']

  const isKept = inputs['history-days'] > 0
  const recordBytes = isKept
    ? between(
        cost.recordBytes.map((of) => [of.count, of.bytes] as const),
        count,
      )
    : 0
  const rows = isKept ? average * 86_400 * inputs['history-days'] : 0
  const dataGib = (rows * recordBytes + inputs.accounts * inputs['bytes-per-account']) / GIB
  const postgresCores = coresFor(one.postgresCpuMs) + (machines * cost.idlePerSecond.postgresCpuMs) / 1000 / busy
  const commits = peak * one.transactions
  const reasons = [
    ['CPU', postgresCores / inputs['postgres-cores']],
    ['commits', commits / inputs['postgres-commits']],
    ['disk', dataGib / inputs['postgres-disk-gib']],
  ] as const
  const [because, most] = reasons.reduce((worst, reason) => (reason[1] > worst[1] ? reason : worst))
  const shards = Math.max(1, Math.ceil(most))

  const redisGib = (peak * one.redisKeys * inputs['verdict-minutes'] * 60 * cost.redisBytesPerKey) / GIB
  const redisCores = coresFor(one.redisCpuMs)
  // One master uses one core.
  const masters = Math.max(1, Math.ceil(redisCores), Math.ceil(redisGib / inputs['redis-gib']))

  const wanted = peak * one.domainsShown * inputs['new-share'] * (1 - inputs['registrar-share'])
  const allowed = inputs['rdap-hosts'] * inputs['rdap-per-second']
  const trafficGib = (average * MONTH_SECONDS * one.bytesOut) / GIB

  const machineHours = (many: number, cores: number, gib: number) =>
    many * MONTH_HOURS * (cores * inputs['price-core-hour'] + gib * inputs['price-gib-hour'])
  const servers = shards * inputs['postgres-copies']
  const redisServers = masters * inputs['redis-copies']
  const parts = {
    nodes: machineHours(machines, inputs['node-cores'], inputs['node-gib']),
    postgres: machineHours(servers, inputs['postgres-cores'], inputs['postgres-gib']),
    redis: machineHours(redisServers, 1, inputs['redis-gib']),
    disk: dataGib * inputs['postgres-copies'] * inputs['price-disk-gib-month'],
    traffic: trafficGib * inputs['price-traffic-gib'],
  }
  return {
    one,
    nodes: { cores: nodeCores, machines, indexGib, fits: indexGib + NODE_GIB <= inputs['node-gib'] },
    postgres: {
      cores: postgresCores,
      commitsPerSecond: commits,
      walMibPerSecond: (peak * one.walBytes) / 2 ** 20,
      connections: machines * NODE_CONNECTIONS,
      idleStatementsPerSecond: machines * cost.idlePerSecond.statements,
      rows,
      gib: dataGib,
      gibPerMonth: (average * MONTH_SECONDS * recordBytes) / GIB,
      shards,
      servers,
      because,
    },
    redis: {
      cores: redisCores,
      commandsPerSecond: peak * one.redisCommands,
      gib: redisGib,
      masters,
      servers: redisServers,
    },
    dnsPerSecond: peak * one.dnsQuestions * (inputs.index > 0 ? 1 - inputs['index-listed'] : 1),
    rdap: {
      wantedPerSecond: wanted,
      allowedPerSecond: allowed,
      share: wanted === 0 ? 1 : Math.min(1, allowed / wanted),
    },
    trafficGibPerMonth: trafficGib,
    money: { ...parts, total: Object.values(parts).reduce((sum, part) => sum + part, 0) },
  }
}

function help(): string {
  const lines = Object.entries(INPUTS as Record<string, Input>).map(
    ([name, input]) => `  --${name.padEnd(22)} ${input.about} (${input.default}${input.example ? ', an example' : ''})`,
  )
  return `usage: pnpm scale [--INPUT NUMBER]…\n\n${lines.join('\n')}`
}

if (import.meta.main) {
  const words = process.argv.slice(2).filter((word) => word !== '--')
  if (words.includes('--help')) {
    console.log(help())
  } else {
    try {
      const inputs = parseInputs(words)
      const cost = readCost()
      console.log(report(calculate(cost, inputs), inputs, cost))
    } catch (error) {
      console.error(`${error instanceof Error ? error.message : String(error)}\npnpm scale --help lists all inputs`)
      process.exitCode = 2
    }
  }
}
