/** The face of each mood as a file, to be put into a picture that is taken along. The same as in moods.css. */
import bold from '@fontsource/abril-fatface/files/abril-fatface-latin-400-normal.woff2?url'
import plainMore from '@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-ext-600-normal.woff2?url'
import plain from '@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-600-normal.woff2?url'
import script from '@fontsource/courgette/files/courgette-latin-400-normal.woff2?url'
import classic from '@fontsource/fraunces/files/fraunces-latin-600-normal.woff2?url'
import soft from '@fontsource/fredoka/files/fredoka-latin-600-normal.woff2?url'
import slim from '@fontsource/josefin-sans/files/josefin-sans-latin-600-normal.woff2?url'
import tall from '@fontsource/oswald/files/oswald-latin-600-normal.woff2?url'
import code from '@fontsource/space-mono/files/space-mono-latin-700-normal.woff2?url'
import { readDataUrl } from '../../api/files.ts'
import type { Mood } from '../moods/mood.ts'

export interface Face {
  readonly family: string
  readonly weight: number
  /** Between letters, in ems. */
  readonly spacing: number
  readonly files: readonly string[]
}

export const FACES: Readonly<Record<Mood, Face>> = {
  plain: { family: 'Bricolage Grotesque', weight: 600, spacing: -0.01, files: [plain, plainMore] },
  classic: { family: 'Fraunces', weight: 600, spacing: -0.02, files: [classic] },
  soft: { family: 'Fredoka', weight: 600, spacing: 0, files: [soft] },
  script: { family: 'Courgette', weight: 400, spacing: 0, files: [script] },
  code: { family: 'Space Mono', weight: 700, spacing: -0.05, files: [code] },
  bold: { family: 'Abril Fatface', weight: 400, spacing: 0, files: [bold] },
  tall: { family: 'Oswald', weight: 600, spacing: 0, files: [tall] },
  slim: { family: 'Josefin Sans', weight: 600, spacing: 0.02, files: [slim] },
  // The reader's own: it cannot be put into a file.
  system: { family: 'sans-serif', weight: 600, spacing: 0, files: [] },
}

/** Rules that hold the face itself, so that a picture needs nothing else to be shown. */
export async function embeddedFace({ family, weight, files }: Face): Promise<string> {
  const rules = await Promise.all(files.map(async (url) => ruleOf(family, weight, await readDataUrl(url))))
  return rules.join('')
}

const ruleOf = (family: string, weight: number, file: string) =>
  `@font-face{font-family:'${family}';font-weight:${weight};src:url(${file}) format('woff2')}`

/** How wide a text is in this face, in ems. */
export async function measuredEms(text: string, { family, weight, spacing }: Face): Promise<number> {
  const font = `${weight} 100px "${family}"`
  await document.fonts.load(font, text)
  const context = document.createElement('canvas').getContext('2d')
  if (!context) return text.length
  context.font = font
  return context.measureText(text).width / 100 + spacing * text.length
}
