/**
 * The web origins (RFC 6454) whose pages may use a publishable key: `https://shop.example`, with a port unless it is
 * the default one, or `https://*.shop.example` for every name one level below.
 *
 * The check relies on the Origin header, which only browsers enforce: a program can send any Origin. So it keeps other
 * people's pages from using the key; it does not keep the key secret.
 *
 * A wildcard is allowed only below a name that one party registers. Over a public suffix (https://publicsuffix.org),
 * such as `co.uk` or `github.io`, it would match everybody who registers there. So it would where every name below is
 * a public suffix, such as `sch.uk` and `compute.amazonaws.com`: the list has them as `*.sch.uk`.
 */
import { getPublicSuffix } from 'tldts'

const SHAPE = /^(https?):\/\/(\*\.)?([^*/]+)$/

/** Accepts only the spelling that browsers send: lower case, no default port, no path, other scripts as `xn--`. */
export function isOriginPattern(text: string): boolean {
  const [, scheme, star, host = ''] = SHAPE.exec(text) ?? []
  if (scheme === undefined || URL.parse(`${scheme}://${host}`)?.origin !== `${scheme}://${host}`) return false
  // Without TLS a host name proves nothing.
  return star === undefined || (scheme === 'https' && /^[^.]+\.[^.]*[a-z]/.test(host) && !isOverPublicSuffix(host))
}

// Not a name of which the list has an exception, such as `!city.kawasaki.jp`.
const ANY_LABEL = 'any-label'

function isOverPublicSuffix(host: string): boolean {
  const hostname = host.replace(/:\d+$/, '')
  return [hostname, `${ANY_LABEL}.${hostname}`].some(
    (name) => getPublicSuffix(name, { allowPrivateDomains: true }) === name,
  )
}

export function includesOrigin(patterns: readonly string[], origin: string): boolean {
  return patterns.some((pattern) => {
    if (!pattern.includes('*')) return pattern === origin
    // Stored before wildcards over a public suffix were refused.
    if (!isOriginPattern(pattern)) return false
    const [before = '', after = ''] = pattern.split('*')
    const label = origin.slice(before.length, origin.length - after.length)
    return origin.startsWith(before) && origin.endsWith(after) && /^[a-z0-9_-]+$/.test(label)
  })
}
