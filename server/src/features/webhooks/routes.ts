/**
 * /v1/webhooks: the endpoints that receive the events of an account, and their deliveries. `settings-routes.ts` serves
 * people.
 *
 * A secret is only in the response that creates it.
 */
import type { Ask } from '../../http/ask.ts'
import { answer, found, noContent, route, token } from '../../http/route.ts'
import { NoContent } from '../../http/wire/schemas.ts'
import { ApiError } from '../../model/errors.ts'
import { isUuid } from '../../model/id.ts'
import type { UserId } from '../../model/member.ts'
import { sendTest } from './jobs.ts'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  replayDelivery,
  requireFewChanges,
  requireFewTests,
  rotateWebhook,
  type Manager,
} from './manage.ts'
import {
  ByDelivery,
  ById,
  DEFAULT_GRACE_HOURS,
  DeliveryOne,
  DeliveryPage,
  DeliveryQuery,
  RotateSecretBody,
  WebhookBody,
  WebhookChangeBody,
  WebhookList,
  WebhookOne,
} from './schemas.ts'
import { deliveriesOf, webhookWith } from './webhooks.ts'

const WEBHOOKS = '/v1/webhooks'
const access = token('webhooks')
// A change is a few statements; a test waits for the receiver.
const CHANGE = { withinMs: 2_500 }
const TEST = { withinMs: 20_000 }

const addWebhook = route({
  method: 'POST',
  path: WEBHOOKS,
  id: 'addWebhook',
  summary: 'Create a webhook',
  description: 'Creates a webhook that sends events to a URL. Only this response contains the signing secret.',
  access,
  idempotent: CHANGE,
  secret: true,
  body: WebhookBody,
  replies: { 201: WebhookOne },
  async run(ask, app) {
    await requireFewChanges(app, ask.caller.accountId)
    const { url, events, description = null } = ask.body
    return ask.transaction(async (tx) => {
      const { row, secret } = await createWebhook(app, tx, managerOf(ask), { url, events, description })
      return answer(201, { webhook: { ...row, secret } }, [], { location: `${WEBHOOKS}/${row.id}` })
    })
  },
})

const listWebhooks = route({
  method: 'GET',
  path: WEBHOOKS,
  id: 'listWebhooks',
  summary: 'List webhooks',
  description: 'Lists the webhooks of the account.',
  access,
  replies: { 200: WebhookList },
  run: async ({ caller }, { webhooks }) => answer(200, { webhooks: await webhooks.list(caller.accountId) }),
})

const getWebhook = route({
  method: 'GET',
  path: `${WEBHOOKS}/{id}`,
  id: 'getWebhook',
  summary: 'Get one webhook',
  description: 'Returns one webhook and, if it is disabled, the reason.',
  access,
  params: ById,
  replies: { 200: WebhookOne },
  run: async (ask) => answer(200, { webhook: found(await ask.find(webhookWith(idOf(ask.params.id)))) }),
})

const changeOne = route({
  method: 'PATCH',
  path: `${WEBHOOKS}/{id}`,
  id: 'changeWebhook',
  summary: 'Change one webhook',
  description: 'Changes, enables or disables a webhook. Omitted fields keep their values.',
  access,
  params: ById,
  body: WebhookChangeBody,
  replies: { 200: WebhookOne },
  async run(ask, app) {
    const id = idOf(ask.params.id)
    await requireFewChanges(app, ask.caller.accountId)
    return ask.transaction(async (tx) =>
      answer(200, { webhook: await changeWebhook(app, tx, managerOf(ask), id, ask.body) }),
    )
  },
})

const deleteOne = route({
  method: 'DELETE',
  path: `${WEBHOOKS}/{id}`,
  id: 'deleteWebhook',
  summary: 'Delete one webhook',
  description: 'Deletes a webhook and its delivery log. Pending deliveries are not sent.',
  access,
  params: ById,
  replies: { 204: NoContent },
  async run(ask, app) {
    const id = idOf(ask.params.id)
    await requireFewChanges(app, ask.caller.accountId)
    return ask.transaction(async (tx) => {
      await deleteWebhook(app, tx, managerOf(ask), id)
      return noContent
    })
  },
})

