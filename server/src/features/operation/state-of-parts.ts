/** The current state of the parts that a node depends on, as far as the node knows without a request to any of them. */
import type { SourceTrust } from '../../engines/availability/trust.ts'
import type { Context } from '../../context.ts'
import type { CacheState } from '../../platform/cache/cache.ts'
import type { HealthState } from '../../platform/outbound/health-tracker.ts'

/** `degraded`: works with restrictions. `off`: not configured. */
export const PART_STATES = ['ok', 'degraded', 'away', 'off'] as const
export type PartState = (typeof PART_STATES)[number]

/** What the node does differently because a part is unreachable. */
export const DEGRADATIONS = ['reading_from_standby', 'local_limits'] as const
export type Degradation = (typeof DEGRADATIONS)[number]

// One or two of four hundred registries are always down. Callers notice when a quarter of those in use are.
const MANY = 0.25

const REDIS_STATES = { up: 'ok', down: 'away', off: 'off' } as const satisfies Record<CacheState, PartState>

export function partsOf(ctx: Context) {
  return {
    database: databaseOf(ctx),
    redis: REDIS_STATES[ctx.cache.state()],
    registries: registriesOf(ctx),
    language_model: modelOf(ctx),
  } satisfies Record<string, PartState>
}

export function degradationsOf(ctx: Context): Degradation[] {
  const degradations: Record<Degradation, boolean> = {
    reading_from_standby: ctx.db.isPrimaryDown() && ctx.config.database.standbyUrl !== undefined,
    local_limits: ctx.cache.state() === 'down',
  }
  return DEGRADATIONS.filter((degradation) => degradations[degradation])
}

function databaseOf({ db, config }: Context): PartState {
  if (!db.isPrimaryDown()) return 'ok'
  return config.database.standbyUrl === undefined ? 'away' : 'degraded'
}

/** All external sources of availability: registries, registrars, resolvers. */
function registriesOf({ sourceHealth, config }: Context): PartState {
  if (config.sandbox) return 'off'
  // The index only saves lookups: without it every domain is checked at the other sources. Namespaces have no domains.
  const outside = sourceHealth.list().filter(({ kind }) => kind !== 'index' && kind !== 'namespace')
  const asked = outside.filter((reading) => reading.asked > 0 || reading.trust !== undefined)
  const silent = asked.filter(({ state, trust }) => isSilent(state) || isOfNoUse(trust)).length
  if (silent === 0 || silent < asked.length * MANY) return 'ok'
  return silent === asked.length ? 'away' : 'degraded'
}

/**
 * Each source that is tested with names of known state. A resolver is shown only as `dns`, because its address is
 * private to the operator.
 */
export function trustsOf({ sourceHealth }: Context) {
  return sourceHealth.list().flatMap(({ kind, name, trust }) => {
    if (!trust) return []
    const { state, since, why = null } = trust
    return [{ source: kind === 'dns' ? 'dns' : name, state, since: new Date(since).toISOString(), why }]
  })
}

function isOfNoUse(trust: SourceTrust | undefined): boolean {
  return trust?.state === 'untrusted' || trust?.state === 'unreachable'
}

function modelOf({ languageModel }: Context): PartState {
  const state = languageModel?.reading().state
  if (state === undefined) return 'off'
  if (state === 'well') return 'ok'
  return state === 'resting' ? 'away' : 'degraded'
}

function isSilent(state: HealthState): boolean {
  return state === 'failing' || state === 'resting'
}
