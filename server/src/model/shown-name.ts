/**
 * A name that a stranger chose, as it may stand in a sentence of ours: one line of at most 80 characters, without
 * anything that is not seen or that turns, covers or hides what stands around it.
 */
const MOST = 80

export function shownName(text: string): string {
  const plain = text
    .normalize('NFC')
    // Controls, direction marks, joiners, unassigned and private characters.
    .replace(/\p{C}/gu, ' ')
    // Marks that pile up cover the lines above and below.
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .replace(/[\s\p{Z}]+/gu, ' ')
    .trim()
  const characters = Array.from(new Intl.Segmenter().segment(plain), ({ segment }) => segment)
  return characters.length <= MOST ? plain : `${characters.slice(0, MOST - 1).join('')}…`
}
