import { expect, it } from 'vitest'
import { openNames, readKnowledge } from '../names.ts'
import { plainNameRequest } from '../plain-name-request.ts'

const knowledge = await readKnowledge()
const names = await openNames()
const propose = (description: string, more: object = {}) =>
  names.propose({ ...plainNameRequest(description), ...more }, 20, new AbortController().signal)
const GERMAN = 'Hundesalon im Nachbarort'
const JAPANESE = '自宅の一室で小さなネイルサロンをやっています'

const fieldNames = (language: string, wanted: string) => {
  for (let field = 0; ; field++)
    if (knowledge.fields.name(field) === wanted) return knowledge.fields.native.get(language)!.names(field)
}

it('names of the very kind of project come first, in the language of the description', async () => {
  const written = fieldNames('de', 'dog grooming')
  const [first] = await propose(GERMAN)
  const source = written.find(({ text }) => text.replaceAll(' ', '') === first!.label)
  expect(source).toBeDefined()
  expect(first!.origin.reason).toBe(source!.making)
})

it('a name of another script is shown in it, and its label is romanised, or in its own letters on request', async () => {
  const written = fieldNames('ja', 'nail salon')
  const [first] = await propose(JAPANESE)
  expect(written).toContainEqual(expect.objectContaining({ native: first!.name, text: first!.label }))
  const [own] = await propose(JAPANESE, { idn: true })
  expect(own!.label).toMatch(/^xn--/)
})

it('who wants names of another language gets those', async () => {
  const written = new Set(fieldNames('de', 'dog grooming').map(({ text }) => text.replaceAll(' ', '')))
  const english = await propose(GERMAN, { language: 'en' })
  expect(english.filter(({ label }) => written.has(label))).toEqual([])
})

it('the rules of the caller hold', async () => {
  const short = await propose(GERMAN, { maxLength: 7 })
  expect(short.every(({ label }) => label.length <= 7)).toBe(true)
  const phrases = await propose(GERMAN, { styles: ['short_phrase'] })
  expect(phrases.every(({ origin }) => origin.style === 'short_phrase')).toBe(true)
})

it('another seed changes the order, and the same one gives the same names', async () => {
  const labels = async (seed: number) => (await propose(GERMAN, { seed })).slice(0, 4).map(({ label }) => label)
  expect(await labels(1)).toEqual(await labels(1))
  const orders = new Set((await Promise.all([1, 2, 3, 4, 5].map(labels))).map((list) => list.join()))
  expect(orders.size).toBeGreaterThan(1)
})
