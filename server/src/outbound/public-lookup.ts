/** Resolves names as `dns.lookup` does, without the private addresses. */
import type { LookupAddress, LookupAllOptions, LookupOptions } from 'node:dns'
import { isPrivateAddress } from './private-address.ts'

/** The name has addresses, all of them private. */
export class PrivateAddress extends Error {}

type Found = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void

/** As `dns.lookup`, asked for all addresses. */
export type Lookup = (
  hostname: string,
  options: LookupAllOptions,
  found: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** The one who connects gets the very addresses that were judged: there is no second resolving that could differ. */
export function createPublicLookup(lookup: Lookup) {
  return function lookupPublic(hostname: string, options: LookupOptions, found: Found): void {
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
