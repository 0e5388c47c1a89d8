/** The addresses and CIDR ranges that a key may be used from. */
import { BlockList, isIP } from 'node:net'

export function rangesOf(ranges: readonly string[]): BlockList | undefined {
  if (ranges.length === 0) return undefined
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

export function includes(list: BlockList, ip: string): boolean {
  // A dual-stack socket shows an IPv4 caller as ::ffff:192.0.2.1.
  const plain = ip.startsWith('::ffff:') && isIP(ip.slice(7)) === 4 ? ip.slice(7) : ip
  return list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
}
