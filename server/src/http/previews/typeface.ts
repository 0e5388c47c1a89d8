/** A typeface of one or more font files: sets a line of text as curves, or says that it cannot write it. */
import { readGlyphs } from './glyphs.ts'
import type { Curve } from './glyphs.ts'
import { readKerning } from './kerning.ts'
import { readWoff } from './woff.ts'

export interface Typeface {
  /** Whether there is a glyph for each character. */
  canWrite(text: string): boolean
  /** In ems. */
  widthOf(text: string): number
  /** In ems, from the start of the line, y downwards from the baseline. Leaves out what it cannot write. */
  set(text: string): readonly Curve[]
}

/** `files`: a character is taken from the first that has it. `tracking`: extra space between letters, in ems. */
export function createTypeface(files: readonly Buffer[], tracking = 0): Typeface {
  const fonts = files.map((file) => {
    const tables = readWoff(file)
    const glyphs = readGlyphs(tables)
    return { ...glyphs, kern: readKerning(tables), cache: new Map<number, readonly Curve[]>() }
  })
  type Font = (typeof fonts)[number]

  function curvesOf(font: Font, glyph: number): readonly Curve[] {
    const known = font.cache.get(glyph)
    if (known) return known
    const size = font.unitsPerEm
    const curves = font
      .curvesOf(glyph)
      .map(([x0, y0, cx, cy, x1, y1]): Curve => [x0 / size, -y0 / size, cx / size, -cy / size, x1 / size, -y1 / size])
    font.cache.set(glyph, curves)
    return curves
  }

  function* glyphsOf(text: string): Generator<{ font: Font; glyph: number; x: number; end: number }> {
    let x = 0
    let before: { font: Font; glyph: number } | undefined
    for (const character of text.normalize('NFC')) {
      const code = character.codePointAt(0) ?? 0
      const font = fonts.find((one) => one.idOf(code) > 0)
      if (!font) continue
      const glyph = font.idOf(code)
      if (before) x += tracking + (before.font === font ? font.kern(before.glyph, glyph) / font.unitsPerEm : 0)
      const end = x + font.advanceOf(glyph) / font.unitsPerEm
      yield { font, glyph, x, end }
      x = end
      before = { font, glyph }
    }
  }

  return {
    canWrite: (text) =>
      Array.from(text.normalize('NFC')).every((character) =>
        fonts.some((font) => font.idOf(character.codePointAt(0) ?? 0) > 0),
      ),
    widthOf: (text) => [...glyphsOf(text)].at(-1)?.end ?? 0,
    set: (text) =>
      [...glyphsOf(text)].flatMap(({ font, glyph, x }) =>
        curvesOf(font, glyph).map(([x0, y0, cx, cy, x1, y1]): Curve => [x0 + x, y0, cx + x, cy, x1 + x, y1]),
      ),
  }
}
