/**
 * `pnpm openapi`: the types of the SDK, made from `api/openapi.json` into `sdk/src/api-types.ts`, and those of the web app,
 * made from `api/settings.json` into `web/src/api/settings-types.ts`.
 *
 * Components become exported types of the same name, and every operation an entry of `Operations`: for the SDK by
 * method and path, so that the client cannot name a path, a parameter or a field that the service does not have; for the
 * app by its name. It knows the part of JSON Schema that our routes use, and throws on anything else rather than guess.
 *
 * What may be left out may also be `undefined`: JSON drops it, and a caller need not build objects around it. The table
 * of error codes is a value, too: a newer service may send a code that is not in it, and a stream sends none of the
 * statuses.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly string[]
  readonly const?: string | number | boolean
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean
  readonly required?: readonly string[]
  readonly description?: string
  /** Of the list of error codes: the HTTP status of each. */
  readonly 'x-status'?: Readonly<Record<string, number>>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Responses
  /** Where it answers JSON, too: the path item that says what it streams when Accept asks for that. */
  readonly 'x-stream'?: { readonly $ref: string }
}

type Responses = Readonly<Record<string, { readonly content?: Content }>>

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly pathItems?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  }
}

const HEAD = `/**
 * The shapes on the wire, made from \`api/openapi.json\` by \`pnpm openapi\`; not to be edited.
 *
 * Everything here is named as the service names it, in snake_case. A service that is newer than this file may send
 * fields that are not listed.
 */
`
const SETTINGS_HEAD = `/**
 * What the settings take and answer, made from \`api/settings.json\` by \`pnpm openapi\`; not to be edited.
 */
`
const ROOT = `${import.meta.dirname}/../..`
export const TYPES = `${ROOT}/sdk/src/api-types.ts`
export const SETTINGS_TYPES = `${ROOT}/web/src/api/settings-types.ts`
// The name of the component is that of a global.
const RENAMED: ReadonlyMap<string, string> = new Map([['Error', 'ErrorAnswer']])

const nameOf = (component: string) => RENAMED.get(component) ?? component
const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
const keyOf = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name))

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref.slice('#/components/schemas/'.length))
  if (schema.enum) return schema.enum.map(quoted).join(' | ')
  if (schema.const !== undefined) return typeof schema.const === 'string' ? quoted(schema.const) : String(schema.const)
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, indent)).join(' | ')
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'integer':
    case 'number':
      return 'number'
    case 'array': {
      const item = typeOf(schema.items ?? {}, indent)
      return `readonly ${/ \| /.test(item) && !item.startsWith('{') ? `(${item})` : item}[]`
    }
    case 'object':
      return objectOf(schema, indent)
    case undefined:
      if (Object.keys(schema).every((key) => key === 'description')) return 'unknown'
  }
  throw new Error(`no type for the schema ${JSON.stringify(schema).slice(0, 200)}`)
}

function objectOf(
  { properties = {}, patternProperties, additionalProperties, required = [] }: Schema,
  indent: string,
): string {
  const [pattern] = Object.values(patternProperties ?? {})
  if (pattern) return `Readonly<Record<string, ${typeOf(pattern, indent)}>>`
  const fields = Object.entries(properties)
  if (fields.length === 0) return `Readonly<Record<string, ${additionalProperties ? 'unknown' : 'never'}>>`
  const lines = fields.map(([name, schema]) =>
    fieldOf(name, schema, { isRequired: required.includes(name), indent: `${indent}  ` }),
  )
  return `{\n${lines.join('\n')}\n${indent}}`
}

function fieldOf(name: string, schema: Schema, { isRequired, indent }: { isRequired: boolean; indent: string }) {
  const type = `${typeOf(schema, indent)}${isRequired ? '' : ' | undefined'}`
  const head = `${indent}readonly ${keyOf(name)}${isRequired ? '' : '?'}:`
  const about = schema.description === undefined ? '' : `${indent}/** ${schema.description} */\n`
  return `${about}${head} ${type}`
}

const definitionOf = (component: string, schema: Schema) => {
  const about = schema.description === undefined ? '' : `/** ${schema.description} */\n`
  if (schema.type === 'object' && schema.properties)
    return `${about}export interface ${nameOf(component)} ${objectOf(schema, '')}\n`
  return `${about}export type ${nameOf(component)} = ${typeOf(schema, '')}\n`
}

