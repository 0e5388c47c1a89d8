import { expect, test } from 'vitest'
import { pauseAfter, typedDomains } from './typed-domains.ts'

test.each(['mayfly.studio', 'Mayfly.Studio ', 'https://www.mayfly.studio/', 'http://mayfly.studio/about?x=1'])(
  '%s is a domain, which is checked first',
  (text) => {
    const domains = typedDomains(text)
    expect(domains?.slice(0, 2)).toEqual(['mayfly.studio', 'mayfly.com'])
    expect(new Set(domains).size).toBe(domains?.length)
  },
)

test('a domain under a common suffix is checked once', () => {
  expect(typedDomains('mayfly.io')?.filter((domain) => domain === 'mayfly.io')).toEqual(['mayfly.io'])
  expect(typedDomains('mayfly.co.uk')?.slice(0, 2)).toEqual(['mayfly.co.uk', 'mayfly.com'])
})

test('a single word is a name', () => {
  expect(typedDomains('Mayfly')?.[0]).toBe('mayfly.com')
  expect(typedDomains('pay-fly2')?.[0]).toBe('pay-fly2.com')
})

test.each([
  ['a description', 'a bakery that delivers'],
  ['nothing', '  '],
  ['the beginning of a word', 'ma'],
  ['another script', '静かな喫茶店'],
  ['an email address', 'ada@mayfly.com'],
  ['a hyphen at the end', 'mayfly-'],
  ['a sentence with a dot', 'we bake. bread'],
  ['a label that is too long', 'x'.repeat(64)],
])('%s is not a name', (_, text) => {
  expect(typedDomains(text)).toBeUndefined()
})

test('a pasted name is checked after 80 ms, and a typed one soon after the key that would have come next', () => {
  expect(pauseAfter([Infinity])).toBe(80)
  expect(pauseAfter([60, 60, 60])).toBe(80)
  expect(pauseAfter([100, 150, 120])).toBe(180)
  expect(pauseAfter([4_000, 100, 100])).toBe(120)
  expect(pauseAfter([600, 700, 800])).toBe(300)
})
