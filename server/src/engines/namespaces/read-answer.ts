/** Reads responses strictly: whatever is not exactly what an API documents is malformed, and proves nothing. */
import { findJson, isRecord } from '../../platform/outbound/shallow-json.ts'
import type { NamespaceQuery, NamespaceReading } from './declaration.ts'

type Read = NamespaceQuery['read']
type AnswerFields = Readonly<Record<string, unknown>>

// The deepest of these documents has about ten levels.
const MAX_DEPTH = 24
const BEGINNING = 2_048

/** `isEntry`: whether a JSON object is the entry. `isMissing`: whether the body of a 404 is the documented one. */
export function readerOf(isEntry: (fields: AnswerFields) => boolean, isMissing: (body: Buffer) => boolean): Read {
  return ({ status, body }): NamespaceReading => {
    if (status === 404) return isMissing(body) ? 'absent' : 'malformed'
    const json = findJson(body, MAX_DEPTH)
    return status === 200 && isRecord(json) && isEntry(json) ? 'exists' : 'malformed'
  }
}

/** Whether the body is a JSON object that fits. */
export function fits(body: Buffer, isFitting: (fields: AnswerFields) => boolean): boolean {
  const json = findJson(body, MAX_DEPTH)
  return isRecord(json) && isFitting(json)
}

export function fieldsOf(value: unknown): AnswerFields {
  return isRecord(value) ? value : {}
}

/** Whether both are the same text, apart from case. */
export function isSame(value: unknown, name: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === name
}

/** For documents that are too long to read as a whole. */
export function beginningOf(body: Buffer): string {
  return body.subarray(0, BEGINNING).toString('latin1')
}
