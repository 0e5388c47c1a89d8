/**
 * Parses untrusted JSON. The fetch already limits its size; this limits its depth before anything is built, for the
 * reason in `model/json-depth.ts`.
 */
import { depthOf } from '../../model/json-depth.ts'

/** Undefined when it is not JSON, not UTF-8, or nested deeper than `maxDepth`. */
export function findJson(bytes: Buffer, maxDepth: number): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return depthOf(text) > maxDepth ? undefined : (JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
