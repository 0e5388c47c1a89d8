/** Parses the response headers that every caller needs. */
import type { Dispatcher } from 'undici'

export type Headers = Dispatcher.ResponseData['headers']

/** RFC 9110 §10.2.3: seconds, or a date. */
export function retryAfterOf(header: string | string[] | undefined, at: number): number | undefined {
  const text = Array.isArray(header) ? header[0] : header
  if (text === undefined) return undefined
  const ms = /^\d{1,9}$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - at
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

export function flatten(headers: Headers): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join() : value])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Record<string, string>
}
