/** What an account can be told of. Stored and sent as it stands here, so a word is never changed. */
export const EVENT_TYPES = [
  'favorite.available',
  'favorite.taken',
  'favorite.price_changed',
  'batch.completed',
  'quota.warning',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** Sent when somebody tries a webhook out; nobody subscribes to it. */
export const TEST_EVENT = 'webhook.test'
