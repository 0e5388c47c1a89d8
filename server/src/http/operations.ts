/**
 * What the reference says of each operation beside its shapes: the name that generators give its function, and what a
 * caller should know before using it. A route without an entry here does not start.
 */
export interface OperationWords {
  readonly id: string
  readonly description: string
}

export const OPERATIONS: Readonly<Record<string, OperationWords>> = {
  'POST /v1/generate': {
    id: 'generate',
    description:
      'Names for a project, best first, each with domains that can be registered now and their prices. Costs one unit of the budget per suggestion returned; a failed request costs nothing. Streams when Accept asks for it.',
  },
  'POST /v1/domains/check': {
    id: 'checkDomains',
    description:
      'Whether each domain can be registered, and what it costs. Input order is kept and every input is answered. Up to 200 domains, 1000 when streamed. Costs no budget.',
  },
  'GET /v1/history': {
    id: 'listHistory',
    description: 'What the account has asked and was given, newest first, page by page.',
  },
  'DELETE /v1/history': {
    id: 'clearHistory',
    description: 'Deletes every record of the account. It cannot be taken back.',
  },
  'GET /v1/history/{id}': {
    id: 'getHistoryRecord',
    description: 'One record, with the suggestions as they were given.',
  },
  'DELETE /v1/history/{id}': { id: 'deleteHistoryRecord', description: 'Deletes one record. It cannot be taken back.' },
  'POST /v1/favorites': {
    id: 'addFavorite',
    description: 'Keeps a domain, with what is known of it now. The same domain again is 200 and the stored one.',
  },
  'GET /v1/favorites': {
    id: 'listFavorites',
    description: 'The favorites of the account, newest first, page by page.',
  },
  'GET /v1/favorites/{id}': {
    id: 'getFavorite',
    description: 'One favorite: what was known when it was saved, and what is known now.',
  },
  'PATCH /v1/favorites/{id}': {
    id: 'changeFavorite',
    description: 'Changes the name, note, tags or watching of a favorite. What is not sent stays.',
  },
  'DELETE /v1/favorites/{id}': {
    id: 'deleteFavorite',
    description: 'Removes a favorite and ends its watching. What changed of it goes with it.',
  },
  'GET /v1/favorites/{id}/changes': {
    id: 'listFavoriteChanges',
    description: 'Every change of availability and price since the favorite is watched, newest first, page by page.',
  },
  'POST /v1/batches': {
    id: 'createBatch',
    description:
      'Up to 10,000 generate requests in one call, answered as they finish. The budget is set aside at once and settled exactly: a request that fails costs nothing.',
  },
  'GET /v1/batches': { id: 'listBatches', description: 'The batches of the account, newest first, page by page.' },
  'GET /v1/batches/{id}': { id: 'getBatch', description: 'The state of a batch and how many of its items have ended.' },
  'DELETE /v1/batches/{id}': {
    id: 'cancelBatch',
    description:
      'Ends a batch: finished items stay, the others end as canceled, and the unused budget is back at once.',
  },
  'GET /v1/batches/{id}/results': {
    id: 'listBatchResults',
    description:
      'The items of a batch in the order of their requests, each a result or a named error, page by page or as NDJSON.',
  },
  'GET /v1/batches/{id}/events': {
    id: 'watchBatch',
    description: 'Progress as Server-Sent Events until the batch has ended; goes on after Last-Event-ID.',
  },
  'GET /v1/webhooks': { id: 'listWebhooks', description: 'The webhooks of the account.' },
  'POST /v1/webhooks': {
    id: 'addWebhook',
    description: 'Has events sent to an address. The secret that signs them is shown in this answer and never again.',
  },
  'GET /v1/webhooks/{id}': { id: 'getWebhook', description: 'One webhook, and why it is switched off where it is.' },
  'PATCH /v1/webhooks/{id}': {
    id: 'changeWebhook',
    description: 'Changes a webhook, or switches it on or off. What is not sent stays.',
  },
  'DELETE /v1/webhooks/{id}': {
    id: 'deleteWebhook',
    description: 'Removes a webhook and its log. What was still to be sent is not sent.',
  },
  'POST /v1/webhooks/{id}/rotate-secret': {
    id: 'rotateWebhookSecret',
    description: 'Makes a new secret. Until the grace is over both sign.',
  },
  'POST /v1/webhooks/{id}/test': {
    id: 'testWebhook',
    description: 'Sends an event of the type webhook.test now, and answers what came back.',
  },
  'GET /v1/webhooks/{id}/deliveries': {
    id: 'listDeliveries',
    description: 'What was sent to a webhook and what came of it, newest first, page by page.',
  },
  'POST /v1/webhooks/{id}/deliveries/{delivery}/replay': {
    id: 'replayDelivery',
    description: 'Sends an event again, under the same webhook-id.',
  },
  'GET /v1/tlds': {
    id: 'listTlds',
    description: 'Every suffix on offer: price, term, who may have it, and how often it is chosen.',
  },
  'GET /v1/usage': {
    id: 'getUsage',
    description: 'What this key and this account have used by day, and what is left. Exact.',
  },
  'GET /v1/status': {
    id: 'getStatus',
    description:
      'How the node that answers is: what it stands on, what it does differently because a part is away, its last hour, and how often what we called available turned out not to be. It answers also while the database is away.',
  },
}
