/**
 * The events that an account can subscribe to. Stored and sent exactly as written here, so a value must never change.
 */
export const EVENT_TYPES = [
  'favorite.available',
  'favorite.taken',
  'favorite.price_changed',
  'batch.completed',
  'quota.warning',
  'audit.entry',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** Sent when a webhook is tested; it cannot be subscribed to. */
export const TEST_EVENT = 'webhook.test'

/** An entry of the account's audit log, as soon as it is written. */
export const AUDIT_EVENT: EventType = 'audit.entry'
