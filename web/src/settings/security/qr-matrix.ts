/**
 * A QR code as rows of dark and light (ISO/IEC 18004 §6.3, §7.7–7.10): the patterns that a camera looks for, then the data
 * in a zigzag from the end, then the mask that breaks up large areas, then what says which mask it was.
 */
import { qrDataOf } from './qr-data.ts'

type Grid = (boolean | undefined)[][]

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** Undefined for a text that is too long. */
export function qrMatrixOf(text: string): readonly (readonly boolean[])[] | undefined {
  const data = qrDataOf(text)
  if (!data) return undefined
  const { version, bytes } = data
  const patterns = patternsOf(version)
  const drawn = MASKS.map((mask, at) => draw(patterns, bytes, mask, at))
  return drawn.toSorted((a, b) => restlessness(a) - restlessness(b))[0]
}

function patternsOf(version: number): Grid {
  const size = version * 4 + 17
  const grid: Grid = Array.from({ length: size }, () => Array.from({ length: size }, () => undefined))
  const set = (x: number, y: number, dark: boolean) => {
    const row = grid[y]
    if (row && x >= 0 && x < size) row[x] = dark
  }
  for (let at = 0; at < size; at++) {
    set(6, at, at % 2 === 0)
    set(at, 6, at % 2 === 0)
  }
  const ring = (cx: number, cy: number, reach: number, isDark: (distance: number) => boolean) => {
    for (let dy = -reach; dy <= reach; dy++)
      for (let dx = -reach; dx <= reach; dx++) set(cx + dx, cy + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))))
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    ring(x, y, 4, (distance) => distance !== 2 && distance !== 4)
  const marks = marksOf(version, size)
  const last = marks.length - 1
  for (const [i, x] of marks.entries())
    for (const [j, y] of marks.entries()) {
      const isCorner = (i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)
      if (!isCorner) ring(x, y, 2, (distance) => distance !== 1)
    }
  // Kept free for the format, which is known last.
  formatPlaces(size, (x, y) => set(x, y, false))
  set(8, size - 8, true)
  if (version >= 7) {
    const bits = (version << 12) | remainder(version << 12, 0x1f25, 12)
    for (let at = 0; at < 18; at++) {
      const [near, far] = [Math.floor(at / 3), size - 11 + (at % 3)]
      set(near, far, ((bits >>> at) & 1) === 1)
      set(far, near, ((bits >>> at) & 1) === 1)
    }
  }
  return grid
}

function marksOf(version: number, size: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2
  return [6, ...Array.from({ length: count - 1 }, (_, at) => size - 7 - at * step).toReversed()]
}

/** Both copies of the fifteen bits, lowest first. */
function formatPlaces(size: number, place: (x: number, y: number, bit: number) => void): void {
  const around = [0, 1, 2, 3, 4, 5, 7, 8]
  for (const [bit, y] of around.entries()) place(8, y, bit)
  for (const [at, x] of [7, 5, 4, 3, 2, 1, 0].entries()) place(x, 8, at + 8)
  for (let bit = 0; bit < 8; bit++) place(size - 1 - bit, 8, bit)
  for (let bit = 8; bit < 15; bit++) place(8, size - 15 + bit, bit)
}

function draw(patterns: Grid, bytes: readonly number[], mask: (x: number, y: number) => boolean, number: number) {
  const size = patterns.length
  const grid: boolean[][] = patterns.map((row) => row.map((dark) => dark === true))
  let bit = 0
  for (let pair = size - 1, isUp = true; pair > 0; pair -= 2, isUp = !isUp) {
    // The column of the timing pattern is stepped over.
    if (pair === 6) pair = 5
    for (let step = 0; step < size; step++) {
      const y = isUp ? size - 1 - step : step
      for (const x of [pair, pair - 1]) {
        if (patterns[y]?.[x] !== undefined) continue
        const dark = (((bytes[bit >>> 3] ?? 0) >>> (7 - (bit & 7))) & 1) === 1
        const row = grid[y]
        if (row) row[x] = dark !== mask(x, y)
        bit++
      }
    }
  }
  // Level L is 01.
  const format = (0b01 << 3) | number
  const bits = ((format << 10) | remainder(format << 10, 0x537, 10)) ^ 0x5412
  formatPlaces(size, (x, y, at) => {
    const row = grid[y]
    if (row) row[x] = ((bits >>> at) & 1) === 1
  })
  return grid
}

/** What is left of a number after dividing by a polynomial of that degree, in GF(2). */
function remainder(dividend: number, divisor: number, degree: number): number {
  let rest = dividend
  for (let shift = 31 - Math.clz32(rest) - degree; shift >= 0; shift = 31 - Math.clz32(rest) - degree)
    rest ^= divisor << shift
  return rest
}

/** Long runs and blocks of one colour confuse a camera; the mask with the fewest is taken. */
function restlessness(grid: readonly (readonly boolean[])[]): number {
  let penalty = 0
  const same = (x: number, y: number, dx: number, dy: number) => grid[y + dy]?.[x + dx] === grid[y]?.[x]
  for (const [y, row] of grid.entries())
    for (const x of row.keys()) {
      if (same(x, y, 1, 0) && same(x, y, 0, 1) && same(x, y, 1, 1)) penalty += 3
      if ([1, 2, 3, 4].every((step) => same(x, y, step, 0))) penalty += 2
      if ([1, 2, 3, 4].every((step) => same(x, y, 0, step))) penalty += 2
    }
  return penalty
}
