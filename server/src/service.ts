/**
 * A node that serves, and a worker that only does jobs: each opens its context, tells the log where it listens, and is
 * drained by whoever opened it. Nothing here knows about signals, the environment or the end of the process.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from './cli/migrate.ts'
import { openContext, type Context, type Replacements } from './context.ts'
import { findUnowned } from './features/accounts/index.ts'
import { healthRoutes } from './features/operation/index.ts'
import { openMetricsListener } from './http/metrics-listener.ts'
import { createHttpServer } from './http/server.ts'
import { openWorkerPort } from './http/worker-port.ts'
import { WITHOUT_REDIS } from './platform/cache/cache.ts'
import { ConfigError, type Config } from './platform/config/config.ts'
import type { Handler, Work } from './platform/jobs/jobs.ts'
import { QUEUE_NAMES, type QueueName } from './platform/jobs/queues.ts'
import { openLog, type Logger } from './platform/log.ts'

export interface Service extends AsyncDisposable {
  readonly ctx: Context
  /** Finishes what is running, and ends once there is nothing left of it. */
  drain(reason: string): Promise<void>
  /** What is running is cut off: for who cannot wait for `drain`. */
  cut(): void
}

export interface Opening extends Replacements {
  readonly version: string
  readonly log?: Logger
  /** Called with what happens next, for a person who waits. */
  readonly step?: ((text: string) => void) | undefined
}

// Callers may ask for 30 s (`deadline_ms`); the rest is for writing the response.
const MAX_REQUEST_MS = 35_000

export async function openService(config: Config, opening: Opening): Promise<Service> {
  const { version, log = openLog(config.logLevel), step } = opening
  await using closing = new AsyncDisposableStack()
  step?.('Creating the tables …')
  await prepareStart(config, log)
  step?.('Starting the service …')
  const ctx = closing.use(await openContext(config, log, opening))
  const tls = config.tls && {
    cert: await readFile(config.tls.certFile, 'utf8'),
    key: await readFile(config.tls.keyFile, 'utf8'),
  }
  const { app, readiness, metrics } = await createHttpServer(ctx, { tls, version })
  const scraped = config.metrics && closing.use(await openMetricsListener(metrics, config.metrics))
  if (scraped) log.info({ url: scraped.url }, 'metrics listening')
  const url = await app.listen({ ...config.listen })
  log.info({ url: tls ? url.replace('http:', 'https:') : url }, 'listening')
  if (config.sandbox) log.warn('sandbox mode: domains and prices are made up, no real source is used')
  if (config.redis.length === 0) log.warn(`no Redis is configured: ${WITHOUT_REDIS}`)
  const worker = config.worker.inside ? startWorker(ctx) : undefined
  const opened = closing.move()
  return {
    ctx,
    async drain(reason) {
      readiness.draining = true
      log.info({ signal: reason }, 'draining')
      const worked = worker?.stop()
      await sleep(config.drainSeconds * 1000)
      // A closed server enforces no timeouts, so one incomplete request would keep the process alive for ever.
      setTimeout(() => app.server.closeAllConnections(), MAX_REQUEST_MS).unref()
      await app.close()
      await worked
    },
    cut: () => app.server.closeAllConnections(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Does jobs without serving anything but its health and metrics. */
export async function openWorker(config: Config, places: number, opening: Opening): Promise<Omit<Service, 'cut'>> {
  if (config.redis.length === 0) {
    throw new ConfigError(
      'NAMEWRIGHT_REDIS_URL must be set, because a separate worker counts lookups together with the nodes there',
    )
  }
  const { version, log = openLog(config.logLevel) } = opening
  await using closing = new AsyncDisposableStack()
  await prepareStart(config, log)
  const ctx = closing.use(await openContext(config, log, opening))
  const { host } = config.listen
  const { port } = config.worker
  const health = { host, version, addHealth: healthRoutes }
  const listener = port === undefined ? undefined : closing.use(await openWorkerPort(ctx, { ...health, port }))
  if (listener) log.info({ url: listener.url }, 'worker listening')
  const worker = startWorker(ctx, places)
  const opened = closing.move()
  return {
    ctx,
    async drain(reason) {
      if (listener) listener.readiness.draining = true
      log.info({ signal: reason }, 'draining')
      await worker.stop()
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

export function startWorker(ctx: Context, places = ctx.config.worker.places): Work {
  const work = ctx.jobs.work({ handlers: handlersOf(ctx), places })
  ctx.log.info({ places }, 'worker started')
  return work
}

function handlersOf(ctx: Context): Record<QueueName, Handler> {
  const all = Object.assign({}, ...ctx.features.map(({ jobs }) => jobs)) as NonNullable<
    Context['features'][number]['jobs']
  >
  const handlers = QUEUE_NAMES.map((queue) => {
    const handler = all[queue]
    if (!handler) throw new Error(`no feature has a job for the queue ${queue}`)
    return [queue, handler(ctx)] as const
  })
  return Object.fromEntries(handlers) as Record<QueueName, Handler>
}

async function prepareStart(config: Config, log: Logger): Promise<void> {
  await requireEmptyJournal(config)
  if (config.database.migrate !== 'auto') return
  const applied = await migrate(config.database.ownerUrl.reveal())
  if (applied.length > 0) log.info({ applied }, 'migrations applied')
}

/** Version 0.1 wrote commits there while the primary was down, and only that version can write them to the database. */
async function requireEmptyJournal({ dataDir }: Config): Promise<void> {
  if (dataDir === undefined) return
  const folder = join(dataDir, 'journal')
  const files = await readdir(folder).catch(() => [])
  if (files.length === 0) return
  throw new ConfigError(
    `${folder} is not empty: its files have commits that may not be in the database. Start the version before with this ` +
      'folder until its metric namewright_deferred_commits is 0, move away what is left, and start this version again.',
  )
}

/**
 * With the only link that is ever printed: it works once, and only while there is no person. It must never be logged,
 * because logs are kept.
 */
export async function findSetupText(ctx: Context): Promise<string | undefined> {
  const token = await ctx.people.makeSetupToken().catch(() => undefined)
  if (token === undefined) return undefined
  // The service is up by now: a database that does not respond at this moment must not end it.
  const unowned = await findUnowned(ctx).catch(() => undefined)
  const account =
    unowned === 'several'
      ? 'To give the accounts created on the command line an owner, run: namewright-server admin invite --role owner'
      : unowned && `The person who opens it becomes the owner of the account ${unowned.name} (${unowned.id}).`
  const lines = ['There are no users yet. Open this link to set up the first one:', '']
  lines.push(`  ${ctx.publicUrl}/setup?token=${token}`, '', ...(account ? [account, ''] : []))
  return lines.join('\n')
}
