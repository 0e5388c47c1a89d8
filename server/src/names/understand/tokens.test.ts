import { expect, it } from 'vitest'
import { labelLetters, tokensOf } from './tokens.ts'

it('words are split in any script and folded to one form', () => {
  expect(tokensOf('Crème-brûlée, пекарня «Ёлка» & 抹茶。').map(({ folded }) => folded)).toEqual([
    'creme',
    'brulee',
    'пекарня',
    'елка',
    '抹茶',
  ])
})

it('a word tied by a hyphen says so', () => {
  expect(tokensOf('sugar-free tea').map(({ tied }) => tied)).toEqual([false, true, false])
})

it('only Latin words are fit for a label', () => {
  expect(tokensOf('Straße web3 чай').map(({ latin }) => latin)).toEqual([true, true, false])
  expect(labelLetters('Café Olé!')).toBe('cafeole')
  expect(labelLetters('日本')).toBe('')
})

it('a very long text costs no more than a long one', () => {
  expect(tokensOf('word '.repeat(100_000)).length).toBeLessThan(1000)
  expect(tokensOf('a'.repeat(100_000)).length).toBeLessThan(1000)
})
