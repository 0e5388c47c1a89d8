/** Property tests: a body cut into pieces anywhere is split as JSON.parse would read it, and invalid JSON is refused. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../errors.ts'
import { createSplitter } from './split.ts'

interface Split {
  readonly elements: unknown[]
  readonly fields: [string, unknown][]
  readonly lists: number
  readonly isOther: boolean
}

function split(pieces: readonly string[], mostLength = Infinity): Split {
  const elements: unknown[] = []
  const fields: [string, unknown][] = []
  let lists = 0
  let isOther = false
  const parsed = (text: string | undefined) => (text === undefined ? 'too long' : (JSON.parse(text) as unknown))
  const splitter = createSplitter(
    'requests',
    { mostLength },
    {
      onElement: (text) => elements.push(parsed(text)),
      onField: (name, text) => fields.push([name, parsed(text)]),
      onList: () => lists++,
      onOther() {
        isOther = true
        throw new ApiError('invalid_request')
      },
    },
  )
  for (const piece of pieces) splitter.push(piece)
  splitter.end()
  return { elements, fields, lists, isOther }
}

/** Cuts the text at each of the places. */
function cutAt(text: string, places: readonly number[]): string[] {
  const cuts = [0, ...places.map((place) => place % (text.length + 1)).toSorted((a, b) => a - b), text.length]
  return cuts.slice(1).map((to, i) => text.slice(cuts[i], to))
}

const json = fc.jsonValue({ maxDepth: 3 })
const name = fc.string().filter((text) => text !== 'requests' && text !== '__proto__')
const places = fc.array(fc.nat(10_000), { maxLength: 40 })

test('any object comes apart into its fields and the elements of its list, wherever its text is cut', () => {
  fc.assert(
    fc.property(fc.array(json), fc.dictionary(name, json), places, fc.nat(3), (requests, more, cuts, indent) => {
      const text = JSON.stringify({ ...more, requests }, null, indent)
      const { elements, fields, lists } = split(cutAt(text, cuts))
      const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown
      expect(elements).toEqual(plain(requests))
      expect(Object.fromEntries(fields)).toEqual(plain(more))
      expect(lists).toBe(1)
    }),
  )
})

test('a character anywhere in the frame that does not belong there is refused, or leaves it the same JSON', () => {
  const text = '{"webhook_id":"x","requests":[{"a":"]}"},[1],"s",true,-1.5e3,null]}'
  const splitOf = ({ requests, ...more }: Record<string, unknown>) => ({
    elements: requests ?? [],
    fields: Object.entries(more),
  })
  fc.assert(
    fc.property(fc.nat(text.length), fc.constantFrom(...Array.from(',:[]{}"x1 \\')), places, (at, char, cuts) => {
      const broken = text.slice(0, at) + char + text.slice(at)
      let expected: unknown
      try {
        expected = JSON.parse(broken)
      } catch {
        expected = undefined
      }
      if (expected === undefined) expect(() => split(cutAt(broken, cuts))).toThrow()
      else expect(split(cutAt(broken, cuts))).toMatchObject(splitOf(expected as Record<string, unknown>))
    }),
    { numRuns: 2_000 },
  )
})

test('a text that ends too early is refused at every length', () => {
  const text = '{"requests":[{"a":[1,"\\"]"]},2]}'
  for (let length = 0; length < text.length; length++) {
    expect(() => split([text.slice(0, length)]), text.slice(0, length)).toThrow('invalid_json')
  }
  expect(split([text]).elements).toEqual([{ a: [1, '"]'] }, 2])
})

describe('the frame', () => {
  test.for([
    '',
    ' ',
    '{',
    '{"requests"}',
    '{"requests":}',
    '{"requests":[,]}',
    '{"requests":[1,]}',
    '{"a":1,}',
    '{} {}',
  ])('%j is not JSON', (text) => expect(() => split([text])).toThrow('invalid_json'))

  test.for(['[]', '"text"', '12', 'true', 'null'])('%s is another thing than an object', (text) => {
    expect(() => split([text])).toThrow('invalid_request')
  })

  test('may be empty, and its list as well', () => {
    expect(split(['{}'])).toMatchObject({ elements: [], fields: [], lists: 0 })
    expect(split([' { "requests" : [ ] } '])).toMatchObject({ elements: [], lists: 1 })
  })

  test('hands on a list that is none as any other field', () => {
    expect(split(['{"requests":{"0":1}}'])).toMatchObject({ lists: 0, fields: [['requests', { 0: 1 }]] })
  })

  test('knows the list by its name, however that is written', () => {
    expect(split(['{"\\u0072equests":[1]}'])).toMatchObject({ lists: 1, elements: [1] })
  })

  test('says so when the list comes twice', () => {
    expect(split(['{"requests":[1],"requests":[2]}'])).toMatchObject({ lists: 2, elements: [1, 2] })
  })
})

test('a value that is longer than it may be is not kept, and those after it are', () => {
  const long = 'x'.repeat(50)
  const text = JSON.stringify({ requests: [1, long, { a: long }, 2], note: long, other: 3 })
  expect(split([text], 20)).toMatchObject({
    elements: [1, 'too long', 'too long', 2],
    fields: [
      ['note', 'too long'],
      ['other', 3],
    ],
  })
})
