/**
 * Every metric of ours: its name, type, labels and description. A test compares `docs/operating/metrics.md`, the alerts
 * and the dashboard with this list. It is long because it is a list.
 *
 * **Invariant:** no label carries an account, a key, an id or a domain, so that the number of series is bounded and the
 * page reveals nothing about an account.
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
  namewright_build_info: metric('gauge', 'Always 1; the label is the running version.', ['version']),
  namewright_http_request_seconds: metric(
    'histogram',
    'Time from the first byte of a request to the last byte of its response.',
    ['method', 'route', 'status'],
  ),
  namewright_data_refused_total: metric('counter', 'Rejected lists and files; the last valid version stays in use.', [
    'what',
  ]),
  namewright_refusals_total: metric('counter', 'Error responses by code.', ['code']),
  namewright_suggestions_total: metric('counter', 'Suggestions returned.', []),
  namewright_in_flight: metric('gauge', 'Requests in flight by concurrency pool.', ['lane', 'pool']),
  namewright_in_flight_limit: metric('gauge', 'Limit of requests in flight by concurrency pool.', ['lane', 'pool']),
  namewright_shed_total: metric('counter', 'Requests shed because of overload.', [
    'lane',
    'pool',
    'priority',
    'reason',
  ]),
  namewright_connections_refused_total: metric(
    'counter',
    'Connections closed because their address reached the limit.',
    [],
  ),
  namewright_naming_queue: metric('gauge', 'Tasks queued or running in the naming thread.', []),
  namewright_naming_wait_seconds: metric('gauge', 'Estimated wait of the next task for the naming thread.', []),
  namewright_primary_down: metric('gauge', '1 while the PostgreSQL primary is unreachable.', []),
  namewright_pool_connections: metric('gauge', 'PostgreSQL connections by state.', ['state']),
  namewright_pool_waiting: metric('gauge', 'Statements waiting for a connection.', []),
  namewright_redis_up: metric('gauge', '1 while Redis responds; absent on a node without Redis.', []),
  namewright_cache_lookups_total: metric('counter', 'Domain cache lookups by outcome.', ['cache', 'outcome']),
  namewright_source_requests_total: metric('counter', 'Requests to availability sources by outcome.', [
    'kind',
    'source',
    'outcome',
  ]),
  namewright_source_seconds_total: metric('counter', 'Total duration of the answered requests to a source.', [
    'kind',
    'source',
  ]),
  namewright_source_paused: metric(
    'gauge',
    '1 while a source is paused: its circuit is open, or it sent a rate limit.',
    ['kind', 'source'],
  ),
  namewright_source_trusted: metric('gauge', '1 while a source passes its test with known domains.', [
    'kind',
    'source',
  ]),
  namewright_language_model_total: metric('counter', 'Requests that could use the language model, by outcome.', [
    'outcome',
  ]),
  namewright_language_model_characters_total: metric(
    'counter',
    'Characters of text sent to and received from the language model. Four are about one token.',
    ['direction'],
  ),
  namewright_index_age_seconds: metric('gauge', 'Age of the snapshot behind the index of a suffix.', ['suffix']),
  namewright_price_age_seconds: metric('gauge', 'Age of the newest price list in use.', []),
  namewright_audit_names: metric(
    'gauge',
    'Domains reported as available and verified later with another source, by outcome.',
    ['suffix', 'source', 'outcome'],
  ),
  namewright_jobs: metric('gauge', 'Jobs of all nodes by state.', ['queue', 'state']),
  namewright_job_oldest_seconds: metric('gauge', 'Wait of the oldest job that is ready to run.', ['queue']),
  namewright_webhook_deliveries_total: metric('counter', 'Webhook delivery attempts by outcome.', ['outcome']),
  namewright_emails_total: metric('counter', 'Emails by outcome.', ['outcome']),
  namewright_trace_spans_total: metric('counter', 'Trace spans by outcome.', ['outcome']),
  namewright_certificate_expires_seconds: metric(
    'gauge',
    'Expiry of the certificate of this node, in seconds since 1970.',
    [],
  ),
  namewright_data_free_ratio: metric('gauge', 'Free share of the NAMEWRIGHT_DATA_DIR disk, from 0 to 1.', []),
} satisfies Record<string, MetricWords>

export type MetricName = keyof typeof METRICS

/**
 * Old names of renamed metrics. They have the same values as the new names until the next minor version, so that
 * dashboards and alerts can be changed in between. The label `lane` has the same value as `pool` for as long.
 */
export const DEPRECATED_METRICS = {
  namewright_naming_line: 'namewright_naming_queue',
  namewright_primary_away: 'namewright_primary_down',
  namewright_source_questions_total: 'namewright_source_requests_total',
  namewright_source_resting: 'namewright_source_paused',
  namewright_letters_total: 'namewright_emails_total',
} as const satisfies Record<string, MetricName>
