/** The webhooks of an account and the log of what was sent to them. For its admins. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Delivery, Webhook, WebhookWithSecret } from 'namewright'
import { askSettings } from './settings.ts'

export const EVENTS = [
  'favorite.available',
  'favorite.taken',
  'favorite.price_changed',
  'batch.completed',
  'quota.warning',
  'audit.entry',
] as const
export type WebhookEvent = (typeof EVENTS)[number]

export interface DeliveryPage {
  readonly deliveries: readonly Delivery[]
  readonly next_cursor: string | null
}

const webhooksOf = (account: string) => `/settings/accounts/${account}/webhooks`

export const webhooksQuery = (account: string) =>
  queryOptions({
    queryKey: ['webhooks', account],
    queryFn: async ({ signal }) =>
      (await askSettings<{ webhooks: readonly Webhook[] }>(webhooksOf(account), { signal })).webhooks,
    staleTime: 10_000,
  })

export const deliveriesQuery = (account: string, id: string) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', account, id, 'deliveries'],
    queryFn: ({ signal, pageParam }) => {
      const cursor = pageParam === '' ? '' : `&cursor=${encodeURIComponent(pageParam)}`
      return askSettings<DeliveryPage>(`${webhooksOf(account)}/${id}/deliveries?limit=20${cursor}`, { signal })
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })

export async function createWebhook(account: string, body: object): Promise<WebhookWithSecret> {
  return (await askSettings<{ webhook: WebhookWithSecret }>(webhooksOf(account), { method: 'POST', body })).webhook
}

export async function changeWebhook(account: string, id: string, body: object): Promise<Webhook> {
  return (await askSettings<{ webhook: Webhook }>(`${webhooksOf(account)}/${id}`, { method: 'PATCH', body })).webhook
}

export async function rotateWebhook(account: string, id: string, graceHours: number): Promise<WebhookWithSecret> {
  const path = `${webhooksOf(account)}/${id}/rotate-secret`
  const body = { grace_hours: graceHours }
  return (await askSettings<{ webhook: WebhookWithSecret }>(path, { method: 'POST', body })).webhook
}

export async function deleteWebhook(account: string, id: string): Promise<void> {
  await askSettings(`${webhooksOf(account)}/${id}`, { method: 'DELETE', body: {} })
}

/** Sends an event now and waits for what comes back. */
export async function testWebhook(account: string, id: string): Promise<Delivery> {
  const path = `${webhooksOf(account)}/${id}/test`
  return (await askSettings<{ delivery: Delivery }>(path, { method: 'POST', body: {} })).delivery
}

export async function replayDelivery(account: string, id: string, delivery: string): Promise<Delivery> {
  const path = `${webhooksOf(account)}/${id}/deliveries/${delivery}/replay`
  return (await askSettings<{ delivery: Delivery }>(path, { method: 'POST', body: {} })).delivery
}
