/** Batches: many requests in one call, which workers process in the background. */
import type { Batch, BatchItem, BatchResults, GenerateRequest, Operations } from './api-types.ts'
import type { CallOptions, Caller } from './caller.ts'
import { pause } from './clock.ts'
import { listPages } from './pages.ts'
import type { Page } from './pages.ts'

/**
 * Options of a new batch.
 *
 * @example
 * ```ts
 * import type { BatchOptions } from '@namewright/client'
 *
 * const options: BatchOptions = { webhookId: '01a1def5-d599-7cff-8c6e-0ae2b52c5983', idempotencyKey: 'nightly-2026-11-15' }
 * ```
 */
export interface BatchOptions extends CallOptions {
  /** The webhook that receives `batch.completed`. Default: all webhooks that subscribe to it. */
  readonly webhookId?: string | undefined
}

/**
 * Options of waiting for a batch.
 *
 * @example
 * ```ts
 * import type { WaitOptions } from '@namewright/client'
 *
 * const options: WaitOptions = { onProgress: ({ finished, total }) => console.error(`${finished} of ${total}`) }
 * ```
 */
export interface WaitOptions extends CallOptions {
  /** Called with every state of the batch that was read. The last one has ended. */
  readonly onProgress?: ((batch: Batch) => void) | undefined
}

/**
 * Options of a batch that `run` waits for.
 *
 * @example
 * ```ts
 * import type { RunOptions } from '@namewright/client'
 *
 * const options: RunOptions = { idempotencyKey: 'nightly-2026-11-15', onProgress: ({ progress }) => console.error(progress) }
 * ```
 */
export interface RunOptions extends BatchOptions, WaitOptions {}

/**
 * The batches of the account.
 *
 * @example
 * ```ts
 * import { createNamewright } from '@namewright/client'
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
  /** Creates a batch of at most 1,000 requests. An invalid request does not affect the others. */
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
  /**
   * Waits until the batch has ended: reads its state after a second, then less and less often, at least every ten
   * seconds. The time budget is that of each read, not of the whole wait.
   */
  wait(id: string, options?: WaitOptions): Promise<Batch>
  /** Cancels the batch. Unfinished requests end with the error `canceled` and are not charged. */
  cancel(id: string, options?: CallOptions): Promise<Batch>
  /** Deletes a batch that has ended, with its results. A running batch must be canceled first. */
  delete(id: string, options?: CallOptions): Promise<void>
  /**
   * Creates a batch, waits until it has ended, and returns the results in the order of the requests. The time budget
   * is that of each call, not of the whole run. Aborting the run cancels the batch.
   */
  run(requests: readonly GenerateRequest[], options?: RunOptions): Promise<readonly BatchItem[]>
}

const FIRST_WAIT_MS = 1_000
const WAIT_FACTOR = 1.5
const MAX_WAIT_MS = 10_000
// The maximum of the service.
const RESULTS_PER_PAGE = 100
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

  const get: Batches['get'] = async (id, options) =>
    (await ask('GET /v1/batches/{id}', { params: { id } }, options)).batch

  const wait: Batches['wait'] = async (id, { onProgress, ...options } = {}) => {
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * WAIT_FACTOR, MAX_WAIT_MS)) {
      const batch = await get(id, options)
      onProgress?.(batch)
      if (batch.state !== 'running') return batch
      await pause(waitMs, options.signal)
    }
  }

  const resultsPage: Batches['resultsPage'] = (id, query = {}, options = {}) =>
    ask('GET /v1/batches/{id}/results', { params: { id }, query }, options)

  const results: Batches['results'] = (id, options) =>
    listPages(async (cursor) => {
      const found = await resultsPage(id, { limit: RESULTS_PER_PAGE, cursor }, options)
      return { items: found.results, nextCursor: found.waiting_for === null ? found.next_cursor : null }
    })

  return {
    create,
    page,
    list: (query = {}, options = {}) => listPages((cursor) => page({ ...query, cursor }, options)),
    get,
    wait,
    results,
    resultsPage,
    cancel,
    async delete(id, options) {
      await ask('DELETE /v1/batches/{id}', { params: { id } }, options)
    },
    async run(requests, { onProgress, ...options } = {}) {
      const { id } = await create(requests, options)
      try {
        await wait(id, { onProgress, ...options })
        const items: BatchItem[] = []
        for await (const item of results(id, options)) items.push(item)
        return items
      } catch (error) {
        if (options.signal?.aborted) await cancel(id, { timeBudgetMs: CANCEL_MS }).catch(() => {})
        throw error
      }
    },
  }
}
