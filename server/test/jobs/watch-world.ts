/**
 * Watched favorites without a network: the real flow, the real chain of availability and the real database, on a clock
 * and in a world of domains that the test sets. `zone` is what DNS would know, `registry` what only the registry does.
 */
import {
  type AccountId,
  type Domain,
  type Evidence,
  type EvidenceSource,
  formatPrice,
  type KeyId,
  makeId,
  openAvailability,
  openPrices,
  openWatch,
  type Prices,
  type WatchContext,
} from '../source.ts'
import type { World } from '../world.ts'

export interface Names {
  /** Delegated. */
  readonly zone: Set<string>
  /** Known to the registry, delegated or not. */
  readonly registry: Set<string>
  /** What a seller asks, in US cents; without one there is no quote. */
  readonly quotes: Map<string, number>
  /** Nobody says anything of these. */
  readonly silent: Set<string>
  /** The registry cannot be asked about these now. */
  readonly crowded: Set<string>
  readonly ends: Map<string, number>
  /** Every domain that was checked, in order. */
  readonly asked: string[]
}

export interface WatchWorld {
  readonly names: Names
  readonly clock: { at: number }
  readonly ctx: WatchContext
  /** Puts a favorite into the table as POST /v1/favorites would, watched and last seen just now. */
  save(account: AccountId, domain: string, seen: { available: boolean; price?: string }): Promise<string>
  /** All that is watched becomes due. */
  makeDue(): Promise<void>
  eventsOf(account: AccountId): Promise<readonly { type: string; data: Record<string, unknown>; subject: string }[]>
  /** `$10.00`: the list price of the suffix, as a favorite shows it. */
  listPrice(suffix: string): string
}

export const never = new AbortController().signal

export async function openWatchWorld(
  world: World,
  { sellers = true, prices }: { sellers?: boolean; prices?: Prices } = {},
): Promise<WatchWorld> {
  const names: Names = {
    zone: new Set(),
    registry: new Set(),
    quotes: new Map(),
    silent: new Set(),
    crowded: new Set(),
    ends: new Map(),
    asked: [],
  }
  const clock = { at: Date.now() }
  const now = () => clock.at
  const priced = prices ?? (await openPrices({ now }))
  const { db } = world
  const availability = openAvailability({
    cache: { getMany: async (keys) => keys.map(() => null), setMany: async () => {} },
    local: [],
    screen: [sourceOf('dns', now, (domain) => sayOfZone(names, domain))],
    confirm: [],
    background: [
      ...(sellers ? [sourceOf('vercel', now, (domain) => sayOfSeller(names, domain))] : []),
      { ...sourceOf('rdap', now, (domain) => sayOfRegistry(names, domain)), reportsExpiryDates: true },
    ],
    doubtsOf: () => ({ premiumProne: false, rdapLies: false }),
    now,
  })
  const listPrice = (text: string) => {
    const suffix = priced.findSuffix(text)
    if (!suffix) throw new Error(`no price for ${text}`)
    return formatPrice(priced.listOfferOf(suffix).registration)
  }
  return {
    names,
    clock,
    ctx: {
      db,
      now,
      availability,
      availabilityMode: 'strict',
      prices: priced,
      config: { registrars: { order: sellers ? ['vercel'] : [] } },
      watch: openWatch({ db, now }),
    },
    async save(account, domain, { available, price = listPrice(domain.slice(domain.indexOf('.') + 1)) }) {
      const id = makeId(clock.at)
      const seen = JSON.stringify({ available, price, checked_at: new Date(clock.at - 1_000).toISOString() })
      await world.owner.query(
        `INSERT INTO favorite (account_id, id, key_id, domain, name, watch, created_at, saved, current)
         VALUES ($1, $2, $3, $4, $4, true, now(), $5, $5)`,
        [account, id, makeId(clock.at) as KeyId, domain, seen],
      )
      return id
    },
    async makeDue() {
      await world.owner.query('UPDATE watched_domain SET next_at = $1', [new Date(clock.at)])
    },
    async eventsOf(account) {
      const text = 'SELECT type, data, subject FROM event WHERE account_id = $1 ORDER BY id'
      return (await world.owner.query(text, [account])).rows
    },
    listPrice,
  }
}

type Said = Omit<Evidence, 'domain' | 'source' | 'at' | 'ttlMs'> | undefined

function sourceOf(name: string, now: () => number, say: (domain: Domain) => Said): EvidenceSource {
  return {
    name,
    async ask(domains) {
      const said = new Map<Domain, Evidence>()
      for (const domain of domains) {
        const words = say(domain)
        if (words) said.set(domain, { domain, source: name, at: now(), ttlMs: 60_000, ...words })
      }
      return said
    },
  }
}

function sayOfZone({ zone, silent, asked }: Names, domain: Domain): Said {
  asked.push(domain)
  if (silent.has(domain)) return undefined
  return { says: zone.has(domain) ? 'registered' : 'absent' }
}

function sayOfSeller({ zone, registry, quotes, silent, crowded }: Names, domain: Domain): Said {
  if (silent.has(domain)) return undefined
  if (crowded.has(domain)) return { says: 'unknown', unasked: true }
  const cents = quotes.get(domain)
  if (zone.has(domain) || registry.has(domain) || cents === undefined) return undefined
  return { says: 'available', price: { registration: { minor: cents, currency: 'USD' }, years: 1 } }
}

function sayOfRegistry({ zone, registry, silent, crowded, ends }: Names, domain: Domain): Said {
  if (silent.has(domain)) return undefined
  if (crowded.has(domain)) return { says: 'unknown', unasked: true }
  if (!zone.has(domain) && !registry.has(domain)) return { says: 'absent' }
  const end = ends.get(domain)
  return { says: 'registered', ...(end === undefined ? {} : { registeredUntil: end }) }
}
