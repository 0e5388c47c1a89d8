/**
 * Pair kerning of the OpenType table GPOS: how much closer two glyphs stand. Reads the lookups of the feature `kern`,
 * for pairs of glyphs and of classes of glyphs; nothing else of GPOS matters for a name.
 */
import type { FontTables } from './woff.ts'

/** In font units, mostly negative. */
export type Kerning = (left: number, right: number) => number

type PairTable = (left: number, right: number) => number | undefined

const PAIRS = 2
const EXTENSION = 9
const X_ADVANCE = 4

export function readKerning(tables: FontTables): Kerning {
  const gpos = tables.get('GPOS')
  if (!gpos) return () => 0
  const pairs = kernLookups(gpos).flatMap((lookup) => readLookup(gpos, lookup))
  // At most one entry for each pair of glyphs; texts are measured again and again.
  const known = new Map<number, number>()
  const find = (left: number, right: number) => {
    for (const pair of pairs) {
      const found = pair(left, right)
      if (found !== undefined) return found
    }
    return 0
  }
  return (left, right) => {
    const key = left * 65_536 + right
    const value = known.get(key) ?? find(left, right)
    known.set(key, value)
    return value
  }
}

function kernLookups(gpos: DataView): readonly number[] {
  const [features, lookups] = [gpos.getUint16(6), gpos.getUint16(8)]
  const found = new Set<number>()
  for (let index = 0; index < gpos.getUint16(features); index++) {
    const record = features + 2 + index * 6
    const tag = String.fromCharCode(...[0, 1, 2, 3].map((at) => gpos.getUint8(record + at)))
    const feature = features + gpos.getUint16(record + 4)
    if (tag !== 'kern') continue
    for (const number of list(gpos, feature + 2)) found.add(number)
  }
  return [...found].map((number) => lookups + gpos.getUint16(lookups + 2 + number * 2))
}

function readLookup(gpos: DataView, lookup: number): readonly PairTable[] {
  const kind = gpos.getUint16(lookup)
  return list(gpos, lookup + 4).flatMap((offset) => {
    const at = lookup + offset
    const isExtended = kind === EXTENSION && gpos.getUint16(at + 2) === PAIRS
    if (kind !== PAIRS && !isExtended) return []
    return [readPairs(gpos, isExtended ? at + gpos.getUint32(at + 4) : at)]
  })
}

function readPairs(gpos: DataView, at: number): PairTable {
  const [first, second] = [gpos.getUint16(at + 4), gpos.getUint16(at + 6)]
  const [firstBytes, secondBytes] = [bytesOf(first), bytesOf(second)]
  const covered = readCoverage(gpos, at + gpos.getUint16(at + 2))
  const valueAt = (place: number) =>
    (first & X_ADVANCE) === 0 ? 0 : gpos.getInt16(place + bytesOf(first & (X_ADVANCE - 1)))
  if (gpos.getUint16(at) === 1) {
    return (left, right) => {
      const index = covered.get(left)
      if (index === undefined) return undefined
      const set = at + gpos.getUint16(at + 10 + index * 2)
      const size = 2 + firstBytes + secondBytes
      for (let pair = 0; pair < gpos.getUint16(set); pair++) {
        const record = set + 2 + pair * size
        if (gpos.getUint16(record) === right) return valueAt(record + 2)
      }
      return undefined
    }
  }
  const [lefts, rights] = [8, 10].map((field) => readClasses(gpos, at + gpos.getUint16(at + field)))
  const columns = gpos.getUint16(at + 14)
  return (left, right) => {
    if (!covered.has(left)) return undefined
    const cell = (lefts?.get(left) ?? 0) * columns + (rights?.get(right) ?? 0)
    return valueAt(at + 16 + cell * (firstBytes + secondBytes))
  }
}

/** A list of 16-bit numbers behind their count. */
function list(view: DataView, at: number): number[] {
  return Array.from({ length: view.getUint16(at) }, (_, index) => view.getUint16(at + 2 + index * 2))
}

/** Two bytes for each field that the format names. */
function bytesOf(format: number): number {
  return 2 * [1, 2, 4, 8, 16, 32, 64, 128].filter((bit) => (format & bit) !== 0).length
}

function readCoverage(gpos: DataView, at: number): ReadonlyMap<number, number> {
  if (gpos.getUint16(at) === 1) return new Map(list(gpos, at + 2).map((glyph, index) => [glyph, index]))
  const covered = new Map<number, number>()
  for (const [from, to, start] of ranges(gpos, at + 2))
    for (let glyph = from; glyph <= to; glyph++) covered.set(glyph, start + glyph - from)
  return covered
}

function readClasses(gpos: DataView, at: number): ReadonlyMap<number, number> {
  if (gpos.getUint16(at) === 1) {
    const first = gpos.getUint16(at + 2)
    return new Map(list(gpos, at + 4).map((kind, index) => [first + index, kind]))
  }
  const classes = new Map<number, number>()
  for (const [from, to, kind] of ranges(gpos, at + 2))
    for (let glyph = from; glyph <= to; glyph++) classes.set(glyph, kind)
  return classes
}

function ranges(gpos: DataView, at: number): (readonly [number, number, number])[] {
  return Array.from({ length: gpos.getUint16(at) }, (_, index) => {
    const place = at + 2 + index * 6
    return [gpos.getUint16(place), gpos.getUint16(place + 2), gpos.getUint16(place + 4)] as const
  })
}
