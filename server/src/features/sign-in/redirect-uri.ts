/**
 * Validates redirect URIs: an authorization code may only be sent to an exact address that only the application can
 * read.
 *
 * RFC 9700 §2.1 asks for https and for exact comparison, hence no wildcard. RFC 8252 allows an app on a device to
 * listen on its own machine over http (§7.3) or to own a scheme. A scheme has a dot because it is a reversed domain of
 * the author (§7.1). RFC 6749 §3.1.2: "MUST NOT include a fragment".
 */
const PRINTABLE = /^[\x21-\x7e]+$/
// Compared literally: 0x7f.1 and 127.1 are the same machine, but parsers disagree about them.
const OWN_MACHINE = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:[/?]|$)/

export function isRedirectUri(text: string): boolean {
  if (!PRINTABLE.test(text) || /[#*\\]/.test(text)) return false
  const url = URL.parse(text)
  if (!url || url.username !== '' || url.password !== '') return false
  switch (url.protocol) {
    case 'https:':
      return /^https:\/\//i.test(text)
    case 'http:':
      return OWN_MACHINE.test(text)
    default:
      return url.protocol.includes('.')
  }
}
