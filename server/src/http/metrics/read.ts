/** Reads the state of the parts of a node into its metrics. Must wait for nothing but the disk and the job queue. */
import { X509Certificate } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import type { Context } from '../../context.ts'
import type { Metrics } from '../metrics.ts'
import { POOLS, type Overload } from '../overload/overload.ts'
import type { SocketCap } from '../socket-cap.ts'

const JOBS_COUNTED_MS = 10_000

/** Returns the function that reads all of them, once per scrape. */
export function createReader(
  ctx: Context,
  metrics: Metrics,
  of: { overload?: Overload; sockets?: SocketCap; version: string; cert?: string },
) {
  const only = (value: number) => [{ labels: {}, value }]
  const counts = (entries: Iterable<readonly [string, number]>) =>
    [...entries].map(([outcome, value]) => ({ labels: { outcome }, value }))
  let jobsCountedAt = -Infinity
  let priced: unknown
  let pricedAt = 0
  metrics.set('namewright_build_info', [{ labels: { version: of.version }, value: 1 }])
  if (of.cert) metrics.set('namewright_certificate_expires_seconds', only(endOf(of.cert)))

  /** Counts every queue, so it does not run at every scrape of every node. Without the database the last figures stay. */
  async function readJobs(): Promise<void> {
    if (ctx.now() - jobsCountedAt < JOBS_COUNTED_MS || ctx.db.isPrimaryDown()) return
    jobsCountedAt = ctx.now()
    const queues = await ctx.jobs.counts().catch(() => undefined)
    if (!queues) return
    const states = queues.flatMap(({ queue, waiting, later, running, dead }) =>
      Object.entries({ waiting, later, running, dead }).map(([state, value]) => ({ labels: { queue, state }, value })),
    )
    metrics.set('namewright_jobs', states)
    metrics.set(
      'namewright_job_oldest_seconds',
      queues.map(({ queue, oldest_waiting_seconds: oldest }) => ({ labels: { queue }, value: oldest ?? 0 })),
    )
  }

  /** Cached until the daily price list replaces the whole table. */
  function priceDay(): number {
    const rows = ctx.prices.list()
    if (rows !== priced) {
      const days = rows.map(({ suffix }) => ctx.prices.listOfferOf(suffix).asOf)
      pricedAt = Date.parse(days.toSorted().at(-1) ?? '') || 0
      priced = rows
    }
    return pricedAt
  }

  async function readDisk(): Promise<void> {
    const { dataDir } = ctx.config
    const found = dataDir === undefined ? undefined : await statfs(dataDir).catch(() => undefined)
    if (found) metrics.set('namewright_data_free_ratio', only(found.bavail / Math.max(1, found.blocks)))
  }

  function readOverload(): void {
    const line = ctx.names.queue()
    metrics.set('namewright_naming_queue', only(line.length))
    metrics.set('namewright_naming_wait_seconds', only((line.length * line.eachMs) / 1000))
    if (of.sockets) metrics.set('namewright_connections_refused_total', only(of.sockets.refused()))
    const figures = of.overload?.figures()
    if (!figures) return
    metrics.set(
      'namewright_in_flight',
      POOLS.map((pool) => ({ labels: { lane: pool, pool }, value: figures.pools[pool].inFlight })),
    )
    metrics.set(
      'namewright_in_flight_limit',
      POOLS.map((pool) => ({ labels: { lane: pool, pool }, value: figures.pools[pool].limit })),
    )
    metrics.set(
      'namewright_shed_total',
      figures.shed.map(({ count, pool, ...labels }) => ({ labels: { lane: pool, pool, ...labels }, value: count })),
    )
  }

  function readStores(): void {
    const { open, idle, waiting } = ctx.db.use()
    metrics.set('namewright_primary_down', only(ctx.db.isPrimaryDown() ? 1 : 0))
    metrics.set('namewright_pool_connections', [
      { labels: { state: 'busy' }, value: open - idle },
      { labels: { state: 'idle' }, value: idle },
    ])
    metrics.set('namewright_pool_waiting', only(waiting))
    // Without Redis on purpose there is nothing to raise an alert about.
    const redis = ctx.cache.state()
    if (redis !== 'off') metrics.set('namewright_redis_up', only(redis === 'up' ? 1 : 0))
  }

  function readSources(): void {
    const { memory, shared } = ctx.availability.lookupsOf()
    const lookups = { memory, shared, ...(ctx.index ? { index: ctx.index.lookups() } : {}) }
    metrics.set(
      'namewright_cache_lookups_total',
      Object.entries(lookups).flatMap(([cache, { asked, answered }]) => [
        { labels: { cache, outcome: 'hit' }, value: answered },
        { labels: { cache, outcome: 'miss' }, value: asked - answered },
      ]),
    )
    const sources = ctx.sourceHealth
      .list()
      .map(({ kind, name, ...reading }) => ({ of: { kind, source: name }, ...reading }))
    metrics.set(
      'namewright_source_requests_total',
      sources.flatMap(({ of: source, answered, failed }) => [
        { labels: { ...source, outcome: 'answered' }, value: answered },
        { labels: { ...source, outcome: 'failed' }, value: failed },
      ]),
    )
    metrics.set(
      'namewright_source_seconds_total',
      sources.map(({ of: source, answeredMs }) => ({ labels: source, value: answeredMs / 1000 })),
    )
    metrics.set(
      'namewright_source_paused',
      sources.map(({ of: source, state }) => ({ labels: source, value: state === 'resting' ? 1 : 0 })),
    )
    metrics.set(
      'namewright_source_trusted',
      sources.flatMap(({ of: source, trust }) =>
        trust ? [{ labels: source, value: trust.state === 'trusted' ? 1 : 0 }] : [],
      ),
    )
    metrics.set(
      'namewright_data_refused_total',
      [...ctx.refused].map(([what, value]) => ({ labels: { what }, value })),
    )
    metrics.set('namewright_language_model_total', counts(ctx.languageModel?.outcomes() ?? []))
    const usage = ctx.languageModel?.usage()
    metrics.set('namewright_language_model_characters_total', [
      { labels: { direction: 'sent' }, value: usage?.sentCharacters ?? 0 },
      { labels: { direction: 'received' }, value: usage?.receivedCharacters ?? 0 },
    ])
  }

  function readData(): void {
    metrics.set(
      'namewright_index_age_seconds',
      [...(ctx.index?.suffixes() ?? [])].map(([suffix, { snapshotAt }]) => ({
        labels: { suffix },
        value: (ctx.now() - snapshotAt) / 1000,
      })),
    )
    metrics.set('namewright_price_age_seconds', only((ctx.now() - priceDay()) / 1000))
    metrics.set(
      'namewright_audit_names',
      ctx.audit.tallies().flatMap(({ suffix, source, confirmed, contradicted, unanswered }) =>
        Object.entries({ confirmed, contradicted, unanswered }).map(([outcome, value]) => ({
          labels: { suffix, source, outcome },
          value,
        })),
      ),
    )
    metrics.set('namewright_webhook_deliveries_total', counts(Object.entries(ctx.webhooks.outcomes())))
    metrics.set('namewright_emails_total', counts(ctx.mail.outcomes()))
    metrics.set(
      'namewright_trace_spans_total',
      counts(Object.entries(ctx.tracing?.counts() ?? { sent: 0, dropped: 0 })),
    )
  }

  return async () => {
    await Promise.all([readJobs(), readDisk()])
    readOverload()
    readStores()
    readSources()
    readData()
  }
}

function endOf(cert: string): number {
  return new X509Certificate(cert).validToDate.getTime() / 1000
}
