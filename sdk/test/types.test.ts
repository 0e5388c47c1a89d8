import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readDocument, SETTINGS_TYPES, settingsTypesOf, TYPES, typesOf } from '../../scripts/sdk/types.ts'

test('the types match the OpenAPI documents; otherwise run pnpm openapi', () => {
  expect(readFileSync(TYPES, 'utf8')).toBe(typesOf(readDocument()))
  expect(readFileSync(SETTINGS_TYPES, 'utf8')).toBe(settingsTypesOf(readDocument('settings')))
})

test('a changed document gives changed types', () => {
  const document = readDocument()
  const { Tld, ...others } = document.components.schemas
  const changed = { ...Tld, properties: { ...Tld?.properties, score: { type: 'number' } } }
  const types = typesOf({ ...document, components: { schemas: { ...others, Tld: changed } } })
  expect(types).toContain('  readonly score?: number | undefined\n')
})

test('the generator refuses a schema that it does not support', () => {
  const document = readDocument()
  const schemas = { ...document.components.schemas, Unsupported: { type: 'tuple' } }
  expect(() => typesOf({ ...document, components: { schemas } })).toThrow('no type for the schema {"type":"tuple"}')
})
