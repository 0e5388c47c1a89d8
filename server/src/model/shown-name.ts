/**
 * Cleans a user-chosen name for use in our texts: one line of at most 80 characters, without invisible characters or
 * characters that reverse, cover or hide the text around them.
 */
const MAX_CHARACTERS = 80

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
