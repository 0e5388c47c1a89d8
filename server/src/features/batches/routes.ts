/** /v1/batches: many generate requests in one. Their results are in `results.ts`. */
import type { FastifyInstance } from 'fastify'
import { Compile } from 'typebox/compile'
import { requireScope, sessionOf } from '../../http/auth.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { answer, found, mountRoute, noContent, route, token, type App } from '../../http/route.ts'
import { createCheck } from '../../http/validate.ts'
import { ById, GenerateBody, NoContent } from '../../http/wire/schemas.ts'
import { ApiError } from '../../model/errors.ts'
import { isUuid } from '../../model/id.ts'
import { ofAccount } from '../../platform/db/db.ts'
import { costOf } from '../generate/index.ts'
import { acceptBatch, readRequests } from './accept.ts'
import { BatchEnvelope, BatchOne, BatchPage, BatchQuery, BatchRequest } from './schemas.ts'
import { shown } from './shown.ts'

// A thousand requests, each a little longer than the longest description.
const BODY_BYTES = 4 * 1024 * 1024
// A body of that size is written in well under a second. The rest is for a busy database.
const ACCEPT_MS = 15_000

const checkEnvelope = createCheck(BatchEnvelope, { query: false })
const check = createCheck(GenerateBody, { query: false })
const fits = Compile(GenerateBody)

export const createBatch = route({
  method: 'POST',
  path: '/v1/batches',
  id: 'createBatch',
  summary: 'Create a batch of generate requests',
  description:
    'Accepts up to 1,000 generate requests in one call. Results appear as items finish. The quota is reserved at once and settled exactly: a failed item uses none.',
  access: token('batches:write'),
  load: { priority: 'bulk', bodyBytes: BODY_BYTES },
  idempotent: { withinMs: ACCEPT_MS },
  body: BatchRequest,
  replies: { 202: BatchOne },
  async run(ask, app) {
    const { caller, language } = ask
    const { requests, webhook_id: webhookId = null } = checkEnvelope(ask.body) as BatchEnvelope
    const read = await readRequests(requests, (request, isExplained) => {
      if (!isExplained && !fits.Check(request)) throw new ApiError('invalid_request')
      return costOf(check(request) as GenerateBody, caller, app)
    })
    if (webhookId !== null && !(await app.webhooks.find(caller.accountId, webhookId))) {
      throw new ApiError('invalid_request', { fields: [{ pointer: '/webhook_id', code: 'unknown_webhook' }] })
    }
    return acceptBatch(ask, app, { ...read, webhookId, language })
  },
})

export function addCreateBatch(app: FastifyInstance, ctx: App, routeContext: RouteContext): void {
  mountRoute(app, ctx, routeContext, createBatch, {
    // Before the body is read: its items also need the scope `generate`.
    onRequest: async (request) => requireScope(sessionOf(request).caller, 'generate'),
    // `run` looks at each request by itself, so that a wrong one does not refuse the others.
    validatorCompiler: () => (value: unknown) => ({ value }),
  })
}

const listBatches = route({
  method: 'GET',
  path: '/v1/batches',
  id: 'listBatches',
  summary: 'List batches',
  description: 'Lists the batches of the account, newest first, with pagination.',
  access: token('batches:read'),
  load: { priority: 'bulk' },
  query: BatchQuery,
  replies: { 200: BatchPage },
  async run(ask, { batches }) {
    const rows = await ask.list('batches', (window) => batches.listing(window))
    return answer(200, { batches: rows.map(shown), next_cursor: ask.next })
  },
})

const getBatch = route({
  method: 'GET',
  path: '/v1/batches/{id}',
  id: 'getBatch',
  summary: 'Get one batch',
  description: 'Returns the state of a batch and how many of its items have finished.',
  access: token('batches:read'),
  load: { priority: 'bulk' },
  params: ById,
  replies: { 200: BatchOne },
  async run(ask, { batches }) {
    const { id } = ask.params
    const batch = found(isUuid(id) ? await ask.find(batches.finding(id)) : undefined)
    return answer(200, { batch: shown(batch) })
  },
})

const cancelBatch = route({
  method: 'POST',
  path: '/v1/batches/{id}/cancel',
  id: 'cancelBatch',
  summary: 'Cancel a batch',
  description:
    'Cancels a batch. Finished items stay, all others become canceled, and the unused quota is released at once.',
  access: token('batches:write'),
  load: { priority: 'bulk' },
  idempotent: false,
  params: ById,
  replies: { 200: BatchOne },
  async run(ask, { batches, quota }) {
    const { id } = ask.params
    const { accountId } = ask.caller
    if (!isUuid(id)) throw new ApiError('not_found')
    return ask.transaction(async (tx) => {
      // A worker with an item in progress finds its chunk closed at its commit, so the item is not stored and costs nothing.
      const { block, keyId } = (await batches.cancel(tx, accountId, id))?.reserved ?? {}
      const releasing = block && keyId ? quota.releasing({ accountId, keyId }, block) : []
      for (const statement of releasing) await tx.run(statement)
      const { rows } = await tx.run(ofAccount(accountId, batches.finding(id)))
      return answer(200, { batch: shown(found(rows[0])) })
    })
  },
})

const deleteBatch = route({
  method: 'DELETE',
  path: '/v1/batches/{id}',
  id: 'deleteBatch',
  summary: 'Delete a batch',
  description: 'Deletes a batch that has ended, with its results. A running batch must be canceled first.',
  access: token('batches:write'),
  load: { priority: 'bulk' },
  params: ById,
  replies: { 204: NoContent },
  async run(ask, { batches }) {
    const { id } = ask.params
    const { isRemoved } = found(isUuid(id) ? await ask.write(batches.removing(id)) : undefined)
    if (!isRemoved) throw new ApiError('batch_running')
    batches.forgetBytes(ask.caller.accountId)
    return noContent
  },
})

export const routes = [listBatches, getBatch, cancelBatch, deleteBatch]
