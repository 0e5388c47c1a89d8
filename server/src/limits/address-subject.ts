/**
 * Who is counted behind an address: all of an IPv4 address, the /64 of an IPv6 one. That is the least a household or a
 * rented machine gets, so counting single addresses of it would count nothing.
 */
import { isIPv6 } from 'node:net'

/** What stands before an IPv4 address: on a socket open to both kinds, and behind a translator (RFC 6052). */
const HIDING_IPV4: ReadonlySet<string> = new Set(['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0'])

/** What is no address at all is its own subject. */
export function addressSubject(ip: string): string {
  const [address = ''] = ip.split('%')
  if (!isIPv6(address)) return address
  const groups = groupsOf(address)
  if (HIDING_IPV4.has(groups.slice(0, 6).join(':'))) {
    const bytes = groups.slice(6).map((group) => Number.parseInt(group, 16))
    return bytes.flatMap((two) => [two >> 8, two & 0xff]).join('.')
  }
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** Always eight, in lower case, without leading zeros. */
function groupsOf(address: string): string[] {
  const shortest = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = [], tail = []] = shortest.split('::').map((part) => part.split(':').filter((group) => group !== ''))
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
}
