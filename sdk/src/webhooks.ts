/** Webhooks and their deliveries. `verifyWebhook` verifies what a webhook receives. */
import type { Delivery, Operations, Webhook, WebhookChange, WebhookRequest } from './api-types.ts'
import type { CallOptions, Caller } from './caller.ts'
import { listPages } from './pages.ts'
import type { Page } from './pages.ts'

/**
 * A webhook with its signing secret. Only the responses that create a secret contain it.
 *
 * @example
 * ```ts
 * import type { WebhookWithSecret } from '@namewright/client'
 *
 * export const lineOf = ({ url, secret }: WebhookWithSecret): string => `WEBHOOK_SECRET=${secret} # ${url}`
 * ```
 */
export type WebhookWithSecret = Webhook & { readonly secret: string }

/**
 * The webhooks of the account.
 *
 * @example
 * ```ts
 * import { createNamewright } from '@namewright/client'
 *
 * const namewright = createNamewright({ baseUrl: 'http://127.0.0.1:8080', apiKey: 'nw_your-key' })
 * const { id, secret } = await namewright.webhooks.create({
 *   url: 'https://example.com/hooks/namewright',
 *   events: ['favorite.available', 'batch.completed'],
 * })
 * console.log(`store this secret, it is shown once: ${secret}`)
 * for await (const { type, state, last_status } of namewright.webhooks.deliveries(id)) {
 *   console.log(type, state, last_status)
 * }
 * await namewright.webhooks.delete(id)
 * ```
 */
export interface Webhooks {
  create(webhook: WebhookRequest, options?: CallOptions): Promise<WebhookWithSecret>
  /** All webhooks; an account has at most 20. */
  list(options?: CallOptions): Promise<readonly Webhook[]>
  get(id: string, options?: CallOptions): Promise<Webhook>
  /** Changes the given fields. */
  update(id: string, change: WebhookChange, options?: CallOptions): Promise<Webhook>
  delete(id: string, options?: CallOptions): Promise<void>
  /** Creates a new secret. Events are also signed with the old one for `grace_hours`, 24 by default. */
  rotateSecret(
    id: string,
    body?: Operations['POST /v1/webhooks/{id}/rotate-secret']['body'],
    options?: CallOptions,
  ): Promise<WebhookWithSecret>
  /** Sends a `webhook.test` event now and returns its delivery. */
  test(id: string, options?: CallOptions): Promise<Delivery>
  /** Deliveries, newest first. Fetches pages on demand. */
  deliveries(id: string, options?: CallOptions): AsyncIterable<Delivery>
  /** One page of deliveries, with the cursor of the next page. */
  deliveriesPage(
    id: string,
    query?: Operations['GET /v1/webhooks/{id}/deliveries']['query'],
    options?: CallOptions,
  ): Promise<Page<Delivery>>
  /** Sends an event again, with its original id. */
  replay(id: string, delivery: string, options?: CallOptions): Promise<Delivery>
}

export function createWebhooks({ ask }: Caller): Webhooks {
  const deliveriesPage: Webhooks['deliveriesPage'] = async (id, query = {}, options = {}) => {
    const input = { params: { id }, query }
    const { deliveries, next_cursor: nextCursor } = await ask('GET /v1/webhooks/{id}/deliveries', input, options)
    return { items: deliveries, nextCursor }
  }
  return {
    create: async (body, options) => withSecret((await ask('POST /v1/webhooks', { body }, options)).webhook),
    list: async (options) => (await ask('GET /v1/webhooks', {}, options)).webhooks,
    get: async (id, options) => (await ask('GET /v1/webhooks/{id}', { params: { id } }, options)).webhook,
    update: async (id, body, options) =>
      (await ask('PATCH /v1/webhooks/{id}', { params: { id }, body }, options)).webhook,
    async delete(id, options) {
      await ask('DELETE /v1/webhooks/{id}', { params: { id } }, options)
    },
    rotateSecret: async (id, body = {}, options = {}) =>
      withSecret((await ask('POST /v1/webhooks/{id}/rotate-secret', { params: { id }, body }, options)).webhook),
    test: async (id, options) => (await ask('POST /v1/webhooks/{id}/test', { params: { id } }, options)).delivery,
    deliveries: (id, options = {}) => listPages((cursor) => deliveriesPage(id, { cursor }, options)),
    deliveriesPage,
    replay: async (id, delivery, options) =>
      (await ask('POST /v1/webhooks/{id}/deliveries/{delivery}/replay', { params: { id, delivery } }, options))
        .delivery,
  }
}

// The API document states in prose only that these two responses contain the secret.
function withSecret(webhook: Webhook): WebhookWithSecret {
  return { ...webhook, secret: webhook.secret ?? '' }
}
