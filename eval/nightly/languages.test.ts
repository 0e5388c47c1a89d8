import { expect, test } from 'vitest'
import { readKnowledge } from '../../server/src/names/names.ts'
import { plainNameRequest } from '../../server/src/names/plain-name-request.ts'
import { understand } from '../../server/src/names/understand/understand.ts'
import { readParallel } from '../descriptions.ts'

test('the language of nearly every parallel description is known, and it leads somewhere', async () => {
  const knowledge = await readKnowledge()
  const texts = readParallel().flatMap((row) => Object.entries(row.texts))
  const read = texts.map(([language, text]) => ({
    language,
    understood: understand(knowledge, plainNameRequest(text)),
  }))
  const wrong = read.filter(({ language, understood }) => understood.language !== language)
  expect(wrong.length / read.length).toBeLessThan(0.02)
  const lost = read.filter(({ understood }) => understood.leads.length < 2)
  expect(lost.length / read.length).toBeLessThan(0.05)
})
