import { expect, test } from 'vitest'
import { MOST_LISTED, pastedList } from './pasted-list.ts'

const domainsOf = (text: string) => pastedList(text, ['com'])?.domains

test.each([
  ['lines', 'mayfly.com\nstork.io\n'],
  ['commas', 'Mayfly.com, stork.io'],
  ['spaces', 'mayfly.com stork.io mayfly.com'],
  ['addresses', 'https://www.mayfly.com/about?x=1\nhttp://stork.io'],
  ['bullets and numbers', '- mayfly.com\n2. stork.io'],
  ['a column with quotes', '"mayfly.com"\r\n"stork.io"'],
])('domains parted by %s are a list', (_, text) => {
  expect(domainsOf(text)).toEqual(['mayfly.com', 'stork.io'])
})

test('words on lines are checked under the chosen suffixes, and domains as they are', () => {
  expect(pastedList('mayfly\nstork.io', ['com', 'dev'])).toEqual({
    domains: ['mayfly.com', 'mayfly.dev', 'stork.io'],
    hasWords: true,
    left: 0,
    others: [],
  })
  // Of mostly names they are kept as they were written, to be candidates.
  expect(pastedList('mayfly\nstork.io\n- Knotted Hanky', ['com'])?.names).toEqual([
    'mayfly',
    'stork.io',
    'Knotted Hanky',
  ])
})

test('what a chat has answered is a list: numbered, in bold, with notes, between sentences', () => {
  const answer = [
    'Here are some names for your bakery:',
    '1. **Crumbfolk** - warm and friendly',
    '2. Ovenly: short, easy to say',
    '• Knotted Hanky (two words, playful)',
    '- "Dawnloaf"',
    'tallyrand.io — a pun',
    'Morgenbrot',
    '',
    'Let me know which direction you like!',
  ].join('\n')
  expect(pastedList(answer, ['com'])).toEqual({
    domains: ['crumbfolk.com', 'ovenly.com', 'knottedhanky.com', 'dawnloaf.com', 'tallyrand.io', 'morgenbrot.com'],
    hasWords: true,
    left: 0,
    others: ['Here are some names for your bakery:', 'Let me know which direction you like!'],
    names: ['Crumbfolk', 'Ovenly', 'Knotted Hanky', 'Dawnloaf', 'tallyrand.io', 'Morgenbrot'],
  })
})

test('with fewer than seven names in ten lines it is a description', () => {
  const lines = (names: number, others: number) =>
    [...Array(names).fill('mayfly.com'), ...Array(others).fill('we bake at night')].join('\n')
  expect(pastedList(lines(7, 3), ['com'])?.others).toHaveLength(3)
  expect(pastedList(lines(6, 3), ['com'])).toBeUndefined()
  expect(pastedList('A bakery by bicycle:\n- fast\n- warm\nfor early risers in the old town', ['com'])).toBeUndefined()
})

test('what cannot be a domain stays in the list, for the service to refuse it by name', () => {
  expect(domainsOf('mayfly.com\n-bad-.com\nbücher.de')).toEqual(['mayfly.com', '-bad-.com', 'bücher.de'])
})

test.each([
  ['a description', 'a bakery that delivers'],
  ['one with domains in it', 'like booking.com and airbnb.com but for boats'],
  ['one of several lines', 'a bakery by bicycle\nfor early risers'],
  ['words with commas', 'bakery, bicycle, bread'],
  ['one domain', 'mayfly.com'],
  ['one line', 'mayfly\n'],
  ['email addresses', 'ada@mayfly.com\nbo@stork.io'],
  ['sentences', 'We bake. We ride.'],
])('%s is not a list', (_, text) => {
  expect(domainsOf(text)).toBeUndefined()
})

test('a list that is too long is cut, and the rest is counted', () => {
  const text = Array.from({ length: MOST_LISTED + 7 }, (_, index) => `n${index}.com`).join('\n')
  expect(pastedList(text, ['com'])).toMatchObject({ left: 7 })
  expect(domainsOf(text)).toHaveLength(MOST_LISTED)
})
