/**
 * Validates the URL of a webhook.
 *
 * A webhook makes this service send requests, from inside the operator's network, to a URL that a user chose. So the
 * URL must be https at a usual port, without user and password. It must not name this machine, its network or its
 * cloud, in any spelling: the URL parser first normalizes every number, dot and digit of every script. What a host name
 * resolves to is known only at resolution time, so that is checked at each connection
 * (`platform/outbound/public-lookup.ts`).
 *
 * The operator may exempt hosts from these rules.
 */
import { isIP } from 'node:net'
import { placeOf } from '../../platform/outbound/place.ts'
import { isPrivateAddress } from '../../platform/outbound/private-address.ts'

/** 8443 is by convention the second port of https. Any other port is more likely to be an internal service. */
const PORTS = new Set(['', '443', '8443'])
// RFC 6761, 6762, 7686, 8375 and 9476, and ICANN's name for private use: no public server has such a name.
const LOCAL = /(?:^|\.)(?:localhost|localdomain|local|internal|alt|onion|invalid|home\.arpa)$/
const STRANGE = /[\p{Cc}\p{Cf}\p{Z}\\]/u
export const URL_MAX = 2_000

/** The URL as it is stored and called; undefined when it is not allowed. */
export function findTarget(text: string, allowed: ReadonlySet<string>): URL | undefined {
  if (text.length > URL_MAX || STRANGE.test(text)) return undefined
  const url = URL.parse(text)
  if (!url || url.username !== '' || url.password !== '' || url.href.length > URL_MAX) return undefined
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
  if (allowed.has(placeOf(url))) return url
  return url.protocol === 'https:' && PORTS.has(url.port) && isPublicHost(url.hostname) ? url : undefined
}

function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return !isPrivateAddress(host)
  const name = host.replace(/\.$/, '')
  return name.includes('.') && !LOCAL.test(name)
}
