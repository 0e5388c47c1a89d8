/** The webhooks of an account and the log of what was sent to them. For its admins. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Delivery, Webhook, WebhookWithSecret } from '@namewright/client'
import { askSettings } from './settings.ts'

interface DeliveryPage {
  readonly deliveries: readonly Delivery[]
  readonly next_cursor: string | null
}

const placeOf = (account: string, rest = '') => `/settings/accounts/${account}/webhooks${rest}`

export const webhooksQuery = (account: string) =>
  queryOptions({
    queryKey: ['webhooks', account],
    queryFn: async ({ signal }) =>
      (await askSettings<{ webhooks: readonly Webhook[] }>(placeOf(account), { signal })).webhooks,
    staleTime: 10_000,
  })

export const deliveriesQuery = (account: string, id: string) =>
  infiniteQueryOptions({
    queryKey: [...webhooksQuery(account).queryKey, id, 'deliveries'],
    queryFn: ({ signal, pageParam }) => {
      const cursor = pageParam === '' ? '' : `&cursor=${encodeURIComponent(pageParam)}`
      return askSettings<DeliveryPage>(placeOf(account, `/${id}/deliveries?limit=20${cursor}`), { signal })
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })

export async function createWebhook(account: string, body: object): Promise<WebhookWithSecret> {
  return (await askSettings<{ webhook: WebhookWithSecret }>(placeOf(account), { method: 'POST', body })).webhook
}

export async function changeWebhook(account: string, id: string, body: object): Promise<void> {
  await askSettings(placeOf(account, `/${id}`), { method: 'PATCH', body })
}

export async function rotateWebhook(account: string, id: string, graceHours: number): Promise<WebhookWithSecret> {
  const asked = { method: 'POST', body: { grace_hours: graceHours } } as const
  return (await askSettings<{ webhook: WebhookWithSecret }>(placeOf(account, `/${id}/rotate-secret`), asked)).webhook
}

export async function deleteWebhook(account: string, id: string): Promise<void> {
  await askSettings(placeOf(account, `/${id}`), { method: 'DELETE', body: {} })
}

/** Sends an event now and waits for what comes back. */
export async function testWebhook(account: string, id: string): Promise<Delivery> {
  const asked = { method: 'POST', body: {} } as const
  return (await askSettings<{ delivery: Delivery }>(placeOf(account, `/${id}/test`), asked)).delivery
}

export async function replayDelivery(account: string, id: string, delivery: string): Promise<void> {
  await askSettings(placeOf(account, `/${id}/deliveries/${delivery}/replay`), { method: 'POST', body: {} })
}
