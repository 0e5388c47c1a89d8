/**
 * What a client that is generated from the document gets as the answer of an operation.
 *
 * Generators such as openapi-typescript with openapi-fetch join every media type of every success into one type, and add
 * `undefined` for a success without content. Where a caller gets JSON, the document may therefore offer nothing else.
 */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

interface Schema {
  readonly $ref?: string
  readonly type?: string
}

type Responses = Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>>

interface Operation {
  readonly responses: Responses
  readonly 'x-stream'?: { readonly $ref: string }
}

const { paths, components } = JSON.parse(
  await readFile(new URL('../../api/openapi.json', import.meta.url), 'utf8'),
) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly pathItems: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  }
}

const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
)

/** Each type that a success may have: the name of a component, the type of a schema, or undefined without content. */
function successTypes(responses: Responses): (string | undefined)[] {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content }]) => (content ? Object.values(content).map(({ schema }) => nameOf(schema)) : [undefined]))
}

const nameOf = ({ $ref, type }: Schema) => $ref?.split('/').at(-1) ?? type

test('generate answers one object type', () => {
  const answer = paths['/v1/generate']?.['post']?.responses ?? {}
  expect(successTypes(answer)).toEqual(['GenerateAnswer'])
  expect(components.schemas['GenerateAnswer']?.type).toBe('object')
})

test.each(operations)('%s answers one object type, or nothing but a stream', (_name, { responses }) => {
  const types = [...new Set(successTypes(responses))]
  const [only = ''] = types
  const isObject = types.length === 1 && (only === 'object' || components.schemas[only]?.type === 'object')
  const isStream = !Object.entries(responses).some(
    ([status, { content = {} }]) => status.startsWith('2') && 'application/json' in content,
  )
  expect(isObject || isStream, JSON.stringify(types)).toBe(true)
})

test('the streams of an operation that answers JSON are described beside it', () => {
  const streaming = operations.flatMap(([name, { 'x-stream': stream }]) => (stream ? [[name, stream.$ref]] : []))
  expect(Object.fromEntries(streaming)).toEqual({
    'POST /v1/generate': '#/components/pathItems/generateStream',
    'POST /v1/domains/check': '#/components/pathItems/checkDomainsStream',
    'POST /v1/names/check': '#/components/pathItems/checkNamesStream',
    'GET /v1/batches/{id}/results': '#/components/pathItems/listBatchResultsStream',
  })
  const { responses } = components.pathItems['generateStream']?.['post'] ?? { responses: {} }
  expect(successTypes(responses)).toEqual(['GenerateEvent', 'string'])
})
