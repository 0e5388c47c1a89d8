/**
 * An answer as a stream: what is found out while the work goes on, then `done` with what the whole answer would have been.
 *
 *   Last-Event-ID? → what was kept → is it being worked on elsewhere? then listen → the work, told as it goes → done
 *
 * Whatever is refused before the first byte is refused with its status; what fails later is an `error` event that says
 * the same. A reader who hangs up ends the work, which gives back what it had reserved. One who comes back within five
 * minutes is told the rest of what was kept, and the work is done again only if it had not been finished.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { StoredAnswer } from '../../idempotency/idempotency.ts'
import type { KeptEvent, StreamLog, Subject } from '../../streams/streams.ts'
import { sessionOf } from '../auth.ts'
import type { Doors } from '../doors.ts'
import { noteFault } from '../faults.ts'
import { doOnce } from '../once.ts'
import type { Work } from '../once.ts'
import type { StreamFormat } from './format.ts'
import type { Teller } from './teller.ts'
import { openStream } from './writer.ts'

export interface Streamed<News extends readonly unknown[]> {
  readonly format: StreamFormat
  readonly lastsMs: number
  /** Of the whole answer. */
  readonly headers: Readonly<Record<string, string>>
  readonly teller: Teller<News>
}

// How long a stream that is worked on elsewhere is left alone between two looks.
const LISTEN_MS = 100

export async function answerStream<News extends readonly unknown[]>(
  ctx: Context,
  doors: Doors,
  request: FastifyRequest,
  reply: FastifyReply,
  { format, lastsMs, headers, teller }: Streamed<News>,
  work: Work<News>,
): Promise<FastifyReply> {
  const hangUp = doors.hangUpOf(reply)
  const found = await findLog(ctx, request, lastsMs)
  const { received, kept } = found
  await using log = found.log
  if (kept.length > 0 && kept.length === received && isOver(kept))
    return reply.code(204).removeHeader('content-type').send()
  const stream = openStream(reply.headers(headers), { format, headers: { vary: 'Accept, Accept-Language' } })
  let isTelling = false
  let telling: Promise<void> | undefined

  try {
    if (received === undefined || !(await catchUp(received))) {
      await doOnce(ctx, request, { lastsMs }, (storing) => work(storing, hear), deliver)
    }
  } catch (error) {
    if (!stream.isOpen) throw error
    const { body } = doors.answerOf(noteFault(ctx.log, error, request, reply), {
      requestId: request.id,
      accept: request.headers.accept,
      language: doors.languageOf(request),
    })
    // Not kept and without an id: who comes back after it tries again.
    await stream.send({ event: 'error', data: body })
  } finally {
    stream.end()
  }
  return reply

  async function deliver(answer: StoredAnswer, isReplay: boolean): Promise<void> {
    if (!stream.isOpen) reply.headers(answer.headers)
    if (!stream.isOpen && isReplay) reply.header('Idempotent-Replayed', 'true')
    if (!isReplay) teller.settle()
    await telling
    await tell()
    // The last event is not waited for, so that nothing but its text is held for a slow reader.
    void emit({ event: 'done', data: answer.body })
  }

  function emit(event: KeptEvent): Promise<void> {
    log.keep(event)
    return stream.send({ ...event, id: `${log.token}.${log.length}` })
  }

  async function tell(): Promise<void> {
    isTelling = true
    try {
      for (const event of teller.changes()) await emit(event)
    } finally {
      isTelling = false
    }
  }

  function hear(...news: News): void {
    teller.hear(...news)
    if (isTelling) return
    telling = tell()
    // A mistake of ours, which is met where this is waited for.
    telling.catch(() => {})
  }

  /** Repeats what was kept and, while others still work on it, what they add. False: the work is ours to do. */
  async function catchUp(last: number): Promise<boolean> {
    let number = 0
    let events = kept
    for (let isOurs = false; ;) {
      for (const event of events) {
        number += 1
        teller.recall(event)
        if (number > last) await stream.send({ ...event, id: `${log.token}.${number}` })
      }
      if (isOver(events)) return true
      if (isOurs) return false
      hangUp.throwIfAborted()
      isOurs = await log.claim()
      if (!isOurs) await sleep(LISTEN_MS, undefined, { signal: hangUp })
      events = await log.listen()
    }
  }
}

interface Found {
  readonly log: StreamLog
  readonly kept: readonly KeptEvent[]
  /** How many events the reader already has; undefined for a stream that begins. */
  readonly received: number | undefined
}

const EVENT_ID = /^([\w-]{22})\.(\d{1,6})$/

/** A token that leads nowhere, whoever made it up, begins a stream like none. */
async function findLog(ctx: Context, request: FastifyRequest, lastsMs: number): Promise<Found> {
  const subject = subjectOf(request)
  const [, token, number] = EVENT_ID.exec(String(request.headers['last-event-id'] ?? '')) ?? []
  if (token !== undefined) {
    const log = ctx.streams.resume(subject, token, lastsMs)
    const received = Number(number)
    const kept = [...(await log.listen())]
    if (kept.length < Math.max(1, received)) {
      // Who comes back at once may be ahead of what is still being written down.
      await sleep(LISTEN_MS)
      kept.push(...(await log.listen()))
    }
    if (kept.length >= Math.max(1, received)) return { log, kept, received }
  }
  return { log: ctx.streams.begin(subject, lastsMs), kept: [], received: undefined }
}

function subjectOf(request: FastifyRequest): Subject {
  const { method, routeOptions, headers, body } = request
  const parts = [method, routeOptions.url, headers['accept-language'] ?? '', body]
  return { account: sessionOf(request).caller.accountId, request: JSON.stringify(parts) }
}

function isOver(events: readonly KeptEvent[]): boolean {
  return events.at(-1)?.event === 'done'
}
