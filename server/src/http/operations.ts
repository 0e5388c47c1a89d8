/**
 * The documentation of each operation besides its schemas: the function name for generated clients, and what a caller
 * should know before using it. The server refuses to start if a route has no entry here and declares none (`route.ts`).
 */
export interface OperationWords {
  readonly id: string
  readonly description: string
}

export const OPERATIONS: Readonly<Record<string, OperationWords>> = {
  'POST /v1/batches': {
    id: 'createBatch',
    description:
      'Accepts up to 1,000 generate requests in one call. Results appear as items finish. The quota is reserved at once and settled exactly: a failed item uses none.',
  },
  'GET /v1/batches': {
    id: 'listBatches',
    description: 'Lists the batches of the account, newest first, with pagination.',
  },
  'GET /v1/batches/{id}': {
    id: 'getBatch',
    description: 'Returns the state of a batch and how many of its items have finished.',
  },
  'POST /v1/batches/{id}/cancel': {
    id: 'cancelBatch',
    description:
      'Cancels a batch. Finished items stay, all others become canceled, and the unused quota is released at once.',
  },
  'DELETE /v1/batches/{id}': {
    id: 'deleteBatch',
    description: 'Deletes a batch that has ended, with its results. A running batch must be canceled first.',
  },
  'GET /v1/batches/{id}/results': {
    id: 'listBatchResults',
    description:
      'Lists the items of a batch in request order, each with a result or an error, with pagination or as NDJSON.',
  },
}
