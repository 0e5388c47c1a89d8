/**
 * Draws the image of a link: 1200 × 630 pixels, as Open Graph asks for. Pure: the same card is the same image.
 *
 * **Invariant:** a card shows the status of a domain only together with the time of its check.
 *
 * The faces write Latin letters only. A name in another script is shown as its domain, in the form that registries know
 * (`xn--…`); a text that cannot be written is left out, and the title of the link has it.
 */
import { createCanvas } from './canvas.ts'
import type { Canvas, Colour } from './canvas.ts'
import { faceOf } from './faces.ts'
import type { CardFace, Typefaces } from './faces.ts'
import type { Curve } from './glyphs.ts'
import { fit, LEADING } from './lines.ts'
import type { Box } from './lines.ts'

export type Tone = 'free' | 'premium' | 'sale' | 'taken' | 'unknown'

export type Card =
  /** One name and one of its domains. `state` is a whole sentence with the date in it. */
  | {
      readonly kind: 'name'
      readonly name: string
      readonly domain: string
      readonly state: { readonly tone: Tone; readonly text: string }
      readonly price: string | undefined
    }
  /** A few names, each in its own face, without any claim about them. */
  | { readonly kind: 'names'; readonly title: string; readonly names: readonly string[] }
  /** A text of somebody, in quotation marks. */
  | { readonly kind: 'words'; readonly title: string; readonly words: string }
  | { readonly kind: 'home'; readonly title: string }

export const WIDTH = 1200
export const HEIGHT = 630
const MARGIN = 80
const INNER = WIDTH - 2 * MARGIN
const MOST_NAMES = 6
const COLUMNS = 2
// More cannot be read in an image, and the work of setting a text grows with the square of its length.
const MOST_CHARACTERS = 240
// Some of them may be in letters that no face has.
const MOST_TRIED = 24

const PAPER: Colour = [0xf7, 0xf8, 0xfb]
const INK: Colour = [0x16, 0x1b, 0x2b]
const FAINT: Colour = [0x54, 0x5d, 0x73]
const ACCENT: Colour = [0x2b, 0x46, 0xd6]
const WHITE: Colour = [0xff, 0xff, 0xff]
const TONES: Readonly<Record<Tone, readonly [ink: Colour, soft: Colour]>> = {
  free: [[0x0b, 0x6b, 0x43], [0xe0, 0xf5, 0xea]],
  premium: [[0x7a, 0x2b, 0xa6], [0xf6, 0xe9, 0xfc]],
  sale: [[0x8a, 0x4b, 0x06], [0xfd, 0xf0, 0xdc]],
  taken: [[0x5a, 0x62, 0x75], [0xee, 0xf0, 0xf4]],
  unknown: [[0x47, 0x5a, 0x72], [0xe9, 0xf0, 0xf7]],
} // prettier-ignore

/** The name that an image shows for a name: itself, or the domain if no face can write it. */
export function shownName(faces: Typefaces, name: string, domain: string): { text: string; face: CardFace } {
  const face = faceOf(name)
  if (faces[face].canWrite(name)) return { text: name, face }
  return faces.plain.canWrite(name) ? { text: name, face: 'plain' } : { text: domain, face: 'code' }
}

export function drawCard(faces: Typefaces, given: Card): Promise<Buffer> {
  const card = clipped(given)
  const canvas = createCanvas(WIDTH, HEIGHT, PAPER)
  canvas.paint(rectangle(WIDTH, 14, 0), { x: 0, y: HEIGHT - 14, scale: 1 }, ACCENT, PAPER)
  drawMark(canvas, faces)
  if (card.kind === 'name') drawName(canvas, faces, card)
  if (card.kind === 'names') drawNames(canvas, faces, card)
  if (card.kind === 'words') drawWords(canvas, faces, card)
  if (card.kind === 'home')
    write(canvas, faces, 'plain', card.title, {
      x: MARGIN,
      y: 250,
      width: INNER,
      height: 240,
      largest: 92,
      smallest: 56,
    })
  return canvas.toPng()
}

function clipped(card: Card): Card {
  const clip = (text: string) => text.slice(0, MOST_CHARACTERS)
  if (card.kind === 'home') return card
  if (card.kind === 'words') return { ...card, title: clip(card.title), words: clip(card.words) }
  if (card.kind === 'names')
    return { ...card, title: clip(card.title), names: card.names.slice(0, MOST_TRIED).map(clip) }
  return { ...card, name: clip(card.name), domain: clip(card.domain) }
}

function drawName(canvas: Canvas, faces: Typefaces, { name, domain, state, price }: Extract<Card, { kind: 'name' }>) {
  const { text, face } = shownName(faces, name, domain)
  const box = { x: MARGIN, y: 170, width: INNER, height: 230, largest: 196, smallest: 56 }
  writeCentred(canvas, faces, face, text, box)
  if (text !== domain)
    write(canvas, faces, 'code', domain, {
      x: MARGIN,
      y: 410,
      width: price === undefined ? INNER : 680,
      height: 60,
      largest: 40,
      smallest: 22,
    })
  if (price !== undefined && faces.plain.canWrite(price)) {
    const width = Math.min(320, faces.plain.widthOf(price) * 38)
    const x = text === domain ? MARGIN : WIDTH - MARGIN - width
    write(canvas, faces, 'plain', price, { x, y: 410, width: 330, height: 50, largest: 38, smallest: 24 })
  }
  drawState(canvas, faces, state)
}

