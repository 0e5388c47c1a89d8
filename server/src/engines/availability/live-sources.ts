/**
 * Opens DNS, the registrars that the caller names, and RDAP, in the order in which they are asked.
 *
 * `screen` costs only DNS queries and may check every name; `confirm` is scarce and checks only names that will be shown.
 * What is not configured is not in the lists: the product works with DNS alone.
 *
 * Knows neither the settings of the service nor its list of registrars, so that a program without them can open the
 * same sources.
 */
import type { Cache } from '../../platform/cache/cache.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { createBudgetHosts, openBudget } from './budget.ts'
import type { LookupBudget } from './budget.ts'
import type { RegisteredNames } from './control-names.ts'
import { IN_FLIGHT, openDnsClient } from './dns-client.ts'
import { createForSale } from './dns-for-sale.ts'
import { openDnsSource } from './dns-source.ts'
import type { EvidenceSource } from './evidence.ts'
import { openBootstrap } from './rdap/bootstrap.ts'
import type { Refresh } from './rdap/bootstrap.ts'
import { openRdap } from './rdap/rdap.ts'
import type { RegistrarDeclaration, RegistrarTools } from './registrars/declaration.ts'
import type { Registrar } from './registrars/registrar.ts'
import { openRegistrars } from './registrars/registrars.ts'
import { openRegistrarTrust } from './registrars/trust.ts'
import { watchSend } from './registrars/watch-send.ts'
import { createSaleOffers } from './sale-offers.ts'
import type { SaleOffers } from './sale-offers.ts'
import type { SourceHealth } from './source-health.ts'
import type { SourceTrust } from './trust.ts'
import type { LookupCache } from './verdict-cache.ts'

export interface LiveSources {
  readonly screen: readonly EvidenceSource[]
  readonly confirm: readonly EvidenceSource[]
  /**
   * The same as `confirm`, for background work: uses a share of the budgets, and reports domains that could not be
   * checked.
   */
  readonly background: readonly EvidenceSource[]
  readonly forSale: SaleOffers
}

export interface ChosenRegistrar {
  readonly declaration: RegistrarDeclaration
  /** Parsed, by the name of the environment variable. */
  readonly settings: Readonly<Record<string, unknown>>
}

interface SourceOptions extends RegistrarOptions {
  /** `127.0.0.1:53` or `[::1]:53`, the preferred one first. */
  readonly resolvers: readonly string[]
  /** The offered suffixes: DNS and registrars are tested with them. */
  readonly suffixes: readonly string[]
  /** In the order in which they are asked. */
  readonly registrars: readonly ChosenRegistrar[]
  /** `url`: of the current list of RDAP servers; without it the shipped one is used. Undefined: no RDAP. */
  readonly rdap?: { readonly url?: string; readonly onRefresh?: (outcome: Refresh) => void } | undefined
  readonly registeredIn: RegisteredNames
  /** Whether the operator has switched the source off. */
  readonly isOff: (source: string) => boolean
  readonly onTrust: (source: string, trust: SourceTrust) => void
}

/** Without a `budget` the budgets are in the cache, and `nodes` processes share them. `isAlone`: there is no Redis. */
type LiveOptions = SourceOptions &
  (
    | {
        readonly budget?: undefined
        readonly cache: LookupCache & Pick<Cache, 'run'>
        readonly nodes: number
        readonly isAlone?: boolean
      }
    | { readonly budget: LookupBudget; readonly cache: LookupCache }
  )

interface RegistrarOptions {
  readonly outbound: Outbound
  /** Opens a client for a URL that the operator has set, which may be at a private address. Absent: `outbound` is one. */
  readonly outboundTo?: ((url: string) => Outbound) | undefined
  readonly sourceHealth: SourceHealth
  /** Where registrars keep the lists that they read once a day, for a program that starts more often. */
  readonly listCache?: LookupCache | undefined
  /** Counts the requests for these lists, where many programs start side by side. */
  readonly budget?: LookupBudget | undefined
  /** Gets what has to be closed; the last one first. */
  readonly closers: Pick<AsyncDisposableStack, 'defer'>
  readonly now: () => number
}

