/**
 * The pages that a publishable key may stand in, by their origin (RFC 6454): `https://shop.example`, with a port where it
 * is not the usual one, or `https://*.shop.example` for every name one level below.
 *
 * Only a browser's word is checked here, and only a browser keeps to it: a program can send any Origin. So this keeps
 * other people's pages from using the key; it does not keep the key secret.
 */

const SHAPE = /^(https?):\/\/(\*\.)?([^*/]+)$/

/** In the very spelling that browsers send: small letters, no usual port, no path, letters of other scripts as `xn--`. */
export function isOriginPattern(text: string): boolean {
  const [, scheme, star, host = ''] = SHAPE.exec(text) ?? []
  if (scheme === undefined || URL.parse(`${scheme}://${host}`)?.origin !== `${scheme}://${host}`) return false
  // A star over a whole suffix would be everybody, and without TLS a name proves nothing.
  return star === undefined || (scheme === 'https' && /^[^.]+\.[^.]*[a-z]/.test(host))
}

export function includesOrigin(patterns: readonly string[], origin: string): boolean {
  return patterns.some((pattern) => {
    if (!pattern.includes('*')) return pattern === origin
    const [before = '', after = ''] = pattern.split('*')
    const label = origin.slice(before.length, origin.length - after.length)
    return origin.startsWith(before) && origin.endsWith(after) && /^[a-z0-9_-]+$/.test(label)
  })
}
