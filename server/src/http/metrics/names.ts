/**
 * Every metric of ours: its name, kind, labels and what it tells. `docs/operating/metrics.md`, the alerts and the
 * dashboard are held against this list by a test. It is long because it is a list.
 *
 * **Invariant:** no label carries an account, a key, an id or a domain, so that the number of series is bounded and the
 * page says nothing about anybody.
 */
export interface MetricWords {
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels: readonly string[]
}

const metric = <const L extends readonly string[]>(kind: MetricWords['kind'], help: string, labels: L) => ({
  kind,
  help,
  labels,
})

export const METRICS = {
  namewright_build_info: metric('gauge', '1, with the version that runs.', ['version']),
  namewright_http_request_seconds: metric(
    'histogram',
    'Time from the first byte of a request to the last of its answer.',
    ['method', 'route', 'status'],
  ),
  namewright_data_refused_total: metric('counter', 'Lists and files that were not believed; the last good one stays.', [
    'what',
  ]),
  namewright_refusals_total: metric('counter', 'Requests answered with an error, by its code.', ['code']),
  namewright_suggestions_total: metric('counter', 'Suggestions answered.', []),
  namewright_in_flight: metric('gauge', 'Requests that are being worked on, by lane.', ['lane']),
  namewright_in_flight_limit: metric('gauge', 'How many may be, by lane.', ['lane']),
  namewright_shed_total: metric('counter', 'Requests that were turned away because there was too much to do.', [
    'lane',
    'priority',
    'reason',
  ]),
  namewright_naming_line: metric('gauge', 'Questions that wait for a naming thread or are with one.', []),
  namewright_naming_wait_seconds: metric('gauge', 'How long the next would wait for a naming thread.', []),
  namewright_primary_away: metric('gauge', '1 while the PostgreSQL that can be written to is out of reach.', []),
  namewright_pool_connections: metric('gauge', 'Connections to PostgreSQL, by what they do.', ['state']),
  namewright_pool_waiting: metric('gauge', 'Statements that wait for a connection.', []),
  namewright_deferred_commits: metric(
    'gauge',
    'Answers whose record waits on the disk of this node for the primary.',
    [],
  ),
  namewright_redis_up: metric('gauge', '1 while Redis answers.', []),
  namewright_cache_lookups_total: metric('counter', 'Domains looked up among what is remembered.', [
    'cache',
    'outcome',
  ]),
  namewright_source_questions_total: metric(
    'counter',
    'Questions to those who know about domains, by what came of it.',
    ['kind', 'source', 'outcome'],
  ),
  namewright_source_seconds_total: metric('counter', 'How long the answered ones took, together.', ['kind', 'source']),
  namewright_source_resting: metric(
    'gauge',
    '1 while a source is left alone: a breaker is open, or it asked for that.',
    ['kind', 'source'],
  ),
  namewright_language_model_total: metric(
    'counter',
    'Requests that could ask the language model, by what came of it.',
    ['outcome'],
  ),
  namewright_index_age_seconds: metric('gauge', 'Since the snapshot that the index of a suffix was made from.', [
    'suffix',
  ]),
  namewright_price_age_seconds: metric('gauge', 'Since the newest price list that is in use.', []),
  namewright_audit_names: metric(
    'gauge',
    'Names told to be available and asked again elsewhere later, by what came of it.',
    ['suffix', 'source', 'outcome'],
  ),
  namewright_jobs: metric('gauge', 'Jobs of all nodes together, by what they are doing.', ['queue', 'state']),
  namewright_job_oldest_seconds: metric('gauge', 'How long the oldest job that may be taken has waited.', ['queue']),
  namewright_webhook_deliveries_total: metric('counter', 'Attempts to deliver an event, by what came of it.', [
    'outcome',
  ]),
  namewright_letters_total: metric('counter', 'Letters, by what came of them.', ['outcome']),
  namewright_trace_spans_total: metric('counter', 'Spans, by what came of them.', ['outcome']),
  namewright_certificate_expires_seconds: metric(
    'gauge',
    'When the certificate of this node ends: seconds since 1970.',
    [],
  ),
  namewright_data_free_ratio: metric('gauge', 'How much of the disk of NAMEWRIGHT_DATA_DIR is free, from 0 to 1.', []),
} satisfies Record<string, MetricWords>

export type MetricName = keyof typeof METRICS
