/**
 * Opens the sources that the operator has configured, in the order in which they are asked.
 *
 * `local` sources are in this process; `screen` costs only DNS queries and may check every name; `confirm` is
 * scarce and checks only names that will be shown. A source that is not configured is not in the list: the product
 * works with DNS alone.
 *
 * With the sandbox on it is the only source: no other source is opened, and no verdict is shared with other nodes.
 */
import { join } from 'node:path'
import type { Cache } from '../platform/cache/cache.ts'
import type { Config } from '../platform/config/config.ts'
import type { Logger } from '../platform/log.ts'
import type { Outbound, OutboundStreamOptions } from '../platform/outbound/outbound.ts'
import { openBudget } from './budget.ts'
import { readRegisteredNames } from './control-names.ts'
import type { RegisteredNames } from './control-names.ts'
import { openDnsClient } from './dns-client.ts'
import { createForSale } from './dns-for-sale.ts'
import { openDnsSource } from './dns-source.ts'
import type { EvidenceSource } from './evidence.ts'
import { createSourceHealth } from './source-health.ts'
import type { SourceHealth } from './source-health.ts'
import { IANA_URL, openBootstrap } from './rdap/bootstrap.ts'
import type { Refresh } from './rdap/bootstrap.ts'
import { openRdap } from './rdap/rdap.ts'
import { openRegistered } from './registered/registered.ts'
import type { Registered } from './registered/registered.ts'
import { REGISTRARS } from './registrars/all.ts'
import { findRegistrar } from './registrars/declaration.ts'
import type { RegistrarDeclaration, RegistrarTools } from './registrars/declaration.ts'
import type { Registrar } from './registrars/registrar.ts'
import { watchSend } from './registrars/watch-send.ts'
import { openRegistrars } from './registrars/registrars.ts'
import { openRegistrarTrust } from './registrars/trust.ts'
import { createSaleOffers } from './sale-offers.ts'
import type { SaleOffers } from './sale-offers.ts'
import { openSandbox } from './sandbox.ts'
import type { SourceTrust } from './trust.ts'
import type { LookupCache } from './verdict-cache.ts'

export interface Sources extends AsyncDisposable {
  /** Where verdicts are shared with other nodes. */
  readonly cache: LookupCache
  readonly local: readonly EvidenceSource[]
  readonly screen: readonly EvidenceSource[]
  readonly confirm: readonly EvidenceSource[]
  /**
   * The same as `confirm`, for background work: uses a share of the budgets, and reports domains that could not be
   * checked.
   */
  readonly background: readonly EvidenceSource[]
  readonly index: Registered | undefined
  readonly forSale: SaleOffers
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
  readonly log: Logger
  readonly now: () => number
}

// Waiting callers must find at least as much budget as background work.
const BACKGROUND_SHARE = 0.5
// Long enough to use a host's share within a few lookups, short enough that a slow host does not block the tick.
const PATIENCE_MS = 8_000

