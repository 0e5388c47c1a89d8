/** Opens everything once, in the order things need each other, and closes it in reverse. */
import { availableParallelism, hostname } from 'node:os'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openAccounts } from './accounts/accounts.ts'
import { createAudit } from './availability/audit.ts'
import { openAvailability } from './availability/availability.ts'
import { readDoubts } from './availability/doubts.ts'
import { openSources } from './availability/sources.ts'
import { openBatches } from './batches/batches.ts'
import { openCache } from './cache/cache.ts'
import { tracedCache } from './cache/traced.ts'
import type { Config } from './config/config.ts'
import { createClock } from './db/clock.ts'
import { openDb } from './db/db.ts'
import { tracedDb } from './db/traced.ts'
import { openFavorites } from './favorites/favorites.ts'
import { openHistory } from './history/history.ts'
import { openIdempotency } from './idempotency/idempotency.ts'
import { keepCatchingUp } from './catch-up.ts'
import { openJobs } from './jobs/jobs.ts'
import { openJournal } from './journal/journal.ts'
import { openKeys } from './keys/keys.ts'
import { openLimits } from './limits/limits.ts'
import { openLanguageModel } from './language-model/language-model.ts'
import type { Logger } from './log.ts'
import { openMail } from './mail/mail.ts'
import { openMembers } from './members/members.ts'
import type { Audience } from './model/caller.ts'
import { openNames } from './names/names.ts'
import { openOutbound } from './outbound.ts'
import type { OutboundRequest } from './outbound.ts'
import { openPeople } from './people/people.ts'
import { keepFresh } from './prices/keep-fresh.ts'
import { openPrices } from './prices/prices.ts'
import { openQuota } from './quota/quota.ts'
import { openSecurityLog } from './security-log/security-log.ts'
import { openShares } from './shares/shares.ts'
import { openSwitches } from './switches/switches.ts'
import { openStreams } from './streams/streams.ts'
import { openTraffic } from './traffic/traffic.ts'
import { openWebhooks } from './webhooks/webhooks.ts'
import { openChanges } from './watch/changes.ts'
import { openWatch } from './watch/watch.ts'
import { createWelcome } from './welcome.ts'
import { NO_TRACING, openTracing } from './tracing/tracing.ts'

// Naming is pure computing: more threads than spare cores gain nothing, and past four the database is what waits.
const NAMING_THREADS = Math.max(1, Math.min(4, availableParallelism() - 1))
// Enough to keep two cores of PostgreSQL busy per node, few enough that twenty nodes fit into its default limit.
export const POOL_SIZE = 10

export type Context = Awaited<ReturnType<typeof openContext>>

