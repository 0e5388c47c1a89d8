/** The example client in Python: the text of `runtime.py`, with the types and operations of the document. */
import { readFileSync } from 'node:fs'
import type { ApiOperation, ApiShape, Schema } from './document.ts'
import { componentOf } from './document.ts'

const RUNTIME = `${import.meta.dirname}/runtime.py`
const KEYWORDS = new Set([
  'from',
  'in',
  'is',
  'not',
  'or',
  'and',
  'class',
  'def',
  'for',
  'if',
  'import',
  'pass',
  'with',
])

export function pythonClient({ version, schemas, operations }: ApiShape): string {
  const types = Object.entries(schemas).map(([name, schema]) => definitionOf(name, schema))
  // An alias is evaluated at once, so it follows the classes that it names.
  const inOrder = types.toSorted((a, b) => Number(a.isAlias) - Number(b.isAlias))
  const text = inOrder.map((one) => one.text).join('\n\n\n')
  const names = [...text.matchAll(/^class (\w+)/gm)].map(([, name]) => name)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw new Error(`two classes are called ${twice}`)
  const filled: Readonly<Record<string, string>> = {
    version,
    types: text,
    operations: operations.map(methodOf).join('\n\n'),
  }
  return readFileSync(RUNTIME, 'utf8').replaceAll(/\{\{(\w+)\}\}/g, (_, part: string) => filled[part] ?? part)
}

export const pythonName = (camel: string) => camel.replaceAll(/[A-Z]/g, (upper) => `_${upper.toLowerCase()}`)

function definitionOf(name: string, schema: Schema): { text: string; isAlias: boolean } {
  const classes: string[] = []
  const type = typeOf(schema, name, classes)
  const alias = type === name ? [] : [`${name} = ${type.startsWith('Union') ? type : `Union[${type}]`}`]
  return { text: [...classes, ...alias].join('\n\n\n'), isAlias: alias.length > 0 }
}

/** An object without a name of its own becomes a class that is called `name`. */
function typeOf(schema: Schema, name: string, classes: string[]): string {
  if (schema.$ref !== undefined) return componentOf(schema)
  if (schema.enum) return `Literal[${schema.enum.map((value) => JSON.stringify(value)).join(', ')}]`
  if (schema.const !== undefined) return `Literal[${schema.const === true ? 'True' : JSON.stringify(schema.const)}]`
  if (schema.anyOf) {
    const all = schema.anyOf.map((one) => typeOf(one, `${name}${variantOf(one)}`, classes))
    return `Union[${all.join(', ')}]`
  }
  switch (schema.type) {
    case 'string':
      return 'str'
    case 'boolean':
      return 'bool'
    case 'null':
      return 'None'
    case 'integer':
      return 'int'
    case 'number':
      return 'float'
    case 'array':
      return `list[${typeOf(schema.items ?? {}, `${name}Item`, classes)}]`
    case 'object':
      return objectOf(schema, name, classes)
    case undefined:
      return 'Any'
  }
  throw new Error(`no type for ${name}: ${JSON.stringify(schema).slice(0, 200)}`)
}

function objectOf({ properties = {}, patternProperties, required = [] }: Schema, name: string, classes: string[]) {
  const [pattern] = Object.values(patternProperties ?? {})
  if (pattern) return `dict[str, ${typeOf(pattern, `${name}Value`, classes)}]`
  const fields = Object.entries(properties).map(([field, schema]) => {
    if (!/^[a-z_]\w*$/.test(field) || KEYWORDS.has(field)) throw new Error(`${field} is no name in Python`)
    const type = typeOf(schema, `${name}${pascal(field)}`, classes)
    return `    ${field}: ${required.includes(field) ? type : `NotRequired[${type}]`}`
  })
  classes.push(`class ${name}(TypedDict):\n${fields.length === 0 ? '    pass' : fields.join('\n')}`)
  return name
}

/** The branches of a union differ by their event or status. */
function variantOf({ properties = {} }: Schema): string {
  const constant = properties['event']?.const ?? properties['status']?.const
  return constant === undefined ? '' : pascal(String(constant))
}

const pascal = (name: string) => name.replaceAll(/(?:^|_)([a-z])/g, (_, first: string) => first.toUpperCase())

function methodOf(operation: ApiOperation): string {
  const { name, summary, method, path, pathParameters, query, body, answer, isStream, hasIdempotencyKey } = operation
  const named = [
    ...query.map((one) => `${one.name}: ${typeOf(one.schema, '', [])} | None = None`),
    ...(hasIdempotencyKey ? ['idempotency_key: str | None = None'] : []),
    ...(isStream ? ['last_event_id: str | None = None'] : []),
  ]
  const parameters = [
    'self',
    ...pathParameters.map((one) => `${one}: str`),
    ...(body === undefined ? [] : [`body: ${body}`]),
    ...(named.length === 0 ? [] : ['*', ...named]),
  ]
  const url = path.replaceAll(/\{(\w+)\}/g, (_, one: string) => `{_segment('${one}', ${one})}`)
  const parts = [
    JSON.stringify(method),
    url === path ? JSON.stringify(path) : `f"${url}"`,
    ...(query.length === 0 ? [] : [`query={${query.map((one) => `"${one.name}": ${one.name}`).join(', ')}}`]),
    ...(body === undefined ? [] : ['body=body']),
    ...(hasIdempotencyKey ? ['headers={"Idempotency-Key": idempotency_key or uuid.uuid4().hex}'] : []),
    ...(isStream ? ['headers={"Last-Event-ID": last_event_id}'] : []),
  ]
  const type = isStream ? `Iterator[${answer}]` : `${answer}Data`
  return [
    `    def ${pythonName(name)}(\n        ${parameters.join(',\n        ')},\n    ) -> ${type}:`,
    `        """${summary}: ${method} ${path}."""`,
    `        return self.${isStream ? '_stream' : '_call'}(\n            ${parts.join(',\n            ')},\n        )`,
  ].join('\n')
}
