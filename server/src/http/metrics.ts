/**
 * What is counted of each request once it is answered: its time by route, the traffic of its key, and whether it failed.
 * The Prometheus metrics are made from the list of names (`metrics/names.ts`); values that are counted elsewhere are set
 * when they are read (`metrics/read.ts`). A metric must never name an account.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Context } from '../context.ts'
import { apiErrorOf } from './faults.ts'
import { DEPRECATED_METRICS, METRICS, type MetricName } from './metrics/names.ts'
import { createReader } from './metrics/read.ts'
import type { Overload } from './overload/overload.ts'
import type { SocketCap } from './socket-cap.ts'

export interface MetricsOptions {
  readonly version: string
  /** Absent in a process that only runs jobs. */
  readonly overload?: Overload
  readonly sockets?: SocketCap
  /** PEM, if the node has a certificate. */
  readonly cert?: string
}

export interface MetricsReader {
  readonly contentType: string
  /** All metrics, with current values. */
  text(): Promise<string>
}

const FAILURES_FROM = 400
const OUR_FAULT = 500

/** Counts the requests of `app`. */
export function countRequests(app: FastifyInstance, ctx: Context, options: MetricsOptions): MetricsReader {
  const metrics = createMetrics()
  const readAll = createReader(ctx, metrics, options)

  app.addHook('onError', (_request, _reply, error, done) => {
    metrics.count('namewright_refusals_total', { code: apiErrorOf(error).code })
    done()
  })

  // Keyed by the route's config object, which lives as long as the server, so the text is built once per route.
  const endpoints = new WeakMap<object, string>()
  function endpointOf({ method, routeOptions: { config } }: FastifyRequest): string {
    let endpoint = endpoints.get(config)
    if (endpoint === undefined) endpoints.set(config, (endpoint = asInManual(method, config.url)))
    return endpoint
  }

  app.addHook('onResponse', (request, reply, done) => {
    const { method, session } = request
    const status = reply.statusCode
    // The route pattern, not the path: ids would create a series each.
    const route = request.routeOptions.url ?? 'none'
    metrics.observe('namewright_http_request_seconds', { method, route, status }, reply.elapsedTime / 1000)
    if (route.startsWith('/v1/')) ctx.traffic.noteMinute(status >= OUR_FAULT)
    if (session) {
      const { caller, spent } = session
      if (spent > 0 && status === 200) metrics.count('namewright_suggestions_total', {}, spent)
      ctx.traffic.count(caller, endpointOf(request), status >= FAILURES_FROM)
      if (caller.retiring !== undefined)
        ctx.traffic.countUse(caller, caller.retiring, request.ip, request.headers['user-agent'] ?? '')
    }
    done()
  })

  return {
    contentType: metrics.contentType,
    async text() {
      await readAll()
      return metrics.text()
    },
  }
}

/** Never on the public port, because it needs no key. */
export function metricsRoute(app: FastifyInstance, metrics: MetricsReader): void {
  app.get('/metrics', { config: { priority: 'never' } }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.text()),
  )
}

/** `GET /v1/favorites/{id}`. */
function asInManual(method: string, url: string): string {
  return `${method === 'HEAD' ? 'GET' : method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`
}

type Labels<Name extends MetricName> = {
  readonly [L in (typeof METRICS)[Name]['labels'][number]]: string | number
}

/** One value and its labels. */
interface MetricValue<Name extends MetricName> {
  readonly labels: Labels<Name>
  readonly value: number
}

export interface Metrics {
  count<Name extends MetricName>(name: Name, labels: Labels<Name>, by?: number): void
  observe<Name extends MetricName>(name: Name, labels: Labels<Name>, value: number): void
  /** Replaces all values of the metric. */
  set<Name extends MetricName>(name: Name, values: readonly MetricValue<Name>[]): void
  text(): Promise<string>
  readonly contentType: string
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const counters = new Map<string, Counter>()
  const gauges = new Map<string, Gauge>()
  const histograms = new Map<string, Histogram>()
  for (const [name, { kind, help, labels }] of Object.entries(METRICS)) {
    const of = { name, help, labelNames: [...labels], registers }
    if (kind === 'counter') counters.set(name, new Counter(of))
    else if (kind === 'gauge') gauges.set(name, new Gauge(of))
    else histograms.set(name, new Histogram({ ...of, buckets: SECONDS }))
  }
  for (const [name, gauge] of gauges) clear(gauge, name as MetricName)
  for (const [name, current] of Object.entries(DEPRECATED_METRICS)) deprecate(name, current)
  return {
    count: (name, labels, by = 1) => counters.get(name)?.inc(labels, by),
    observe: (name, labels, value) => histograms.get(name)?.observe(labels, value),
    set(name, values) {
      const [counter, gauge] = [counters.get(name), gauges.get(name)]
      counter?.reset()
      if (gauge) clear(gauge, name)
      for (const { labels, value } of values) {
        counter?.inc(labels, value)
        gauge?.set(labels, value)
      }
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }

  /** A metric that shows the values of another whenever they are read. */
  function deprecate(name: string, current: MetricName): void {
    const { kind, labels } = METRICS[current]
    const of = { name, help: `Deprecated: use ${current}.`, labelNames: [...labels], registers: [] }
    registry.registerMetric(
      kind === 'counter'
        ? new Counter({ ...of, collect: copyOf(counters.get(current)) })
        : new Gauge({ ...of, collect: copyOf(gauges.get(current)) }),
    )
  }
}

function copyOf(metric: Counter | Gauge | undefined) {
  return async function copy(this: Counter | Gauge): Promise<void> {
    this.reset()
    const { values } = (await metric?.get()) ?? { values: [] }
    for (const { labels, value } of values) this.inc(labels, value)
  }
}

/** A gauge without labels starts with a 0 that was never measured, such as a certificate that expired in 1970. */
function clear(gauge: Gauge, name: MetricName): void {
  gauge.reset()
  if (METRICS[name].labels.length === 0) gauge.remove()
}
