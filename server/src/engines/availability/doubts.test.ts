import { expect, test } from 'vitest'
import type { Domain } from '../../model/domain.ts'
import { readDoubts } from './doubts.ts'

const doubtsOf = readDoubts()

test.each([
  ['a long label that is no word', 'bredweel.com', false],
  ['five letters', 'bredw.com', false],
  ['four letters', 'brdw.com', true],
  ['a word of the dictionary', 'lantern.com', true],
  ['a suffix that may have price tiers', 'bredweel.shop', true],
  ['a suffix that nobody has heard of', 'bredweel.nosuchsuffix', true],
  ['a suffix of two parts with one price', 'bredweel.co.uk', false],
])('%s: %s may be premium: %s', (_, domain, premiumProne) => {
  expect(doubtsOf(domain as Domain).premiumProne).toBe(premiumProne)
})

test('the RDAP of some suffixes is no proof, whatever the label', () => {
  const lies = ['bredweel.io', 'io.com', 'bredweel.co', 'bredweel.co.uk', 'bredweel.com']
  expect(lies.map((domain) => doubtsOf(domain as Domain).rdapLies)).toEqual([true, false, true, false, false])
})