const rotateSecret = route({
  method: 'POST',
  path: `${WEBHOOKS}/{id}/rotate-secret`,
  id: 'rotateWebhookSecret',
  summary: 'Rotate the webhook secret',
  description: 'Creates a new signing secret. Both secrets sign until the grace period ends.',
  access,
  idempotent: CHANGE,
  secret: true,
  params: ById,
  body: RotateSecretBody,
  replies: { 200: WebhookOne },
  async run(ask, app) {
    const id = idOf(ask.params.id)
    await requireFewChanges(app, ask.caller.accountId)
    const { grace_hours: graceHours = DEFAULT_GRACE_HOURS } = ask.body
    return ask.transaction(async (tx) => {
      const { row, secret } = await rotateWebhook(app, tx, managerOf(ask), { id, graceHours })
      return answer(200, { webhook: { ...row, secret } }, [], { location: `${WEBHOOKS}/${id}` })
    })
  },
})

const testOne = route({
  method: 'POST',
  path: `${WEBHOOKS}/{id}/test`,
  id: 'testWebhook',
  summary: 'Send a test event',
  description: 'Sends a webhook.test event now and returns the response of your server.',
  access,
  idempotent: TEST,
  params: ById,
  replies: { 200: DeliveryOne },
  async run(ask, app) {
    const { id } = found(await ask.find(webhookWith(idOf(ask.params.id))))
    await requireFewTests(app, ask.caller.accountId)
    const write = await sendTest(app, ask.caller.accountId, id, ask.signal)
    return ask.transaction(async (tx) => answer(200, { delivery: await write(tx) }))
  },
})

const listDeliveries = route({
  method: 'GET',
  path: `${WEBHOOKS}/{id}/deliveries`,
  id: 'listDeliveries',
  summary: 'List the deliveries of a webhook',
  description: 'Lists the deliveries of a webhook and their outcomes, newest first, with pagination.',
  access,
  params: ById,
  query: DeliveryQuery,
  replies: { 200: DeliveryPage },
  async run(ask, app) {
    const id = idOf(ask.params.id)
    const deliveries = await ask.list('deliveries', (window) => deliveriesOf(id, window, app.now()), { id })
    if (deliveries.length === 0) found(await ask.find(webhookWith(id)))
    return answer(200, { deliveries, next_cursor: ask.next })
  },
})

const replay = route({
  method: 'POST',
  path: `${WEBHOOKS}/{id}/deliveries/{delivery}/replay`,
  id: 'replayDelivery',
  summary: 'Replay a delivery',
  description: 'Sends an event again with the same webhook-id.',
  access,
  idempotent: CHANGE,
  params: ByDelivery,
  replies: { 202: DeliveryOne },
  async run(ask, app) {
    const wanted = { id: idOf(ask.params.id), delivery: idOf(ask.params.delivery) }
    return ask.transaction(async (tx) =>
      answer(202, { delivery: await replayDelivery(app, tx, ask.caller.accountId, wanted) }),
    )
  },
})

export const routes = [
  addWebhook,
  listWebhooks,
  getWebhook,
  changeOne,
  deleteOne,
  rotateSecret,
  testOne,
  listDeliveries,
  replay,
]

/** A text that is no UUID matches no webhook. */
export function idOf(text: string): string {
  if (!isUuid(text)) throw new ApiError('not_found')
  return text
}

function managerOf({ caller, ip }: Ask): Manager {
  const { accountId: account, keyId: id, identity } = caller
  if (!identity) throw new Error('the request has a caller without a credential')
  const { credential: kind, userId, clientId } = identity
  const credential = { kind, id, clientId: clientId ?? undefined }
  return { account, actor: userId as UserId | null, ip: ip ?? null, credential }
}
