/**
 * A small canvas: filled outlines with smooth edges, written as a PNG with a palette.
 *
 * Each line of an outline adds the area to its right to the cells that it crosses; the sum along a row is how much of a
 * cell is covered. Contours that overlap in the same direction count once. A shape has one colour on one ground, so its
 * edge is a ramp of a few steps between the two, and the whole image needs at most 256 colours.
 */
import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'
import type { Curve } from './glyphs.ts'

export type Colour = readonly [red: number, green: number, blue: number]

export interface Canvas {
  /** Scales the curves, then moves them. `ground`: the colour that is already there. */
  paint(curves: readonly Curve[], place: { x: number; y: number; scale: number }, colour: Colour, ground: Colour): void
  toPng(): Promise<Buffer>
}

// Steps of an edge: more cannot be told apart.
const STEPS = 15
const MOST_COLOURS = 256
// A curve of a letter as high as the image has about this many pixels to a line: its corners cannot be seen.
const PIXELS_A_LINE = 6
const MOST_LINES = 24
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

export function createCanvas(width: number, height: number, background: Colour): Canvas {
  const pixels = new Uint8Array(width * height)
  const palette: Colour[] = [background]
  const ramps = new Map<string, number>()
  // One cell more in each row: what ends at the right edge.
  const stride = width + 2
  const areas = new Float32Array(stride * height)

  /** The place of the first step in the palette; the last is the colour itself. */
  function rampOf(colour: Colour, ground: Colour): number {
    const key = `${colour.join()} ${ground.join()}`
    const known = ramps.get(key)
    if (known !== undefined) return known
    const first = palette.length
    if (first + STEPS > MOST_COLOURS) throw new Error('too many colours for one palette')
    for (let step = 1; step <= STEPS; step++) {
      const mix = (channel: 0 | 1 | 2) =>
        Math.round(ground[channel] + ((colour[channel] - ground[channel]) * step) / STEPS)
      palette.push([mix(0), mix(1), mix(2)])
    }
    ramps.set(key, first)
    return first
  }

  function addLine(x0: number, y0: number, x1: number, y1: number): void {
    if (y0 === y1) return
    const sign = y0 < y1 ? 1 : -1
    const [fromX, fromY, toX, toY] = y0 < y1 ? [x0, y0, x1, y1] : [x1, y1, x0, y0]
    const slope = (toX - fromX) / (toY - fromY)
    let x = fromY < 0 ? fromX - fromY * slope : fromX
    const last = Math.min(height, Math.ceil(toY))
    for (let row = Math.max(0, Math.floor(fromY)); row < last; row++) {
      const part = Math.min(row + 1, toY) - Math.max(row, fromY)
      const next = x + slope * part
      addToRow(row * stride, sign * part, Math.min(x, next), Math.max(x, next))
      x = next
    }
  }

  /** A line that crosses a row between `left` and `right`, and covers `area` of each cell behind it. */
  function addToRow(row: number, area: number, left: number, right: number): void {
    const from = Math.min(Math.max(left, 0), width)
    const to = Math.min(Math.max(right, 0), width)
    const first = Math.floor(from)
    const end = Math.ceil(to)
    if (end <= first + 1) {
      const covered = (from + to) / 2 - first
      areas[row + first]! += area * (1 - covered)
      areas[row + first + 1]! += area * covered
      return
    }
    // Of the cells in between each gets what the line covers of it; the sum of all is `area`.
    const each = area / (to - from)
    let [passed, before] = [0, 0]
    for (let cell = first; cell < end; cell++) {
      const [a, b] = [Math.max(from, cell), Math.min(to, cell + 1)]
      const covered = passed + each * (b - a) * (cell + 1 - (a + b) / 2)
      areas[row + cell]! += covered - before
      passed += each * (b - a)
      before = covered
    }
    areas[row + end]! += area - before
  }

  function paint(
    curves: readonly Curve[],
    { x, y, scale }: { x: number; y: number; scale: number },
    colour: Colour,
    ground: Colour,
  ): void {
    const ramp = rampOf(colour, ground)
    let [top, bottom] = [height, 0]
    for (const [ax, ay, cx, cy, bx, by] of curves) {
      const [x0, y0, x1, y1] = [x + ax * scale, y + ay * scale, x + bx * scale, y + by * scale]
      const [px, py] = [x + cx * scale, y + cy * scale]
      top = Math.min(top, y0, y1, py)
      bottom = Math.max(bottom, y0, y1, py)
      const bend = Math.abs(x0 - 2 * px + x1) + Math.abs(y0 - 2 * py + y1)
      const lines = bend < 0.1 ? 1 : Math.min(MOST_LINES, 2 + Math.ceil(bend / PIXELS_A_LINE))
      let [fromX, fromY] = [x0, y0]
      for (let line = 1; line <= lines; line++) {
        const t = line / lines
        const u = 1 - t
        const [toX, toY] = [u * u * x0 + 2 * u * t * px + t * t * x1, u * u * y0 + 2 * u * t * py + t * t * y1]
        addLine(fromX, fromY, toX, toY)
        ;[fromX, fromY] = [toX, toY]
      }
    }
    for (let row = Math.max(0, Math.floor(top)); row < Math.min(height, Math.ceil(bottom) + 1); row++) {
      let sum = 0
      const start = row * stride
      for (let column = 0; column < width; column++) {
        sum += areas[start + column]!
        const step = Math.round(Math.min(1, Math.abs(sum)) * STEPS)
        if (step > 0) pixels[row * width + column] = ramp + step - 1
      }
      areas.fill(0, start, start + stride)
    }
  }

  async function toPng(): Promise<Buffer> {
    // Each row begins with its filter: none.
    const rows = Buffer.alloc((width + 1) * height)
    for (let row = 0; row < height; row++)
      rows.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1)
    const header = Buffer.alloc(13)
    header.writeUInt32BE(width, 0)
    header.writeUInt32BE(height, 4)
    // Eight bits, a palette; the usual compression, filters and no interlacing.
    header.set([8, 3, 0, 0, 0], 8)
    const data = await promisify(deflate)(rows, { level: 7 })
    return Buffer.concat([
      SIGNATURE,
      chunk('IHDR', header),
      chunk('PLTE', Buffer.from(palette.flat())),
      chunk('IDAT', data),
      chunk('IEND', Buffer.alloc(0)),
    ])
  }

  return { paint, toPng }
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  size.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([size, body, sum])
}
