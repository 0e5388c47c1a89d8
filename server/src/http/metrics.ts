/** Prometheus text at /metrics: how many requests, how long, and how the process is. It names no account. */
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Context } from '../context.ts'

const JOBS_COUNTED_MS = 10_000

export function metricsRoute(app: FastifyInstance, ctx: Context): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const seconds = new Histogram({
    name: 'namewright_http_request_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  const suggestions = new Counter({ name: 'namewright_suggestions_total', help: 'Suggestions answered.', registers })
  const redisUp = new Gauge({ name: 'namewright_redis_up', help: '1 while Redis answers.', registers })

  const indexAge = new Gauge({
    name: 'namewright_index_age_seconds',
    help: 'Since the snapshot that the index of a suffix was made from.',
    labelNames: ['suffix'],
    registers,
  })
  const audit = new Gauge({
    name: 'namewright_audit_names',
    help: 'Names told to be available and asked again elsewhere later, by what came of it.',
    labelNames: ['suffix', 'source', 'outcome'],
    registers,
  })
  const modelOutcomes = new Counter({
    name: 'namewright_language_model_total',
    help: 'Requests that could ask the language model, by what came of it.',
    labelNames: ['outcome'],
    registers,
  })

  const jobs = new Gauge({
    name: 'namewright_jobs',
    help: 'Jobs of all nodes together, by what they are doing.',
    labelNames: ['queue', 'state'],
    registers,
  })
  let jobsCountedAt = -Infinity

  /** A look at every queue, so not at every scrape of every node. Without the database the last figures stay. */
  async function countJobs(): Promise<void> {
    if (ctx.now() - jobsCountedAt < JOBS_COUNTED_MS) return
    jobsCountedAt = ctx.now()
    const counts = await ctx.jobs.counts().catch(() => [])
    for (const { queue, waiting, later, running, dead } of counts) {
      for (const [state, count] of Object.entries({ waiting, later, running, dead })) jobs.set({ queue, state }, count)
    }
  }

  app.addHook('onResponse', async (request, reply) => {
    // The pattern, not the path: ids would make a series each.
    const route = request.routeOptions.url ?? 'none'
    seconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    if (request.session && request.session.spent > 0 && reply.statusCode === 200) suggestions.inc(request.session.spent)
  })

  app.get('/metrics', async (_request, reply) => {
    redisUp.set(ctx.cache.isUp() ? 1 : 0)
    await countJobs()
    indexAge.reset()
    for (const [suffix, { snapshotAt }] of ctx.index?.suffixes() ?? []) {
      indexAge.set({ suffix }, (ctx.now() - snapshotAt) / 1000)
    }
    modelOutcomes.reset()
    for (const [outcome, count] of ctx.languageModel?.outcomes() ?? []) modelOutcomes.inc({ outcome }, count)
    for (const { suffix, source, confirmed, contradicted, unanswered } of ctx.audit.tallies()) {
      const outcomes = Object.entries({ confirmed, contradicted, unanswered })
      for (const [outcome, count] of outcomes) audit.set({ suffix, source, outcome }, count)
    }
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
