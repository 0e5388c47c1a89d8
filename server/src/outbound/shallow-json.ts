/**
 * JSON from strangers. The size is already limited by who fetched it; here the depth is, before anything is built,
 * because of what `model/json-depth.ts` says.
 */
import { depthOf } from '../model/json-depth.ts'

/** Undefined for what is no JSON, no UTF-8, or nested deeper than `maxDepth`. */
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
