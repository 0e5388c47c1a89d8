/** Resolves names as `dns.lookup` does, without the private addresses. */
import type { LookupAddress, LookupAllOptions, LookupOptions } from 'node:dns'
import { isPrivateAddress } from './private-address.ts'

/** The name has only private addresses. */
export class PrivateAddress extends Error {}

type FoundAddresses = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void

/** Like `dns.lookup` with the option `all`. */
export type Lookup = (
  hostname: string,
  options: LookupAllOptions,
  found: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** The connection uses exactly the addresses that were checked: no second resolution could differ. */
export function createPublicLookup(lookup: Lookup) {
  return function lookupPublic(hostname: string, options: LookupOptions, found: FoundAddresses): void {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return found(error, [])
      const open = addresses.filter(({ address }) => !isPrivateAddress(address))
      const [first] = open
      if (first === undefined) found(new PrivateAddress(hostname), [])
      else if (options.all === true) found(null, open)
      else found(null, first.address, first.family)
    })
  }
}
