import { expect, it } from 'vitest'
import { indexKeys, punsOn } from './puns-swap.ts'

const namesOf = (text: string, ...keys: string[]) =>
  punsOn({ text, familiar: 9 }, indexKeys(keys)).map(({ name }) => name)

it.each([
  ['placemint', 'placement', 'mint'],
  ['moneydew', 'honeydew', 'money'],
  ['harmoney', 'harmony', 'money'],
  ['beakon', 'beacon', 'beak'],
  ['vialogue', 'dialogue', 'vial'],
  ['sirenade', 'serenade', 'siren'],
  ['rolecall', 'roll call', 'role'],
  ['clauseway', 'causeway', 'clause'],
  ['jobilee', 'jubilee', 'job'],
  ['mumblebee', 'bumblebee', 'mum'],
  ['lawdable', 'laudable', 'law'],
])('%s is found in %s with %s', (name, target, key) => {
  expect(namesOf(target, key)).toContain(name)
})

it.each([
  ['a word that holds the key already', 'minted', 'mint'],
  ['the same stem written otherwise', 'writer', 'write'],
  ['two sounds that differ', 'placement', 'pond'],
  ['a key that tears the words of a phrase', 'rain check', 'wrench'],
])('%s gives no pun', (_, target, key) => {
  expect(namesOf(target, key)).toEqual([])
})

it('an equal sound changes less than a similar one', () => {
  const [same] = punsOn({ text: 'beacon', familiar: 9 }, indexKeys(['beak']))
  const [other] = punsOn({ text: 'jubilee', familiar: 9 }, indexKeys(['job']))
  expect(same!.change).toBeLessThan(other!.change)
})
