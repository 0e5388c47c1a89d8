/**
 * Outlines of a TrueType font: which glyph a character has, how wide it is, and its curves.
 *
 * An outline is a list of quadratic curves in font units, with y upwards; a straight line has its control point in the
 * middle. Hinting is ignored: we set names large.
 */
import type { FontTables } from './woff.ts'

/** x0 y0, control point, x1 y1. */
export type Curve = readonly [number, number, number, number, number, number]

export interface Glyphs {
  readonly unitsPerEm: number
  /** 0 if the font has no such character. */
  idOf(codePoint: number): number
  advanceOf(glyph: number): number
  curvesOf(glyph: number): readonly Curve[]
}

interface Point {
  readonly x: number
  readonly y: number
  readonly isOn: boolean
}

const NO_GLYPH = 0
// Accents are one deep; more would be a broken file.
const MAX_NESTED = 4

export function readGlyphs(tables: FontTables): Glyphs {
  const [head, hhea, hmtx] = [tableOf(tables, 'head'), tableOf(tables, 'hhea'), tableOf(tables, 'hmtx')]
  const [loca, glyf] = [tableOf(tables, 'loca'), tableOf(tables, 'glyf')]
  const isLong = head.getInt16(50) === 1
  const widths = hhea.getUint16(34)
  const offsetOf = (glyph: number) => (isLong ? loca.getUint32(glyph * 4) : loca.getUint16(glyph * 2) * 2)
  const ids = readCharacters(tableOf(tables, 'cmap'))

  function curvesOf(glyph: number, nested = 0): readonly Curve[] {
    const [start, end] = [offsetOf(glyph), offsetOf(glyph + 1)]
    if (end <= start || nested > MAX_NESTED) return []
    return glyf.getInt16(start) < 0 ? composite(start, nested) : simpleCurves(glyf, start)
  }

  /** Glyphs made of others, such as é: each with a shift, and rarely with a scale. */
  function composite(start: number, nested: number): readonly Curve[] {
    const curves: Curve[] = []
    let at = start + 10
    let flags
    do {
      flags = glyf.getUint16(at)
      const part = glyf.getUint16(at + 2)
      const [isWide, isShift] = [(flags & 1) !== 0, (flags & 2) !== 0]
      const [x, y] = isWide
        ? [glyf.getInt16(at + 4), glyf.getInt16(at + 6)]
        : [glyf.getInt8(at + 4), glyf.getInt8(at + 5)]
      at += isWide ? 8 : 6
      const scales = (flags & 8) !== 0 ? 1 : (flags & 0x40) !== 0 ? 2 : (flags & 0x80) !== 0 ? 4 : 0
      const given = Array.from({ length: scales }, (_, index) => glyf.getInt16(at + index * 2) / 16_384)
      at += scales * 2
      const [a = 1, b = 0, c = 0, d = a] = scales === 2 ? [given[0], 0, 0, given[1]] : given
      const [dx, dy] = isShift ? [x, y] : [0, 0]
      const place = (px: number, py: number) => [a * px + c * py + dx, b * px + d * py + dy] as const
      for (const [x0, y0, cx, cy, x1, y1] of curvesOf(part, nested + 1))
        curves.push([...place(x0, y0), ...place(cx, cy), ...place(x1, y1)])
    } while ((flags & 0x20) !== 0)
    return curves
  }

  return {
    unitsPerEm: head.getUint16(18),
    idOf: (codePoint) => ids.get(codePoint) ?? NO_GLYPH,
    advanceOf: (glyph) => hmtx.getUint16(Math.min(glyph, widths - 1) * 4),
    curvesOf,
  }
}

export function tableOf(tables: FontTables, name: string): DataView {
  const table = tables.get(name)
  if (!table) throw new Error(`the font has no table ${name}`)
  return table
}

/** Only format 4, the one of Unicode's first plane: no character of ours is beyond it. */
function readCharacters(cmap: DataView): ReadonlyMap<number, number> {
  const ids = new Map<number, number>()
  for (let record = 0; record < cmap.getUint16(2); record++) {
    const start = cmap.getUint32(4 + record * 8 + 4)
    if (cmap.getUint16(start) !== 4) continue
    const doubled = cmap.getUint16(start + 6)
    const ends = start + 14
    const [starts, deltas, ranges] = [ends + doubled + 2, ends + 2 * doubled + 2, ends + 3 * doubled + 2]
    for (let at = 0; at < doubled; at += 2) {
      const [first, last] = [cmap.getUint16(starts + at), cmap.getUint16(ends + at)]
      const [delta, range] = [cmap.getUint16(deltas + at), cmap.getUint16(ranges + at)]
      for (let code = first; code <= last && code < 0xff_ff; code++) {
        const glyph = range === 0 ? code : cmap.getUint16(ranges + at + range + (code - first) * 2)
        if (glyph !== 0) ids.set(code, (glyph + delta) & 0xff_ff)
      }
    }
  }
  return ids
}

function simpleCurves(glyf: DataView, start: number): readonly Curve[] {
  const contours = glyf.getInt16(start)
  const ends = Array.from({ length: contours }, (_, index) => glyf.getUint16(start + 10 + index * 2))
  const count = (ends.at(-1) ?? -1) + 1
  let at = start + 10 + contours * 2
  at += 2 + glyf.getUint16(at)
  const flags: number[] = []
  while (flags.length < count) {
    const flag = glyf.getUint8(at++)
    flags.push(flag)
    if ((flag & 8) !== 0) for (let more = glyf.getUint8(at++); more > 0; more--) flags.push(flag)
  }
  const readAxis = (short: number, same: number) => {
    let value = 0
    return flags.map((flag) => {
      if ((flag & short) !== 0) value += (flag & same) !== 0 ? glyf.getUint8(at++) : -glyf.getUint8(at++)
      else if ((flag & same) === 0) {
        value += glyf.getInt16(at)
        at += 2
      }
      return value
    })
  }
  const xs = readAxis(2, 16)
  const ys = readAxis(4, 32)
  const points = flags.map((flag, index): Point => ({ x: xs[index] ?? 0, y: ys[index] ?? 0, isOn: (flag & 1) !== 0 }))
  return ends.flatMap((end, index) => contourCurves(points.slice((ends[index - 1] ?? -1) + 1, end + 1)))
}

/** Between two control points in a row there is a point on the curve, in their middle. */
function contourCurves(points: readonly Point[]): Curve[] {
  const whole = points.flatMap((point, index) => {
    const next = points[(index + 1) % points.length] ?? point
    return point.isOn || next.isOn ? [point] : [point, { ...middle(point, next), isOn: true }]
  })
  const first = whole.findIndex(({ isOn }) => isOn)
  if (first < 0) return []
  const turned = [...whole.slice(first), ...whole.slice(0, first + 1)]
  const curves: Curve[] = []
  for (let at = 0; at + 1 < turned.length;) {
    const [from, next] = [turned[at]!, turned[at + 1]!]
    const to = next.isOn ? next : (turned[at + 2] ?? next)
    const control = next.isOn ? middle(from, to) : next
    curves.push([from.x, from.y, control.x, control.y, to.x, to.y])
    at += next.isOn ? 1 : 2
  }
  return curves
}

const middle = (a: Point, b: Point) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })
