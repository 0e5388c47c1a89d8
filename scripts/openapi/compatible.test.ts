/** The document of today against the one that clients were written for, and the check itself against planted breaks. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { findBreaks } from './compatible.ts'
import type { Document } from './compatible.ts'

const read = async (name: string) =>
  JSON.parse(await readFile(new URL(`../../api/${name}`, import.meta.url), 'utf8')) as Document
const today = await read('openapi.json')
const released = await read('openapi.released.json')

test('a client of the released version still works', () => {
  expect(findBreaks(released, today)).toEqual([])
})

test('nothing breaks between a document and itself', () => {
  expect(findBreaks(today, today)).toEqual([])
})

// oxlint-disable-next-line typescript/no-explicit-any -- a planted change may be anything
type Plant = (document: any) => void

const BREAKS: readonly [string, Plant, string][] = [
  ['a route is taken away', (d) => delete d.paths['/v1/usage'], 'GET /v1/usage is gone'],
  ['a method is taken away', (d) => delete d.paths['/v1/history'].delete, 'DELETE /v1/history is gone'],
  [
    'a status is taken away',
    (d) => delete d.paths['/v1/favorites'].post.responses['201'],
    'POST /v1/favorites 201 is gone',
  ],
  [
    'a stream is taken away',
    (d) => delete d.components.pathItems.generateStream.post.responses['200'].content['application/x-ndjson'],
    'POST /v1/generate 200 application/x-ndjson is gone',
  ],
  [
    'a new field is required',
    (d) => d.components.schemas.GenerateRequest.required.push('language'),
    'POST /v1/generate body.language is required',
  ],
  [
    'an optional field is no longer taken',
    (d) => delete d.components.schemas.GenerateRequest.properties.seed,
    'POST /v1/generate body.seed is gone',
  ],
  [
    'a bound is tightened',
    (d) => (d.components.schemas.GenerateRequest.properties.count.maximum = 50),
    'POST /v1/generate body.count has a tighter maximum',
  ],
  [
    'a value is no longer taken',
    (d) => d.components.schemas.GenerateRequest.properties.verify.enum.pop(),
    'POST /v1/generate body.verify no longer takes "full"',
  ],
  [
    'a field is no longer answered',
    (d) => delete d.components.schemas.DomainEntry.properties.price,
    'POST /v1/generate 200.data.suggestions[].domains[].price is gone',
  ],
  [
    'a field that was always there may be missing',
    (d) => (d.components.schemas.DomainEntry.required = ['domain', 'available']),
    'POST /v1/generate 200.data.suggestions[].domains[].price may be missing',
  ],
  [
    'a type changes',
    (d) => (d.components.schemas.DomainEntry.properties.price = { type: 'number' }),
    'POST /v1/generate 200.data.suggestions[].domains[].price was string and is number',
  ],
  [
    'an answer may now be null',
    (d) => (d.components.schemas.DomainEntry.properties.price = { anyOf: [{ type: 'string' }, { type: 'null' }] }),
    'POST /v1/generate 200.data.suggestions[].domains[].price may now be null',
  ],
  [
    'a query parameter is taken away',
    (d) => (d.paths['/v1/history'].get.parameters = []),
    'GET /v1/history query q is gone',
  ],
  ['a query parameter is required', (d) => (d.paths['/v1/history'].get.parameters[0].required = true), 'is required'],
  [
    'another scope is needed',
    (d) => d.paths['/v1/generate'].post.security[1].oauth.push('history:write'),
    'POST /v1/generate needs the scope history:write',
  ],
]

test.each(BREAKS)('it breaks when %s', (_what, plant, sentence) => {
  const changed = structuredClone(today)
  plant(changed)
  expect(findBreaks(today, changed)).toContainEqual(expect.stringContaining(sentence))
})

const GROWTH: readonly [string, Plant][] = [
  ['a route is added', (d) => (d.paths['/v1/more'] = d.paths['/v1/usage'])],
  ['an optional field is added', (d) => (d.components.schemas.GenerateRequest.properties.more = { type: 'string' })],
  ['a field is answered besides', (d) => (d.components.schemas.DomainEntry.properties.more = { type: 'string' })],
  ['a bound is widened', (d) => (d.components.schemas.GenerateRequest.properties.count.maximum = 500)],
  ['a value is taken besides', (d) => d.components.schemas.GenerateRequest.properties.verify.enum.push('slow')],
  ['a value is answered besides', (d) => d.components.schemas.DomainEntry.properties.status.enum.push('parked')],
  ['what may have been missing is always there', (d) => d.components.schemas.DomainEntry.required.push('status')],
]

test.each(GROWTH)('nothing breaks when %s', (_what, plant) => {
  const changed = structuredClone(today)
  plant(changed)
  expect(findBreaks(today, changed)).toEqual([])
})
