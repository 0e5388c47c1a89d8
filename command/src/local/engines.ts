/**
 * The engines of the service in this process, on a machine that has neither a database nor Redis: the naming, the prices, a
 * language model of the user, and availability with the sources of the service by default.
 *
 * Only this file and `service.ts` know the code of the service; `bundle.test.ts` says what must never come along with it.
 */
import { getServers } from 'node:dns'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { LRUCache } from 'lru-cache'
import type { Objection } from '../../../packages/names/src/names.ts'
import { openNamesFrom } from '../../../packages/names/src/node.ts'
import { openAvailability } from '../../../server/src/engines/availability/availability.ts'
import type { CheckOptions } from '../../../server/src/engines/availability/availability.ts'
import { readRegisteredNames } from '../../../server/src/engines/availability/control-names.ts'
import { readDoubts } from '../../../server/src/engines/availability/doubts.ts'
import { openLiveSources } from '../../../server/src/engines/availability/live-sources.ts'
import { NAMESPACES } from '../../../server/src/engines/namespaces/all.ts'
import { openNamespaces } from '../../../server/src/engines/namespaces/namespaces.ts'
import { vercel } from '../../../server/src/engines/availability/registrars/vercel.ts'
import { createSourceHealth } from '../../../server/src/engines/availability/source-health.ts'
import { readVariants } from '../../../server/src/features/generate/suggest.ts'
import { openLanguageModel } from '../../../server/src/engines/language-model/language-model.ts'
import type { LanguageModel } from '../../../server/src/engines/language-model/language-model.ts'
import type { Domain, Suffix } from '../../../server/src/model/domain.ts'
import type { Proposal } from '../../../server/src/model/name.ts'
import { Secret } from '../../../server/src/model/secret.ts'
import type { Verdict } from '../../../server/src/model/verdict.ts'
import type { Names } from '../../../server/src/engines/names/names.ts'
import { CacheDown } from '../../../server/src/platform/cache/cache-down.ts'
import {
  isResolver,
  listOf,
  modelOf,
  must,
  optional,
  plainUrlOf,
  routeOf,
  withPort,
} from '../../../server/src/platform/config/parse.ts'
import { openOutbound } from '../../../server/src/platform/outbound/outbound.ts'
import { findProxy } from '../../../server/src/platform/outbound/proxy.ts'
import { openPrices } from '../../../server/src/engines/prices/prices.ts'
import { usageError } from '../exit.ts'
import type { Env } from '../streams.ts'
import { DEFAULT_TLDS } from '../suffixes.ts'
import { findCacheFolder, openCacheFolder } from './cache-file.ts'
import { openFileBudget } from './file-budget.ts'
import { openLookupCache } from './lookup-cache.ts'
import { createNetworkCheck, watchProxy } from './network.ts'

export const SOURCES = ['registrar', 'rdap', 'dns'] as const
export type Source = (typeof SOURCES)[number]

export interface EnginesOptions {
  readonly env: Env
  readonly now: () => number
  readonly sources: readonly Source[]
  /** `ollama:NAME`, `openai-compatible:NAME`, `anthropic:NAME`. */
  readonly model?: string | undefined
  /** One line for whoever runs the command. */
  readonly say: (line: string) => void
}

// More than one command or a long conversation of an agent shows.
const MAX_DOMAINS = 20_000
const REGISTRAR_URL = 'https://api.vercel.com/'

export type Engines = Awaited<ReturnType<typeof openEngines>>

/** The suffixes of a request that names none. */
export const SUFFIXES = DEFAULT_TLDS as readonly Suffix[]

