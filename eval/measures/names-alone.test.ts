import { expect, test } from 'vitest'
import { createDictionary } from '../dictionary.ts'
import { distinctness } from './distinctness.ts'
import { echoRate, isEcho, stemsOf } from './echo.ts'
import { listRecurring } from './overlap.ts'
import { createBrandFinder, findOffensive, readOffensive } from './safety.ts'

const named = (name: string, ...words: string[]) => ({ name, words, parts: words })

test('a name that repeats a word of the description is an echo, in any form of the word', () => {
  const stems = stemsOf('We roast coffee for offices')
  expect(isEcho(named('Roastery', 'roastery'), stems)).toBe(true)
  expect(isEcho(named('Roasters', 'roasters'), stems)).toBe(true)
  expect(isEcho(named('Coffeeloom', 'coffee', 'loom'), stems)).toBe(true)
  expect(isEcho(named('Ember', 'ember'), stems)).toBe(false)
})

test('a short word counts only where it is a word of the name', () => {
  const stems = stemsOf('art for hotels')
  expect(isEcho(named('Restart', 'restart'), stems)).toBe(false)
  expect(isEcho(named('Artloft', 'art', 'loft'), stems)).toBe(true)
})

test('the echo rate is over all names', () => {
  const answers = [
    { description: 'bread', names: [named('Breadly', 'breadly'), named('Crumb', 'crumb')] },
    { description: 'tea', names: [named('Leaf', 'leaf'), named('Steep', 'steep')] },
  ]
  expect(echoRate(answers)).toBe(0.25)
})

test('names that share a word, a beginning or an ending are not distinct', () => {
  expect(distinctness([[named('Mayfly', 'mayfly'), named('Kiln', 'kiln')]])).toBe(1)
  expect(distinctness([[named('Paydove', 'pay', 'dove'), named('Payline', 'pay', 'line')]])).toBe(0.5)
  expect(distinctness([[named('Normata', 'normata'), named('Normetta', 'normetta')]])).toBe(0.5)
  expect(distinctness([[named('Placewright', 'placewright'), named('Cartwright', 'cartwright')]])).toBe(0.5)
})

test('a part that turns up in unrelated answers is found, an echo is not held against it', () => {
  const answers = [
    { description: 'bread', names: [named('Breadloom', 'bread', 'loom'), named('Goldloom', 'gold', 'loom')] },
    { description: 'tea', names: [named('Tealoom', 'tea', 'loom')] },
    { description: 'bread rolls', names: [named('Breadkin', 'bread', 'kin')] },
    { description: 'ships', names: [named('Keel', 'keel')] },
  ]
  expect(listRecurring(answers)).toEqual([{ text: 'loom', what: 'part', share: 0.5 }])
})

test('an offensive word is found as a whole label or part, in other languages too', () => {
  const offensive = readOffensive()
  expect(offensive.size).toBeGreaterThan(1000)
  expect(
    findOffensive(named('Scheisse', 'scheisse'), offensive) ?? findOffensive(named('Scheiße'), offensive),
  ).toBeDefined()
  expect(findOffensive(named('Bitchloom', 'bitch', 'loom'), offensive)).toBe('bitch')
  expect(findOffensive(named('Sandcastle', 'sand', 'castle'), offensive)).toBeUndefined()
})

test('a brand is found as a label, and as a part when it is well known', () => {
  const popular = new Map([
    ['cisco', 400],
    ['chase', 300],
    ['somesite', 90_000],
  ])
  const findBrand = createBrandFinder(popular, createDictionary(new Set(['chase', 'bank']), new Map()))
  expect(findBrand(named('Cisco', 'cisco'))).toBe('cisco')
  expect(findBrand(named('Ciscobank', 'cisco', 'bank'))).toBe('cisco')
  expect(findBrand(named('Somesite', 'somesite'))).toBe('somesite')
  expect(findBrand(named('Somesitebank', 'somesite', 'bank'))).toBeUndefined()
  expect(findBrand(named('Chasebank', 'chase', 'bank'))).toBeUndefined()
  expect(findBrand(named('Mayfly', 'mayfly'))).toBeUndefined()
})
