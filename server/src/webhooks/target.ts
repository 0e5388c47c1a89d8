/**
 * Where a webhook may lead.
 *
 * Whoever makes one tells this service to send requests, from inside the operator's network, to an address of their
 * choice. So the address must be https at a usual port, without a name and password, and must not be one of this
 * machine, its network or its cloud, in whatever spelling: the URL parser turns every number, dot and digit of every
 * script into one form first. What a name leads to is only known when it is resolved, so that is judged where the
 * connection is made (`outbound/public-lookup.ts`), each time.
 *
 * The operator may name hosts that all of this does not apply to.
 */
import { isIP } from 'node:net'
import { placeOf } from '../outbound/place.ts'
import { isPrivateAddress } from '../outbound/private-address.ts'

/** By convention the second port of https. Any other is likelier to be something that is not meant to be asked. */
const PORTS = new Set(['', '443', '8443'])
// RFC 6761, 6762, 7686, 8375 and 9476, and what ICANN keeps for private use: no public server has such a name.
const LOCAL = /(?:^|\.)(?:localhost|localdomain|local|internal|alt|onion|invalid|home\.arpa)$/
const STRANGE = /[\p{Cc}\p{Cf}\p{Z}\\]/u
export const URL_MAX = 2_000

/** The address as it is stored and called; undefined for one that may not be. */
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
