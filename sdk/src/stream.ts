/**
 * An answer that comes in pieces: one JSON object per line, each an event, `done` the last.
 *
 * A stream that is cut off is taken up where it ended, by the id of the last event, and the reader does not notice. The
 * time budget is for silence: it starts anew with whatever arrives, and stands still while the reader is busy. Who
 * stops reading ends the connection, and with it the work.
 */
import type { Operations } from './api-types.ts'
import type { Caller, CallOptions, InputOf, Streamed } from './caller.ts'
import type { Deadline } from './clock.ts'
import { orAborted } from './clock.ts'
import { NamewrightError, NetworkError, refusalInStream } from './errors.ts'
import { jsonOf } from './exchange.ts'
import type { Tries } from './tries.ts'

/** What a reader sees of a stream: an `error` is thrown, and a `heartbeat` is nothing. */
export type EventOf<Key extends Streamed> = Exclude<Operations[Key]['event'], { event: 'error' | 'heartbeat' }>

/** What a newer service may tell besides is passed over. */
const KNOWN: { readonly [Key in Streamed]: readonly EventOf<Key>['event'][] } = {
  'POST /v1/generate': ['suggestion', 'domain', 'withdrawn', 'done'],
  'POST /v1/domains/check': ['domain', 'done'],
  'GET /v1/batches/{id}/results': ['result', 'done'],
  'GET /v1/batches/{id}/events': ['progress', 'done'],
}

// The service writes a heartbeat every 15 s.
const SILENCE_MS = 20_000
// Of a budget; the rest is for taking the stream up again.
const SILENCE_SHARE = 2 / 3

export async function* streamOf<Key extends Streamed>(
  caller: Caller,
  operation: Key,
  input: InputOf<Key>,
  options: CallOptions = {},
): AsyncGenerator<EventOf<Key>, void, undefined> {
  const request = caller.requestOf(operation, input, options)
  const tries = caller.startTries(operation, input, options)
  let lastId: string | undefined
  for (;;) {
    const deadline = tries.begin()
    try {
      const headers = { ...request.headers, accept: 'application/x-ndjson, application/json;q=0.5' }
      const resumed = lastId === undefined ? headers : { ...headers, 'last-event-id': lastId }
      const answer = await caller.open(operation, { ...request, headers: resumed }, deadline, tries.count)
      // Nothing came after the last event that arrived.
      if (answer.status === 204) return
      for await (const line of linesOf(answer.body, deadline, tries)) {
        const event = eventOf(operation, line)
        if (event === undefined) continue
        if ('id' in event) lastId = event.id
        yield event
        if (event.event === 'done') return
      }
      throw new NetworkError('the stream ended too early')
    } catch (error) {
      await tries.orGiveUp(error, deadline)
    } finally {
      deadline.close()
    }
  }
}

async function* linesOf(
  body: ReadableStream<Uint8Array> | null,
  deadline: Deadline,
  tries: Tries,
): AsyncGenerator<string, void, undefined> {
  if (body === null) return
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      deadline.extend(Math.min(SILENCE_MS, tries.leftMs * SILENCE_SHARE))
      const { done, value } = await orAborted(reader.read(), deadline.signal).catch((cause: unknown) => {
        throw new NetworkError('the stream broke off', { cause })
      })
      deadline.rest()
      if (done) return
      tries.progress()
      rest += decoder.decode(value, { stream: true })
      const lines = rest.split('\n')
      // What has no end yet may be half of a line.
      rest = lines.pop() ?? ''
      yield* lines
      // However long the reader took over them.
      tries.progress()
    }
  } finally {
    // What is not read any more is not to be sent any more. A connection that is gone cannot be told.
    reader.cancel().catch(() => {})
  }
}

function eventOf<Key extends Streamed>(operation: Key, line: string): EventOf<Key> | undefined {
  if (line === '') return undefined
  const event = jsonOf(line) as Operations[Key]['event'] | undefined
  if (typeof event?.event !== 'string')
    throw new NamewrightError('unexpected', 200, 'the stream is not of this service')
  if (event.event === 'error') throw refusalInStream(event.data)
  return KNOWN[operation].some((name) => name === event.event) ? (event as EventOf<Key>) : undefined
}

/**
 * A stream that was cut off and could not be taken up, because it was too long ago or too long: it began anew. What was
 * told before counts no more.
 *
 * @example
 * ```ts
 * import type { GenerateStreamEvent, Restarted } from 'namewright'
 *
 * export const isAnew = (event: GenerateStreamEvent): event is Restarted => event.event === 'restarted'
 * ```
 */
export interface Restarted {
  readonly event: 'restarted'
  readonly id: string
}

/** Ids are `<stream>.<number>`: another stream in the middle is one that began anew. */
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
