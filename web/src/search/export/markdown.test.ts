import { expect, test } from 'vitest'
import { markdownOf } from './markdown.ts'
import type { MarkdownWords } from './markdown.ts'

const WORDS: MarkdownWords = {
  title: 'Names for | <b>bread</b>\nand more',
  columns: ['Name', 'Domain', 'State', 'Due today', 'Every later year', '5 years or more'],
  states: { free: 'Available', taken: 'Taken', premium: 'Premium', sale: 'For sale', unknown: 'Unknown' },
  money: (minor, currency) => `${currency} ${minor / 100}`,
  minimumTerm: (years) => `${years} years minimum`,
}

test('nothing in a name or a description breaks the table or becomes markup', () => {
  const entry = { domain: 'a.com', available: true, price: '$1.00' }
  const text = markdownOf([{ name: 'a|b*c', domain: 'a.com', state: 'free', entry, rationale: undefined }], WORDS)
  expect(text).toBe(
    [
      String.raw`# Names for \| \<b\>bread\</b\> and more`,
      '',
      '| Name | Domain | State | Due today | Every later year | 5 years or more |',
      '| --- | --- | --- | --- | --- | --- |',
      String.raw`| a\|b\*c | ` + '`a.com` | Available | $1.00 |  |  |',
      '',
    ].join('\n'),
  )
})
