import { expect, test } from 'vitest'
import { findBareName } from '../bare-name.ts'
import { findCompanies, pickCompanies, saysItsName, type Company } from '../companies.ts'

const company = (at: number, split: 'tune' | 'test'): Company => ({
  name: `Name${at}`,
  description: `what number ${at} does`,
  industry: 'B2B',
  split,
})
const companies = Array.from({ length: 200 }, (_, at) => company(at, at % 2 === 0 ? 'tune' : 'test'))

test('a sample is of one split, stays the same, and does not depend on the order of the list', () => {
  const options = { split: 'test', size: 30, seed: 'frozen' } as const
  const picked = pickCompanies(companies, options)
  expect(picked).toHaveLength(30)
  expect(picked.every(({ split }) => split === 'test')).toBe(true)
  expect(pickCompanies(companies.toReversed(), options)).toEqual(picked)
  expect(pickCompanies(companies, { ...options, seed: 'another' })).not.toEqual(picked)
})

test('a description that says the name is left out', () => {
  expect(saysItsName({ name: 'PiinPoint', description: 'PiinPoint helps businesses' })).toBe(true)
  expect(saysItsName({ name: '/dev/fast', description: '/dev/fast is a code forge' })).toBe(true)
  expect(saysItsName({ name: 'Dock', description: 'Docking for boats' })).toBe(false)
})

test('a missing list is said to be missing', () => {
  expect(findCompanies('/nowhere/companies.jsonl')).toBeUndefined()
})

test('the bare name is without its tail', () => {
  expect(findBareName('Ora AI')).toBe('Ora')
  expect(findBareName('Miyagi Labs, Inc.')).toBe('Miyagi')
  expect(findBareName('Matidor.com')).toBe('Matidor')
  expect(findBareName('100x')).toBeUndefined()
})
