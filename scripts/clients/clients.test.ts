/** The example clients are what the generators make of the document, with every operation. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ApiShape, Schema } from './document.ts'
import { readShape } from './document.ts'
import { phpClient } from './php.ts'
import { pythonClient, pythonName } from './python.ts'
import { CLIENTS } from './write.ts'

const shape = readShape()

test.for(CLIENTS)('$path is up to date: otherwise run pnpm clients', ({ path, make }) => {
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
  expect(text === make(shape)).toBe(true)
  expect(text).not.toContain('{{')
})

test('both have a method for every operation of the document', () => {
  const { paths } = JSON.parse(readFileSync(new URL('../../api/openapi.json', import.meta.url), 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string }>>
  }
  const wanted = Object.values(paths).flatMap((methods) => Object.values(methods).map((one) => one.operationId))
  const inPython = [...pythonClient(shape).matchAll(/^ {4}def ([a-z]\w*)\($/gm)].map(([, name]) => name)
  const inPhp = [...phpClient(shape).matchAll(/^ {4}public function ([a-z]\w*)\(/gm)].map(([, name]) => name)
  expect(inPython).toEqual(wanted.map(pythonName))
  expect(inPhp).toEqual(wanted)
})

const withField = (name: string, schema: Schema): ApiShape => ({
  version: '1.2.3',
  operations: [],
  schemas: { Thing: { type: 'object', required: [name], properties: { [name]: schema } } },
})

test.for<[schema: Schema, python: string, php: string]>([
  [{ type: 'string' }, 'str', 'string'],
  [{ type: 'integer' }, 'int', 'int'],
  [{ type: 'number' }, 'float', 'float'],
  [{ type: 'boolean' }, 'bool', 'bool'],
  [{ const: true }, 'Literal[True]', 'true'],
  [{ enum: ['a', 'b:c'] }, 'Literal["a", "b:c"]', "'a'|'b:c'"],
  [{ type: 'array', items: { type: 'string' } }, 'list[str]', 'list<string>'],
  [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'Union[int, None]', 'int|null'],
  [{ type: 'object', patternProperties: { '^.*$': {} } }, 'dict[str, Any]', 'array<string, mixed>'],
  [{ type: 'object', properties: { b: { type: 'string' } } }, 'ThingA', 'array{b?: string}'],
  [{ $ref: '#/components/schemas/Thing' }, 'Thing', 'Thing'],
])('%j is %s in Python and %s in PHP', ([schema, python, php]) => {
  expect(pythonClient(withField('a', schema))).toContain(`class Thing(TypedDict):\n    a: ${python}\n`)
  expect(phpClient(withField('a', schema))).toContain(` * @phpstan-type Thing array{a: ${php}}\n`)
})

test('what the generators do not know is an error, never a guess', () => {
  for (const make of [pythonClient, phpClient])
    expect(() => make(withField('a', { type: 'tuple' }))).toThrow('no type for')
  expect(() => pythonClient(withField('from', { type: 'string' }))).toThrow('from is no name in Python')
  expect(() => pythonClient(withField('a-b', { type: 'string' }))).toThrow('a-b is no name in Python')
  expect(() => phpClient(withField('a', { enum: ["'*/"] }))).toThrow('not a plain word')
})
