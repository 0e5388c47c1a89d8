/**
 * Streamed responses: newline-delimited JSON, one event per line, `done` the last.
 *
 * A stream that is cut off starts again: the same request is sent with the same idempotency key, and charged only for
 * names that it did not show before. The time budget limits silence: it restarts with every chunk, and is paused while
 * the reader is busy. A stream that has started again restarts it only beyond the events that an earlier try had
 * brought. A reader that stops closes the connection, and the service stops the work.
 */
import type { Operations } from './api-types.ts'
import type { Caller, CallOptions, InputOf, Streamed } from './caller.ts'
import type { Deadline } from './clock.ts'
import { orAborted } from './clock.ts'
import { NamewrightError, NetworkError, refusalInStream } from './errors.ts'
import { jsonOf } from './exchange.ts'
import type { Tries } from './tries.ts'

/** The events that a reader receives: an `error` is thrown, and a `heartbeat` is skipped. */
export type EventOf<Key extends Streamed> = Exclude<Operations[Key]['event'], { event: 'error' | 'heartbeat' }>

/** Other events, of a newer service, are skipped. */
const KNOWN: { readonly [Key in Streamed]: readonly EventOf<Key>['event'][] } = {
  'POST /v1/generate': ['suggestion', 'domain', 'handles', 'withdrawn', 'done'],
  'POST /v1/domains/check': ['domain', 'done'],
  'POST /v1/names/check': ['domain', 'done'],
  'GET /v1/batches/{id}/results': ['result', 'done'],
}

// The service writes a heartbeat every 15 s.
const SILENCE_MS = 20_000
// Share of the time budget; the rest is for another try.
const SILENCE_SHARE = 2 / 3

export async function* streamOf<Key extends Streamed>(
  caller: Caller,
  operation: Key,
  input: InputOf<Key>,
  options: CallOptions = {},
): AsyncGenerator<EventOf<Key>, void, undefined> {
  const request = caller.requestOf(operation, input, options)
  const tries = caller.startTries(operation, input, options)
  const headers = { ...request.headers, accept: 'application/x-ndjson, application/json;q=0.5' }
  let mostEvents = -1
  for (;;) {
    const deadline = tries.begin()
    let events = 0
    const onData = () => {
      if (events > mostEvents) tries.progress()
    }
    try {
      const answer = await caller.open(operation, { ...request, headers }, deadline, tries.count)
      for await (const line of linesOf(answer.body, { deadline, tries, onData })) {
        const event = eventOf(operation, line)
        if (event === undefined) continue
        events += 1
        yield event
        if (event.event === 'done') return
      }
      throw new NetworkError('the stream ended before its last event')
    } catch (error) {
      mostEvents = Math.max(mostEvents, events)
      await tries.waitOrThrow(error, deadline)
    } finally {
      deadline.close()
    }
  }
}

async function* linesOf(
  body: ReadableStream<Uint8Array> | null,
  { deadline, tries, onData }: { deadline: Deadline; tries: Tries; onData: () => void },
): AsyncGenerator<string, void, undefined> {
  if (body === null) return
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      deadline.extend(Math.min(SILENCE_MS, tries.leftMs * SILENCE_SHARE))
      const { done, value } = await orAborted(reader.read(), deadline.signal).catch((cause: unknown) => {
        throw new NetworkError('the stream was cut off', { cause })
      })
      deadline.stop()
      if (done) return
      onData()
      rest += decoder.decode(value, { stream: true })
      const lines = rest.split('\n')
      // The last part may be an incomplete line.
      rest = lines.pop() ?? ''
      yield* lines
      // The time that the reader took does not count as silence.
      onData()
    }
  } finally {
    // Closes the connection, so that the service stops. It fails when the connection is already lost.
    reader.cancel().catch(() => {})
  }
}

function eventOf<Key extends Streamed>(operation: Key, line: string): EventOf<Key> | undefined {
  if (line === '') return undefined
  const event = jsonOf(line) as Operations[Key]['event'] | undefined
  if (typeof event?.event !== 'string')
    throw new NamewrightError('unexpected', 200, 'the stream does not come from a Namewright service')
  if (event.event === 'error') throw refusalInStream(event.data)
  return KNOWN[operation].some((name) => name === event.event) ? (event as EventOf<Key>) : undefined
}

/**
 * The stream was cut off and started again: discard all earlier events. Only names that it had not shown before are
 * charged.
 *
 * @example
 * ```ts
 * import type { GenerateStreamEvent, Restarted } from '@namewright/client'
 *
 * export const isRestart = (event: GenerateStreamEvent): event is Restarted => event.event === 'restarted'
 * ```
 */
export interface Restarted {
  readonly event: 'restarted'
  readonly id: string
}

/** Event ids are `<stream>.<number>`: a change of the stream id is a restart. */
export async function* withRestarts<Event extends { readonly id: string }>(
  events: AsyncIterable<Event>,
): AsyncGenerator<Event | Restarted, void, undefined> {
  let stream: string | undefined
  for await (const event of events) {
    const [current] = event.id.split('.')
    if (stream !== undefined && current !== stream) yield { event: 'restarted', id: event.id }
    stream = current
    yield event
  }
}
