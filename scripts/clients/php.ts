/**
 * The example client in PHP: the text of `runtime.php`, with the types and operations of the document.
 *
 * PHP has no types for the shape of an array. They are in comments, in the form that PHPStan and Psalm read.
 */
import { readFileSync } from 'node:fs'
import type { ApiOperation, ApiShape, Schema } from './document.ts'
import { componentOf } from './document.ts'

const RUNTIME = `${import.meta.dirname}/runtime.php`

export function phpClient({ version, schemas, operations }: ApiShape): string {
  const types = Object.entries(schemas).map(([name, schema]) => ` * @phpstan-type ${typeName(name)} ${typeOf(schema)}`)
  const filled: Readonly<Record<string, string>> = {
    version,
    types: types.join('\n'),
    operations: operations.map((operation) => methodOf(operation, schemas)).join('\n\n'),
  }
  return readFileSync(RUNTIME, 'utf8').replaceAll(/\{\{(\w+)\}\}/g, (_, part: string) => filled[part] ?? part)
}

// The name of the component is that of a class of PHP.
const typeName = (component: string) => (component === 'Error' ? 'ErrorAnswer' : component)

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return typeName(componentOf(schema))
  if (schema.enum) return schema.enum.map(quoted).join('|')
  if (schema.const !== undefined) return typeof schema.const === 'string' ? quoted(schema.const) : String(schema.const)
  if (schema.anyOf) return schema.anyOf.map(typeOf).join('|')
  switch (schema.type) {
    case 'string':
    case 'null':
      return schema.type
    case 'boolean':
      return 'bool'
    case 'integer':
      return 'int'
    case 'number':
      return 'float'
    case 'array':
      return `list<${typeOf(schema.items ?? {})}>`
    case 'object':
      return objectOf(schema)
    case undefined:
      return 'mixed'
  }
  throw new Error(`no type for ${JSON.stringify(schema).slice(0, 200)}`)
}

function objectOf({ properties = {}, patternProperties, required = [] }: Schema): string {
  const [pattern] = Object.values(patternProperties ?? {})
  if (pattern) return `array<string, ${typeOf(pattern)}>`
  const fields = Object.entries(properties).map(
    ([field, schema]) => `${field}${required.includes(field) ? '' : '?'}: ${typeOf(schema)}`,
  )
  return `array{${fields.join(', ')}}`
}

function quoted(text: string): string {
  if (!/^\w+(?:[.:-]\w+)*$/.test(text)) throw new Error(`not a plain word: ${text}`)
  return `'${text}'`
}

function methodOf(operation: ApiOperation, schemas: ApiShape['schemas']): string {
  const { name, summary, method, path, pathParameters, query, body, answer, isStream, hasIdempotencyKey } = operation
  const data = schemas[answer]?.properties?.['data']
  const returned = isStream || data === undefined ? `\\Generator<int, ${typeName(answer)}>` : typeOf(data)
  const parameters = [
    ...pathParameters.map((one) => `string $${one}`),
    ...(body === undefined ? [] : ['array $body']),
    ...query.map((one) => `?${nativeOf(one.schema)} $${one.name} = null`),
    ...(hasIdempotencyKey ? ['?string $idempotencyKey = null'] : []),
    ...(isStream ? ['?string $lastEventId = null'] : []),
  ]
  const url = path.split(/\{(\w+)\}/).flatMap((part, i) => {
    if (i % 2 === 1) return [`self::segment('${part}', $${part})`]
    return part === '' ? [] : [`'${part}'`]
  })
  const parts = [
    `'${method}'`,
    url.join(' . '),
    ...(query.length === 0 ? [] : [`query: [${query.map((one) => `'${one.name}' => $${one.name}`).join(', ')}]`]),
    ...(body === undefined ? [] : ['body: $body']),
    ...(hasIdempotencyKey ? ["headers: ['Idempotency-Key' => $idempotencyKey ?? bin2hex(random_bytes(16))]"] : []),
    ...(isStream ? ["headers: ['Last-Event-ID' => $lastEventId]"] : []),
  ]
  return [
    '    /**',
    `     * ${summary}: ${method} ${path}.`,
    '     *',
    ...(body === undefined ? [] : [`     * @param ${typeName(body)} $body`]),
    `     * @return ${returned}`,
    '     */',
    `    public function ${name}(${parameters.join(', ')}): ${isStream ? '\\Generator' : 'array'}`,
    '    {',
    `        return $this->${isStream ? 'stream' : 'call'}(${parts.join(', ')});`,
    '    }',
  ].join('\n')
}

/** A parameter of the query has one plain type. */
function nativeOf(schema: Schema): string {
  const type = schema.enum ? 'string' : typeOf(schema)
  if (!/^(?:string|int|float|bool)$/.test(type)) throw new Error(`not a plain type: ${type}`)
  return type
}
