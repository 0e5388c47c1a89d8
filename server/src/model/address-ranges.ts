/** The addresses and CIDR ranges that a key may be used from. */
import { BlockList, isIP } from 'node:net'

export function rangesOf(ranges: readonly string[]): BlockList | undefined {
  if (ranges.length === 0) return undefined
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = familyOf(address)
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

export function includes(list: BlockList, ip: string): boolean {
  // A dual-stack socket shows an IPv4 caller as ::ffff:192.0.2.1.
  const plain = ip.startsWith('::ffff:') && isIP(ip.slice(7)) === 4 ? ip.slice(7) : ip
  return list.check(plain, familyOf(plain))
}

/** Whether every address of these ranges is in one of `allowed`. No ranges are all addresses. */
export function isWithin(ranges: readonly string[], allowed: readonly string[]): boolean {
  if (allowed.length === 0) return true
  return ranges.length > 0 && ranges.every((range) => allowed.some((one) => contains(one, range)))
}

function contains(outer: string, inner: string): boolean {
  const [address = '', bits] = inner.split('/')
  const [from = '', width] = outer.split('/')
  if (isIP(address) !== isIP(from)) return false
  const most = isIP(address) === 6 ? 128 : 32
  return Number(width ?? most) <= Number(bits ?? most) && rangesOf([outer])?.check(address, familyOf(address)) === true
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}
