import { expect, it } from 'vitest'
import { readKnowledge } from '../names.ts'
import { plainNameRequest } from '../plain-name-request.ts'
import { understand } from './understand.ts'

const knowledge = await readKnowledge()

function leadsOf(description: string): string[] {
  return understand(knowledge, plainNameRequest(description)).leads.map(({ aspect }) => knowledge.aspects.head(aspect))
}

it.each([
  ['a bakery that delivers sourdough by bicycle', ['sourdough', 'bicycle']],
  ['Used car marketplace', ['used cars']],
  ['Eine kleine Kaffeerösterei in Köln', ['coffee']],
  ['مقهى صغير يقدم القهوة في دبي', ['coffee']],
  ['宠物狗散步服务', ['dogs']],
  ['강아지를 산책시켜 주는 이웃', ['neighbour']],
])('%j leads to what it is about', (description, expected) => {
  const leads = leadsOf(description)
  for (const head of expected) expect(leads.some((lead) => lead.startsWith(head.slice(0, 5)))).toBe(true)
})

it('what a phrase means leads, though no word of it says so', () => {
  expect(leadsOf('understand why users leave')).toContain('goodbye')
})

it('a word no dictionary has leads by the word inside it', () => {
  expect(leadsOf('Data for biomedical AI')[0]).toBe('medical')
})

it('a denied word leads nowhere and may not be in a name', () => {
  const { leads, banned } = understand(knowledge, plainNameRequest('backups with no cloud'))
  expect(leads.map(({ aspect }) => knowledge.aspects.head(aspect))).not.toContain('cloud')
  expect(banned).toContain('cloud')
})

it.each([
  ['dog boarding. Nothing with paws or tails in it please', ['paw', 'tail']],
  ['a web tool for beekeepers, but please no puns with bee', ['bee']],
  ['a choir, no singing ability needed', []],
])('%s: what the name must not say is heard', (description, expected) => {
  const { banned } = understand(knowledge, plainNameRequest(description))
  expect(banned).toEqual(expected)
})

it('a name that nobody has heard of is kept to be used', () => {
  expect(understand(knowledge, plainNameRequest('The studio of Oyelaran in Lagos')).proper).toEqual(['oyelaran'])
})

it('praise that fits every project leads nowhere', () => {
  const { leads } = understand(knowledge, plainNameRequest('A patent-pending umbrella that never breaks'))
  expect(leads[0]?.because).toBe('umbrella')
  expect(leads.map(({ aspect }) => knowledge.aspects.head(aspect))).not.toContain('patent')
  const { leads: only } = understand(knowledge, plainNameRequest('patent pending'))
  expect(only.map(({ aspect }) => knowledge.aspects.head(aspect))).toContain('patent')
})
