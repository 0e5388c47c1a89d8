import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createProposalReader } from './proposals.ts'

/** In pieces, as a model writes. */
function read(text: string, most = 30, size = 3) {
  const reader = createProposalReader(most)
  const found = (text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'gu')) ?? []).flatMap((piece) => reader.add(piece))
  return [...found, ...reader.end()]
}
const namesOf = (text: string, most?: number, size?: number) => read(text, most, size).map(({ name }) => name)

test('names are kept as written, in their order, each once', () => {
  const written = '- Mayfly\n-  Sand  Castle\n- mayfly\n- Feierabend\n- Cafe\u0301 Noir'
  expect(namesOf(written)).toEqual(['Mayfly', 'Sand Castle', 'Feierabend', 'Café Noir'])
})

test('no more are taken than were wanted', () => {
  expect(namesOf('- Mayfly\n- Bivouac\n- Elsewhere\n', 2)).toEqual(['Mayfly', 'Bivouac'])
})

test('a name is there as soon as its line is complete', () => {
  const reader = createProposalReader(30)
  expect(reader.add('Here they are:\n\n- Mayfly\n- Bivou')).toEqual([{ name: 'Mayfly' }])
  expect(reader.add('ac\n')).toEqual([{ name: 'Bivouac' }])
  expect(reader.end()).toEqual([])
})

test.each([
  ['numbers', '1. Mayfly\n2) Bivouac\n'],
  ['stars and bold', '* **Mayfly**\n* **Bivouac**\n'],
  ['a heading and a farewell', 'Sure! Here are names.\n\n- Mayfly\n- Bivouac\n\nShall I go on?'],
  ['JSON', '{"names": ["Mayfly", "Bivouac"]}'],
  ['JSON in a fence', '```json\n["Mayfly",\n "Bivouac"]\n```'],
  ['JSON of objects', '[{"name":"Mayfly","reason":"lives a day"},{"name":"Bivouac","reason":"a night outside"}]'],
  ['thoughts before', '<think>\n- Sandcastle\n</think>\n- Mayfly\n- Bivouac\n'],
  ['lines of Windows', '- Mayfly\r\n- Bivouac\r\n'],
])('a list with %s is read', (_what, text) => {
  for (const size of [1, 5, 1_000]) expect(namesOf(text, 30, size)).toEqual(['Mayfly', 'Bivouac'])
})

test('reasons and native spellings come with their names', () => {
  expect(
    read('- Hanagoyomi (花暦): a calendar of flowers\n- Mayfly — lives for a day\n- **Bivouac**: one night\n'),
  ).toEqual([
    { name: 'Hanagoyomi', native: '花暦', reason: 'a calendar of flowers' },
    { name: 'Mayfly', reason: 'lives for a day' },
    { name: 'Bivouac', reason: 'one night' },
  ])
  expect(read('{"names":[{"name":"Mayfly","native":"蜉蝣","reason":"lives for a day"}]}')).toEqual([
    { name: 'Mayfly', native: '蜉蝣', reason: 'lives for a day' },
  ])
})

test.each([
  'see https://evil.example',
  'go to evil.example now',
  '<b>bold</b>',
  'x'.repeat(121),
  'a\u202eb',
  '[link](x)',
  '${HOME}',
])('the reason %j is left out, and the name stays', (reason) => {
  expect(read(`- Mayfly: ${reason}\n`)).toEqual([{ name: 'Mayfly' }])
})

test.each(['mayfly', 'evil.example', '<b>', '12'])('%j is no native spelling', (native) => {
  expect(read(`- Mayfly (${native})\n`)).toEqual([{ name: 'Mayfly' }])
})

describe('no name', () => {
  test.each([
    'four words are many',
    'mayfly.com',
    'May-fly',
    'Mayfly2',
    'May\u200bfly',
    'Mаyfly',
    '蜉蝣',
    'Mayfly!',
    '',
    ' ',
    'm'.repeat(31),
    'm'.repeat(10_000),
  ])('%j', (text) => {
    expect(read(`- ${text}\n`)).toEqual([])
    expect(read(JSON.stringify([text]))).toEqual([])
  })

  test.each(['Sure', 'Mayfly', 'I cannot help with that.', 'null', 'Mayfly, Bivouac'])('outside a list: %j', (text) => {
    expect(read(text)).toEqual([])
  })
})

test('whatever a model writes, only up to three words of Latin letters come out', { timeout: 30_000 }, () => {
  const words = fc.constantFrom(
    '- ',
    '\n',
    '1. ',
    '"',
    '{"names":[',
    ',',
    ': ',
    '(',
    ')',
    '<think>',
    '</think>',
    'Mayfly',
  )
  const anything = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), words))
  fc.assert(
    fc.property(anything, (pieces) => {
      for (const { name, reason = 'x', native = '花' } of read(pieces.join(''))) {
        expect(name).toMatch(/^(?=.{1,30}$)\p{Script=Latin}+(?: \p{Script=Latin}+){0,2}$/u)
        expect(reason).not.toMatch(/[<>[\]{}\n\p{Cc}\p{Cf}]/u)
        expect(native).not.toMatch(/[<>[\]{}\n.\p{Cc}\p{Cf}]/u)
      }
    }),
  )
})