/** All the ways to call it; what an operation does not take is left out of its entry. */
function operationOf(key: string, operation: Operation, streaming = operation): string {
  const { summary, parameters = [], requestBody, responses } = operation
  const named = (where: string) => parameters.filter((one) => one.in === where)
  const object = (list: readonly Parameter[]) =>
    objectOf(
      {
        properties: Object.fromEntries(
          list.map(({ name, description, schema }) => [
            name,
            description === undefined ? schema : { ...schema, description },
          ]),
        ),
        required: list.filter((one) => one.required).map(({ name }) => name),
      },
      '    ',
    )
  const answer = successOf(responses)?.['application/json']?.schema
  const event = successOf(streaming.responses)?.['application/x-ndjson']?.schema
  const body = requestBody?.content['application/json']?.schema
  const fields = [
    ...(named('path').length > 0 ? [`    readonly params: ${object(named('path'))}`] : []),
    ...(named('query').length > 0 ? [`    readonly query: ${object(named('query'))}`] : []),
    ...(body ? [`    readonly body: ${typeOf(body, '    ')}`] : []),
    ...(answer ? [`    readonly data: ${typeOf(answer, '    ')}['data']`] : []),
    ...('204' in responses && !answer && !event ? ['    readonly data: Readonly<Record<string, never>>'] : []),
    ...(event ? [`    readonly event: ${typeOf(event, '    ')}`] : []),
  ]
  const about = summary === undefined ? '' : `  /** ${summary}. */\n`
  return `${about}  readonly ${quoted(key)}: {\n${fields.join('\n')}\n  }`
}

function successOf(responses: Responses): Content | undefined {
  return Object.entries(responses).find(([status, { content }]) => status.startsWith('2') && content)?.[1].content
}

export function typesOf({ paths, components }: ApiDocument): string {
  const statuses = components.schemas['Error']?.properties?.['error']?.properties?.['code']?.['x-status']
  if (!statuses) throw new Error('the document has no list of error codes')
  const codes = Object.entries(statuses).map(([code, status]) => `  ${code}: ${status},\n`)
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const stream = operation['x-stream']?.$ref.slice('#/components/pathItems/'.length)
      const streaming = stream === undefined ? undefined : components.pathItems?.[stream]?.[method]
      return operationOf(`${method.toUpperCase()} ${path}`, operation, streaming)
    }),
  )
  return formatted(
    [
      HEAD,
      ...Object.entries(components.schemas).map(([name, schema]) => definitionOf(name, schema)),
      `/** Every operation, by its method and path. */\nexport interface Operations {\n${operations.join('\n')}\n}\n`,
      `/** Every code that the service may refuse with, and its HTTP status. */\nexport const SERVICE_ERRORS = {\n${codes.join('')}} as const\n`,
    ].join('\n'),
  )
}

/** Refusals are left out, which the app knows from the SDK. A list of values is also a value, for forms. */
export function settingsTypesOf({ paths, components }: ApiDocument): string {
  const schemas = Object.entries(components.schemas).filter(([name]) => name !== 'Error' && name !== 'FieldError')
  const operations = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map((operation) => operationOf(operation.operationId, operation)),
  )
  return formatted(
    [
      SETTINGS_HEAD,
      ...schemas.map(([name, schema]) => (schema.enum ? listOf(name, schema.enum) : definitionOf(name, schema))),
      `/** Every operation, by its name. */\nexport interface Operations {\n${operations.join('\n')}\n}\n`,
    ].join('\n'),
  )
}

function listOf(name: string, values: readonly string[]): string {
  const list = `${name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()}S`
  return `export const ${list} = [${values.map(quoted).join(', ')}] as const\nexport type ${name} = (typeof ${list})[number]\n`
}

function formatted(text: string): string {
  return execFileSync(`${ROOT}/node_modules/.bin/oxfmt`, ['--stdin-filepath', TYPES], { input: text, encoding: 'utf8' })
}

export const readDocument = (name = 'openapi') =>
  JSON.parse(readFileSync(`${ROOT}/api/${name}.json`, 'utf8')) as ApiDocument

if (import.meta.main) {
  for (const [file, types] of [
    [TYPES, typesOf(readDocument())],
    [SETTINGS_TYPES, settingsTypesOf(readDocument('settings'))],
  ] as const) {
    writeFileSync(file, types)
    console.log(`${file.slice(ROOT.length + 1)}: ${types.split('\n').length} lines`)
  }
}
