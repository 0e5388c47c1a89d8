/**
 * Parses a request body as JSON and refuses one that is nested too deeply. A body is untrusted until it is parsed.
 *
 * JSON.parse makes `__proto__` an own property like any other, and the schemas refuse unknown fields.
 */
import { ApiError } from '../model/errors.ts'
import { depthOf } from '../model/json-depth.ts'

/** A generate request with every option filled is under 40 KB. */
export const BODY_LIMIT = 64 * 1024
/**
 * The deepest valid body is an array inside an object. The rest lets a mistaken body still get an error with a pointer.
 */
export const DEPTH_LIMIT = 8

// PostgreSQL cannot store NUL, and an unpaired surrogate cannot be written as UTF-8. In JSON both appear only as an
// escape. The pattern also matches an escaped backslash, which only costs time.
const UNKEEPABLE = /\\u(?:0000|d[89a-f])/i

/** A value whose texts have the form that PostgreSQL can store. Arrays and objects are changed in place. */
export function keepable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', ' ').toWellFormed()
  // Not by the reviver of JSON.parse, which takes seconds for the largest body.
  if (Array.isArray(value)) for (const [at, one] of value.entries()) value[at] = keepable(one)
  else if (typeof value === 'object' && value !== null) {
    const fields = value as Record<string, unknown>
    for (const name of Object.keys(fields)) fields[name] = keepable(fields[name])
  }
  return value
}

export function parseBody(text: string): unknown {
  if (depthOf(text) > DEPTH_LIMIT) throw new ApiError('body_too_deep', { params: { limit: DEPTH_LIMIT } })
  try {
    const value: unknown = JSON.parse(text)
    return UNKEEPABLE.test(text) ? keepable(value) : value
  } catch (cause) {
    throw new ApiError('invalid_json', { cause })
  }
}
