/** Encodes one event for the wire, in either format. */
import type { StreamFormat } from './format.ts'

export interface StreamEvent {
  readonly event: string
  /** `<stream>.<number>`; absent from an error. */
  readonly id?: string | undefined
  /** JSON text without line breaks, which both formats require. */
  readonly data: string
}

export function frameOf(format: StreamFormat, { event, id, data }: StreamEvent): string {
  if (format === 'sse') return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`
  return `{"event":"${event}",${id === undefined ? '' : `"id":"${id}",`}"data":${data}}\n`
}

/** A comment if the format has comments; otherwise an object, since not every reader skips an empty line. */
export const HEARTBEATS: Readonly<Record<StreamFormat, string>> = { sse: ':\n\n', ndjson: '{"event":"heartbeat"}\n' }
