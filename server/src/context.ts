/** Opens everything once, in the order things need each other, and closes it in reverse. */
import { availableParallelism } from 'node:os'
import { readFile } from 'node:fs/promises'
import { openAccounts } from './accounts/accounts.ts'
import { createAudit } from './availability/audit.ts'
import { openAvailability } from './availability/availability.ts'
import { readDoubts } from './availability/doubts.ts'
import { openSources } from './availability/sources.ts'
import { openCache } from './cache/cache.ts'
import type { Config } from './config/config.ts'
import { openDb } from './db/db.ts'
import { openFavorites } from './favorites/favorites.ts'
import { openHistory } from './history/history.ts'
import { openIdempotency } from './idempotency/idempotency.ts'
import { openKeys } from './keys/keys.ts'
import { openLanguageModel } from './language-model/language-model.ts'
import type { Logger } from './log.ts'
import { openNames } from './names/names.ts'
import { openOutbound } from './outbound.ts'
import { keepFresh } from './prices/keep-fresh.ts'
import { openPrices } from './prices/prices.ts'
import { openQuota } from './quota/quota.ts'

// Naming is pure computing: more threads than spare cores gain nothing, and past four the database is what waits.
const NAMING_THREADS = Math.max(1, Math.min(4, availableParallelism() - 1))
// Enough to keep two cores of PostgreSQL busy per node, few enough that twenty nodes fit into its default limit.
const POOL_SIZE = 10

export type Context = Awaited<ReturnType<typeof openContext>>

export async function openContext(config: Config, log: Logger, now: () => number = Date.now) {
  // Closed again when something below fails: an open connection would keep a process alive that cannot serve.
  await using opening = new AsyncDisposableStack()
  const ca = config.outbound.caFile && (await readFile(config.outbound.caFile, 'utf8'))
  const outbound = openOutbound({ now, routes: config.outbound.routes, ...(ca ? { ca } : {}) })
  opening.defer(() => outbound.close())
  const prices = await openPrices({
    ownFile: config.prices.file,
    ratesFile: config.prices.ratesFile,
    send: config.prices.refresh ? (request) => outbound.send(request) : undefined,
    copies: config.dataDir,
    now,
    onReport: ({ ok, ...report }) => log[ok ? 'info' : 'warn'](report, 'prices'),
  })
  for (const suffix of config.suffixes) {
    if (!prices.findSuffix(suffix)) throw new Error(`NAMEWRIGHT_SUFFIXES: ${suffix} is not in data/suffixes.jsonl`)
  }
  const fresh = keepFresh(prices)
  opening.defer(() => fresh.close())
  const names = opening.use(await openNames({ threads: NAMING_THREADS }))
  const languageModel = config.languageModel && (await openModel(config.languageModel))
  const [variants, doubtsOf] = await Promise.all([readVariants(), readDoubts()])
  const db = openDb({ url: config.database.url.reveal(), poolSize: POOL_SIZE })
  opening.defer(() => db.close())
  const cache = await openCache({ urls: config.redis.map((url) => url.reveal()) })
  opening.defer(() => cache.close())
  const keys = openKeys({ db, now })
  opening.defer(() => keys.close())
  const sources = opening.use(await openSources({ config, cache, outbound, log, now }))
  const audit = createAudit({ sources: [...sources.local, ...sources.screen, ...sources.confirm], now })
  opening.defer(() => audit.close())
  const closers = opening.move()
  return {
    config,
    log,
    now,
    db,
    cache,
    keys,
    names,
    languageModel,
    prices,
    audit,
    index: sources.index,
    forSale: sources.forSale,
    availability: openAvailability({ ...sources, cache, doubtsOf, now }),
    availabilityMode: config.availabilityMode,
    variants,
    accounts: openAccounts({ db, now }),
    quota: openQuota({ db, cache, now }),
    history: openHistory({ db, now }),
    favorites: openFavorites({ db, now }),
    idempotency: openIdempotency({ db, cache, now }),
    [Symbol.asyncDispose]: () => closers.disposeAsync(),
  }

  /** Its way out is its own: an address that the operator gave may be private, and nothing else may lead to one. */
  async function openModel(model: NonNullable<Config['languageModel']>) {
    const allowPrivate = model.url !== undefined || model.kind === 'ollama'
    const wayOut = openOutbound({ now, allowPrivate, routes: config.outbound.routes, ...(ca ? { ca } : {}) })
    opening.defer(() => wayOut.close())
    return openLanguageModel({ config: model, send: (request) => wayOut.send(request), log, now })
  }
}

async function readVariants(): Promise<readonly string[]> {
  const text = await readFile(new URL('../data/variants.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { variants: string[] }).variants
}
