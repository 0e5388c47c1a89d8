/**
 * The facts that registrars and registries on loopback report, and the ways they can distort them. The names by
 * which a registrar is tested (`src/availability/control-names.ts`) are among them, whatever a test says.
 */
import { readFileSync } from 'node:fs'
import { behindLabel } from '../source.ts'

const FACTS = JSON.parse(readFileSync(new URL('../../data/rdap.json', import.meta.url), 'utf8')) as {
  registered: { domains: string }
}
const EXISTING: ReadonlySet<string> = new Set(FACTS.registered.domains.split(' '))
// One that is registered has as many letters.
const UNREGISTERED = /^(?!examplemalwaredomain\.)[a-z]{20}\./

export function isControlName(name: string): boolean {
  return isRegisteredControlName(name) || UNREGISTERED.test(name)
}

export function isRegisteredControlName(name: string): boolean {
  return EXISTING.has(name)
}

export interface RegistrarWorld {
  readonly registered: Pick<ReadonlySet<string>, 'has'>
  /** Domain → US cents for the first year. */
  readonly premium: ReadonlyMap<string, number>
  readonly reserved: ReadonlySet<string>
  /** Suffixes the registrar does not sell. */
  readonly unsold: ReadonlySet<string>
  /** Suffixes it sells besides com, net, org and shop. */
  readonly alsoSold?: readonly string[]
}

export interface Row {
  readonly name: string
  readonly kind: 'available' | 'premium' | 'registered' | 'reserved' | 'unsold'
  readonly price: number
  readonly currency: string
}

/** Those that change what is said and not how. `lying` cannot be found out from the answer alone. */
export const TWISTS = [
  'another name',
  'shuffled',
  'missing',
  'doubled',
  'contradicting',
  'no price',
  'negative price',
  'foreign currency',
  'lying',
] as const
export type Twist = (typeof TWISTS)[number]

const STANDARD_PRICE = 11.25

export function rowsOf(world: RegistrarWorld, names: readonly string[]): readonly Row[] {
  return names.map((name) => {
    const isFree = UNREGISTERED.test(name)
    const premium = isFree ? undefined : world.premium.get(name)
    const kind = world.unsold.has(behindLabel(name))
      ? 'unsold'
      : EXISTING.has(name) || (!isFree && world.registered.has(name))
        ? 'registered'
        : world.reserved.has(name)
          ? 'reserved'
          : premium === undefined
            ? 'available'
            : 'premium'
    return { name, kind, price: premium === undefined ? STANDARD_PRICE : premium / 100, currency: 'USD' }
  })
}

export function twist(rows: readonly Row[], how: Twist): readonly Row[] {
  return WAYS[how](rows)
}

const WAYS: Readonly<Record<Twist, (rows: readonly Row[]) => readonly Row[]>> = {
  'another name': (rows) => rows.map((row) => ({ ...row, name: `not-${row.name}` })),
  shuffled: (rows) => rows.toReversed(),
  missing: (rows) => rows.filter((_, at) => at % 2 === 0),
  doubled: (rows) => [...rows, ...rows],
  contradicting: (rows) =>
    rows.flatMap((row) => [
      { ...row, kind: 'available' },
      { ...row, kind: 'registered' },
    ]),
  'no price': (rows) => rows.map((row) => ({ ...row, price: Number.NaN })),
  'negative price': (rows) => rows.map((row) => ({ ...row, price: -row.price })),
  'foreign currency': (rows) => rows.map((row) => ({ ...row, currency: 'EUR' })),
  lying: (rows) => rows.map((row) => ({ ...row, kind: 'available' })),
}
