/** Events, states and failures of webhooks in plain words. What is not known here is shown as the service says it. */
import type { Delivery, Webhook } from 'namewright'
import type { WebhookEvent } from '../../api/webhooks.ts'
import type { TextId } from '../../i18n/i18n.ts'
import type { BadgeTone } from '../../ui/layout.tsx'
import type { IconName } from '../../ui/icon.tsx'

export const EVENT_TEXTS: Readonly<Record<WebhookEvent, TextId>> = {
  'favorite.available': 'webhooks.favoriteAvailable',
  'favorite.taken': 'webhooks.favoriteTaken',
  'favorite.price_changed': 'webhooks.favoritePrice',
  'batch.completed': 'webhooks.batchCompleted',
  'quota.warning': 'webhooks.quotaWarning',
  'audit.entry': 'webhooks.auditEntry',
}

export function eventText(type: string): TextId | undefined {
  if (type === 'webhook.test') return 'webhooks.testEvent'
  return Object.hasOwn(EVENT_TEXTS, type) ? EVENT_TEXTS[type as WebhookEvent] : undefined
}

interface State {
  readonly text: TextId
  readonly tone: BadgeTone
  readonly icon: IconName
}

export const DELIVERY_STATES: Readonly<Record<Delivery['state'], State>> = {
  delivered: { text: 'webhooks.delivered', tone: 'free', icon: 'check' },
  pending: { text: 'webhooks.pending', tone: 'unknown', icon: 'clock' },
  paused: { text: 'webhooks.paused', tone: 'taken', icon: 'minus' },
  failed: { text: 'webhooks.failed', tone: 'wrong', icon: 'warn' },
}

export function stateOf({ enabled, failing_since }: Webhook): State {
  if (!enabled) return { text: 'webhooks.off', tone: 'taken', icon: 'minus' }
  return failing_since === null
    ? { text: 'webhooks.on', tone: 'free', icon: 'check' }
    : { text: 'webhooks.failing', tone: 'wrong', icon: 'warn' }
}

export const OFF_TEXTS: Readonly<Record<NonNullable<Webhook['off_reason']>, TextId>> = {
  by_hand: 'webhooks.offByHand',
  failing: 'webhooks.offFailing',
  gone: 'webhooks.offGone',
  creator_lost_access: 'webhooks.offCreator',
}

const ERRORS: Readonly<Record<string, TextId>> = {
  status: 'webhooks.errorStatus',
  timeout: 'webhooks.errorTimeout',
  refused: 'webhooks.errorRefused',
  tls: 'webhooks.errorTls',
  too_large: 'webhooks.errorTooLarge',
  encoded: 'webhooks.errorEncoded',
  redirect: 'webhooks.errorRedirect',
  private_address: 'webhooks.errorPrivate',
  network: 'webhooks.errorNetwork',
  url_not_allowed: 'webhooks.errorUrl',
  secret_unreadable: 'webhooks.errorSecret',
}

export function errorText(error: string): TextId | undefined {
  return Object.hasOwn(ERRORS, error) ? ERRORS[error] : undefined
}
