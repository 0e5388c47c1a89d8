/**
 * Hostile until parsed: the text of a body becomes JSON only if it is not too deep.
 *
 * JSON.parse makes `__proto__` an own property like any other, and the schemas refuse every field they do not know.
 */
import { ApiError } from '../errors.ts'
import { depthOf } from '../model/json-depth.ts'

/** A generate request with every option filled is under 40 KB. */
export const BODY_LIMIT = 64 * 1024
/** The deepest body we accept has an array inside an object; the rest is room for mistakes that deserve a pointer. */
export const DEPTH_LIMIT = 8

// NUL is the one character that PostgreSQL cannot keep, and half a surrogate pair cannot be written as UTF-8. In JSON
// both can only come as an escape; a backslash that is escaped itself is taken for one, which costs time and no more.
const UNKEEPABLE = /\\u(?:0000|d[89a-f])/i

/** A text as PostgreSQL can keep it; anything else as it is. */
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
