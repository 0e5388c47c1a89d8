/** Opens every part once, in order of dependency, and closes them in reverse. */
import { hostname } from 'node:os'
import { readFile } from 'node:fs/promises'
import { FEATURES } from './app.ts'
import { openAccounts } from './features/accounts/accounts.ts'
import { createAudit } from './engines/availability/audit.ts'
import { openAvailability } from './engines/availability/availability.ts'
import { readDoubts } from './engines/availability/doubts.ts'
import { NAMESPACES } from './engines/namespaces/all.ts'
import { openNamespaces } from './engines/namespaces/namespaces.ts'
import { openSources } from './engines/availability/sources.ts'
import { openBatches } from './features/batches/batches.ts'
import { openCache } from './platform/cache/cache.ts'
import type { Config } from './platform/config/config.ts'
import { publicUrlOf } from './platform/config/public-url.ts'
import { createClock } from './platform/db/clock.ts'
import { openDb } from './platform/db/db.ts'
import { readVariants } from './features/generate/suggest.ts'
import { openHistory } from './features/history/history.ts'
import { openIdempotency } from './platform/idempotency/idempotency.ts'
import { openJobs } from './platform/jobs/jobs.ts'
import { openApplicationRules } from './features/keys/application-rules.ts'
import { openKeys } from './features/keys/keys.ts'
import { createDocumentLimit } from './features/sign-in/document-limit.ts'
import { openLimits } from './platform/limits/limits.ts'
import { createNamingTime } from './features/generate/naming-time.ts'
import { openLanguageModel } from './engines/language-model/language-model.ts'
import type { Logger } from './platform/log.ts'
import { openMail } from './platform/mail/mail.ts'
import { openMembers } from './features/accounts/members.ts'
import type { Audience } from './model/caller.ts'
import { openNames, type Names } from './engines/names/names.ts'
import { openOutbound } from './platform/outbound/outbound.ts'
import { placeOf } from './platform/outbound/place.ts'
import type { OutboundRequest } from './platform/outbound/outbound.ts'
import { openPeople } from './features/sign-in/people.ts'
import { keepFresh } from './engines/prices/keep-fresh.ts'
import { PORKBUN } from './engines/prices/porkbun-list.ts'
import { openPrices } from './engines/prices/prices.ts'
import { openQuota } from './features/quota/quota.ts'
import { openAuditLog } from './platform/audit-log/audit-log.ts'
import { openShares } from './features/shares/index.ts'
import { openSwitches } from './platform/switches/switches.ts'
import { createStreamPlaces } from './http/stream/places.ts'
import { openTraffic } from './features/quota/traffic.ts'
import { openWebhooks } from './features/webhooks/index.ts'
import { createSeal } from './platform/seal.ts'
import { openChangeEmails, openWatch } from './features/watch/index.ts'
import { createWelcome } from './features/accounts/welcome.ts'
import { openTracing } from './platform/tracing/tracing.ts'

// Enough to keep two cores of PostgreSQL busy per node, few enough that twenty nodes fit into its default limit.
export const POOL_SIZE = 10

export type Context = Awaited<ReturnType<typeof openContext>>

/** What who opens a context may have already. */
export interface Replacements {
  /** Replaces the database's time. */
  readonly now?: () => number
  /** Stays open when the context closes. */
  readonly names?: Names
}

