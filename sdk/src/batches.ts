/** Batches: many requests in one call, which workers process in the background. */
import type { Batch, BatchItem, BatchResults, GenerateRequest, Operations } from './api-types.ts'
import type { CallOptions, Caller } from './caller.ts'
import { listPages } from './pages.ts'
import type { Page } from './pages.ts'
import { streamOf } from './stream.ts'
import type { EventOf } from './stream.ts'

/**
 * An event of a batch: `progress` when items have finished, `done` when the batch has ended.
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
 * Options of a new batch.
 *
 * @example
 * ```ts
 * import type { BatchOptions } from 'namewright'
 *
 * const options: BatchOptions = { webhookId: '01a1def5-d599-7cff-8c6e-0ae2b52c5983', idempotencyKey: 'nightly-2026-11-15' }
 * ```
 */
export interface BatchOptions extends CallOptions {
  /** The webhook that receives `batch.completed`. Default: all webhooks that subscribe to it. */
  readonly webhookId?: string | undefined
}

/**
 * Options of a batch that `run` waits for.
 *
 * @example
 * ```ts
 * import type { RunOptions } from 'namewright'
 *
 * const options: RunOptions = { onProgress: ({ finished, total }) => console.error(`${finished} of ${total}`) }
 * ```
 */
export interface RunOptions extends BatchOptions {
  /** Called at the start, when items have finished, and at the end. */
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
  /** Creates a batch of at most 10,000 requests. An invalid request does not affect the others. */
  create(requests: readonly GenerateRequest[], options?: BatchOptions): Promise<Batch>
  get(id: string, options?: CallOptions): Promise<Batch>
  /** All batches, newest first. Fetches pages on demand. */
  list(query?: { readonly limit?: number | undefined }, options?: CallOptions): AsyncIterable<Batch>
  /** One page, with the cursor of the next page. */
  page(query?: Operations['GET /v1/batches']['query'], options?: CallOptions): Promise<Page<Batch>>
  /** Results in the order of the requests, up to the first unfinished request. */
  results(id: string, options?: CallOptions): AsyncIterable<BatchItem>
  /** One page of results; `waiting_for` is the first unfinished request. */
  resultsPage(
    id: string,
    query?: Operations['GET /v1/batches/{id}/results']['query'],
    options?: CallOptions,
  ): Promise<BatchResults['data']>
  /** Progress events until the batch has ended. */
  events(id: string, options?: CallOptions): AsyncIterable<BatchProgress>
  /** Cancels the batch. Unfinished requests end with the error `canceled` and are not charged. */
  cancel(id: string, options?: CallOptions): Promise<Batch>
  /** Deletes a batch that has ended, with its results. A running batch must be canceled first. */
  delete(id: string, options?: CallOptions): Promise<void>
  /**
   * Creates a batch, waits until it has ended, and returns the results in the order of the requests. The time budget
   * limits silence, not the whole run. Aborting the run cancels the batch.
   */
  run(requests: readonly GenerateRequest[], options?: RunOptions): Promise<readonly BatchItem[]>
}

// Time limit for canceling the batch of an aborted run.
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
    (await ask('POST /v1/batches/{id}/cancel', { params: { id } }, options)).batch

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
    async delete(id, options) {
      await ask('DELETE /v1/batches/{id}', { params: { id } }, options)
    },
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
