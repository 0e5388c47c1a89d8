/** The bodies, queries and responses of webhooks and their deliveries, for programs and for the settings. */
import { Type, type Static } from 'typebox'
import { EVENT_TYPES } from '../../model/event.ts'
import { closed, nullable, RowTime, success } from '../../http/wire/schemas.ts'
import { URL_MAX } from './send.ts'
import { DELIVERY_STATES, OFF_REASONS } from './webhooks.ts'

const wish = {
  url: Type.String({
    minLength: 1,
    maxLength: URL_MAX,
    description: 'The URL that receives events: https, port 443 or 8443, a public host.',
  }),
  events: Type.Array(Type.Enum([...EVENT_TYPES]), {
    minItems: 1,
    uniqueItems: true,
    description: 'The event types to send.',
  }),
  description: nullable(Type.String({ maxLength: 200 })),
}

export const WebhookBody = Type.Object(
  { url: wish.url, events: wish.events, description: Type.Optional(wish.description) },
  { ...closed, $id: 'WebhookRequest', examples: [{ url: 'https://example.com/hooks', events: ['batch.completed'] }] },
)

export const WebhookChangeBody = Type.Object(
  {
    url: Type.Optional(wish.url),
    events: Type.Optional(wish.events),
    description: Type.Optional(wish.description),
    enabled: Type.Optional(
      Type.Boolean({ description: 'true also sends the events that were missed while the webhook was disabled.' }),
    ),
  },
  { ...closed, minProperties: 1, $id: 'WebhookChange', examples: [{ enabled: false }] },
)
export type WebhookChangeBody = Static<typeof WebhookChangeBody>

const WEEK_HOURS = 168
// Long enough to deploy a new secret to every machine on the next working day.
export const DEFAULT_GRACE_HOURS = 24
export const RotateSecretBody = Type.Object(
  {
    grace_hours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: WEEK_HOURS,
        description: 'How many hours both secrets sign. Default 24; 0 revokes the old one now.',
      }),
    ),
  },
  { ...closed, $id: 'RotateSecretRequest', examples: [{ grace_hours: 24 }] },
)

export const DeliveryQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Default 20.' })),
    cursor: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: '`next_cursor` of the previous page.' }),
    ),
  },
  closed,
)

export const ById = Type.Object({ id: Type.String() })
export const ByDelivery = Type.Object({ id: Type.String(), delivery: Type.String() })

const Webhook = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    created_at: RowTime,
    url: Type.String(),
    events: Type.Array(Type.String()),
    description: nullable(Type.String()),
    enabled: Type.Boolean(),
    off_reason: nullable(Type.Enum([...OFF_REASONS])),
    off_at: nullable(RowTime),
    failing_since: nullable(RowTime),
    old_secret_until: nullable(RowTime),
    secret: Type.Optional(
      Type.String({ description: 'The signing secret (whsec_…). Only in the response that creates it.' }),
    ),
  },
  { ...closed, $id: 'Webhook' },
)
export const WebhookOne = success(Type.Object({ webhook: Webhook }, closed), 'WebhookAnswer')
export const WebhookList = success(Type.Object({ webhooks: Type.Array(Webhook) }, closed), 'WebhookList')

const Delivery = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'The id of the event, sent as the webhook-id header.' }),
    type: Type.String(),
    created_at: RowTime,
    state: Type.Enum([...DELIVERY_STATES]),
    attempts: Type.Integer(),
    next_at: nullable(RowTime),
    last_at: nullable(RowTime),
    last_status: nullable(Type.Integer()),
    last_error: nullable(Type.String()),
    last_answer: nullable(Type.String({ description: 'The first 1024 bytes of the last response.' })),
  },
  { ...closed, $id: 'Delivery' },
)
export const DeliveryOne = success(Type.Object({ delivery: Delivery }, closed), 'DeliveryAnswer')
export const DeliveryPage = success(
  Type.Object({ deliveries: Type.Array(Delivery), next_cursor: nullable(Type.String()) }, closed),
  'DeliveryPage',
)