export async function openContext(config: Config, log: Logger, replaced: Replacements = {}) {
  // Closed again if something below fails: an open connection would keep a process alive that cannot serve.
  await using opening = new AsyncDisposableStack()
  const clock = createClock((aheadMs) =>
    log.warn({ ahead_ms: Math.round(aheadMs) }, 'the clock of this machine is wrong'),
  )
  opening.defer(() => clock.close())
  const now = replaced.now ?? clock.now
  const ca = config.outbound.caFile && (await readFile(config.outbound.caFile, 'utf8'))
  const outbound = openOutbound({ now, routes: config.outbound.routes, ...(ca ? { ca } : {}) })
  opening.defer(() => outbound.close())
  const tracing = openTraces()
  opening.defer(() => tracing?.close())
  const refused = new Map<string, number>()
  const countRefused = (what: string) => void refused.set(what, (refused.get(what) ?? 0) + 1)
  const prices = await openPrices({
    ownFile: config.prices.file,
    ratesFile: config.prices.ratesFile,
    send: config.prices.refresh ? (request) => outbound.send(request) : undefined,
    priceLists: [PORKBUN],
    copies: config.dataDir,
    register: { own: config.web.registerUrl, sandbox: config.sandbox },
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
  const names = replaced.names ?? opening.use(openNames())
  const [variants, doubtsOf] = [readVariants(), readDoubts()]
  const standbyUrl = config.database.standbyUrl?.reveal()
  const db = openDb({ url: config.database.url.reveal(), standbyUrl, poolSize: POOL_SIZE })
  opening.defer(() => db.close())
  await clock.follow(db)
  const cache = await openCache({ urls: config.redis.map((url) => url.reveal()), timeoutMs: config.redisTimeoutMs })
  opening.defer(() => cache.close())
  const languageModel = config.languageModel && openModel(config.languageModel)
  const publicUrl = publicUrlOf(config)
  const resourceOf = (audience: Audience) => `${publicUrl}/${audience}`
  const keys = openKeys({ db, now, resourceOf })
  opening.defer(() => keys.close())
  const traffic = openTraffic({
    db,
    now,
    onLoss: ({ requests, error }) => log.warn({ requests, err: error }, 'traffic counts were lost'),
  })
  opening.defer(() => traffic.close())
  const jobs = openJobs({ url: config.database.url.reveal(), log, tracing })
  opening.defer(() => jobs.close())
  const secrets = config.secrets.map((secret) => secret.reveal())
  const seal = createSeal(secrets)
  const webhooks = openWebhooks({ db, now, seal, ...openCalls() })
  const accounts = openAccounts({ db, now })
  const members = openMembers({ db, now })
  const auditLog = openAuditLog({ db, now })
  const mail = await openMail({ url: config.mail?.url, from: config.mail?.from, log, ...(ca ? { ca } : {}) })
  opening.defer(() => mail.close())
  const limits = openLimits({ cache, now, nodes: config.nodes })
  const people = openPeople({
    databaseUrl: config.database.url.reveal(),
    publicUrl,
    secrets,
    signUp: config.people.signUp,
    providers: config.people.providers,
    resourceOf,
    send: (request) => outbound.send(request),
    documentLimit: createDocumentLimit(limits),
    watcher: createWelcome({
      db,
      accounts,
      members,
      auditLog,
      mail,
      log,
      publicUrl,
      plan: config.people.plan,
      personOf: (userId) => people.find(userId),
    }),
    log,
    now,
  })
  opening.defer(() => people.close())
  const switches = await openSwitches({ db })
  opening.defer(() => switches.close())
  const isOff = (source: string) => switches.isOff(source)
  const sources = opening.use(
    await openSources({ config, cache, outbound, outboundTo, log, now, isOff, onRefused: countRefused }),
  )
  const namespaces = opening.use(
    openNamespaces({
      declarations: NAMESPACES,
      outbound,
      cache,
      nodes: config.nodes,
      sourceHealth: sources.sourceHealth,
      isOff: (namespace) => !config.namespaces || isOff(namespace),
      now,
    }),
  )
  const audit = createAudit({ sources: [...sources.local, ...sources.screen, ...sources.confirm], now })
  opening.defer(() => audit.close())
  const quota = openQuota({
    db,
    cache,
    now,
    nodes: config.nodes,
    onFault: (error) => log.warn({ err: error }, 'quota warning could not be saved'),
  })
  const closers = opening.move()
  return {
    config,
    features: FEATURES,
    log,
    now,
    tracing,
    db,
    cache,
    jobs,
    keys,
    applicationRules: openApplicationRules({ db, now }),
    names,
    // Absent while it is switched off: names are generated without it.
    get languageModel() {
      return switches.isOff('language-model') ? undefined : languageModel
    },
    prices,
    audit,
    index: sources.index,
    /** How well this node has answered. */
    sourceHealth: sources.sourceHealth,
    /** How often a list or file was refused, by kind. */
    refused: refused as ReadonlyMap<string, number>,
    switches,
    forSale: sources.forSale,
    availability: openAvailability({ ...sources, doubtsOf, now }),
    availabilityMode: config.availabilityMode,
    namespaces,
    variants,
    publicUrl,
    resourceOf,
    accounts,
    members,
    auditLog,
    mail,
    people,
    limits,
    namingTime: createNamingTime({
      limits,
      perMinute: config.namingSeconds,
      onFault: (error) => log.warn({ err: error }, 'naming time could not be charged'),
    }),
    quota,
    history: openHistory({ db, now }),
    changeEmails: openChangeEmails({ db, now }),
    watch: openWatch({ db, now }),
    batches: openBatches({ db, now, days: config.batchDays }),
    idempotency: openIdempotency({ db, cache, now }),
    streamPlaces: createStreamPlaces(cache),
    webhooks,
    seal,
    shares: openShares({ db, now, secrets }),
    traffic,
    [Symbol.asyncDispose]: () => closers.disposeAsync(),
  }

  /** Its outbound client may reach private addresses: the operator's collector. */
  function openTraces() {
    if (!config.traces) return undefined
    const wayOut = openOutbound({ now, allowPrivate: true, routes: config.outbound.routes, ...(ca ? { ca } : {}) })
    opening.defer(() => wayOut.close())
    const about = { 'service.name': 'namewright', 'service.instance.id': hostname(), 'process.pid': process.pid }
    return openTracing({ ...config.traces, send: (request) => wayOut.send(request), log, now, about })
  }

  /**
   * Webhooks have a separate outbound client: what the operator allows for webhooks must not apply to anything else.
   * A route leads to a server of the operator, often one that adds a credential, so no tenant may choose one as a
   * target.
   */
  function openCalls() {
    const { allowed } = config.webhooks
    const refusedHosts = new Set(config.outbound.routes.map(({ host }) => host))
    const wayOut = openOutbound({ now, allowed: new Set(allowed), refusedHosts, ...(ca ? { ca } : {}) })
    opening.defer(() => wayOut.close())
    return { allowed, send: (request: OutboundRequest) => wayOut.send(request) }
  }

  /** A separate outbound client: of all private addresses it may reach that of the operator's URL. */
  function outboundTo(url: string) {
    const allowed = new Set([placeOf(new URL(url))])
    return openOutbound({ now, allowed, routes: config.outbound.routes, ...(ca ? { ca } : {}) })
  }

  /**
   * A separate outbound client: the operator's address may be private, and nothing else may reach private addresses.
   */
  function openModel(model: NonNullable<Config['languageModel']>) {
    const servers = [model, ...(model.fallback ? [model.fallback] : [])]
    const allowPrivate = servers.some(({ url, kind }) => url !== undefined || kind !== 'anthropic')
    const wayOut = openOutbound({ now, allowPrivate, routes: config.outbound.routes, ...(ca ? { ca } : {}) })
    opening.defer(() => wayOut.close())
    return openLanguageModel({ config: model, send: (request) => wayOut.send(request), cache, log, now })
  }
}