export async function openEngines({ env, now, sources, model, say }: EnginesOptions) {
  const settings = readSettings(env)
  const closing: (() => unknown)[] = []
  const closers = { defer: (close: () => unknown) => void closing.push(close) }
  const ca = settings.caFile === undefined ? undefined : await readFile(settings.caFile, 'utf8')
  const way = { now, routes: settings.routes, ...(ca === undefined ? {} : { ca }), ...proxyOf(env) }
  const outbound = watchProxy(openOutbound(way), say)
  closers.defer(() => outbound.close())
  const sourceHealth = createSourceHealth(now)
  const folder = openCacheFolder({ path: findCacheFolder(placeOf(env)), onRefused: say })
  const budget = openFileBudget({ folder, now })
  const cache = openLookupCache({ folder, now })
  closers.defer(() => cache.settle())
  const [prices, doubtsOf] = [await openPrices({ now }), readDoubts()]
  const live = await openLiveSources({
    resolvers: settings.resolvers,
    suffixes: SUFFIXES,
    registrars: sources.includes('registrar') ? [{ declaration: vercel, settings: {} }] : [],
    rdap: sources.includes('rdap') ? {} : undefined,
    cache,
    listCache: cache,
    budget,
    outbound,
    registeredIn: readRegisteredNames(),
    sourceHealth,
    isOff: (source) => source === 'dns' && !sources.includes('dns'),
    onTrust: () => {},
    closers,
    now,
  })
  const namespaces = openNamespaces({
    declarations: NAMESPACES,
    outbound,
    cache: NO_CACHE,
    nodes: 1,
    sourceHealth,
    isOff: () => false,
    now,
  })
  closers.defer(() => namespaces[Symbol.asyncDispose]())
  const { isOffline, wasOffline } = createNetworkCheck({
    resolvers: settings.resolvers,
    outbound,
    url: REGISTRAR_URL,
    hasProxy: 'proxy' in way,
    now,
  })
  const availability = openAvailability({ ...live, cache, local: [], doubtsOf, maxRemembered: MAX_DOMAINS, now })
  // The API says `unknown` of them, as of domains that nobody could be asked about.
  const unproven = new LRUCache<string, true>({ max: MAX_DOMAINS })
  const note = ({ domain, status, confidence }: Verdict) => {
    if (status === 'available' && confidence === 'likely') unproven.set(domain, true)
    else unproven.delete(domain)
  }
  const engines = {
    isOffline,
    isKnownOffline: wasOffline,
    namingTime: { charge: () => {} },
    names: openNaming(),
    languageModel: model === undefined ? undefined : openModel(model, { env, way, closers, say, now }),
    /** Whether no record of it was found, and nobody who was asked can prove that it can be registered. */
    isUnproven: (domain: string) => unproven.has(domain),
    availability: {
      ...availability,
      async check(domains: readonly Domain[], options: CheckOptions) {
        if (await isOffline()) return notLookedUp(domains, now(), options)
        const onVerdict = (verdict: Verdict) => {
          note(verdict)
          options.onVerdict?.(verdict)
        }
        const verdicts = await availability.check(domains, options.onVerdict ? { ...options, onVerdict } : options)
        for (const verdict of verdicts.values()) note(verdict)
        return verdicts
      },
    },
    availabilityMode: 'strict' as const,
    namespaces: {
      async check(labels: readonly string[], options: Parameters<typeof namespaces.check>[1]) {
        return namespaces.check(labels, (await isOffline()) ? { ...options, deadlineMs: 1 } : options)
      },
    },
    sourceHealth,
    prices,
    forSale: live.forSale,
    variants: readVariants(),
    config: { suffixes: SUFFIXES, sandbox: false },
    now,
  }
  return {
    ...engines,
    async close(): Promise<void> {
      for (const close of closing.toReversed()) await close()
    },
  }
}

function notLookedUp(
  domains: readonly Domain[],
  at: number,
  { onVerdict }: CheckOptions,
): ReadonlyMap<Domain, Verdict> {
  return new Map(
    domains.map((domain) => {
      const verdict = {
        domain,
        status: 'unknown',
        confidence: 'likely',
        sources: [],
        checkedAt: at,
        expiresAt: at,
      } as const
      onVerdict?.(verdict)
      return [domain, verdict]
    }),
  )
}

const NO_CACHE = {
  getMany: async (keys: readonly string[]) => keys.map(() => null),
  setMany: async () => {},
  run: () => Promise.reject(new CacheDown()),
}

/** Throws if a variable of the proxy is wrong; the sentence names no password. */
function proxyOf(env: Env) {
  try {
    const proxy = findProxy(env)
    return proxy === undefined ? {} : { proxy }
  } catch (error) {
    throw usageError(error instanceof Error ? error.message : String(error))
  }
}

const placeOf = (env: Env) => ({ env, platform: process.platform, home: env['HOME'] || homedir() })

