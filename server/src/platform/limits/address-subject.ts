/**
 * The subject that a rate limit counts for an address: a whole IPv4 address, or the /64 of an IPv6 address. A /64 is
 * the least that a household or a rented machine gets, so counting single IPv6 addresses would limit nobody.
 */
import { isIPv6 } from 'node:net'

/** Prefixes of an embedded IPv4 address: on a dual-stack socket, and behind a translator (RFC 6052). */
const HIDING_IPV4: ReadonlySet<string> = new Set(['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0'])

/** A text that is not an address is its own subject. */
export function addressSubject(ip: string | undefined): string {
  // A client on a Unix socket has no address.
  if (ip === undefined) return 'local'
  const [address = ''] = ip.split('%')
  if (!isIPv6(address)) return address
  const groups = groupsOf(address)
  if (HIDING_IPV4.has(groups.slice(0, 6).join(':'))) {
    const bytes = groups.slice(6).map((group) => Number.parseInt(group, 16))
    return bytes.flatMap((two) => [two >> 8, two & 0xff]).join('.')
  }
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** Always eight groups, in lower case, without leading zeros. */
function groupsOf(address: string): string[] {
  const shortest = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = [], tail = []] = shortest.split('::').map((part) => part.split(':').filter((group) => group !== ''))
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
}
