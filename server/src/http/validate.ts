/**
 * Turns what a caller sends into checked values: a body is parsed as JSON unless it is nested too deeply, and a schema
 * reports every wrong field by pointer, with our closed set of codes. Everything is untrusted until then.
 */
import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { Settings } from 'typebox/system'
import { ApiError, type FieldError } from '../model/errors.ts'
import { depthOf } from '../model/json-depth.ts'

/** The parser of bodies and the validators of schemas, for all routes. */
export function openInput(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: object, text: string | Buffer) =>
    text === '' ? undefined : parseBody(String(text)),
  )
  app.setValidatorCompiler(({ schema, httpPart }) => {
    const check = createCheck(schema, { query: httpPart === 'querystring' })
    return (data: unknown) => {
      try {
        return { value: check(data) }
      } catch (error) {
        return { error: error as Error }
      }
    }
  })
}

/** A generate request with every option filled is under 40 KB. */
export const BODY_LIMIT = 64 * 1024
/**
 * The deepest valid body is an array inside an object. The rest lets a mistaken body still get an error with a pointer.
 */
const DEPTH_LIMIT = 8

// PostgreSQL cannot store NUL, and an unpaired surrogate cannot be written as UTF-8. In JSON both appear only as an
// escape. The pattern also matches an escaped backslash, which only costs time.
const UNKEEPABLE = /\\u(?:0000|d[89a-f])/i

/** A value whose texts have the form that PostgreSQL can store. Arrays and objects are changed in place. */
function keepable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', ' ').toWellFormed()
  // Not by the reviver of JSON.parse, which takes seconds for the largest body.
  if (Array.isArray(value)) for (const [at, one] of value.entries()) value[at] = keepable(one)
  else if (typeof value === 'object' && value !== null) {
    const fields = value as Record<string, unknown>
    for (const name of Object.keys(fields)) fields[name] = keepable(fields[name])
  }
  return value
}

/** JSON.parse makes `__proto__` an own property like any other, and the schemas refuse unknown fields. */
function parseBody(text: string): unknown {
  if (depthOf(text) > DEPTH_LIMIT) throw new ApiError('body_too_deep', { params: { limit: DEPTH_LIMIT } })
  try {
    const value: unknown = JSON.parse(text)
    return UNKEEPABLE.test(text) ? keepable(value) : value
  } catch (cause) {
    throw new ApiError('invalid_json', { cause })
  }
}

// Enough to fix at once. A hostile body could have thousands of errors.
const MAX_ERRORS = 20
// The default maximum is 8, and a wrong field may have two errors.
Settings.Set({ maxErrors: 2 * MAX_ERRORS })

/** `query`: texts are converted to the numbers and booleans of the schema, and pointers are written `?name`. */
export function createCheck(schema: TSchema, { query }: { query: boolean }): (data: unknown) => unknown {
  const checker = Compile(schema)
  return (data) => {
    const value = query ? fromTexts(schema, data) : data
    if (checker.Check(value)) return value
    const fields = checker.Errors(value).flatMap((error) => fieldErrorsOf(schema, error, query))
    const distinct = [...new Map(fields.map((field) => [`${field.pointer} ${field.code}`, field])).values()]
    throw new ApiError('invalid_request', { fields: distinct.slice(0, MAX_ERRORS) })
  }
}

