/** Where a domain can be registered. */

export interface Seller {
  readonly name: string
  /** The address of its search, with `{domain}`. */
  readonly search: string
}

/** The link carries the domain and nothing else. */
export function registerUrlOf({ search }: Seller, domain: string): string {
  return search.replaceAll('{domain}', encodeURIComponent(domain))
}
