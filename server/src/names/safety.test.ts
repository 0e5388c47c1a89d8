import { expect, it } from 'vitest'
import { openNames } from './names.ts'
import { createSafety } from './safety.ts'

it('words that hurt and famous names are refused, plain words that hide them are not', async () => {
  const safety = await createSafety()
  expect(['shitty', 'murder', 'google', 'grief'].filter((word) => safety.isClean(word))).toEqual([])
  expect(['basement', 'cocktail', 'saturday', 'compass'].filter((word) => !safety.isClean(word))).toEqual([])
  expect(safety.isNameable('compass')).toBe(false)
})

it('no description brings a refused word into a name', async () => {
  const [names, safety] = await Promise.all([openNames(), createSafety()])
  const ask = {
    includeWords: [],
    excludeWords: [],
    minLength: 3,
    maxLength: 20,
    hyphens: false,
    digits: false,
    seed: 0,
  }
  for (const description of ['shit porn murder google facebook', 'grief and cancer and debt', 'pen island, boss hit']) {
    const like = ['Shithead', 'Googlekin']
    const found = await names.propose({ ...ask, description, like, unlike: [] }, 800, new AbortController().signal)
    const refused = found.filter(({ origin }) => origin.parts.some((part) => !safety.isClean(part)))
    expect(refused.map(({ label }) => label)).toEqual([])
    expect(found.filter(({ label }) => /shit|porn|penis|google|facebook/.test(label))).toEqual([])
  }
})
