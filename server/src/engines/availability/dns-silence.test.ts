import { expect, test } from 'vitest'
import { createSilences } from './dns-silence.ts'

const late = { suffix: 'com', at: -1 }
const queries = Array.from({ length: 20 }, (_, at) => ({ suffix: 'com', at }))

function silent() {
  const silences = createSilences<typeof late>()
  silences.begin(late)
  return silences
}

test('who answers is not held up, nor is anybody else', () => {
  const silences = createSilences()
  for (const query of queries) expect(silences.queueIfSilent(query)).toBe(false)
  silences.begin({ suffix: 'net' })
  for (const query of queries) expect(silences.queueIfSilent(query)).toBe(false)
})

test('of a silent suffix a few are sent, and one more for each that ends', () => {
  const silences = silent()
  expect(queries.map((query) => silences.queueIfSilent(query)).filter((isQueued) => !isQueued)).toHaveLength(7)
  expect(silences.leave(queries[19]!)).toBeUndefined()
  expect(silences.leave(late)).toBe(queries[7])
  silences.queueIfSilent(queries[7]!)
  expect(silences.leave(queries[1]!)).toBe(queries[8])
})

test('with the first answer all may go', () => {
  const silences = silent()
  for (const query of queries) silences.queueIfSilent(query)
  expect([...silences.end('com')]).toEqual(queries.slice(7))
  expect(silences.queueIfSilent(queries[0]!)).toBe(false)
})

test('a silence nobody waits in is forgotten', () => {
  const silences = silent()
  for (const query of queries.slice(0, 3)) silences.queueIfSilent(query)
  for (const query of [late, ...queries.slice(0, 3)]) silences.leave(query)
  for (const query of queries) expect(silences.queueIfSilent(query)).toBe(false)
})