/** `ownTime` in place of the database's. */
export async function openContext(config: Config, log: Logger, ownTime?: () => number) {
  // Closed again when something below fails: an open connection would keep a process alive that cannot serve.
  await using opening = new AsyncDisposableStack()
  const clock = createClock((aheadMs) => log.warn({ ahead_ms: Math.round(aheadMs) }, "this machine's clock is wrong"))
  opening.defer(() => clock.close())
  const now = ownTime ?? clock.now
  const ca = config.outbound.caFile && (await readFile(config.outbound.caFile, 'utf8'))
  const outbound = openOutbound({ now, routes: config.outbound.routes, ...(ca ? { ca } : {}) })
  opening.defer(() => outbound.close())
  const tracing = openTraces()
  opening.defer(() => tracing.close())
  const refused = new Map<string, number>()
  const countRefused = (what: string) => void refused.set(what, (refused.get(what) ?? 0) + 1)
  const prices = await openPrices({
    ownFile: config.prices.file,
    ratesFile: config.prices.ratesFile,
    send: config.prices.refresh ? (request) => outbound.send(request) : undefined,
    copies: config.dataDir,
    now,
    onReport: ({ ok, ...report }) => {
      log[ok ? 'info' : 'warn'](report, 'prices')
      if (!ok) countRefused(report.what)
    },
  })
  for (const suffix of config.suffixes) {
    if (!prices.findSuffix(suffix)) throw new Error(`NAMEWRIGHT_SUFFIXES: ${suffix} is not in data/suffixes.jsonl`)
  }
  const fresh = keepFresh(prices)
  opening.defer(() => fresh.close())
  const names = opening.use(await openNames({ threads: NAMING_THREADS }))
  const languageModel = config.languageModel && (await openModel(config.languageModel))
  const [variants, doubtsOf] = await Promise.all([readVariants(), readDoubts()])
  const standbyUrl = config.database.standbyUrl?.reveal()
  const db = tracedDb(openDb({ url: config.database.url.reveal(), standbyUrl, poolSize: POOL_SIZE }))
  opening.defer(() => db.close())
  await clock.follow(db)
  const cache = tracedCache(
    await openCache({ urls: config.redis.map((url) => url.reveal()), timeoutMs: config.redisTimeoutMs }),
  )
  opening.defer(() => cache.close())
  const publicUrl = config.publicUrl || localUrlOf(config)
  const resourceOf = (audience: Audience) => `${publicUrl}/${audience}`
  const keys = openKeys({ db, now, resourceOf })
  opening.defer(() => keys.close())
  const traffic = openTraffic({
    db,
    now,
    onLoss: ({ requests, error }) => log.warn({ requests, err: error }, 'some traffic was not counted'),
  })
  opening.defer(() => traffic.close())
  const jobs = openJobs({ url: config.database.url.reveal(), log, tracing })
  opening.defer(() => jobs.close())
  const webhooks = openWebhooks({ db, now, secret: config.secret.reveal(), ...openCalls() })
  const accounts = openAccounts({ db, now })
  const members = openMembers({ db, now })
  const securityLog = openSecurityLog({ db, now })
  const mail = await openMail({ url: config.mail?.url, from: config.mail?.from, log, ...(ca ? { ca } : {}) })
  opening.defer(() => mail.close())
  const people = openPeople({
    databaseUrl: config.database.url.reveal(),
    publicUrl,
    secret: config.secret.reveal(),
    signUp: config.people.signUp,
    providers: config.people.providers,
    resourceOf,
    send: (request) => outbound.send(request),
    watcher: createWelcome({
      db,
      accounts,
      members,
      securityLog,
      mail,
      log,
      publicUrl,
      personOf: (userId) => people.find(userId),
    }),
    log,
    now,
  })
  opening.defer(() => people.close())
  const switches = await openSwitches({ db })
  opening.defer(() => switches.close())
  const isOff = (source: string) => switches.isOff(source)
  const sources = opening.use(await openSources({ config, cache, outbound, log, now, isOff, onRefused: countRefused }))
  const audit = createAudit({ sources: [...sources.local, ...sources.screen, ...sources.confirm], now })
  opening.defer(() => audit.close())
  const quota = openQuota({
    db,
    cache,
    now,
    nodes: config.nodes,
    onFault: (error) => log.warn({ err: error }, 'a budget warning could not be written'),
  })
  const journal = config.dataDir === undefined ? undefined : await openOwnJournal(config.dataDir)
  const closers = opening.move()
  return {
    config,
    log,
    now,
    tracing,
    db,
    cache,
    jobs,
    keys,
    names,
    // Absent while it is switched off: the naming has its own.
    get languageModel() {
      return switches.isOff('language-model') ? undefined : languageModel
    },
    prices,
    audit,
    index: sources.index,
    pulses: sources.pulses,
    /** How often a list or file was not believed, by what it is. */
    refused: refused as ReadonlyMap<string, number>,
    switches,
    forSale: sources.forSale,
    availability: openAvailability({ ...sources, cache, doubtsOf, now }),
    availabilityMode: config.availabilityMode,
    variants,
    publicUrl,
    resourceOf,
    accounts,
    members,
    securityLog,
    mail,
    people,
    limits: openLimits({ cache, now, nodes: config.nodes }),
    quota,
    history: openHistory({ db, now }),
    journal,
    favorites: openFavorites({ db, now }),
    changes: openChanges({ db }),
    watch: openWatch({ db, now }),
    batches: openBatches({ db, now, days: config.batchDays }),
    idempotency: openIdempotency({ db, cache, now }),
    streams: openStreams({ cache }),
    webhooks,
    shares: openShares({ db, now, secret: config.secret.reveal() }),
    traffic,
    [Symbol.asyncDispose]: () => closers.disposeAsync(),
  }

  /** Its way out may lead to an address nearby: the operator's collector. */
  function openTraces() {
    if (!config.traces) return NO_TRACING
    const wayOut = openOutbound({ now, allowPrivate: true, routes: config.outbound.routes, ...(ca ? { ca } : {}) })
    opening.defer(() => wayOut.close())
    const about = { 'service.name': 'namewright', 'service.instance.id': hostname(), 'process.pid': process.pid }
    return openTracing({ ...config.traces, send: (request) => wayOut.send(request), log, now, about })
  }

  /** What an earlier process of this node could not bring along is brought by this one. */
  async function openOwnJournal(dataDir: string) {
    const own = await openJournal({
      folder: join(dataDir, 'journal'),
      // Of files, which the machine dates.
      now: Date.now,
      onBroken: (path, lines) => log.warn({ path, lines }, 'a line of the journal was not written whole'),
    })
    opening.defer(() => own.close())
    const catchingUp = keepCatchingUp({ db, journal: own, quota, log })
    opening.defer(() => catchingUp.close())
    return own
  }

  /** A way out of their own, too: what the operator allows webhooks, nobody else may do. */
  function openCalls() {
    const { allowed } = config.webhooks
    const options = { now, allowed: new Set(allowed), routes: config.outbound.routes, ...(ca ? { ca } : {}) }
    const wayOut = openOutbound(options)
    opening.defer(() => wayOut.close())
    return { allowed, send: (request: OutboundRequest) => wayOut.send(request) }
  }

  /** Its way out is its own: an address that the operator gave may be private, and nothing else may lead to one. */
  async function openModel(model: NonNullable<Config['languageModel']>) {
    const allowPrivate = model.url !== undefined || model.kind === 'ollama'
    const wayOut = openOutbound({ now, allowPrivate, routes: config.outbound.routes, ...(ca ? { ca } : {}) })
    opening.defer(() => wayOut.close())
    return openLanguageModel({ config: model, send: (request) => wayOut.send(request), log, now })
  }
}

/** Good enough on one's own machine, where passkeys want a name and not an address; elsewhere the operator says it. */
function localUrlOf({ listen, tls }: Config): string {
  return `${tls ? 'https' : 'http'}://localhost:${listen.port}`
}

async function readVariants(): Promise<readonly string[]> {
  const text = await readFile(new URL('../data/variants.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { variants: string[] }).variants
}
