import { afterAll, beforeAll, expect, test } from 'vitest'
import { FEATURES, NAMESPACE_RULES, settingsDocument } from '../source.ts'
import { startApp } from '../start-app.ts'
import type { World } from '../world.ts'
import { readPage, rowsOf, sectionOf } from './pages.ts'

interface Document {
  readonly components: { readonly schemas: Record<string, { properties: Record<string, unknown> }> }
}

const committed = readPage('api/openapi.json')
const document = JSON.parse(committed) as Document
const page = ['generate', 'check', 'watching'].map((name) => readPage(`docs/${name}.md`)).join('\n')

let world: World
beforeAll(async () => {
  world = await startApp()
})
afterAll(() => world[Symbol.asyncDispose]())

test('api/openapi.json is what a running node serves; after a change run pnpm openapi', async () => {
  const node = await world.startNode()
  const served = await node.call('/openapi.json')
  expect(served.status).toBe(200)
  expect(`${JSON.stringify(served.json, null, 2)}\n`).toBe(committed)
})

test('api/settings.json is what the settings declare; after a change run pnpm openapi', () => {
  expect(`${JSON.stringify(settingsDocument(FEATURES), null, 2)}\n`).toBe(readPage('api/settings.json'))
})

test('the pages of the API list every field of a request, and invent none', () => {
  const fieldsOf = (heading: string) => rowsOf(sectionOf(page, `## ${heading}`)).map(([name]) => name)
  const propertiesOf = (schema: string) => Object.keys(document.components.schemas[schema]?.properties ?? {})
  // The table of what `include` adds stands in the same section and names no field of the request.
  const added = ['evidence', 'pricing', 'register', 'score', 'rationale', 'understanding', 'handles']
  expect(fieldsOf('POST /v1/generate')).toEqual([...propertiesOf('GenerateRequest'), ...added])
  expect(fieldsOf('POST /v1/favorites')).toEqual(propertiesOf('FavoriteRequest'))
  expect(fieldsOf('POST /v1/domains/check')).toEqual(propertiesOf('CheckRequest'))
  // The table of rules, which is whole too.
  expect(fieldsOf('POST /v1/names/check')).toEqual([...propertiesOf('NamesRequest'), ...NAMESPACE_RULES])
})
