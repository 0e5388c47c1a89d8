/** Turns a TypeBox schema into a validator that reports every wrong field by pointer, with our closed set of codes. */
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { Settings } from 'typebox/system'
import { ApiError } from '../model/errors.ts'
import type { FieldError } from '../model/errors.ts'
import { keepable } from './body.ts'
import { findNear } from './near-field.ts'

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
