/**
 * Who sells a suffix: the operator's registrar, else one with a dated price for it (a quote names the registrar, a list
 * price its list), else the one that says the domain can be registered, else the page of IANA that links its registry.
 * `data/registrars.json` has the address of each registrar's search, with its source; the app's register menu shows the
 * same table.
 */
import type { Suffix } from '../../model/domain.ts'
import type { Seller } from '../../model/seller.ts'

export interface Registrar extends Seller {
  readonly id: string
}

export interface SellersOptions {
  /** The search of the operator's registrar, with `{domain}`. */
  readonly own?: string | undefined
  /** Made-up domains are nothing to ask a real registrar for. */
  readonly sandbox?: boolean
}

export interface Sellers {
  readonly registrars: readonly Registrar[]
  readonly sellerOf: SellerOf
}

/** `sources`: who quotes or lists a price, or checked the domain; the one to prefer first. */
export type SellerOf = (suffix: Suffix, sources: readonly string[]) => Seller

const SANDBOX: Seller = { name: 'sandbox', search: 'https://registrar.example/?domain={domain}' }

/** Throws if the file is wrong. */
export function createSellers(text: string, { own, sandbox = false }: SellersOptions): Sellers {
  const registrars = parseRegistrars(text)
  const byId = new Map(registrars.map((registrar) => [registrar.id, registrar]))
  const one = own === undefined ? (sandbox ? SANDBOX : undefined) : { name: new URL(own).hostname, search: own }
  return {
    registrars,
    sellerOf(suffix, sources) {
      if (one) return one
      const known = sources.map((source) => byId.get(idOf(source))).find((registrar) => registrar !== undefined)
      return known ?? registryOf(suffix)
    },
  }
}

/** Quotes name the registrar in small letters; list prices name their list: “Porkbun public price list”. */
function idOf(source: string): string {
  return source.toLowerCase().split(/\W/)[0] ?? ''
}

function registryOf(suffix: Suffix): Seller {
  const root = suffix.slice(suffix.lastIndexOf('.') + 1)
  return { name: 'IANA', search: `https://www.iana.org/domains/root/db/${root}.html` }
}

function parseRegistrars(text: string): readonly Registrar[] {
  return (JSON.parse(text) as readonly Registrar[]).map(({ id, name, search }) => {
    if (!search.startsWith('https://') || search.split('{domain}').length !== 2)
      throw new Error(`data/registrars.json: ${id} needs an https address with {domain}`)
    return { id, name, search }
  })
}
