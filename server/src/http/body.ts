/**
 * Parses a request body as JSON and refuses one that is nested too deeply. A body is untrusted until it is parsed.
 *
 * JSON.parse makes `__proto__` an own property like any other, and the schemas refuse unknown fields.
 */
import { ApiError } from '../errors.ts'
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

/** A text in the form that PostgreSQL can store. Other values are returned unchanged. */
export function keepable(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', ' ').toWellFormed() : value
}

export function parseBody(text: string): unknown {
  if (depthOf(text) > DEPTH_LIMIT) throw new ApiError('body_too_deep', { params: { limit: DEPTH_LIMIT } })
  try {
    return UNKEEPABLE.test(text) ? JSON.parse(text, (_name, value: unknown) => keepable(value)) : JSON.parse(text)
  } catch (cause) {
    throw new ApiError('invalid_json', { cause })
  }
}
