import { beforeAll, expect, it } from 'vitest'
import type { Knowledge } from '../knowledge/knowledge.ts'
import { readKnowledge } from '../names.ts'
import { plainAsk } from '../plain-ask.ts'
import { statedTraits } from './fields.ts'
import { understand } from './understand.ts'

let knowledge: Knowledge
beforeAll(async () => {
  knowledge = await readKnowledge()
})

const guess = (description: string) => understand(knowledge, plainAsk(description)).fields[0]
const nameOf = (description: string) => knowledge.fields.name(guess(description)?.field ?? -1)

it.each([
  ['AI receptionist that answers every call after hours', 'phone answering and voice agents'],
  ['a bakery with sourdough and rye loaves', 'bread bakery'],
  ['a choir that sings in the church hall every Tuesday', 'choir and singing group'],
  ['recruiting software that screens candidates', 'recruiting and applicant tracking'],
])('finds what "%s" is about', (description, field) => {
  expect(nameOf(description)).toBe(field)
  expect(guess(description)?.surety).toBeGreaterThan(0.6)
})

it.each(['', '🙂', 'xqz wvut', 'We make the world a better place', 'future of everything, made easy'])(
  'is not sure what "%s" is about',
  (description) => {
    expect(guess(description)?.surety ?? 0).toBeLessThan(0.5)
  },
)

it('hears what a project does and how it is', () => {
  const { clues } = understand(knowledge, plainAsk('sourdough bakery in a small village'))
  expect(statedTraits(knowledge.fields.byTrait, clues).map(knowledge.fields.trait)).toEqual([
    'in a small town or neighbourhood',
  ])
})