function readSettings(env: Env) {
  return {
    resolvers:
      read(
        env,
        'NAMEWRIGHT_DNS_RESOLVERS',
        listOf((text) => must(text, isResolver(text), 'address:port')),
      ) ?? getServers().map(withPort),
    routes: read(env, 'NAMEWRIGHT_OUTBOUND_ROUTES', listOf(routeOf)) ?? [],
    caFile: read(env, 'NAMEWRIGHT_OUTBOUND_CA_FILE', (text) => text),
  }
}

function read<T>(env: Env, name: string, parse: (text: string) => T): T | undefined {
  try {
    return optional(parse)(env[name] ?? '')
  } catch (error) {
    throw usageError(`${name} must be ${error instanceof Error ? error.message : String(error)}.`)
  }
}

/** In this thread: nothing else waits for it. */
function openNaming(): Pick<Names, 'propose' | 'admit' | 'summarise'> {
  let opened: ReturnType<typeof openNamesFrom> | undefined
  const names = () => (opened ??= openNamesFrom())
  return {
    propose: async (ask, wanted) => names().propose(ask, wanted) as readonly Proposal[],
    admit: async (ask, candidates) => names().admit(ask, candidates) as readonly (Proposal | Objection)[],
    summarise: async (ask) => names().summarise(ask),
  }
}

interface ModelParts {
  readonly env: Env
  readonly way: Parameters<typeof openOutbound>[0]
  readonly closers: { defer(close: () => unknown): void }
  readonly say: (line: string) => void
  readonly now: () => number
}

// The usual variables of each kind, so that nobody has to set another one.
const KEYS: Readonly<Record<string, string>> = { anthropic: 'ANTHROPIC_API_KEY', 'openai-compatible': 'OPENAI_API_KEY' }
const URLS: Readonly<Record<string, string>> = {
  anthropic: 'ANTHROPIC_BASE_URL',
  'openai-compatible': 'OPENAI_BASE_URL',
  ollama: 'OLLAMA_HOST',
}
const MODEL_DEADLINE_MS = 30_000

function openModel(text: string, { env, way, closers, say, now }: ModelParts): LanguageModel {
  let choice: ReturnType<typeof modelOf>
  try {
    choice = modelOf(text)
  } catch (error) {
    throw usageError(`--model must be ${error instanceof Error ? error.message : String(error)}.`)
  }
  if (!choice) throw usageError('--model takes ollama:NAME, openai-compatible:NAME or anthropic:NAME.')
  const { kind } = choice
  const url = read(env, 'NAMEWRIGHT_MODEL_URL', plainUrl) ?? usualUrlOf(kind, env)
  const key = (env['NAMEWRIGHT_MODEL_KEY'] || env[KEYS[kind] ?? ''])?.trim()
  if (kind === 'anthropic' && !key) throw usageError('This model needs a key: set ANTHROPIC_API_KEY.')
  // Its address may be private, and nothing else may reach private addresses.
  const outbound = openOutbound({ ...way, allowPrivate: true })
  closers.defer(() => outbound.close())
  const config = {
    ...choice,
    url,
    key: key ? new Secret(key) : undefined,
    deadlineMs: MODEL_DEADLINE_MS,
    fallback: undefined,
    storeLateMs: 0,
    reuseMs: 0,
    price: undefined,
    callsPerDay: { total: undefined, perAccount: undefined },
  }
  const warn = (about: object) => {
    const { outcome, status } = about as { readonly outcome?: string; readonly status?: number }
    say(`${text} gave no names (${status === undefined ? outcome : `status ${status}`}): these are built-in ones.`)
  }
  return openLanguageModel({ config, send: (request) => outbound.send(request), cache: NO_CACHE, log: { warn }, now })
}

const plainUrl = plainUrlOf('https:', 'http:')

function usualUrlOf(kind: string, env: Env): string | undefined {
  const name = URLS[kind] ?? ''
  const url = read(env, name, (text) => plainUrl(text.includes('://') ? text : `http://${text}`))
  if (url === undefined) return kind === 'openai-compatible' ? 'https://api.openai.com/v1' : undefined
  return url.endsWith('/v1') ? url : `${url}/v1`
}
