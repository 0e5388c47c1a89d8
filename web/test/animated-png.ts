/**
 * Pictures of one size in, one animated PNG out. Each frame holds only the rectangle in which it differs from the one
 * before, which keeps a recording of a page small.
 *
 * Reads what Chromium writes: eight bits per channel, RGB or RGBA, not interlaced. The format: https://www.w3.org/TR/png-3/
 */
import { crc32, deflateSync, inflateSync } from 'node:zlib'

export interface Frame {
  readonly png: Buffer
  readonly showMs: number
}

interface Pixels {
  readonly width: number
  readonly height: number
  /** Three bytes per pixel, row by row. */
  readonly rgb: Buffer
}

interface Rectangle {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const RGB = 2
const RGBA = 6

export function encodeAnimation(frames: readonly Frame[]): Buffer {
  const distinct = mergeEqual(frames)
  const [first] = distinct
  if (first === undefined) throw new Error('an animation needs at least one frame')
  const { width, height } = first.pixels
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, RGB, 0, 0, 0], 8)
  const chunks = [SIGNATURE, chunk('IHDR', header), chunk('acTL', uint32s(distinct.length, 0))]
  let sequence = 0
  for (const [index, { pixels, showMs }] of distinct.entries()) {
    const before = distinct[index - 1]
    const changed = before === undefined ? { left: 0, top: 0, width, height } : differenceOf(before.pixels, pixels)
    chunks.push(chunk('fcTL', Buffer.concat([uint32s(sequence++), controlOf(changed, showMs)])))
    const data = compress(pixels, changed)
    chunks.push(index === 0 ? chunk('IDAT', data) : chunk('fdAT', Buffer.concat([uint32s(sequence++), data])))
  }
  return Buffer.concat([...chunks, chunk('IEND', Buffer.alloc(0))])
}

function mergeEqual(frames: readonly Frame[]): { pixels: Pixels; showMs: number }[] {
  const distinct: { pixels: Pixels; showMs: number }[] = []
  for (const { png, showMs } of frames) {
    const pixels = decode(png)
    const last = distinct.at(-1)
    if (last?.pixels.rgb.equals(pixels.rgb)) last.showMs += showMs
    else distinct.push({ pixels, showMs })
  }
  return distinct
}

export function decode(png: Buffer): Pixels {
  const data: Buffer[] = []
  let [width, height, channels] = [0, 0, 0]
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    const content = png.subarray(at + 8, at + 8 + length)
    if (type === 'IHDR') {
      width = content.readUInt32BE(0)
      height = content.readUInt32BE(4)
      const [depth, colour, , , interlace] = content.subarray(8)
      if (depth !== 8 || (colour !== RGB && colour !== RGBA) || interlace !== 0) throw new Error('not such a PNG')
      channels = colour === RGB ? 3 : 4
    }
    if (type === 'IDAT') data.push(content)
    at += length + 12
  }
  const lines = inflateSync(Buffer.concat(data))
  const stride = width * channels
  const rows = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y++) {
    const filter = lines[y * (stride + 1)] ?? 0
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x
      const left = x < channels ? 0 : (rows[at - channels] ?? 0)
      const above = y === 0 ? 0 : (rows[at - stride] ?? 0)
      const aboveLeft = y === 0 || x < channels ? 0 : (rows[at - stride - channels] ?? 0)
      rows[at] = (lines[y * (stride + 1) + 1 + x] ?? 0) + predict(filter, left, above, aboveLeft)
    }
  }
  if (channels === 3) return { width, height, rgb: rows }
  const rgb = Buffer.alloc(width * height * 3)
  for (let at = 0; at < width * height; at++) rows.copy(rgb, at * 3, at * 4, at * 4 + 3)
  return { width, height, rgb }
}

function predict(filter: number, left: number, above: number, aboveLeft: number): number {
  if (filter === 0) return 0
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  const [toLeft, toAbove] = [Math.abs(above - aboveLeft), Math.abs(left - aboveLeft)]
  const toAboveLeft = Math.abs(left + above - 2 * aboveLeft)
  if (toLeft <= toAbove && toLeft <= toAboveLeft) return left
  return toAbove <= toAboveLeft ? above : aboveLeft
}

function differenceOf(before: Pixels, after: Pixels): Rectangle {
  const { width, height } = after
  let [left, right, top, bottom] = [width, 0, height, 0]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3
      if (before.rgb.readUIntBE(at, 3) === after.rgb.readUIntBE(at, 3)) continue
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = y
    }
  }
  return { left, top, width: right - left + 1, height: bottom - top + 1 }
}

/** The rows of the rectangle, each as its difference from the one above. */
function compress({ rgb, width }: Pixels, part: Rectangle): Buffer {
  const stride = part.width * 3
  const lines = Buffer.alloc((stride + 1) * part.height)
  for (let y = 0; y < part.height; y++) {
    const from = ((part.top + y) * width + part.left) * 3
    lines[y * (stride + 1)] = y === 0 ? 0 : 2
    for (let x = 0; x < stride; x++) {
      const above = y === 0 ? 0 : (rgb[from - width * 3 + x] ?? 0)
      lines[y * (stride + 1) + 1 + x] = (rgb[from + x] ?? 0) - above
    }
  }
  return deflateSync(lines, { level: 9 })
}

function controlOf({ left, top, width, height }: Rectangle, showMs: number): Buffer {
  const delay = Buffer.alloc(6)
  delay.writeUInt16BE(showMs, 0)
  delay.writeUInt16BE(1000, 2)
  return Buffer.concat([uint32s(width, height, left, top), delay])
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  return Buffer.concat([uint32s(content.length), named, uint32s(crc32(named))])
}

function uint32s(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4)
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, index * 4)
  return bytes
}
