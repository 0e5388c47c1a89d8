import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readDocument, TYPES, typesOf } from '../../scripts/sdk/types.ts'

test('the types are those of the document; otherwise run pnpm sdk:types', () => {
  expect(readFileSync(TYPES, 'utf8')).toBe(typesOf(readDocument()))
})

test('a document that says something else makes other types', () => {
  const document = readDocument()
  const { Tld, ...others } = document.components.schemas
  const changed = { ...Tld, properties: { ...Tld?.properties, score: { type: 'number' } } }
  const types = typesOf({ ...document, components: { schemas: { ...others, Tld: changed } } })
  expect(types).toContain('  readonly score?: number | undefined\n')
})

test('what the generator does not know, it refuses', () => {
  const document = readDocument()
  const schemas = { ...document.components.schemas, Odd: { type: 'tuple' } }
  expect(() => typesOf({ ...document, components: { schemas } })).toThrow('no type for the schema {"type":"tuple"}')
})