// Waiting callers must find at least as much budget as background work.
const BACKGROUND_SHARE = 0.5
// Long enough to use a host's share within a few lookups, short enough that a slow host does not block the tick.
const PATIENCE_MS = 8_000

export async function openLiveSources(options: LiveOptions): Promise<LiveSources> {
  const { resolvers, suffixes, registrars, cache, outbound, now } = options
  const { registeredIn, sourceHealth, isOff, onTrust, closers } = options
  const switched = (source: EvidenceSource) => switchable(source, isOff)
  const intervals = new Map(
    registrars.flatMap(({ declaration: { host, everyMs } }) =>
      typeof host === 'string' && everyMs ? [[host, everyMs] as const] : [],
    ),
  )
  const hosts = createBudgetHosts()
  const openShare = (share: number) => options.budget ?? openBudget({ ...options, intervals, share, hosts })
  const [budget, backgroundBudget] = [openShare(1), openShare(BACKGROUND_SHARE)]
  const dns = openDnsSource({ resolvers, registeredIn, sampled: suffixes, now, sourceHealth, onTrust })
  closers.defer(() => dns.close())
  // A separate client: lame servers of domain owners must not take the places of queries to registries.
  const textClient = openDnsClient(resolvers, { mostInFlight: IN_FLIGHT.texts })
  closers.defer(() => textClient.close())
  const confirm: EvidenceSource[] = []
  const background: EvidenceSource[] = []
  const listing = registrars.flatMap(
    ({ declaration, settings }) =>
      declaration.createOffers?.(settings, toolsOf({ declaration, settings }, options)) ?? [],
  )
  if (registrars.length > 0) {
    const order = await Promise.all(
      registrars.map(async (chosen) => {
        const { name } = chosen.declaration
        const registrar = await openRegistrar(chosen, options)
        const onChange = (trust: SourceTrust) => onTrust(name, trust)
        const tested = openRegistrarTrust({ registrar, registeredIn, suffixes, budget, now, onChange })
        closers.defer(() => tested.close())
        sourceHealth.trusting('registrar', name, tested)
        return tested
      }),
    )
    confirm.push(openRegistrars({ order, budget, now, isOff }))
    background.push(openRegistrars({ order, budget: backgroundBudget, now, reportsSilence: true, isOff }))
  }
  if (options.rdap) {
    const bootstrap = openBootstrap({ outbound, now, ...options.rdap })
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
    screen: [switched(dns)],
    confirm,
    background,
    forSale: createSaleOffers({
      dns: createForSale({ client: textClient }),
      registrars: listing.length > 0 ? openRegistrars({ order: listing, budget, now, isOff }) : undefined,
    }),
  }
}

/**
 * It keeps `covers`, so a missing result stays a gap: other evidence does not become proof because this source is
 * off.
 */
export function switchable<T extends EvidenceSource>(source: T, isOff: SourceOptions['isOff']): T {
  return {
    ...source,
    ask: (...lookup) => (isOff(source.name) ? Promise.resolve(new Map()) : source.ask(...lookup)),
  }
}

/** Throws if one of its files cannot be read. */
export async function openRegistrar(
  { declaration, settings }: ChosenRegistrar,
  options: RegistrarOptions,
): Promise<Registrar> {
  return declaration.create(settings, toolsOf({ declaration, settings }, options))
}

function toolsOf({ declaration, settings }: ChosenRegistrar, options: RegistrarOptions): RegistrarTools {
  const { outbound, outboundTo, now, sourceHealth, listCache, budget, closers } = options
  const { name, host } = declaration
  const health = sourceHealth.of('registrar', name)
  const url = typeof host === 'string' ? undefined : settings[host.setting]
  const own = typeof url === 'string' ? outboundTo?.(url) : undefined
  if (own) closers.defer(() => own.close())
  return {
    send: watchSend(own ?? outbound, health),
    health,
    listCache,
    takeForList:
      budget && typeof host === 'string' ? async () => (await budget.take(host, 1).catch(() => 0)) > 0 : undefined,
    onClose: (close) => closers.defer(close),
    now,
  }
}
