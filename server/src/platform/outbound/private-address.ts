/**
 * Whether an address is reachable only from this machine or its own network.
 *
 * Addresses from outside (a bootstrap file, a DNS response) must never lead back inside: to a database, to cloud
 * metadata, to a neighbour. The lists follow the IANA registries of special-purpose addresses. For IPv6 the rule is
 * inverted, since only 2000::/3 has been allocated at all.
 */
import { BlockList, isIPv4 } from 'node:net'

const NEVER_IPV4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8], // RFC 791: this network; Linux takes 0.0.0.0 as loopback
  ['10.0.0.0', 8], // RFC 1918
  ['100.64.0.0', 10], // RFC 6598: shared by carriers; some clouds keep their metadata here
  ['127.0.0.0', 8], // RFC 1122: loopback
  ['169.254.0.0', 16], // RFC 3927: link-local, the metadata of most clouds
  ['172.16.0.0', 12], // RFC 1918
  ['192.0.0.0', 24], // RFC 6890: protocol assignments
  ['192.0.2.0', 24], // RFC 5737: documentation
  ['192.88.99.0', 24], // RFC 7526: retired relays
  ['192.168.0.0', 16], // RFC 1918
  ['198.18.0.0', 15], // RFC 2544: benchmarks
  ['198.51.100.0', 24], // RFC 5737
  ['203.0.113.0', 24], // RFC 5737
  ['224.0.0.0', 3], // RFC 5771 and 1112: multicast, reserved, broadcast
]

const NEVER_IPV6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23], // RFC 2928: protocol assignments, Teredo among them
  ['2001:db8::', 32], // RFC 3849: documentation
  ['2002::', 16], // RFC 3056: 6to4, which hides an IPv4 address
  ['3fff::', 20], // RFC 9637: documentation
]

// RFC 6052: an IPv4 address as seen from a network without IPv4. IPv6-only networks need these.
const NAT64 = '64:ff9b::'

const never = new BlockList()
const given = new BlockList()
given.addSubnet('2000::', 3, 'ipv6')
given.addSubnet(NAT64, 96, 'ipv6')
for (const [network, prefix] of NEVER_IPV6) never.addSubnet(network, prefix, 'ipv6')
for (const [network, prefix] of NEVER_IPV4) {
  never.addSubnet(network, prefix, 'ipv4')
  never.addSubnet(NAT64 + network, 96 + prefix, 'ipv6')
}

/** Also true for a text that is not an address. */
export function isPrivateAddress(address: string): boolean {
  if (isIPv4(address)) return never.check(address, 'ipv4')
  // A zone ("fe80::1%eth0") exists on local links only.
  if (address.includes('%')) return true
  return never.check(address, 'ipv6') || !given.check(address, 'ipv6')
}
