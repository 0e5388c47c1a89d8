/** What others chose, as our texts show it: names and addresses. */
const MAX_CHARACTERS = 80

/** One line of at most 80 characters, without invisible ones and those that reverse, cover or hide the text around them. */
export function shownName(text: string): string {
  const plain = text
    .normalize('NFC')
    // Controls, direction marks, joiners, unassigned and private characters.
    .replace(/\p{C}/gu, ' ')
    // Stacked marks cover the lines above and below.
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .replace(/[\s\p{Z}]+/gu, ' ')
    .trim()
  const characters = Array.from(new Intl.Segmenter().segment(plain), ({ segment }) => segment)
  return characters.length <= MAX_CHARACTERS ? plain : `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…`
}

/** Its host, or its scheme when an app on a device owns that. */
export function shownHost(url: string): string {
  if (!URL.canParse(url)) return ''
  const { protocol, host, hostname } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return protocol.slice(0, -1)
  // A program on the person's own machine may use any port.
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname) ? hostname : host
}
