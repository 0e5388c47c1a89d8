/** The shapes of /v1/batches. */
import { Type } from 'typebox'
import type { Static, TSchema } from 'typebox'
import { closed, ErrorAnswer, GenerateAnswer, GenerateBody, Instant, success } from '../../wire/schemas.ts'
import { MOST_REQUESTS } from './read-body.ts'

const uuid = Type.String({ format: 'uuid' })
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Default 20.' })),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: '`next_cursor` of the page before.' }),
  ),
}

/** For the document; the body is checked while it arrives, by `read-body.ts`. */
export const BatchRequest = Type.Object(
  {
    requests: Type.Array(GenerateBody, {
      minItems: 1,
      maxItems: MOST_REQUESTS,
      description: 'Bodies of generate requests. One that is wrong becomes an error of its own.',
    }),
    webhook_id: Type.Optional(Type.String({ format: 'uuid', description: 'Is told when the batch is complete.' })),
  },
  { ...closed, $id: 'BatchRequest' },
)

const state = Type.Enum(['running', 'completed', 'canceled'])
const Batch = Type.Object(
  {
    id: uuid,
    created_at: Instant,
    key_id: uuid,
    state,
    total: Type.Integer({ description: 'Items: as many as requests were sent.' }),
    finished: Type.Integer({ description: 'Items that have ended: succeeded, failed and canceled.' }),
    succeeded: Type.Integer(),
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

const index = Type.Integer({ minimum: 0, description: 'Place of its request in `requests`.' })
const BatchItem = Type.Union(
  [
    Type.Object({ index, ...GenerateAnswer.properties }, closed),
    Type.Object({ index, ...ErrorAnswer.properties }, closed),
  ],
  { $id: 'BatchItem', description: 'What the request would have been answered by itself.' },
)
const end = {
  waiting_for: nullable(
    Type.Integer({ description: 'Items end before this one, which has not ended yet: ask again later.' }),
  ),
  next_cursor: nullable(Type.String()),
}
export const ResultsPage = success(Type.Object({ results: Type.Array(BatchItem), ...end }, closed), 'BatchResults')

const id = Type.String({ description: 'To be sent as Last-Event-ID after a broken connection.' })
const ERROR = Type.Object({ event: Type.Literal('error'), data: ErrorAnswer }, closed)
const HEARTBEAT = Type.Object({ event: Type.Literal('heartbeat') }, closed)

export const ResultEvent = Type.Union(
  [
    Type.Object({ event: Type.Literal('result'), id, data: BatchItem }, closed),
    Type.Object({ event: Type.Literal('done'), data: Type.Object({ state, ...end }, closed) }, closed),
    ERROR,
    HEARTBEAT,
  ],
  { $id: 'BatchResultEvent', description: 'One line each.' },
)

const told = Type.Object({ batch: Batch }, closed)
export const BatchEvent = Type.Union(
  [
    Type.Object({ event: Type.Literal('progress'), id, data: told }, closed),
    Type.Object({ event: Type.Literal('done'), id, data: told }, closed),
    ERROR,
    HEARTBEAT,
  ],
  { $id: 'BatchEvent', description: 'One line each.' },
)
