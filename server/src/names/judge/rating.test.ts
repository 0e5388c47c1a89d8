import { expect, it } from 'vitest'
import { readKnowledge } from '../names.ts'
import { plainNameRequest } from '../plain-name-request.ts'
import { gather } from '../propose.ts'
import { readRules } from '../rules.ts'
import { understand } from '../understand/understand.ts'
import { featuresOf } from './features.ts'
import { FEATURES } from './judge.ts'
import { createRating } from './rating.ts'

it('the sums of the build and those of the description give what all features at once give', async () => {
  const knowledge = await readKnowledge()
  const ask = plainNameRequest('Payroll for small restaurants by Zlatko, paid every Friday')
  const understanding = understand(knowledge, ask)
  const found = gather(knowledge, understanding, readRules(ask, understanding.banned), ask, 'deep')
  const rate = createRating(knowledge, understanding)
  const families = new Set(found.map(({ draft }) => draft.family))
  expect([...families]).toEqual(expect.arrayContaining(['written', 'own', 'crossed', 'tailed', 'rooted']))
  for (const { draft, hits } of found) {
    const features = featuresOf(knowledge, understanding, draft, hits)
    const feature = (name: string) => features[FEATURES.indexOf(name)]!
    const corrections = 2.5 * feature('near') - 2.5 * Math.max(0, feature('crowded') - 0.5) - feature('spread')
    expect(rate(draft, hits), draft.label).toBeCloseTo(knowledge.judge.rate(features) + corrections, 9)
  }
})
