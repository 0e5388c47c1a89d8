/** Reads a stream as it comes, in either format, and notes when; the way a careful client would. */
import { request } from './world.ts'
import type { Answer, Call } from './world.ts'

export type Format = 'sse' | 'ndjson'

export interface StreamEvent {
  readonly event: string
  readonly id: string | undefined
  /** As it was sent. */
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of an event is what the test is about
  readonly data: any
  readonly at: number
}

export interface Reading extends AsyncIterable<StreamEvent> {
  readonly status: number
  readonly headers: Headers
  /** What was read so far. */
  readonly events: readonly StreamEvent[]
  /** Heartbeats among it. */
  heartbeats(): number
  /** The rest. */
  all(): Promise<readonly StreamEvent[]>
  /** Reads until this many events of the kind have come. */
  until(event: string, count?: number): Promise<readonly StreamEvent[]>
  /** Hangs up. */
  cut(): void
}

export const ACCEPT: Readonly<Record<Format, string>> = { sse: 'text/event-stream', ndjson: 'application/x-ndjson' }

export interface StreamCall extends Call {
  readonly format?: Format
}

export async function openReading(url: string, path: string, call: StreamCall): Promise<Reading> {
  const { key, body, format = 'sse', headers = {} } = call
  const stop = new AbortController()
  const response = await fetch(`${url}${path}`, {
    method: call.method ?? 'POST',
    headers: {
      accept: ACCEPT[format],
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: JSON.stringify(body),
    signal: stop.signal,
  })
  const events: StreamEvent[] = []
  let heartbeats = 0
  const source = parsed()

  async function* parsed(): AsyncGenerator<StreamEvent> {
    const end = format === 'sse' ? '\n\n' : '\n'
    let text = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      for (let at = text.indexOf(end); at >= 0; at = text.indexOf(end)) {
        const received = readFrame(format, text.slice(0, at))
        text = text.slice(at + end.length)
        if (received) {
          events.push(received)
          yield received
        } else heartbeats += 1
      }
    }
    if (text !== '') throw new Error(`the stream ended in the middle of ${text}`)
  }

  return {
    status: response.status,
    headers: response.headers,
    events,
    heartbeats: () => heartbeats,
    async all() {
      while (!(await source.next()).done);
      return events
    },
    async until(event, count = 1) {
      const has = () => events.filter((received) => received.event === event).length >= count
      while (!has()) {
        const { done } = await source.next()
        if (done)
          throw new Error(`ended after ${events.map((received) => received.event).join()} without ${count} ${event}`)
      }
      return events
    },
    cut: () => stop.abort(),
    [Symbol.asyncIterator]: () => source,
  }
}

/** Undefined for a heartbeat. Fails on whatever is neither. */
function readFrame(format: Format, frame: string): StreamEvent | undefined {
  const at = performance.now()
  if (format === 'ndjson') {
    const { event, id, data } = JSON.parse(frame) as { event: string; id?: string; data?: unknown }
    if (event === 'heartbeat') return undefined
    const text = /"data":(.*)\}$/.exec(frame)?.[1] ?? ''
    return { event, id, text, data, at }
  }
  if (frame === ':') return undefined
  const fields = new Map(frame.split('\n').map((line) => line.split(/: (.*)/) as [string, string]))
  const text = fields.get('data') ?? ''
  const event = fields.get('event')
  if (event === undefined) throw new Error(`no event in ${frame}`)
  return { event, id: fields.get('id'), text, data: JSON.parse(text), at }
}

/** The whole stream, as soon as it is over. */
export async function readStream(url: string, path: string, call: StreamCall): Promise<Reading> {
  const reading = await openReading(url, path, call)
  await reading.all()
  return reading
}

/** The same request without a stream. */
export function readPlain(url: string, path: string, { key, body, headers }: StreamCall): Promise<Answer> {
  return request(url, path, {
    ...(key === undefined ? {} : { key }),
    body,
    headers: { accept: 'application/json', ...headers },
  })
}

export interface Shown {
  readonly name: string
  readonly domains: readonly object[]
  readonly handles?: object
}

/** What a reader knows who takes every event at its word. */
export function replayed(events: readonly StreamEvent[]): Shown[] {
  const shown = new Map<string, Shown>()
  for (const { event, data } of events) {
    if (event === 'suggestion') shown.set(data.name, data)
    else if (event === 'withdrawn') shown.delete(data.name)
    else if (event === 'domain' || event === 'handles') {
      const one = shown.get(data.name)
      if (!one) throw new Error(`an update of ${data.name}, which is not shown`)
      const { handles, index, domain } = data
      shown.set(data.name, handles ? { ...one, handles } : { ...one, domains: one.domains.with(index, domain) })
    }
  }
  return [...shown.values()]
}
