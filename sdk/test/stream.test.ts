/** Streams: what a reader receives when all works, when the connection is cut, and when it hangs. */
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { NamewrightError, NetworkError, TimeBudgetError } from '../src/errors.ts'
import { createNamewright } from '../src/namewright.ts'
import type { GenerateStreamEvent } from '../src/namewright.ts'
import { lines, openScripted, refuse, reset } from './scripted.ts'
import type { Reply } from './scripted.ts'

const BODY = { description: 'a bakery', count: 2 }
const suggestion = (n: number) => ({ event: 'suggestion', id: `t.${n}`, data: { name: `Name ${n}`, domains: [] } })
const DONE = { event: 'done', id: 't.9', data: { status: 'success', data: { suggestions: [] } } }
const HEARTBEAT = { event: 'heartbeat' }
const refusal = (code: string) => ({
  event: 'error',
  data: { status: 'error', error: { code, message: code, request_id: 'req-1', docs: '' } },
})
const cut: Parameters<typeof lines>[1] = (response) => void response.socket?.resetAndDestroy()
const hang = () => {}

const clientOf = (baseUrl: string, timeBudgetMs = 30_000, random = 0) =>
  createNamewright({ baseUrl, apiKey: 'nw_test', random: () => random, timeBudgetMs })

async function read(url: string, timeBudgetMs?: number, random?: number): Promise<{ ids: string[]; error: unknown }> {
  const ids: string[] = []
  try {
    for await (const event of clientOf(url, timeBudgetMs, random).stream(BODY)) ids.push(event.id)
    return { ids, error: undefined }
  } catch (error) {
    return { ids, error }
  }
}

/** The budget may be used up between two tries or during one. */
const lastFailureOf = (error: unknown) => (error instanceof TimeBudgetError ? error.cause : error)

