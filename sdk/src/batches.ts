/** Many descriptions at once: a batch is accepted in one call, worked off by the service, and read when it is done. */
import type { Batch, BatchItem, BatchResults, GenerateRequest, Operations } from './api-types.ts'
import type { CallOptions, Caller } from './caller.ts'
import { listPages } from './pages.ts'
import type { Page } from './pages.ts'
import { streamOf } from './stream.ts'
import type { EventOf } from './stream.ts'

/**
 * `progress` whenever the batch is further, `done` when it has ended.
 *
 * @example
 * ```ts
 * import type { BatchProgress } from 'namewright'
 *
 * export const barOf = ({ data }: BatchProgress): string => '#'.repeat(Math.round(data.batch.progress * 40))
 * ```
 */
export type BatchProgress = EventOf<'GET /v1/batches/{id}/events'>

/**
 * About a new batch.
 *
 * @example
 * ```ts
 * import type { BatchOptions } from 'namewright'
 *
 * const options: BatchOptions = { webhookId: '01a1def5-d599-7cff-8c6e-0ae2b52c5983', idempotencyKey: 'nightly-2026-11-15' }
 * ```
 */
export interface BatchOptions extends CallOptions {
  /** The one webhook to be told of its end; otherwise all that want to know are. */
  readonly webhookId?: string | undefined
}

/**
 * About a batch that is waited for.
 *
 * @example
 * ```ts
 * import type { RunOptions } from 'namewright'
 *
 * const options: RunOptions = { onProgress: ({ finished, total }) => console.error(`${finished} of ${total}`) }
 * ```
 */
export interface RunOptions extends BatchOptions {
  /** Told at the beginning, whenever the batch is further, and at the end. */
  readonly onProgress?: ((batch: Batch) => void) | undefined
}

/**
 * The batches of the account.
 *
 * @example
 * ```ts
 * import { createNamewright } from 'namewright'
 *
 * const namewright = createNamewright({ baseUrl: 'http://127.0.0.1:8080', apiKey: 'nw_your-key' })
 * const requests = ['a bakery', 'a chess club', 'a ferry'].map((description) => ({ description, count: 3 }))
 * const results = await namewright.batches.run(requests, {
 *   onProgress: ({ finished, total }) => console.error(`${finished} of ${total}`),
 * })
 * for (const item of results) {
 *   if (item.status === 'success') console.log(item.index, item.data.suggestions.map(({ name }) => name))
 *   else console.log(item.index, item.error.code)
 * }
 * ```
 */
export interface Batches {
  /** Hands the requests over, at most 10,000. One that is wrong does not spoil the others. */
  create(requests: readonly GenerateRequest[], options?: BatchOptions): Promise<Batch>
  get(id: string, options?: CallOptions): Promise<Batch>
  /** All of them, newest first; pages are fetched as they are read. */
  list(query?: { readonly limit?: number | undefined }, options?: CallOptions): AsyncIterable<Batch>
  /** One page, and where the next begins. */
  page(query?: Operations['GET /v1/batches']['query'], options?: CallOptions): Promise<Page<Batch>>
  /** What became of the requests, in their order, up to the first that has not ended yet. */
  results(id: string, options?: CallOptions): AsyncIterable<BatchItem>
  /** The same a page at a time; `waiting_for` is the first that has not ended yet. */
  resultsPage(
    id: string,
    query?: Operations['GET /v1/batches/{id}/results']['query'],
    options?: CallOptions,
  ): Promise<BatchResults['data']>
  /** How far it is, until it has ended. */
  events(id: string, options?: CallOptions): AsyncIterable<BatchProgress>
  /** What has not ended yet ends as the error `canceled`, and costs nothing. */
  cancel(id: string, options?: CallOptions): Promise<Batch>
  /**
   * Hands the requests over, waits for the end, and returns a result for each, in their order. The time budget is for
   * silence, not for the whole. An aborted run cancels its batch.
   */
  run(requests: readonly GenerateRequest[], options?: RunOptions): Promise<readonly BatchItem[]>
}

// After which an aborted run leaves the batch to itself.
const CANCEL_MS = 5_000

export function createBatches(caller: Caller): Batches {
  const { ask } = caller

  async function page(query: Operations['GET /v1/batches']['query'] = {}, options?: CallOptions) {
    const { batches, next_cursor: nextCursor } = await ask('GET /v1/batches', { query }, options)
    return { items: batches, nextCursor }
  }

  const create: Batches['create'] = async (requests, { webhookId, ...options } = {}) =>
    (await ask('POST /v1/batches', { body: { requests, webhook_id: webhookId } }, options)).batch

  const cancel: Batches['cancel'] = async (id, options) =>
    (await ask('DELETE /v1/batches/{id}', { params: { id } }, options)).batch

  const events: Batches['events'] = (id, options) =>
    streamOf(caller, 'GET /v1/batches/{id}/events', { params: { id } }, options)

  const results: Batches['results'] = async function* (id, options) {
    const input = { params: { id }, query: {} }
    for await (const event of streamOf(caller, 'GET /v1/batches/{id}/results', input, options)) {
      if (event.event === 'result') yield event.data
    }
  }

  async function follow(id: string, { onProgress, ...options }: RunOptions): Promise<readonly BatchItem[]> {
    for await (const { data } of events(id, options)) onProgress?.(data.batch)
    const items: BatchItem[] = []
    for await (const item of results(id, options)) items.push(item)
    return items
  }

  return {
    create,
    page,
    list: (query = {}, options = {}) => listPages((cursor) => page({ ...query, cursor }, options)),
    get: async (id, options) => (await ask('GET /v1/batches/{id}', { params: { id } }, options)).batch,
    results,
    resultsPage: (id, query = {}, options = {}) =>
      ask('GET /v1/batches/{id}/results', { params: { id }, query }, options),
    events,
    cancel,
    async run(requests, { onProgress, ...options } = {}) {
      const batch = await create(requests, options)
      onProgress?.(batch)
      try {
        return await follow(batch.id, { onProgress, ...options })
      } catch (error) {
        if (options.signal?.aborted) await cancel(batch.id, { timeBudgetMs: CANCEL_MS }).catch(() => {})
        throw error
      }
    },
  }
}
