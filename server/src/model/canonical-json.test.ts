import { expect, test } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

test('names are sorted by UTF-16 code units, as RFC 8785 §3.2.3 shows', () => {
  const names = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6']
  expect(canonicalJson(Object.fromEntries(names.map((name, at) => [name, at])))).toBe(
    '{"\\r":1,"1":3,"\u0080":5,"ö":6,"€":0,"😀":4,"\ufb33":2}',
  )
})

test('numbers and texts are written as RFC 8785 §3.2.2 shows', () => {
  const sent =
    '{ "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001, -0], "string": "\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/", "literals": [null, true, false] }'
  expect(canonicalJson(JSON.parse(sent))).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27,0],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  )
})

test('the order of a list matters, and a field with a null is not one that is absent', () => {
  expect(canonicalJson([2, 1])).not.toBe(canonicalJson([1, 2]))
  expect(canonicalJson({ note: null })).not.toBe(canonicalJson({}))
  expect(canonicalJson({ b: { d: 1, c: [] }, a: 1 })).toBe('{"a":1,"b":{"c":[],"d":1}}')
})
