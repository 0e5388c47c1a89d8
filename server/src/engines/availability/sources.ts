/**
 * Opens the sources that the operator has configured: the index in this process, and those of `live-sources.ts`.
 *
 * With the sandbox on it is the only source: no other source is opened, and no verdict is shared with other nodes.
 */
import { join } from 'node:path'
import type { Cache } from '../../platform/cache/cache.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Logger } from '../../platform/log.ts'
import type { Outbound, OutboundStreamOptions } from '../../platform/outbound/outbound.ts'
import { readRegisteredNames } from './control-names.ts'
import type { RegisteredNames } from './control-names.ts'
import type { EvidenceSource } from './evidence.ts'
import { openIndexSource, type IndexSource } from './index-source.ts'
import { openLiveSources, switchable } from './live-sources.ts'
import type { ChosenRegistrar, LiveSources } from './live-sources.ts'
import { IANA_URL } from './rdap/bootstrap.ts'
import type { Refresh } from './rdap/bootstrap.ts'
import { REGISTRARS } from './registrars/all.ts'
import { findRegistrar } from './registrars/declaration.ts'
import type { RegistrarDeclaration } from './registrars/declaration.ts'
import { openSandbox } from './sandbox.ts'
import { createSourceHealth } from './source-health.ts'
import type { SourceHealth } from './source-health.ts'
import type { SourceTrust } from './trust.ts'
import type { LookupCache } from './verdict-cache.ts'

export interface Sources extends LiveSources, AsyncDisposable {
  /** Where verdicts are shared with other nodes. */
  readonly cache: LookupCache
  readonly local: readonly EvidenceSource[]
  readonly index: IndexSource | undefined
  /** Health of all external sources, as seen by this process. */
  readonly sourceHealth: SourceHealth
}

interface SourceOptions {
  readonly config: Config
  /** The registrars that `config` was read with. */
  readonly registrars?: readonly RegistrarDeclaration[]
  /** Whether the operator has switched the source off. */
  readonly isOff: (source: string) => boolean
  /** A list or an index was refused, and the last good one stays in use. */
  readonly onRefused?: (what: 'index' | 'registries') => void
  readonly cache: Cache
  readonly outbound: Outbound
  /** Opens a client that may also connect to the server of this URL at a private address. */
  readonly outboundTo: (url: string) => Outbound
  readonly log: Logger
  readonly now: () => number
}

export async function openSources(options: SourceOptions): Promise<Sources> {
  const { config, cache, isOff, now, registrars = REGISTRARS } = options
  if (config.sandbox) return sandboxAlone(now)
  const closers = new AsyncDisposableStack()
  const sourceHealth = createSourceHealth(now)
  const registeredIn = readRegisteredNames()
  const onTrust = (source: string, { state, why }: SourceTrust) => {
    const level = state === 'trusted' ? 'info' : 'warn'
    options.log[level]({ source, state, why }, 'source trust check finished')
  }
  const onRefresh = (outcome: Refresh) => {
    if (outcome !== 'refused') return
    options.log.warn('RDAP bootstrap list rejected, the last valid one stays in use')
    options.onRefused?.('registries')
  }
  const index = await findIndex(options, registeredIn, (trust) => onTrust('index', trust))
  if (index) {
    closers.defer(() => index.close())
    sourceHealth.trusting('index', 'index', { read: () => index.trust() })
  }
  const live = await openLiveSources({
    ...options,
    resolvers: config.resolvers,
    suffixes: config.suffixes,
    registrars: config.registrars.order.map((name) => chosenRegistrar(registrars, config, name)),
    rdap: config.rdap ? { url: IANA_URL, onRefresh } : undefined,
    nodes: config.nodes,
    isAlone: config.redis.length === 0,
    registeredIn,
    sourceHealth,
    onTrust,
    closers,
  })
  return {
    ...live,
    cache,
    local: index ? [switchable(index, isOff)] : [],
    index,
    sourceHealth,
    [Symbol.asyncDispose]: () => closers.disposeAsync(),
  }
}

export function chosenRegistrar(
  registrars: readonly RegistrarDeclaration[],
  config: Pick<Config, 'registrars'>,
  name: string,
): ChosenRegistrar {
  return { declaration: findRegistrar(registrars, name), settings: config.registrars.settings[name] ?? {} }
}

async function sandboxAlone(now: () => number): Promise<Sources> {
  return {
    // Verdicts of real nodes must not show here, and simulated verdicts must not show there.
    cache: { getMany: async (keys) => keys.map(() => null), setMany: async () => {} },
    local: [openSandbox(now)],
    screen: [],
    confirm: [],
    background: [],
    index: undefined,
    forSale: { findOffers: async () => new Map() },
    sourceHealth: createSourceHealth(now),
    [Symbol.asyncDispose]: async () => {},
  }
}

async function findIndex(
  { config, outbound, log, now, onRefused }: SourceOptions,
  registeredIn: RegisteredNames,
  onTrust: (trust: SourceTrust) => void,
): Promise<IndexSource | undefined> {
  const { index } = config
  if (index === undefined) return undefined
  const from = index.from.startsWith('https://')
    ? { manifestUrl: index.from, request: (url: string, ask: OutboundStreamOptions) => outbound.stream(url, ask) }
    : { directory: index.from }
  return openIndexSource({
    from,
    cacheDirectory: join(index.dataDir, 'index'),
    now,
    log,
    registeredIn,
    onTrust,
    onRefused: () => onRefused?.('index'),
  })
}
