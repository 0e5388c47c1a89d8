/** Creates the Prometheus metrics from the list of names. Values that are counted elsewhere are set when they are read. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { DEPRECATED_METRICS, METRICS } from './names.ts'
import type { MetricName } from './names.ts'

type Labels<Name extends MetricName> = {
  readonly [L in (typeof METRICS)[Name]['labels'][number]]: string | number
}

/** One value and its labels. */
export interface MetricValue<Name extends MetricName> {
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

export function createMetrics(): Metrics {
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
