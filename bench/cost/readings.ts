/**
 * What a node and its stores have used since they were started, read from outside: CPU from /proc, statements from
 * pg_stat_statements, commands from Redis's own counts, DNS queries and cache lookups from /metrics. Nothing here is a time on
 * the clock, which on a busy machine says more about the neighbours.
 */
import { readFileSync, readdirSync } from 'node:fs'
import type { Redis } from 'ioredis'
import type pg from 'pg'

/** Sums since the start, in the order in which a report lists them. */
export interface Reading {
  readonly nodeCpuMs: number
  readonly postgresCpuMs: number
  readonly redisCpuMs: number
  /** That write. */
  readonly transactions: number
  readonly statements: number
  readonly quotaLeases: number
  readonly walBytes: number
  readonly walFullPages: number
  readonly pagesTouched: number
  readonly redisScripts: number
  readonly redisCommands: number
  readonly redisBytesIn: number
  readonly redisBytesOut: number
  readonly redisMemoryBytes: number
  readonly redisKeys: number
  readonly dnsQuestions: number
  readonly indexLookups: number
  readonly indexHits: number
  readonly memoryLookups: number
  readonly memoryHits: number
}

export interface Watched {
  readonly nodePid: number
  readonly metricsUrl: string
  readonly database: string
  /** Connected to another database of the same server, so that these queries are not counted. */
  readonly postgres: pg.Client
  readonly redis: Redis
}

export async function read({ nodePid, metricsUrl, database, postgres, redis }: Watched): Promise<Reading> {
  // CPU first, so that what follows is not in it.
  const { rows: pids } = await postgres.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const ownPid = pids[0]?.pid ?? 0
  const postmaster = parentOf(ownPid)
  // Connections that were idle for long are closed in between, and their CPU is then with the dead.
  const living = childrenOf(postmaster).filter((pid) => pid !== ownPid)
  const postgresCpuMs = sum([postmaster, ...living].map(cpuMsOf)) + cpuMsOfDeadChildren(postmaster)
  const nodeCpuMs = cpuMsOf(nodePid)
  const info = infoOf(await redis.info('everything'))
  const redisCpuMs = cpuMsOf(Number(info.get('process_id')))
  const { rows } = await postgres.query<Record<keyof Reading, string>>(
    `SELECT pg_current_wal_lsn() - '0/0' AS "walBytes", coalesce(sum(calls), 0) AS statements,
       coalesce(sum(wal_fpi), 0) AS "walFullPages",
       coalesce(sum(shared_blks_hit + shared_blks_read), 0) AS "pagesTouched",
       coalesce(sum(calls) FILTER (WHERE query LIKE '%UPDATE quota_block SET granted = granted +%'), 0) AS "quotaLeases",
       pg_snapshot_xmax(pg_current_snapshot())::text AS transactions
     FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = $1) AND toplevel`,
    [database],
  )
  const [row] = rows
  if (!row) throw new Error('a sum has a row')
  const commands = [...info].filter(([name]) => name.startsWith('cmdstat_') && !/info|client|hello|ping/.test(name))
  const callsOf = (value: string) => Number(/calls=(\d+)/.exec(value)?.[1] ?? 0)
  const scripts = commands.filter(([name]) => /^cmdstat_(evalsha|eval|fcall)$/.test(name))
  const metrics = await (await fetch(metricsUrl)).text()
  const metric = (name: string, labels: RegExp) =>
    sum(
      [...metrics.matchAll(new RegExp(`^${name}\\{([^}]*)\\} (\\S+)$`, 'gm'))]
        .filter(([, found]) => labels.test(found ?? ''))
        .map(([, , value]) => Number(value)),
    )
  return {
    nodeCpuMs,
    postgresCpuMs,
    redisCpuMs,
    transactions: Number(row.transactions),
    statements: Number(row.statements),
    quotaLeases: Number(row.quotaLeases),
    walBytes: Number(row.walBytes),
    walFullPages: Number(row.walFullPages),
    pagesTouched: Number(row.pagesTouched),
    redisScripts: sum(scripts.map(([, value]) => callsOf(value))),
    redisCommands: sum(commands.map(([, value]) => callsOf(value))),
    redisBytesIn: Number(info.get('total_net_input_bytes')),
    redisBytesOut: Number(info.get('total_net_output_bytes')),
    redisMemoryBytes: Number(info.get('used_memory')),
    redisKeys: await redis.dbsize(),
    dnsQuestions: metric('namewright_source_requests_total', /kind="dns"/),
    indexLookups: metric('namewright_cache_lookups_total', /cache="index"/),
    indexHits: metric('namewright_cache_lookups_total', /cache="index",outcome="hit"/),
    memoryLookups: metric('namewright_cache_lookups_total', /cache="memory"/),
    memoryHits: metric('namewright_cache_lookups_total', /cache="memory",outcome="hit"/),
  }
}

/** Field by field. */
export function minus(after: Reading, before: Reading, idle?: Reading): Reading {
  const entries = Object.keys(after).map((key) => {
    const name = key as keyof Reading
    return [name, after[name] - before[name] - (idle?.[name] ?? 0)]
  })
  return Object.fromEntries(entries) as Record<keyof Reading, number>
}

export function times(reading: Reading, factor: number): Reading {
  const entries = Object.entries(reading).map(([name, value]) => [name, (value as number) * factor])
  return Object.fromEntries(entries) as Record<keyof Reading, number>
}

/** Of all threads that live, user and system. */
export function cpuMsOf(pid: number): number {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`)
    const ns = tasks.map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]))
    return sum(ns) / 1e6
  } catch {
    // It has ended in between.
    return 0
  }
}

function parentOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '')
  return Number(fields.split(' ')[1])
}

/** A tick is 10 ms. */
function cpuMsOfDeadChildren(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
}

function infoOf(text: string): Map<string, string> {
  return new Map(
    text
      .split('\r\n')
      .filter((line) => line.includes(':'))
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  )
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
