import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { findJson } from './shallow-json.ts'

test('whatever JSON.parse reads is read the same, as long as it is shallow', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      expect(findJson(Buffer.from(JSON.stringify(value)), 8)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('the allowed depth is read and one more is not', () => {
  const nested = (depth: number) => Buffer.from('['.repeat(depth) + ']'.repeat(depth))
  expect(findJson(nested(16), 16)).toBeDefined()
  expect(findJson(nested(17), 16)).toBeUndefined()
  expect(findJson(nested(50_000), 16)).toBeUndefined()
})

test('brackets inside texts do not count', () => {
  expect(findJson(Buffer.from('["[[[[\\"[[[{{{", "\\\\"]'), 1)).toEqual(['[[[["[[[{{{', '\\'])
})

test('what is no JSON or no UTF-8 is nothing', () => {
  for (const text of ['', '{', '<html>', '{"a":1}x']) expect(findJson(Buffer.from(text), 8), text).toBeUndefined()
  expect(findJson(Buffer.from([0x22, 0xff, 0xfe, 0x22]), 8)).toBeUndefined()
})