export async function openSources(options: SourceOptions): Promise<Sources> {
  const { config, cache, outbound, now, registrars = REGISTRARS } = options
  if (config.sandbox) return sandboxAlone(now)
  const switched = <T extends EvidenceSource>(source: T): T => ({ ...source, ask: unlessOff(source, options.isOff) })
  const closers = new AsyncDisposableStack()
  const intervals = new Map(
    registrars.flatMap(({ host, everyMs }) => (typeof host === 'string' && everyMs ? [[host, everyMs] as const] : [])),
  )
  const budget = openBudget({ cache, now, nodes: config.nodes, intervals })
  const backgroundBudget = openBudget({ cache, now, nodes: config.nodes, intervals, share: BACKGROUND_SHARE })
  const sourceHealth = createSourceHealth(now)
  const registeredIn = await readRegisteredNames()
  const onTrust = (source: string, { state, why }: SourceTrust) => {
    const level = state === 'trusted' ? 'info' : 'warn'
    options.log[level]({ source, state, why }, 'source trust check finished')
  }
  const { resolvers, suffixes } = config
  const dns = openDnsSource({ resolvers, registeredIn, sampled: suffixes, now, sourceHealth, onTrust })
  closers.defer(() => dns.close())
  // A separate client: lame servers of domain owners must not take the places of queries to registries.
  const textClient = openDnsClient(config.resolvers, { mostInFlight: 64 })
  closers.defer(() => textClient.close())
  const index = await findIndex(options, registeredIn, (trust) => onTrust('index', trust))
  if (index) {
    closers.defer(() => index.close())
    sourceHealth.trusting('index', 'index', { read: () => index.trust() })
  }
  const confirm: EvidenceSource[] = []
  const background: EvidenceSource[] = []
  const listing = config.registrars.order.flatMap((name) => {
    const registrar = findRegistrar(registrars, name)
    const settings = config.registrars.settings[name] ?? {}
    return registrar.createOffers?.(settings, toolsOf(name, { ...options, sourceHealth }, closers)) ?? []
  })
  if (config.registrars.order.length > 0) {
    const order = await Promise.all(
      config.registrars.order.map(async (name) => {
        const registrar = await openRegistrar(findRegistrar(registrars, name), { ...options, sourceHealth }, closers)
        const onChange = (trust: SourceTrust) => onTrust(name, trust)
        const tested = openRegistrarTrust({ registrar, registeredIn, suffixes, budget, now, onChange })
        closers.defer(() => tested.close())
        sourceHealth.trusting('registrar', name, tested)
        return tested
      }),
    )
    const { isOff } = options
    confirm.push(openRegistrars({ order, budget, now, isOff }))
    background.push(openRegistrars({ order, budget: backgroundBudget, now, reportsSilence: true, isOff }))
  }
  if (config.rdap) {
    const onRefresh = (outcome: Refresh) => {
      if (outcome !== 'refused') return
      options.log.warn('RDAP bootstrap list rejected, the last valid one stays in use')
      options.onRefused?.('registries')
    }
    const bootstrap = await openBootstrap({ outbound, now, url: IANA_URL, onRefresh })
    const rdap = openRdap({ outbound, budget, bootstrap, cache, now, sourceHealth, onTrust })
    closers.defer(() => rdap.close())
    const backgroundRdap = openRdap({
      outbound,
      budget: backgroundBudget,
      bootstrap,
      cache,
      now,
      patienceMs: PATIENCE_MS,
      reportsSilence: true,
      sourceHealth,
    })
    closers.defer(() => backgroundRdap.close())
    closers.defer(() => bootstrap.close())
    confirm.push(switched(rdap))
    background.push(switched(backgroundRdap))
  }
  return {
    cache,
    local: index ? [switched(index)] : [],
    screen: [switched(dns)],
    confirm,
    background,
    index,
    forSale: createSaleOffers({
      dns: createForSale({ client: textClient }),
      registrars:
        listing.length > 0 ? openRegistrars({ order: listing, budget, now, isOff: options.isOff }) : undefined,
    }),
    sourceHealth,
    [Symbol.asyncDispose]: () => closers.disposeAsync(),
  }
}

async function sandboxAlone(now: () => number): Promise<Sources> {
  return {
    // Verdicts of real nodes must not show here, and simulated verdicts must not show there.
    cache: { getMany: async (keys) => keys.map(() => null), setMany: async () => {} },
    local: [await openSandbox(now)],
    screen: [],
    confirm: [],
    background: [],
    index: undefined,
    forSale: { findOffers: async () => new Map() },
    sourceHealth: createSourceHealth(now),
    [Symbol.asyncDispose]: async () => {},
  }
}

/**
 * It keeps `covers`, so a missing result stays a gap: other evidence does not become proof because this source is
 * off.
 */
function unlessOff(source: EvidenceSource, isOff: SourceOptions['isOff']): EvidenceSource['ask'] {
  return (...lookup) => (isOff(source.name) ? Promise.resolve(new Map()) : source.ask(...lookup))
}

async function findIndex(
  { config, outbound, log, now, onRefused }: SourceOptions,
  registeredIn: RegisteredNames,
  onTrust: (trust: SourceTrust) => void,
): Promise<Registered | undefined> {
  const { index } = config
  if (index === undefined) return undefined
  const from = index.from.startsWith('https://')
    ? { manifestUrl: index.from, request: (url: string, ask: OutboundStreamOptions) => outbound.stream(url, ask) }
    : { directory: index.from }
  return openRegistered({
    from,
    cacheDirectory: join(index.dataDir, 'index'),
    now,
    log,
    registeredIn,
    onTrust,
    onRefused: () => onRefused?.('index'),
  })
}

interface RegistrarOptions extends Pick<SourceOptions, 'config' | 'outbound' | 'now'> {
  readonly sourceHealth: SourceHealth
}

/** Throws if one of its files cannot be read. */
export async function openRegistrar(
  declaration: RegistrarDeclaration,
  options: RegistrarOptions,
  closers: AsyncDisposableStack,
): Promise<Registrar> {
  const { name } = declaration
  return declaration.create(options.config.registrars.settings[name] ?? {}, toolsOf(name, options, closers))
}

function toolsOf(
  name: string,
  { outbound, now, sourceHealth }: RegistrarOptions,
  closers: AsyncDisposableStack,
): RegistrarTools {
  const health = sourceHealth.of('registrar', name)
  return {
    send: watchSend(outbound, health),
    health,
    onClose: (close) => closers.defer(close),
    now,
  }
}