describe('a stream', () => {
  test('is read to its end, which has the same result as the call without a stream', async () => {
    await using server = await openScripted(lines([suggestion(1), HEARTBEAT, suggestion(2), DONE]))
    const events: GenerateStreamEvent[] = []
    for await (const event of clientOf(server.url).stream(BODY)) events.push(event)
    expect(events.map(({ event }) => event)).toEqual(['suggestion', 'suggestion', 'done'])
    expect(events.at(-1)).toMatchObject({ data: { suggestions: [] } })
    expect(server.requests[0]?.headers.accept).toMatch(/^application\/x-ndjson/)
  })

  test('is the same wherever it is cut into packets', async () => {
    const text = Buffer.from(`${JSON.stringify({ ...suggestion(1), data: { name: 'Bäckerei 🥐', domains: [] } })}\n`)
    const reply: Reply = (response) => {
      response.writeHead(200)
      const next = (at: number) => {
        if (at >= text.length) response.end(`\n${JSON.stringify(DONE)}\n`)
        else response.write(text.subarray(at, at + 1), () => setImmediate(next, at + 1))
      }
      next(0)
    }
    await using server = await openScripted(reply)
    const names: string[] = []
    for await (const event of clientOf(server.url).stream(BODY)) {
      if (event.event === 'suggestion') names.push(event.data.name)
    }
    expect(names).toEqual(['Bäckerei 🥐'])
  })

  test('that is cut off starts again, as the same request', async () => {
    const first = lines([suggestion(1), suggestion(2)], cut)
    await using server = await openScripted(first, reset, refuse(503, 'unavailable'), lines([suggestion(3), DONE]))
    expect(await read(server.url)).toEqual({ ids: ['t.1', 't.2', 't.3', 't.9'], error: undefined })
    expect(server.requests).toHaveLength(4)
    expect(new Set(server.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    expect(new Set(server.requests.map(({ body }) => body)).size).toBe(1)
  })

  test('that starts again sends a restarted event', async () => {
    const restarted = { ...suggestion(1), id: 'u.1' }
    await using server = await openScripted(lines([suggestion(1)], cut), lines([restarted, { ...DONE, id: 'u.2' }]))
    const events: unknown[] = []
    for await (const { event, id } of clientOf(server.url).stream(BODY)) events.push([event, id])
    expect(events).toEqual([
      ['suggestion', 't.1'],
      ['restarted', 'u.1'],
      ['suggestion', 'u.1'],
      ['done', 'u.2'],
    ])
  })

  test('skips events that this version does not know', async () => {
    await using server = await openScripted(lines([{ event: 'weather', id: 't.1', data: {} }, DONE]))
    expect((await read(server.url)).ids).toEqual(['t.9'])
  })

  test('that ends without its last event starts again, too', async () => {
    await using server = await openScripted(lines([suggestion(1)]), lines([DONE]))
    expect((await read(server.url)).ids).toEqual(['t.1', 't.9'])
  })

  test('that is cut off in the middle of a line ignores that line', async () => {
    const broken: Reply = (response) => {
      response.writeHead(200)
      response.write(`${JSON.stringify(suggestion(1))}\n{"event":"sugg`, () => response.socket?.resetAndDestroy())
    }
    await using server = await openScripted(broken, lines([suggestion(2), DONE]))
    expect((await read(server.url)).ids).toEqual(['t.1', 't.2', 't.9'])
  })

  test('that falls silent starts again on another connection, before the budget is used up', async () => {
    await using server = await openScripted(lines([suggestion(1)], hang), lines([DONE]))
    expect((await read(server.url, 15_000)).ids).toEqual(['t.1', 't.9'])
  })

  test('that stays silent fails', async () => {
    await using server = await openScripted(lines([suggestion(1)], hang), hang)
    const { ids, error } = await read(server.url, 6_000)
    expect(ids).toEqual(['t.1'])
    expect(error).toBeInstanceOf(TimeBudgetError)
  })

  test('that is cut off repeatedly without an event fails', async () => {
    await using server = await openScripted(lines([suggestion(1)], cut), reset)
    const { ids, error } = await read(server.url, 6_000, 0.5)
    expect(ids).toEqual(['t.1'])
    expect(lastFailureOf(error)).toBeInstanceOf(NetworkError)
  })

  test('that is cut off repeatedly at the same event fails', async () => {
    await using server = await openScripted(lines([suggestion(1), suggestion(2)], cut))
    const { ids, error } = await read(server.url, 6_000, 0.5)
    expect(ids.slice(0, 4)).toEqual(['t.1', 't.2', 't.1', 't.2'])
    expect(lastFailureOf(error)).toBeInstanceOf(NetworkError)
  })

  test('that starts repeatedly without an event fails', async () => {
    await using server = await openScripted(lines([suggestion(1)], cut), lines([], cut))
    const { ids, error } = await read(server.url, 6_000, 0.5)
    expect(ids).toEqual(['t.1'])
    expect(lastFailureOf(error)).toBeInstanceOf(NetworkError)
  })

  test('that fails throws the error, with the status of its code', async () => {
    await using server = await openScripted(lines([suggestion(1), refusal('no_names')]))
    const { error } = await read(server.url)
    expect(error).toBeInstanceOf(NamewrightError)
    expect(error).toMatchObject({ code: 'no_names', status: 422, requestId: 'req-1' })
    expect(server.requests).toHaveLength(1)
  })

  test('that fails with a retryable error is retried', async () => {
    await using server = await openScripted(lines([suggestion(1), refusal('unavailable')]), lines([DONE]))
    expect(await read(server.url)).toEqual({ ids: ['t.1', 't.9'], error: undefined })
  })

  test('that is refused before its first event is refused like any call', async () => {
    await using server = await openScripted(refuse(401, 'invalid_token'))
    expect((await read(server.url)).error).toMatchObject({ code: 'invalid_token', status: 401 })
  })

  test('that does not come from a Namewright service fails', async () => {
    await using server = await openScripted((response) => void response.end('<h1>Welcome</h1>\n'))
    expect((await read(server.url)).error).toMatchObject({ code: 'unexpected' })
  })
})

describe('a reader', () => {
  test('that stops closes the connection', async () => {
    let ended: Promise<unknown> | undefined
    await using server = await openScripted(
      lines([suggestion(1)], (response) => {
        ended = once(response, 'close')
      }),
    )
    for await (const event of clientOf(server.url).stream(BODY)) {
      expect(event.id).toBe('t.1')
      break
    }
    await expect.poll(() => ended).toBeDefined()
    await ended
    expect(server.requests).toHaveLength(1)
  })

  test('that aborts by a signal gets its reason', async () => {
    await using server = await openScripted(lines([suggestion(1)], hang))
    const controller = new AbortController()
    const reason = new Error('enough')
    const reading = (async () => {
      for await (const _ of clientOf(server.url).stream(BODY, { signal: controller.signal })) controller.abort(reason)
    })()
    await expect(reading).rejects.toBe(reason)
  })

  test('that is slower than the budget loses nothing', async () => {
    await using server = await openScripted(lines([suggestion(1), suggestion(2), DONE]))
    const ids: string[] = []
    for await (const { id } of clientOf(server.url, 4_000).stream(BODY)) {
      if (ids.length === 0) await new Promise((resolve) => setTimeout(resolve, 4_100))
      ids.push(id)
    }
    expect(ids).toEqual(['t.1', 't.2', 't.9'])
    expect(server.requests).toHaveLength(1)
  })
})