function drawState(canvas: Canvas, faces: Typefaces, { tone, text }: { tone: Tone; text: string }): void {
  const [ink, soft] = TONES[tone]
  const size = 30
  const width = Math.min(INNER, faces.plain.widthOf(text) * size + 56)
  canvas.paint(rectangle(width, 64, 32), { x: MARGIN, y: 492, scale: 1 }, soft, PAPER)
  write(
    canvas,
    faces,
    'plain',
    text,
    { x: MARGIN + 28, y: 507, width: INNER - 56, height: 36, largest: size, smallest: 20 },
    ink,
    soft,
  )
}

function drawTitle(canvas: Canvas, faces: Typefaces, title: string): void {
  write(
    canvas,
    faces,
    'plain',
    title,
    { x: MARGIN, y: 160, width: INNER, height: 56, largest: 44, smallest: 28 },
    FAINT,
  )
}

function drawNames(canvas: Canvas, faces: Typefaces, { title, names }: Extract<Card, { kind: 'names' }>): void {
  const writable = names.flatMap((name) => {
    const shown = shownName(faces, name, '')
    return shown.text === '' ? [] : [shown]
  })
  const shown = writable.slice(0, MOST_NAMES)
  if (faces.plain.canWrite(title)) drawTitle(canvas, faces, title)
  const isFew = shown.length <= 3
  const width = isFew ? INNER : INNER / COLUMNS - 30
  for (const [index, { text, face }] of shown.entries()) {
    const [row, column] = isFew ? [index, 0] : [Math.floor(index / COLUMNS), index % COLUMNS]
    const box = { width, height: 110, largest: isFew ? 88 : 76, smallest: 32 }
    write(canvas, faces, face, text, { ...box, x: MARGIN + column * (width + 60), y: 236 + row * 112 })
  }
}

function drawWords(canvas: Canvas, faces: Typefaces, { title, words }: Extract<Card, { kind: 'words' }>): void {
  drawTitle(canvas, faces, title)
  if (!faces.plain.canWrite(words)) return
  write(canvas, faces, 'plain', `“${words}”`, {
    x: MARGIN,
    y: 240,
    width: INNER,
    height: 320,
    largest: 84,
    smallest: 44,
  })
}

/** The sign of the app and its name, in the upper left corner. */
function drawMark(canvas: Canvas, faces: Typefaces): void {
  const place = { x: MARGIN, y: 64, scale: 1.75 }
  canvas.paint(rectangle(32, 32, 8), place, ACCENT, PAPER)
  canvas.paint(MARK, place, WHITE, ACCENT)
  write(canvas, faces, 'plain', 'Namewright', {
    x: MARGIN + 76,
    y: 73,
    width: 400,
    height: 44,
    largest: 36,
    smallest: 35,
  })
}

type PlacedBox = Box & { readonly x: number; readonly y: number }

function write(
  canvas: Canvas,
  faces: Typefaces,
  face: CardFace,
  text: string,
  box: PlacedBox,
  colour: Colour = INK,
  ground: Colour = PAPER,
): void {
  const { lines, size } = fit(faces[face], text, box)
  for (const [index, line] of lines.entries()) {
    const y = box.y + size * (0.86 + index * LEADING)
    canvas.paint(faces[face].set(line), { x: box.x, y, scale: size }, colour, ground)
  }
}

/** In the middle of the height of its box. */
function writeCentred(canvas: Canvas, faces: Typefaces, face: CardFace, text: string, box: PlacedBox): void {
  const { lines, size } = fit(faces[face], text, box)
  const rest = box.height - lines.length * size * LEADING
  write(canvas, faces, face, text, { ...box, y: box.y + rest / 2 })
}

const line = (x0: number, y0: number, x1: number, y1: number): Curve => [x0, y0, (x0 + x1) / 2, (y0 + y1) / 2, x1, y1]

function rectangle(width: number, height: number, r: number): readonly Curve[] {
  return [
    line(r, 0, width - r, 0),
    [width - r, 0, width, 0, width, r],
    line(width, r, width, height - r),
    [width, height - r, width, height, width - r, height],
    line(width - r, height, r, height),
    [r, height, 0, height, 0, height - r],
    line(0, height - r, 0, r),
    [0, r, 0, 0, r, 0],
  ]
}

/** The letter of the sign as an outline: a stem, an arch and a dot. */
const MARK: readonly Curve[] = [
  ...shifted(rectangle(3.6, 14.3, 1.8), 5.7, 10.5),
  [7.2, 16.5, 6.8, 8.5, 12.9, 8.4],
  [12.9, 8.4, 19.5, 8.4, 19.5, 15.5],
  line(19.5, 15.5, 19.5, 23),
  [19.5, 23, 19.5, 24.8, 17.7, 24.8],
  [17.7, 24.8, 15.9, 24.8, 15.9, 23],
  line(15.9, 23, 15.9, 15.5),
  [15.9, 15.5, 15.9, 12, 12.7, 12],
  [12.7, 12, 9.3, 12, 9.3, 16.5],
  line(9.3, 16.5, 7.2, 16.5),
  ...shifted(rectangle(4.6, 4.6, 2.3), 21.3, 20.3),
]

function shifted(curves: readonly Curve[], x: number, y: number): readonly Curve[] {
  return curves.map(([x0, y0, cx, cy, x1, y1]) => [x0 + x, y0 + y, cx + x, cy + y, x1 + x, y1 + y])
}
