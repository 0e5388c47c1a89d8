/** What one event looks like on the wire, in either format. */
import type { StreamFormat } from './format.ts'

export interface StreamEvent {
  readonly event: string
  /** By which a reader who was cut off says where to go on; absent where there is nothing to go on with. */
  readonly id?: string | undefined
  /** JSON text. It has no line breaks, which is what both formats rest on. */
  readonly data: string
}

export function frameOf(format: StreamFormat, { event, id, data }: StreamEvent): string {
  if (format === 'sse') return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`
  return `{"event":"${event}",${id === undefined ? '' : `"id":"${id}",`}"data":${data}}\n`
}

/** A comment where the format has comments; otherwise an object like the others, since not every reader skips an empty line. */
export const HEARTBEATS: Readonly<Record<StreamFormat, string>> = { sse: ':\n\n', ndjson: '{"event":"heartbeat"}\n' }
