/**
 * The webhooks of an account, for its admins: a URL may hold a secret of its own, and the responses of a receiver are
 * confidential, wherever they are read. A secret is only in the response that creates it.
 */
import { role, settingsRoute, type MemberAsk } from '../../http/settings-route.ts'
import { found } from '../../http/route.ts'
import { NoContent } from '../../http/wire/schemas.ts'
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
import { idOf } from './routes.ts'
import {
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

const WEBHOOKS = '/settings/accounts/{account}/webhooks'
const access = role('admin')

const addWebhook = settingsRoute({
  method: 'POST',
  path: WEBHOOKS,
  id: 'addWebhook',
  summary: 'Create a webhook',
  access,
  stepUp: true,
  body: WebhookBody,
  replies: { 201: WebhookOne },
  async run(ask, app) {
    const by = managerOf(ask)
    await requireFewChanges(app, by.account)
    const { url, events, description = null } = ask.body
    const spec = { url, events, description }
    const { row, secret } = await app.db.transaction(ask.member, (tx) => createWebhook(app, tx, by, spec))
    return { webhook: { ...row, secret } }
  },
})

const listWebhooks = settingsRoute({
  method: 'GET',
  path: WEBHOOKS,
  id: 'listWebhooks',
  summary: 'List webhooks',
  access,
  replies: { 200: WebhookList },
  run: async ({ member }, { webhooks }) => ({ webhooks: await webhooks.list(member) }),
})

const changeOne = settingsRoute({
  method: 'PATCH',
  path: `${WEBHOOKS}/{id}`,
  id: 'changeWebhook',
  summary: 'Change one webhook',
  access,
  stepUp: ({ url }: WebhookChangeBody) => url !== undefined,
  body: WebhookChangeBody,
  replies: { 200: WebhookOne },
  async run(ask, app) {
    const [id, by] = [idOf(ask.params.id), managerOf(ask)]
    await requireFewChanges(app, by.account)
    return { webhook: await app.db.transaction(ask.member, (tx) => changeWebhook(app, tx, by, id, ask.body)) }
  },
})

const deleteOne = settingsRoute({
  method: 'DELETE',
  path: `${WEBHOOKS}/{id}`,
  id: 'deleteWebhook',
  summary: 'Delete one webhook',
  access,
  replies: { 204: NoContent },
  async run(ask, app) {
    const [id, by] = [idOf(ask.params.id), managerOf(ask)]
    await requireFewChanges(app, by.account)
    await app.db.transaction(ask.member, (tx) => deleteWebhook(app, tx, by, id))
    return undefined
  },
})

const rotateSecret = settingsRoute({
  method: 'POST',
  path: `${WEBHOOKS}/{id}/rotate-secret`,
  id: 'rotateWebhookSecret',
  summary: 'Rotate the webhook secret',
  access,
  stepUp: true,
  body: RotateSecretBody,
  replies: { 200: WebhookOne },
  async run(ask, app) {
    const [id, by] = [idOf(ask.params.id), managerOf(ask)]
    await requireFewChanges(app, by.account)
    const { grace_hours: graceHours = DEFAULT_GRACE_HOURS } = ask.body
    const rotated = await app.db.transaction(ask.member, (tx) => rotateWebhook(app, tx, by, { id, graceHours }))
    return { webhook: { ...rotated.row, secret: rotated.secret } }
  },
})

const testOne = settingsRoute({
  method: 'POST',
  path: `${WEBHOOKS}/{id}/test`,
  id: 'testWebhook',
  summary: 'Send a test event',
  access,
  replies: { 200: DeliveryOne },
  async run(ask, app) {
    const { member } = ask
    const { id } = found(await app.webhooks.find(member, idOf(ask.params.id)))
    await requireFewTests(app, member.accountId)
    return { delivery: await app.db.transaction(member, await sendTest(app, member, id, ask.signal)) }
  },
})

const listDeliveries = settingsRoute({
  method: 'GET',
  path: `${WEBHOOKS}/{id}/deliveries`,
  id: 'listDeliveries',
  summary: 'List the deliveries of a webhook',
  access,
  query: DeliveryQuery,
  replies: { 200: DeliveryPage },
  async run(ask, { webhooks }) {
    const id = idOf(ask.params.id)
    const rows = await ask.list(`deliveries ${id}`, (window) => webhooks.listDeliveries(ask.member, id, window))
    if (rows.length === 0) found(await webhooks.find(ask.member, id))
    return { deliveries: rows, next_cursor: ask.next }
  },
})

const replay = settingsRoute({
  method: 'POST',
  path: `${WEBHOOKS}/{id}/deliveries/{delivery}/replay`,
  id: 'replayDelivery',
  summary: 'Replay a delivery',
  access,
  replies: { 202: DeliveryOne },
  async run({ member, params }, app) {
    const wanted = { id: idOf(params.id), delivery: idOf(params.delivery) }
    const work = app.db.transaction(member, (tx) => replayDelivery(app, tx, member.accountId, wanted))
    return { delivery: await work }
  },
})

export const settings = [addWebhook, listWebhooks, changeOne, deleteOne, rotateSecret, testOne, listDeliveries, replay]

function managerOf({ member, credential, ip }: MemberAsk): Manager {
  return { account: member.accountId, actor: member.userId, ip, credential }
}
