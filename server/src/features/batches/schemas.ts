/** The shapes of /v1/batches. */
import { Type } from 'typebox'
import type { Static, TSchema } from 'typebox'
import { closed, ErrorAnswer, GenerateAnswer, GenerateBody, Instant, success } from '../../http/wire/schemas.ts'

const uuid = Type.String({ format: 'uuid' })
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Default 20.' })),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: '`next_cursor` of the previous page.' }),
  ),
}

const MAX_REQUESTS = 1_000
const count = { minItems: 1, maxItems: MAX_REQUESTS }
const webhookId = Type.Optional(
  Type.String({ format: 'uuid', description: 'The webhook to notify when the batch is complete.' }),
)

/** For the OpenAPI document. */
export const BatchRequest = Type.Object(
  {
    requests: Type.Array(GenerateBody, {
      ...count,
      description: 'Generate request bodies. An invalid one becomes an item with an error.',
    }),
    webhook_id: webhookId,
  },
  {
    ...closed,
    $id: 'BatchRequest',
    examples: [{ requests: [{ description: 'a bakery that delivers sourdough by bicycle', count: 5 }] }],
  },
)
/** What the body must be before its requests are looked at. */
export const BatchEnvelope = Type.Object({ requests: Type.Array(Type.Unknown(), count), webhook_id: webhookId }, closed)
export type BatchEnvelope = Static<typeof BatchEnvelope>

const state = Type.Enum(['running', 'completed', 'canceled'])
const Batch = Type.Object(
  {
    id: uuid,
    created_at: Instant,
    key_id: uuid,
    state,
    total: Type.Integer({ description: 'Number of items, equal to the number of requests.' }),
    finished: Type.Integer({ description: 'Finished items: succeeded, short, failed and canceled.' }),
    succeeded: Type.Integer({ description: 'Items with at least one suggestion.' }),
    short: Type.Integer({ description: 'Items that finished without a suggestion; their shortfall gives the reason.' }),
    failed: Type.Integer(),
    canceled: Type.Integer(),
    progress: Type.Number({ minimum: 0, maximum: 1, description: 'finished / total' }),
    webhook_id: nullable(uuid),
    finished_at: nullable(Instant),
  },
  { ...closed, $id: 'Batch' },
)
export const BatchOne = success(Type.Object({ batch: Batch }, closed), 'BatchAnswer')
export const BatchPage = success(
  Type.Object({ batches: Type.Array(Batch), next_cursor: nullable(Type.String()) }, closed),
  'BatchPage',
)

export const BatchQuery = Type.Object(paging, closed)
export type BatchQuery = Static<typeof BatchQuery>

/** The names that the counts of a batch use. */
export const OUTCOMES = ['succeeded', 'short', 'failed', 'canceled'] as const

const index = Type.Integer({ minimum: 0, description: 'Index of the request in `requests`.' })
const outcome = Type.Enum([...OUTCOMES], { description: 'The batch counter that includes this item.' })
const BatchItem = Type.Union(
  [
    Type.Object({ index, outcome, ...GenerateAnswer.properties }, closed),
    Type.Object({ index, outcome, ...ErrorAnswer.properties }, closed),
  ],
  { $id: 'BatchItem', description: 'The response that the request would get on its own.' },
)
const end = {
  waiting_for: nullable(
    Type.Integer({
      description: 'Index of the first item that is not finished. The page ends before it; request it again later.',
    }),
  ),
  next_cursor: nullable(Type.String()),
}
export const ResultsPage = success(Type.Object({ results: Type.Array(BatchItem), ...end }, closed), 'BatchResults')

const id = Type.String({ description: 'The index of the item.' })
const ERROR = Type.Object({ event: Type.Literal('error'), data: ErrorAnswer }, closed)
const HEARTBEAT = Type.Object({ event: Type.Literal('heartbeat') }, closed)

export const ResultEvent = Type.Union(
  [
    Type.Object({ event: Type.Literal('result'), id, data: BatchItem }, closed),
    Type.Object({ event: Type.Literal('done'), data: Type.Object({ state, ...end }, closed) }, closed),
    ERROR,
    HEARTBEAT,
  ],
  { $id: 'BatchResultEvent', description: 'One event per line.' },
)
