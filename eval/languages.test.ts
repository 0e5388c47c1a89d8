import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openKnowledge } from '../server/src/names/knowledge/knowledge.ts'
import { COMPILED } from '../server/src/names/names.ts'
import { plainAsk } from '../server/src/names/plain-ask.ts'
import { understand } from '../server/src/names/understand/understand.ts'
import { readParallel } from './descriptions.ts'

test('the language of nearly every parallel description is known, and it leads somewhere', () => {
  const bytes = readFileSync(COMPILED)
  const knowledge = openKnowledge(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
  const texts = readParallel().flatMap((row) => Object.entries(row.texts))
  const read = texts.map(([language, text]) => ({ language, understood: understand(knowledge, plainAsk(text)) }))
  const wrong = read.filter(({ language, understood }) => understood.language !== language)
  expect(wrong.length / read.length).toBeLessThan(0.02)
  const lost = read.filter(({ understood }) => understood.leads.length < 2)
  expect(lost.length / read.length).toBeLessThan(0.05)
})
