/**
 * Formats rows and columns as lines that fit a width.
 *
 * Every column is as wide as its widest cell. If that is too wide, spare columns are dropped from the right; then
 * columns that may shrink are cut, the widest first; then columns are dropped from the right. Colors are applied last,
 * so that they do not count as width.
 */
import { clean } from './clean.ts'
import type { Colour, Paint } from './paint.ts'
import { cut, cutMiddle, widthOf } from './width.ts'

export interface Cell {
  readonly text: string
  readonly colour?: Colour | undefined
}

export interface Heading {
  readonly title: string
  readonly align?: 'left' | 'right' | undefined
  /** Its cells may be cut at the end, or in the middle where both ends matter. */
  readonly shrinks?: boolean | 'in the middle' | undefined
  /** Dropped before anything is cut. */
  readonly isSpare?: boolean | undefined
}

const GAP = '  '
// Narrower cells are not readable.
const NARROWEST = 8

export function tableLines(
  headings: readonly Heading[],
  rows: readonly (readonly Cell[])[],
  { width, paint }: { readonly width: number; readonly paint: Paint },
): string[] {
  const cells = rows.map((row) => row.map(({ text, colour }) => ({ text: clean(text), colour })))
  const natural = headings.map(({ title }, i) =>
    Math.max(widthOf(title), ...cells.map((row) => widthOf(row[i]?.text ?? ''))),
  )
  const columns = fit(natural, headings, width)
  const lineOf = (row: readonly Cell[]) =>
    columns
      .map(({ index, wide }, i) => {
        const { text, colour } = row[index] ?? { text: '' }
        const { align, shrinks } = headings[index] ?? {}
        const fitting = shrinks === 'in the middle' ? cutMiddle(text, wide) : cut(text, wide)
        const space = ' '.repeat(wide - widthOf(fitting))
        const painted = paint(fitting, colour)
        if (align === 'right') return space + painted
        return i === columns.length - 1 ? painted : painted + space
      })
      .join(GAP)
      .trimEnd()
  return [lineOf(headings.map(({ title }) => ({ text: title, colour: 'dim' }))), ...cells.map(lineOf)]
}

function fit(
  natural: readonly number[],
  headings: readonly Heading[],
  width: number,
): readonly { readonly index: number; readonly wide: number }[] {
  const columns = natural.map((wide, index) => ({ index, wide, heading: headings[index] }))
  const total = () => columns.reduce((sum, { wide }) => sum + wide, 0) + GAP.length * (columns.length - 1)
  while (total() > width) {
    const spare = columns.findLastIndex(({ heading }) => heading?.isSpare === true)
    const shrinking = columns.filter(({ heading, wide }) => Boolean(heading?.shrinks) && wide > NARROWEST)
    const widest = shrinking.toSorted((a, b) => b.wide - a.wide)[0]
    if (spare >= 0) columns.splice(spare, 1)
    else if (widest) widest.wide -= 1
    else if (columns.length > 1) columns.pop()
    else return columns.map((one) => ({ ...one, wide: width }))
  }
  return columns
}
