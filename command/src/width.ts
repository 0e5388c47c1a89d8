/**
 * The width of text in terminal columns, and cutting text to a width.
 *
 * East Asian letters and emoji take two columns, combining marks none. The ranges are Wide and Fullwidth of Unicode's
 * EastAsianWidth; “ambiguous” characters count as narrow.
 */

// oxfmt-ignore
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f], [0x2e80, 0x303e], [0x3041, 0x33ff], [0x3400, 0x4dbf], [0x4e00, 0x9fff], [0xa000, 0xa4cf],
  [0xa960, 0xa97f], [0xac00, 0xd7a3], [0xf900, 0xfaff], [0xfe10, 0xfe19], [0xfe30, 0xfe6f], [0xff00, 0xff60],
  [0xffe0, 0xffe6], [0x16fe0, 0x18cff], [0x1aff0, 0x1b2ff], [0x1f200, 0x1f2ff], [0x20000, 0x3fffd],
]
// Combining marks, format characters, and the vowels and final consonants of decomposed Hangul.
const NOTHING = /^[\p{M}\p{Cf}\u1160-\u11ff\ud7b0-\ud7ff]$/u
const EMOJI = /^(?:\p{Emoji_Presentation}|\p{Regional_Indicator}{2}|\p{Extended_Pictographic}\p{EMod}?\ufe0f)/u
const PLAIN = /^[\x20-\x7e]*$/

export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length
  return graphemesOf(text).reduce((sum, one) => sum + widthOfOne(one), 0)
}

/** Cuts the end, with an ellipsis. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  return width < 1 ? '' : `${taken(graphemesOf(text), width - 1).join('')}…`
}

/** Cuts the middle, with an ellipsis, so that the suffix of a domain stays. */
export function cutMiddle(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  if (width < 5) return cut(text, width)
  const graphemes = graphemesOf(text)
  const end = taken(graphemes.toReversed(), Math.ceil((width - 1) / 2)).toReversed()
  const begin = taken(graphemes, width - 1 - widthOf(end.join('')))
  return `${begin.join('')}…${end.join('')}`
}

/** As many graphemes as fit the width. */
function taken(graphemes: readonly string[], width: number): string[] {
  let sum = 0
  const end = graphemes.findIndex((one) => (sum += widthOfOne(one)) > width)
  return graphemes.slice(0, end < 0 ? undefined : end)
}

/** User-perceived characters. */
function graphemesOf(text: string): string[] {
  return Array.from(new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text), ({ segment }) => segment)
}

function widthOfOne(grapheme: string): number {
  if (EMOJI.test(grapheme)) return 2
  return Array.from(grapheme).reduce((sum, one) => sum + (NOTHING.test(one) ? 0 : isWide(one) ? 2 : 1), 0)
}

function isWide(one: string): boolean {
  const code = one.codePointAt(0) ?? 0
  return WIDE.some(([first, last]) => code >= first && code <= last)
}
