/**
 * The typefaces of images: those of the app's tiles, from the unchanged files that `pnpm build` puts beside the app.
 *
 * `faceOf` is the rule of `web/src/search/moods/mood.ts`, so that a name looks the same in an image as on its tile; a test
 * compares the two. The files hold Latin letters only. For what they cannot write there is no face, and no image shows it.
 */
import { readFile } from 'node:fs/promises'
import { createTypeface } from './typeface.ts'
import type { Typeface } from './typeface.ts'

export const FACES = ['plain', 'classic', 'soft', 'script', 'code', 'bold', 'tall', 'slim'] as const
export type CardFace = (typeof FACES)[number]

export type Typefaces = Readonly<Record<CardFace, Typeface>>

const FOLDER = new URL('../../../build/faces/', import.meta.url)

/** As in `moods.css`. */
const TRACKING: Readonly<Record<CardFace, number>> = {
  plain: -0.01,
  classic: -0.02,
  soft: 0,
  script: 0,
  code: -0.05,
  bold: 0,
  tall: 0,
  slim: 0.02,
}

/** Fails if the app has not been built. */
export async function readTypefaces(): Promise<Typefaces> {
  const read = async (face: CardFace): Promise<[CardFace, Typeface]> => {
    const files = face === 'plain' ? ['plain.woff', 'plain-ext.woff'] : [`${face}.woff`]
    const found = await Promise.all(files.map((file) => readFile(new URL(file, FOLDER))))
    return [face, createTypeface(found, TRACKING[face])]
  }
  return Object.fromEntries(await Promise.all(FACES.map(read))) as Record<CardFace, Typeface>
}

const LATIN_1 = /^[\u0020-\u007E\u00A0-\u00FF]+$/
const TECHNICAL =
  /[\d.-]|(?:app|base|bit|byte|code|data|desk|dev|grid|hq|hub|io|kit|labs?|link|loop|node|ops|stack|sync|ware|works?)$/
const CLIPPED = /(?:[bcdgkpqtxz]|[lnr]s)$/
const ROUNDED = /([a-z])\1|(?:y|ie|le|oo|um|bo|bu|po|go)$/
const FLOWING = /(?:[aeio]|elle|ette|ine|ly|wen|lou|mour|[ln]h?)$/
const HARD = /[kxzqwvt]/

const SUITS: Readonly<Record<CardFace, (name: string, size: number) => boolean>> = {
  plain: (name, size) => size > 5 && size < 12 && HARD.test(name),
  classic: (name, size) => size > 5 && size < 11 && !TECHNICAL.test(name) && !CLIPPED.test(name),
  soft: (name, size) => size < 11 && ROUNDED.test(name),
  script: (name, size) => size > 4 && size < 11 && FLOWING.test(name),
  code: (name, size) => TECHNICAL.test(name) || (size < 9 && CLIPPED.test(name)),
  bold: (name, size) => size < 9 && !TECHNICAL.test(name),
  tall: (_name, size) => size > 8,
  slim: (name, size) => size < 11 && !HARD.test(name),
}

export function faceOf(name: string): CardFace {
  if (!LATIN_1.test(name)) return 'plain'
  const said = name.toLowerCase()
  const size = said.replaceAll(/\W/g, '').length
  const suitable = FACES.filter((face) => SUITS[face](said, size))
  return suitable[hashOf(said) % suitable.length] ?? 'plain'
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x81_1c_9d_c5
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93)
  return (hash ^ (hash >>> 15)) >>> 0
}
