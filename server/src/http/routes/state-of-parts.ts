/** How what a node stands on is just now, as far as the node knows without asking anybody. */
import type { Context } from '../../context.ts'
import type { PulseState } from '../../outbound/pulse.ts'

/** `degraded`: it works, with less. `off`: not set up. */
export const PART_STATES = ['ok', 'degraded', 'away', 'off'] as const
export type PartState = (typeof PART_STATES)[number]

/** What the node does differently because a part is away. */
export const RUNGS = ['deferred_history', 'reading_from_standby', 'local_limits'] as const
export type Rung = (typeof RUNGS)[number]

// A registry or two of four hundred are always away; a quarter of those that are asked is something callers notice.
const MANY = 0.25

export function partsOf(ctx: Context) {
  return {
    database: databaseOf(ctx),
    redis: ctx.cache.isUp() ? 'ok' : 'away',
    registries: registriesOf(ctx),
    language_model: modelOf(ctx),
  } satisfies Record<string, PartState>
}

export function rungsOf(ctx: Context): Rung[] {
  const isAway = ctx.db.isAway()
  const rungs: Record<Rung, boolean> = {
    deferred_history: isAway && ctx.journal !== undefined,
    reading_from_standby: isAway && ctx.config.database.standbyUrl !== undefined,
    local_limits: !ctx.cache.isUp(),
  }
  return RUNGS.filter((rung) => rungs[rung])
}

function databaseOf({ db, config }: Context): PartState {
  if (!db.isAway()) return 'ok'
  return config.database.standbyUrl === undefined ? 'away' : 'degraded'
}

/** Everybody who is asked about domains: registries, registrars, resolvers. */
function registriesOf({ pulses }: Context): PartState {
  const asked = pulses.list().filter((reading) => reading.asked > 0)
  const silent = asked.filter(({ state }) => isSilent(state)).length
  if (silent === 0 || silent < asked.length * MANY) return 'ok'
  return silent === asked.length ? 'away' : 'degraded'
}

function modelOf({ languageModel }: Context): PartState {
  const state = languageModel?.reading().state
  if (state === undefined) return 'off'
  if (state === 'well') return 'ok'
  return state === 'resting' ? 'away' : 'degraded'
}

function isSilent(state: PulseState): boolean {
  return state === 'failing' || state === 'resting'
}
