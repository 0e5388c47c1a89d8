/** A plan as lines for a terminal. Says which prices nobody has given. */
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
  const indexed = nodes.indexGib > 0 ? `, ${of(nodes.indexGib, 'GiB of index on each')}` : ''
  const tight = nodes.fits ? '' : ' (more than --node-gib has room for)'
  const databases =
    postgres.shards === 1
      ? 'one is enough'
      : `Citus with ${many(postgres.shards, 'worker')} because of ${postgres.because}`
  return [
    `load        ${of(inputs['generate-per-second'], 'generates/s')} of ${inputs.count} names at the peak`,
    `nodes       ${nodes.machines} of ${inputs['node-cores']} cores: ${of(nodes.cores, 'cores')} at ${formatNumber(inputs['busy-share'] * 100)} % busy, and ${inputs['spare-nodes']} spare${indexed}${tight}`,
    `PostgreSQL  ${databases}, copies included: ${many(postgres.servers, 'server')}`,
    `            ${of(postgres.cores, 'cores')}, ${of(postgres.commitsPerSecond, 'commits/s')}, ${of(postgres.walMibPerSecond, 'MiB/s of write-ahead log')}`,
    `            up to ${of(postgres.connections, 'connections')}, ${of(postgres.idleStatementsPerSecond, 'statements/s even when nobody asks')}`,
    `            ${of(postgres.rows, 'records')}, ${of(postgres.gib, 'GiB')} on each copy, ${of(postgres.gibPerMonth, 'GiB more a month before any expires')}`,
    `Redis       ${redis.masters === 1 ? 'one is enough' : `a cluster of ${many(redis.masters, 'master')}`}, copies included: ${many(redis.servers, 'server')}`,
    `            ${of(redis.commandsPerSecond, 'commands/s')}, ${of(redis.cores, 'cores')}, ${of(redis.gib, 'GiB')}`,
    `DNS         ${of(plan.dnsPerSecond, 'questions/s')}`,
    `RDAP        ${of(rdap.wantedPerSecond, 'questions/s wanted')}, ${formatNumber(rdap.allowedPerSecond)} allowed: ${formatNumber(rdap.share * 100)} % of new names that are shown can be confirmed by a registry`,
    `traffic     ${of(plan.trafficGibPerMonth, 'GiB out a month')}`,
    `money       ${formatNumber(money.total)} a month: nodes ${formatNumber(money.nodes)}, PostgreSQL ${formatNumber(money.postgres)}, Redis ${formatNumber(money.redis)}, disk ${formatNumber(money.disk)}, traffic ${formatNumber(money.traffic)}`,
    ...(prices.length === 0
      ? []
      : [`            by EXAMPLE prices, not of anybody: give ${prices.map(([name]) => `--${name}`).join(' ')}`]),
    `costs measured ${date} on ${machine}`,
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
