/** Where the service tells of events, and how the telling goes. What arrives there is checked by `verifyWebhook`. */
import type { Delivery, Operations, Webhook, WebhookChange, WebhookRequest } from './api-types.ts'
import type { CallOptions, Caller } from './caller.ts'
import { listPages } from './pages.ts'
import type { Page } from './pages.ts'

/**
 * A webhook in the answer that makes its secret, which no other answer has.
 *
 * @example
 * ```ts
 * import type { WebhookWithSecret } from 'namewright'
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
 * import { createNamewright } from 'namewright'
 *
 * const namewright = createNamewright({ baseUrl: 'http://127.0.0.1:8080', apiKey: 'nw_your-key' })
 * const { id, secret } = await namewright.webhooks.create({
 *   url: 'https://example.com/hooks/namewright',
 *   events: ['favorite.available', 'batch.completed'],
 * })
 * console.log(`keep this, it is shown once: ${secret}`)
 * for await (const { type, state, last_status } of namewright.webhooks.deliveries(id)) {
 *   console.log(type, state, last_status)
 * }
 * await namewright.webhooks.delete(id)
 * ```
 */
export interface Webhooks {
  create(webhook: WebhookRequest, options?: CallOptions): Promise<WebhookWithSecret>
  /** All of them: there are at most 20. */
  list(options?: CallOptions): Promise<readonly Webhook[]>
  get(id: string, options?: CallOptions): Promise<Webhook>
  /** What is not named stays as it is. */
  update(id: string, change: WebhookChange, options?: CallOptions): Promise<Webhook>
  delete(id: string, options?: CallOptions): Promise<void>
  /** A new secret. The old one signs, too, for `grace_hours`: 24 by default. */
  rotateSecret(
    id: string,
    body?: Operations['POST /v1/webhooks/{id}/rotate-secret']['body'],
    options?: CallOptions,
  ): Promise<WebhookWithSecret>
  /** Sends `webhook.test` now, and returns what came of it. */
  test(id: string, options?: CallOptions): Promise<Delivery>
  /** What was sent and what came of it, newest first; pages are fetched as they are read. */
  deliveries(id: string, options?: CallOptions): AsyncIterable<Delivery>
  /** One page of it, and where the next begins. */
  deliveriesPage(
    id: string,
    query?: Operations['GET /v1/webhooks/{id}/deliveries']['query'],
    options?: CallOptions,
  ): Promise<Page<Delivery>>
  /** Sends an event again, under the id that it had. */
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

// The contract says it of these two answers in words only.
function withSecret(webhook: Webhook): WebhookWithSecret {
  return { ...webhook, secret: webhook.secret ?? '' }
}
