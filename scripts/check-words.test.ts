/** A planted word of each kind is found where it is retired, and plain English passes. */
import { expect, test } from 'vitest'
import { checkWords, isChecked } from './check-words.ts'
import { ALLOWED } from './words/allowed.ts'
import { RETIRED_WORDS } from './words/retired.ts'

const found = (file: string, text: string) =>
  checkWords(new Map([[file, text]]), []).map(({ line, rule }) => `${line} ${rule}`)

test.each([
  ['an identifier', 'server/src/http/server.ts', '\nconst openDoors = 1', '2 identifier'],
  ['a property in snake case', 'sdk/src/client.ts', 'const a = { rdap_witness: 1 }', '1 identifier'],
  ['a constant', 'web/src/store.ts', 'const LANE_LIMIT = 1', '1 identifier'],
  ['a comment', 'server/src/main.ts', '// What the Witnesses say.\nconst a = 1', '1 comment'],
  ['a page of the manual', 'docs/api.md', '# API\n\nEvery door is listed.', '3 docs'],
  ['a term of two words', 'docs/people.md', 'It is in the security log.', '1 docs'],
  ['a message', 'server/data/messages/en.json', '{\n  "sent": "Send the letter again"\n}', '2 message'],
])('%s', (_what, file, text, expected) => {
  expect(found(file, text)).toEqual([expected])
})

test.each([
  ['a word that only contains one', 'server/src/main.ts', 'const outdoors = 1 // planes and lanets'],
  ['an everyday meaning in prose', 'docs/api.md', 'A letter of the alphabet. Keep the file away from others.'],
  ['a string in code', 'server/src/main.ts', `const a = 'door'`],
  ['the key of a message', 'server/data/messages/en.json', '{\n  "door": "Sign in"\n}'],
])('%s passes', (_what, file, text) => {
  expect(found(file, text)).toEqual([])
})

test('an exception holds for its words and files only, and must be needed', () => {
  const allowed = [{ files: /^docs\/naming\.md$/, words: ['farewell'], reason: 'an example' }]
  const check = (file: string, text: string) => checkWords(new Map([[file, text]]), allowed).map(({ rule }) => rule)
  expect(check('docs/naming.md', 'A farewell.')).toEqual([])
  expect(check('docs/naming.md', 'A farewell at the door.')).toEqual(['docs'])
  expect(check('docs/api.md', 'A farewell.')).toEqual(['docs', 'allowed'])
})

test('every retired word says what to use instead, and every exception why', () => {
  for (const { word, say } of RETIRED_WORDS) expect(say, word).not.toBe('')
  for (const { words, reason } of ALLOWED) expect(reason.length, words.join()).toBeGreaterThan(10)
})

test('code, docs and English messages are checked; tests, translations and the changelog are not', () => {
  const checked = ['server/src/main.ts', 'docs/api.md', 'README.md', 'api/openapi.json', 'server/data/mails/en.json']
  const passed = ['server/test/world.ts', 'server/src/a.test.ts', 'server/data/mails/de.json', 'CHANGELOG.md']
  expect([...checked, ...passed].filter(isChecked)).toEqual(checked)
})
