/**
 * The typeface of a name on its tile. It depends on nothing but the name (its length, its letters, how it ends), so a name
 * looks the same in every search and in every browser.
 *
 * Several moods suit most names. A hash of the name chooses among those, so that neighbours differ. The faces are in
 * moods.css and hold Latin-1 only: a name with other Latin letters is `plain`, one in another script has the system's font.
 */
export const MOODS = ['plain', 'classic', 'soft', 'script', 'code', 'bold', 'tall', 'slim'] as const
export type Mood = (typeof MOODS)[number] | 'system'

const LATIN_1 = /^[\u0020-\u007E\u00A0-\u00FF]+$/
const LATIN = /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]+$/u

const TECHNICAL =
  /[\d.-]|(?:app|base|bit|byte|code|data|desk|dev|grid|hq|hub|io|kit|labs?|link|loop|node|ops|stack|sync|ware|works?)$/
const CLIPPED = /(?:[bcdgkpqtxz]|[lnr]s)$/
const ROUNDED = /([a-z])\1|(?:y|ie|le|oo|um|bo|bu|po|go)$/
const FLOWING = /(?:[aeio]|elle|ette|ine|ly|wen|lou|mour|[ln]h?)$/
const HARD = /[kxzqwvt]/

const SUITS: Readonly<Record<(typeof MOODS)[number], (name: string, size: number) => boolean>> = {
  plain: (name, size) => size > 5 && size < 12 && HARD.test(name),
  classic: (name, size) => size > 5 && size < 11 && !TECHNICAL.test(name) && !CLIPPED.test(name),
  soft: (name, size) => size < 11 && ROUNDED.test(name),
  script: (name, size) => size > 4 && size < 11 && FLOWING.test(name),
  code: (name, size) => TECHNICAL.test(name) || (size < 9 && CLIPPED.test(name)),
  bold: (name, size) => size < 9 && !TECHNICAL.test(name),
  tall: (_name, size) => size > 8,
  slim: (name, size) => size < 11 && !HARD.test(name),
}

export function moodOf(name: string): Mood {
  if (!LATIN.test(name)) return 'system'
  if (!LATIN_1.test(name)) return 'plain'
  const said = name.toLowerCase()
  const size = said.replaceAll(/\W/g, '').length
  const suitable = MOODS.filter((mood) => SUITS[mood](said, size))
  return suitable[hashOf(said) % suitable.length] ?? 'plain'
}

/** FNV-1a: the same number for the same name, everywhere. */
function hashOf(text: string): number {
  let hash = 0x81_1c_9d_c5
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93)
  // Its low bits alone depend too much on the last one.
  return (hash ^ (hash >>> 15)) >>> 0
}
