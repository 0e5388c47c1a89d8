import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readPacked, writePacked } from './packed.ts'
import { openFindableTexts, packFindableTexts, sortTexts } from './texts.ts'

function block(sections: Parameters<typeof writePacked>[0]): ArrayBuffer {
  return writePacked(sections).buffer as ArrayBuffer
}

it('every section comes back as it went in, whatever stands before it', () => {
  const packed = readPacked(
    block(
      new Map<string, Uint8Array | Int8Array | Uint32Array | Float32Array | Float64Array | string>([
        ['odd', Uint8Array.of(1, 2, 3)],
        ['signed', Int8Array.of(-128, 127)],
        ['whole', Uint32Array.of(4_000_000_000)],
        ['real', Float32Array.of(0.5)],
        ['double', Float64Array.of(0.1)],
        ['text', 'Grüße'],
      ]),
    ),
  )
  expect([...packed.bytes('odd')]).toEqual([1, 2, 3])
  expect([...packed.small('signed')]).toEqual([-128, 127])
  expect([...packed.whole('whole')]).toEqual([4_000_000_000])
  expect([...packed.real('real')]).toEqual([0.5])
  expect([...packed.double('double')]).toEqual([0.1])
  expect(packed.text('text')).toBe('Grüße')
  expect(() => packed.bytes('absent')).toThrow('run pnpm build')
})

it('a file of another kind is refused with what to do', () => {
  expect(() => readPacked(new ArrayBuffer(64))).toThrow('run pnpm build')
})

it('every text that is there is found, and no other', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), fc.string({ unit: 'binary' }), (some, other) => {
      const sorted = sortTexts(some.map((text) => text.toWellFormed()))
      const texts = openFindableTexts(readPacked(block(new Map(packFindableTexts('t', sorted)))), 't')
      for (const [at, text] of sorted.entries()) {
        expect(texts.find(text)).toBe(at)
        expect(texts.at(at)).toBe(text)
      }
      expect(texts.find(other.toWellFormed())).toBe(sorted.indexOf(other.toWellFormed()))
    }),
  )
})
