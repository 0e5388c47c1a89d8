/** The sample of the first page is a name that the service generates for the example beside it, in every language. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openNames } from '../../server/src/names/names.ts'
import { plainNameRequest } from '../../server/src/names/plain-name-request.ts'
import { SAMPLES } from '../src/search/before/samples.ts'

// As many as a search looks at before it looks further.
const LOOKED_AT = 40

let names: Awaited<ReturnType<typeof openNames>>
beforeAll(async () => {
  names = await openNames()
}, 120_000)
afterAll(() => names[Symbol.asyncDispose]())

it.each(Object.entries(SAMPLES))('in %s', async (language, { name, domain }) => {
  const file = new URL(`../messages/${language}/search.json`, import.meta.url)
  const texts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  const request = { ...plainNameRequest(texts['search.exampleBakery'] ?? ''), language }
  const candidates = await names.propose(request, LOOKED_AT, new AbortController().signal)
  expect(candidates.map((one) => `${one.name} ${one.label}.com`)).toContain(`${name} ${domain}`)
})