function fieldErrorsOf(schema: TSchema, error: TLocalizedValidationError, query: boolean): FieldError[] {
  const pointer = query ? error.instancePath.replace('/', '?') : error.instancePath
  const of = (code: FieldError['code'], params?: FieldError['params']): FieldError[] => [
    params === undefined ? { pointer, code } : { pointer, code, params },
  ]
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({
        pointer: `${pointer}${query ? '?' : '/'}${name}`,
        code: 'required',
      }))
    case 'boolean':
      // `additionalProperties: false`, reported for the property that is not allowed.
      return [unknownField(schema, error.instancePath, pointer)]
    case 'type':
      // Null is only ever one branch of a union. The other branch reports the error.
      if (error.params.type === 'null') return []
      return of('wrong_type', { expected: [error.params.type].flat().join(' | ') })
    case 'minLength':
      return of('too_short', { limit: error.params.limit })
    case 'maxLength':
      return of('too_long', { limit: error.params.limit })
    case 'minimum':
    case 'exclusiveMinimum':
      return of('too_small', { limit: Number(error.params.limit) })
    case 'maximum':
    case 'exclusiveMaximum':
      return of('too_large', { limit: Number(error.params.limit) })
    case 'minItems':
      return of('too_few', { limit: error.params.limit })
    case 'minProperties':
      return of('too_few', { limit: error.params.limit })
    case 'maxItems':
      return of('too_many', { limit: error.params.limit })
    case 'uniqueItems':
      return of('repeated')
    case 'enum':
      return of('not_allowed', { allowed: error.params.allowedValues.join(', ') })
    case 'const':
      return of('not_allowed', { allowed: String(error.params.allowedValue) })
    case 'pattern':
      return of('bad_format', { expected: formOf(schema, error.schemaPath) })
    case 'format':
      return of('bad_format', { expected: error.params.format })
    case 'additionalProperties':
    case 'anyOf':
      // Another error of the same field is more exact.
      return []
    default:
      return of('bad_format', { expected: error.message })
  }
}

function unknownField(schema: TSchema, path: string, pointer: string): FieldError {
  const near = findNear(path.split('/').at(-1) ?? '', siblingsOf(schema, path))
  return near === undefined ? { pointer, code: 'unknown_field' } : { pointer, code: 'unknown_field', near }
}

/** The fields of the object that a path leads into. */
function siblingsOf(schema: TSchema, path: string): readonly string[] {
  type Level = { readonly properties?: Readonly<Record<string, Level>>; readonly items?: Level }
  const steps = path.split('/').slice(1, -1)
  const parent = steps.reduce<Level | undefined>((at, step) => at?.properties?.[step] ?? at?.items, schema as Level)
  return Object.keys(parent?.properties ?? {})
}

/** The expected form of a text with a pattern, for people: its format, or examples. */
function formOf(schema: TSchema, path: string): string {
  const steps = path.split('/').slice(1)
  const found = steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], schema)
  const { format, examples = [] } = (found ?? {}) as { format?: string; examples?: readonly string[] }
  return format ?? examples.join(', ')
}

/** A query string has only texts. Each is converted to its property's type, and left unchanged if it cannot be. */
function fromTexts(schema: TSchema, data: unknown): unknown {
  const properties = (schema as { properties?: Record<string, { type?: string }> }).properties ?? {}
  const read = (name: string, text: unknown) => {
    const type = properties[name]?.type
    if (typeof text !== 'string') return text
    if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text)
    if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
    return keepable(text)
  }
  return Object.fromEntries(Object.entries(data ?? {}).map(([name, text]) => [name, read(name, text)]))
}

// The same thing under the names that it has elsewhere.
const SYNONYMS: Readonly<Record<string, string>> = {
  suffix: 'tlds',
  suffixes: 'tlds',
  extension: 'tlds',
  extensions: 'tlds',
}
// No field of ours is as long, and each comparison takes the product of both lengths.
const MAX_LENGTH = 40

/** Which field a caller probably meant. Undefined where none is near: a wrong guess is worse than none. */
function findNear(name: string, fields: readonly string[]): string | undefined {
  const wanted = name.toLowerCase()
  if (wanted.length > MAX_LENGTH) return undefined
  const synonym = SYNONYMS[wanted]
  if (synonym !== undefined && fields.includes(synonym)) return synonym
  const mostEdits = Math.max(1, Math.floor(wanted.length / 3))
  const near = fields
    .map((field) => ({ field, edits: editsBetween(wanted, field) }))
    .filter(({ edits }) => edits <= mostEdits)
    .toSorted((a, b) => a.edits - b.edits)
  return near[0]?.field
}

/** Letters to insert, remove, replace, or swap with their neighbour (optimal string alignment). */
function editsBetween(a: string, b: string): number {
  let beforeLast: readonly number[] = []
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = isSwap ? (beforeLast[j - 2] ?? 0) + 1 : Infinity
      row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced, swapped))
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
