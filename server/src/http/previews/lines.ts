/** Fits text into a box: the largest size at which it needs no more than a few lines, and where these lines end. */
import type { Typeface } from './typeface.ts'

export interface Fitted {
  readonly lines: readonly string[]
  /** Pixels to the em. */
  readonly size: number
}

export interface Box {
  readonly width: number
  /** Of all lines together. */
  readonly height: number
  readonly largest: number
  readonly smallest: number
}

const STEP = 4
/** From baseline to baseline, in ems. */
export const LEADING = 1.12

export function fit(face: Typeface, text: string, { width, height, largest, smallest }: Box): Fitted {
  for (let size = largest; size > smallest; size -= STEP) {
    const lines = wrap(face, text, width / size, false)
    if (lines && lines.length * size * LEADING <= height) return { lines, size }
  }
  const most = Math.max(1, Math.floor(height / (smallest * LEADING)))
  const lines = wrap(face, text, width / smallest, true) ?? []
  if (lines.length <= most) return { lines, size: smallest }
  return {
    lines: [...lines.slice(0, most - 1), cut(face, lines.slice(most - 1).join(' '), width / smallest)],
    size: smallest,
  }
}

/** `width`: in ems. Undefined if a single word is wider, unless words may be broken. */
function wrap(face: Typeface, text: string, width: number, breaks: boolean): string[] | undefined {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (face.widthOf(longer) <= width) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    if (face.widthOf(word) <= width) continue
    if (!breaks) return undefined
    while (face.widthOf(line) > width) {
      const head = startOf(face, line, width)
      lines.push(head)
      line = line.slice(head.length)
    }
  }
  return [...lines, line]
}

function cut(face: Typeface, text: string, width: number): string {
  if (face.widthOf(text) <= width) return text
  return `${startOf(face, text, width - face.widthOf('…')).trimEnd()}…`
}

/** As many characters as fit, at least one. */
function startOf(face: Typeface, text: string, width: number): string {
  let fits = ''
  for (const character of text) {
    if (fits !== '' && face.widthOf(fits + character) > width) break
    fits += character
  }
  return fits
}
