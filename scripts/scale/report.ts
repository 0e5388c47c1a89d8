/** A plan as lines for a terminal. Names the prices that are still examples. */
import type { Plan } from './plan.ts'
import type { Cost } from './cost.ts'
import { INPUTS } from './inputs.ts'
import type { Input, Inputs } from './inputs.ts'

export function report(plan: Plan, inputs: Inputs, { date, machine }: Pick<Cost, 'date' | 'machine'>): string {
  const { nodes, postgres, redis, rdap, money } = plan
  const of = (value: number, unit: string) => `${formatNumber(value)} ${unit}`
  const prices = Object.entries(INPUTS as Record<string, Input>).filter(
    ([name, input]) => name.startsWith('price-') && inputs[name as keyof Inputs] === input.default,
  )
  const indexed = nodes.indexGib > 0 ? `, ${of(nodes.indexGib, 'GiB of index on each node')}` : ''
  const tight = nodes.fits ? '' : ' (more than --node-gib)'
  const databases =
    postgres.shards === 1
      ? 'one primary is enough'
      : `Citus with ${many(postgres.shards, 'worker')}, because of ${postgres.because}`
  return [
    `load        ${of(inputs['generate-per-second'], 'generate requests/s')} of ${inputs.count} names at the peak`,
    `nodes       ${nodes.machines} with ${inputs['node-cores']} cores each, ${inputs['spare-nodes']} of them spare: ${of(nodes.cores, 'cores')} needed, each ${formatNumber(inputs['busy-share'] * 100)} % busy${indexed}${tight}`,
    `PostgreSQL  ${databases}: ${many(postgres.servers, 'server')} with all copies`,
    `            ${of(postgres.cores, 'cores')}, ${of(postgres.commitsPerSecond, 'commits/s')}, ${of(postgres.walMibPerSecond, 'MiB/s of write-ahead log')}`,
    `            up to ${of(postgres.connections, 'connections')}, ${of(postgres.idleStatementsPerSecond, 'statements/s without any request')}`,
    `            ${of(postgres.rows, 'records')}, ${of(postgres.gib, 'GiB')} on each copy, growing by ${of(postgres.gibPerMonth, 'GiB a month until records expire')}`,
    `Redis       ${redis.masters === 1 ? 'one master is enough' : `a cluster of ${many(redis.masters, 'master')}`}: ${many(redis.servers, 'server')} with all copies`,
    `            ${of(redis.commandsPerSecond, 'commands/s')}, ${of(redis.cores, 'cores')}, ${of(redis.gib, 'GiB')}`,
    `DNS         ${of(plan.dnsPerSecond, 'queries/s')}`,
    `RDAP        ${of(rdap.wantedPerSecond, 'lookups/s needed')}, ${formatNumber(rdap.allowedPerSecond)} allowed: registries can confirm ${formatNumber(rdap.share * 100)} % of the new names that are shown`,
    `traffic     ${of(plan.trafficGibPerMonth, 'GiB sent a month')}`,
    `price       ${formatNumber(money.total)} a month: nodes ${formatNumber(money.nodes)}, PostgreSQL ${formatNumber(money.postgres)}, Redis ${formatNumber(money.redis)}, disk ${formatNumber(money.disk)}, traffic ${formatNumber(money.traffic)}`,
    ...(prices.length === 0
      ? []
      : [
          `            calculated with EXAMPLE prices of no provider; set your own: ${prices.map(([name]) => `--${name}`).join(' ')}`,
        ]),
    `CPU time, bytes and queries were measured on ${date}: ${machine}`,
  ].join('\n')
}

function many(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

function formatNumber(value: number): string {
  if (value >= 1e9) return `${(value / 1e9).toFixed(1)} G`
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)} M`
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return String(Number(value.toPrecision(2)))
}
