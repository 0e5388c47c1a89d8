import { expect, test } from 'vitest'
import type { Context } from '../../context.ts'
import { sourcesOf } from './operator-sources.ts'

const NEVER = { asked: 0, answered: 0, lastAnswerAt: undefined }
const WELL = { state: 'well', asked: 9, answered: 9, failed: 0, lastAnswerAt: 0, answeredMs: 9, detail: undefined }

/** The operator's page of a node with nothing but its own caches and this. */
function pageOf(parts: object) {
  const ctx = {
    config: { rdap: false, registrars: { order: [] } },
    sourceHealth: { list: () => [] },
    index: undefined,
    availability: { lookupsOf: () => ({ memory: NEVER, shared: NEVER }) },
    cache: { state: () => 'up' },
    ...parts,
  } as unknown as Context
  return sourcesOf(ctx)
}

/** The language model on the operator's page, after such use. */
function modelAfter(usage: object, price?: object, reading: object = WELL) {
  const config = { rdap: false, registrars: { order: [] }, languageModel: { name: 'small', price } }
  const page = pageOf({ config, languageModel: { reading: () => reading, usage: () => usage } })
  return page.find(({ kind }) => kind === 'language_model')
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

test('what of a trusted source cannot be used is told, and does not make it failing', () => {
  const trust = { state: 'trusted', since: 0, why: 'its list of suffixes cannot be read' }
  const page = pageOf({ sourceHealth: { list: () => [{ ...WELL, name: 'vercel', kind: 'registrar', trust }] } })
  expect(page[0]).toMatchObject({ name: 'vercel', state: 'well', detail: 'its list of suffixes cannot be read' })
})
