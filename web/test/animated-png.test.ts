/** A recording plays what was recorded: every frame, for as long as it was shown, only where it changed. */
import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { decode, encodeAnimation } from './animated-png.ts'

const SIZE = 8

/** A white picture of eight by eight with one pixel of another colour. */
function plain(x: number, y: number, colour: number): Buffer {
  const lines = Buffer.alloc((SIZE * 3 + 1) * SIZE, 0xff)
  for (let row = 0; row < SIZE; row++) lines[row * (SIZE * 3 + 1)] = 0
  lines.writeUIntBE(colour, y * (SIZE * 3 + 1) + 1 + x * 3, 3)
  const header = Buffer.from([0, 0, 0, SIZE, 0, 0, 0, SIZE, 8, 2, 0, 0, 0])
  const named = (type: string, content: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(content.length)
    return Buffer.concat([length, Buffer.from(type), content, Buffer.alloc(4)])
  }
  return Buffer.concat([Buffer.alloc(8), named('IHDR', header), named('IDAT', deflateSync(lines))])
}

function chunksOf(png: Buffer): { type: string; content: Buffer }[] {
  const chunks = []
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12)
    chunks.push({
      type: png.toString('latin1', at + 4, at + 8),
      content: png.subarray(at + 8, at + 8 + png.readUInt32BE(at)),
    })
  return chunks
}

describe('an animated PNG', () => {
  const frames = [
    { png: plain(0, 0, 0x112233), showMs: 100 },
    { png: plain(5, 6, 0x445566), showMs: 200 },
    { png: plain(5, 6, 0x445566), showMs: 300 },
  ]
  const chunks = chunksOf(encodeAnimation(frames))

  test('shows its first frame in decoders without animation support', () => {
    expect(decode(encodeAnimation(frames))).toEqual(decode(frames[0]!.png))
    expect(decode(encodeAnimation(frames)).rgb.readUIntBE(0, 3)).toBe(0x112233)
  })

  test('has equal frames once, for as long as all of them', () => {
    expect(chunks.find(({ type }) => type === 'acTL')?.content.readUInt32BE(0)).toBe(2)
    const controls = chunks.filter(({ type }) => type === 'fcTL').map(({ content }) => content)
    expect(controls.map((control) => control.readUInt16BE(20))).toEqual([100, 500])
  })

  test('has of later frames only the rectangle that changed, in one sequence', () => {
    const [, second] = chunks.filter(({ type }) => type === 'fcTL').map(({ content }) => content)
    expect([4, 8, 12, 16].map((at) => second?.readUInt32BE(at))).toEqual([6, 7, 0, 0])
    const numbered = chunks.filter(({ type }) => type === 'fcTL' || type === 'fdAT')
    expect(numbered.map(({ content }) => content.readUInt32BE(0))).toEqual([0, 1, 2])
  })
})
