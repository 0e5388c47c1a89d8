/** The format of a response, chosen by Accept (RFC 9110 §12.5.1): whole, Server-Sent Events, or a JSON object per line. */
import { byQuality } from '../wire/language.ts'

export type StreamFormat = 'sse' | 'ndjson'

export const MEDIA_TYPES: Readonly<Record<StreamFormat, string>> = {
  sse: 'text/event-stream',
  ndjson: 'application/x-ndjson',
}

const ANY_JSON = new Set(['*/*', 'application/*'])

/**
 * A stream must be named in Accept. JSON wins if both are named with the same quality, and a wildcard never selects a
 * stream. Undefined: whole, as JSON.
 */
export function findFormat(accept: string | undefined): StreamFormat | undefined {
  if (accept === undefined || !/event-stream|ndjson/i.test(accept)) return undefined
  const wishes = byQuality(accept).map(({ value, q }) => ({ value: value.toLowerCase(), q }))
  const formatOf = (type: string) => (['sse', 'ndjson'] as const).find((format) => MEDIA_TYPES[format] === type)
  const best = wishes.find(({ value }) => formatOf(value) !== undefined)
  if (!best) return undefined
  const named = wishes.find(({ value }) => value === 'application/json')
  const isBeaten = named ? named.q >= best.q : wishes.some(({ value, q }) => ANY_JSON.has(value) && q > best.q)
  return isBeaten ? undefined : formatOf(best.value)
}
