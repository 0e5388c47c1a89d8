/** The operations of `api/openapi.json`, as the generators of the example clients need them. */
import { readFileSync } from 'node:fs'

export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly string[]
  readonly const?: string | number | boolean
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly description?: string
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: Schema
}

interface Described {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

export interface ApiOperation {
  /** In camelCase, as in the document. */
  readonly name: string
  readonly summary: string
  readonly method: string
  readonly path: string
  readonly pathParameters: readonly string[]
  readonly query: readonly { readonly name: string; readonly schema: Schema }[]
  /** The component of the request body. */
  readonly body: string | undefined
  /** The component of the response, or of each event. */
  readonly answer: string
  readonly isStream: boolean
  readonly hasIdempotencyKey: boolean
}

export interface ApiShape {
  readonly version: string
  readonly schemas: Readonly<Record<string, Schema>>
  readonly operations: readonly ApiOperation[]
}

const FILE = `${import.meta.dirname}/../../api/openapi.json`

export function readShape(): ApiShape {
  const { info, paths, components } = JSON.parse(readFileSync(FILE, 'utf8')) as {
    info: { version: string }
    paths: Record<string, Record<string, Described>>
    components: { schemas: Record<string, Schema> }
  }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => operationOf(path, method, described)),
  )
  return { version: info.version, schemas: components.schemas, operations }
}

function operationOf(path: string, method: string, described: Described): ApiOperation {
  const { operationId: name, summary, parameters = [], requestBody, responses } = described
  const success = Object.entries(responses).find(([status, { content }]) => status.startsWith('2') && content)?.[1]
  const json = success?.content?.['application/json']
  const events = success?.content?.['application/x-ndjson']
  const schema = json?.schema ?? events?.schema
  if (!schema) throw new Error(`${name} has neither a JSON answer nor events`)
  const body = requestBody?.content['application/json']?.schema
  return {
    name,
    summary,
    method: method.toUpperCase(),
    path,
    pathParameters: parameters.filter((one) => one.in === 'path').map((one) => one.name),
    query: parameters.filter((one) => one.in === 'query'),
    body: body && componentOf(body),
    answer: componentOf(schema),
    isStream: json === undefined,
    hasIdempotencyKey: parameters.some((one) => one.name === 'Idempotency-Key'),
  }
}

export function componentOf({ $ref = '' }: Schema): string {
  const [, name] = /^#\/components\/schemas\/(\w+)$/.exec($ref) ?? []
  if (name === undefined) throw new Error(`not a component: ${JSON.stringify($ref)}`)
  return name
}
