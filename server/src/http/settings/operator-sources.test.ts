import { expect, test } from 'vitest'
import type { Context } from '../../context.ts'
import { sourcesOf } from './operator-sources.ts'

const NEVER = { asked: 0, answered: 0, lastAnswerAt: undefined }
const WELL = { state: 'well', asked: 9, answered: 9, failed: 0, lastAnswerAt: 0, answeredMs: 9, detail: undefined }

/** The language model on the operator's page, after such use. */
function modelAfter(usage: object, price?: object, reading: object = WELL) {
  const ctx = {
    config: { rdap: false, registrars: { order: [] }, languageModel: { name: 'small', price } },
    sourceHealth: { list: () => [] },
    index: undefined,
    availability: { lookupsOf: () => ({ memory: NEVER, shared: NEVER }) },
    cache: { isUp: () => true },
    languageModel: { reading: () => reading, usage: () => usage },
  } as unknown as Context
  return sourcesOf(ctx).find(({ kind }) => kind === 'language_model')
}

const USED = { called: 40, reused: 60, sentCharacters: 40_000, receivedCharacters: 20_000 }

test('a language model tells how many requests needed no call, and with a price what a thousand cost', () => {
  expect(modelAfter(USED)?.detail).toBe('60 % of 100 requests without a call')
  // 10,000 tokens in and 5,000 out for 100 requests.
  expect(modelAfter(USED, { sent: 0.4, received: 1.6 })?.detail).toBe(
    '60 % of 100 requests without a call, about $0.12 per 1000 requests',
  )
})

test('what is wrong with it, or that it was not used yet, is told instead', () => {
  const failing = { ...WELL, state: 'failing', detail: 'does not respond' }
  expect(modelAfter(USED, undefined, failing)).toMatchObject({ state: 'failing', detail: 'does not respond' })
  const unused = { called: 0, reused: 0, sentCharacters: 0, receivedCharacters: 0 }
  expect(modelAfter(unused, undefined, { ...WELL, asked: 0 })?.detail).toBe('not used yet')
})
