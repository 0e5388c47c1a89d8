/**
 * The shapes on the wire, made from `api/openapi.json` by `pnpm sdk:types`; not to be edited.
 *
 * Everything here is named as the service names it, in snake_case. A service that is newer than this file may send
 * fields that are not listed.
 */

export interface AccountUsage {
  /** Newest first, also those without use. */
  readonly days: readonly {
    readonly day: string
    readonly suggestions: number
  }[]
  readonly today: number
  readonly this_month: number
}

export interface Batch {
  readonly id: string
  readonly created_at: string
  readonly key_id: string
  readonly state: 'running' | 'completed' | 'canceled'
  /** Items: as many as requests were sent. */
  readonly total: number
  /** Items that have ended: succeeded, failed and canceled. */
  readonly finished: number
  readonly succeeded: number
  readonly failed: number
  readonly canceled: number
  /** finished / total */
  readonly progress: number
  readonly webhook_id: string | null
  readonly finished_at: string | null
}

export interface BatchAnswer {
  readonly status: 'success'
  readonly data: {
    readonly batch: Batch
  }
}

/** One line each. */
export type BatchEvent =
  | {
      readonly event: 'progress'
      /** To be sent as Last-Event-ID after a broken connection. */
      readonly id: string
      readonly data: {
        readonly batch: Batch
      }
    }
  | {
      readonly event: 'done'
      /** To be sent as Last-Event-ID after a broken connection. */
      readonly id: string
      readonly data: {
        readonly batch: Batch
      }
    }
  | {
      readonly event: 'error'
      readonly data: ErrorAnswer
    }
  | {
      readonly event: 'heartbeat'
    }

/** What the request would have been answered by itself. */
export type BatchItem =
  | {
      /** Place of its request in `requests`. */
      readonly index: number
      readonly status: 'success'
      readonly data: {
        readonly suggestions: readonly Suggestion[]
        readonly shortfall?:
          | {
              readonly wanted: number
              readonly returned: number
              readonly reason: 'no_more_names' | 'deadline' | 'max_price' | 'availability_unknown'
            }
          | undefined
      }
    }
  | {
      /** Place of its request in `requests`. */
      readonly index: number
      readonly status: 'error'
      readonly error: {
        readonly code:
          | 'invalid_json'
          | 'body_too_deep'
          | 'invalid_request'
          | 'invalid_cursor'
          | 'invalid_idempotency_key'
          | 'malformed_http'
          | 'missing_token'
          | 'invalid_token'
          | 'expired_token'
          | 'sign_in_required'
          | 'https_required'
          | 'ip_not_allowed'
          | 'origin_not_allowed'
          | 'insufficient_scope'
          | 'insufficient_role'
          | 'recent_sign_in_required'
          | 'cross_site'
          | 'wrong_host'
          | 'not_found'
          | 'method_not_allowed'
          | 'request_timeout'
          | 'idempotency_in_progress'
          | 'last_owner'
          | 'own_account'
          | 'already_member'
          | 'too_many_webhooks'
          | 'share_full'
          | 'canceled'
          | 'invalid_link'
          | 'body_too_large'
          | 'unsupported_media_type'
          | 'idempotency_mismatch'
          | 'no_names'
          | 'rate_limited'
          | 'quota_exceeded'
          | 'headers_too_large'
          | 'internal'
          | 'unavailable'
          | 'overloaded'
          | 'storage_full'
        readonly message: string
        readonly request_id: string
        readonly errors?: readonly FieldError[] | undefined
        readonly hint?: string | undefined
        readonly docs: string
      }
    }

export interface BatchPage {
  readonly status: 'success'
  readonly data: {
    readonly batches: readonly Batch[]
    readonly next_cursor: string | null
  }
}

export interface BatchRequest {
  /** Bodies of generate requests. One that is wrong becomes an error of its own. */
  readonly requests: readonly GenerateRequest[]
  /** Is told when the batch is complete. */
  readonly webhook_id?: string | undefined
}

/** One line each. */
export type BatchResultEvent =
  | {
      readonly event: 'result'
      /** To be sent as Last-Event-ID after a broken connection. */
      readonly id: string
      readonly data: BatchItem
    }
  | {
      readonly event: 'done'
      readonly data: {
        readonly state: 'running' | 'completed' | 'canceled'
        readonly waiting_for: number | null
        readonly next_cursor: string | null
      }
    }
  | {
      readonly event: 'error'
      readonly data: ErrorAnswer
    }
  | {
      readonly event: 'heartbeat'
    }

export interface BatchResults {
  readonly status: 'success'
  readonly data: {
    readonly results: readonly BatchItem[]
    readonly waiting_for: number | null
    readonly next_cursor: string | null
  }
}

export interface CheckAnswer {
  readonly status: 'success'
  readonly data: {
    readonly domains: readonly CheckedDomain[]
  }
}

export interface CheckedDomain {
  /** As it was sent. */
  readonly input: string
  readonly domain: string
  readonly available: boolean
  readonly status:
    | 'available'
    | 'premium'
    | 'for_sale'
    | 'taken'
    | 'reserved'
    | 'restricted'
    | 'unsupported'
    | 'invalid'
    | 'unknown'
  readonly confidence: 'definitive' | 'likely'
  readonly sources: readonly string[]
  readonly checked_at: string
  readonly expires_at: string
  /** null where there is none: invalid or unsupported. */
  readonly price: string | null
  readonly pricing: Pricing | null
  /** In the words of its owner; we vouch for nothing in it. */
  readonly for_sale?:
    | {
        readonly text?: string | undefined
        readonly uri?: string | undefined
        readonly value?: string | undefined
      }
    | undefined
}

/** One line each. */
export type CheckEvent =
  | {
      readonly event: 'domain'
      /** To be sent as Last-Event-ID after a broken connection. */
      readonly id: string
      readonly data: {
        /** Its place in the request. */
        readonly index: number
        readonly domain: CheckedDomain
      }
    }
  | {
      readonly event: 'done'
      /** To be sent as Last-Event-ID after a broken connection. */
      readonly id: string
      readonly data: CheckAnswer
    }
  | {
      readonly event: 'error'
      readonly data: ErrorAnswer
    }
  | {
      readonly event: 'heartbeat'
    }

export interface CheckRequest {
  /** Up to 200; up to 1000 where the answer is streamed. */
  readonly domains: readonly string[]
  /** full: nothing remembered is used. */
  readonly verify?: 'fast' | 'full' | undefined
  /** Look for owners who offer a taken domain (RFC 10023). */
  readonly for_sale?: boolean | undefined
  /** Default 2500. */
  readonly deadline_ms?: number | undefined
}

export interface Deleted {
  readonly status: 'success'
  readonly data: Readonly<Record<string, never>>
}

export interface Delivery {
  /** Of the event; what the receiver sees as webhook-id. */
  readonly id: string
  readonly type: string
  readonly created_at: string
  readonly state: 'pending' | 'paused' | 'delivered' | 'failed'
  readonly attempts: number
  readonly next_at: string | null
  readonly last_at: string | null
  readonly last_status: number | null
  readonly last_error: string | null
  readonly last_answer: string | null
}

export interface DeliveryAnswer {
  readonly status: 'success'
  readonly data: {
    readonly delivery: Delivery
  }
}

export interface DeliveryPage {
  readonly status: 'success'
  readonly data: {
    readonly deliveries: readonly Delivery[]
    readonly next_cursor: string | null
  }
}

export interface DomainEntry {
  readonly domain: string
  /** True when the domain can be registered. Not known is false. */
  readonly available: boolean
  /** Symbol and amount: $12.99. */
  readonly price: string
  readonly status?:
    | 'available'
    | 'premium'
    | 'for_sale'
    | 'taken'
    | 'reserved'
    | 'restricted'
    | 'unsupported'
    | 'invalid'
    | 'unknown'
    | undefined
  readonly confidence?: 'definitive' | 'likely' | undefined
  readonly sources?: readonly string[] | undefined
  readonly checked_at?: string | undefined
  readonly expires_at?: string | undefined
  readonly pricing?: Pricing | undefined
}

export interface ErrorAnswer {
  readonly status: 'error'
  readonly error: {
    readonly code:
      | 'invalid_json'
      | 'body_too_deep'
      | 'invalid_request'
      | 'invalid_cursor'
      | 'invalid_idempotency_key'
      | 'malformed_http'
      | 'missing_token'
      | 'invalid_token'
      | 'expired_token'
      | 'sign_in_required'
      | 'https_required'
      | 'ip_not_allowed'
      | 'origin_not_allowed'
      | 'insufficient_scope'
      | 'insufficient_role'
      | 'recent_sign_in_required'
      | 'cross_site'
      | 'wrong_host'
      | 'not_found'
      | 'method_not_allowed'
      | 'request_timeout'
      | 'idempotency_in_progress'
      | 'last_owner'
      | 'own_account'
      | 'already_member'
      | 'too_many_webhooks'
      | 'share_full'
      | 'canceled'
      | 'invalid_link'
      | 'body_too_large'
      | 'unsupported_media_type'
      | 'idempotency_mismatch'
      | 'no_names'
      | 'rate_limited'
      | 'quota_exceeded'
      | 'headers_too_large'
      | 'internal'
      | 'unavailable'
      | 'overloaded'
      | 'storage_full'
    readonly message: string
    readonly request_id: string
    readonly errors?: readonly FieldError[] | undefined
    readonly hint?: string | undefined
    readonly docs: string
  }
}

export interface Favorite {
  readonly id: string
  readonly domain: string
  readonly name: string
  readonly note: string | null
  readonly tags: readonly string[]
  readonly watch: boolean
  readonly created_at: string
  readonly saved: Seen
  readonly current: Seen
}

export interface FavoriteAnswer {
  readonly status: 'success'
  readonly data: {
    readonly favorite: Favorite
  }
}

export interface FavoriteChange {
  readonly name?: string | undefined
  readonly note?: string | null | undefined
  readonly tags?: readonly string[] | undefined
  readonly watch?: boolean | undefined
}

export interface FavoriteChangePage {
  readonly status: 'success'
  readonly data: {
    readonly changes: readonly FavoriteChangeRecord[]
    readonly next_cursor: string | null
  }
}

export interface FavoriteChangeRecord {
  readonly id: string
  readonly created_at: string
  readonly kind: 'available' | 'taken' | 'price_changed'
  readonly before: Seen
  readonly after: Seen
}

export interface FavoritePage {
  readonly status: 'success'
  readonly data: {
    readonly favorites: readonly Favorite[]
    readonly next_cursor: string | null
  }
}

export interface FavoriteRequest {
  readonly domain: string
  readonly name?: string | undefined
  readonly note?: string | null | undefined
  readonly tags?: readonly string[] | undefined
  readonly watch?: boolean | undefined
}

export interface FieldError {
  readonly pointer: string
  readonly code:
    | 'required'
    | 'unknown_field'
    | 'wrong_type'
    | 'too_short'
    | 'too_long'
    | 'too_small'
    | 'too_large'
    | 'too_few'
    | 'too_many'
    | 'not_allowed'
    | 'bad_format'
    | 'repeated'
    | 'no_letter'
    | 'unknown_suffix'
    | 'unknown_preset'
    | 'invalid_domain'
    | 'url_not_allowed'
    | 'unknown_webhook'
    | 'min_above_max'
  readonly message: string
}

export interface GenerateAnswer {
  readonly status: 'success'
  readonly data: {
    readonly suggestions: readonly Suggestion[]
    readonly shortfall?:
      | {
          readonly wanted: number
          readonly returned: number
          readonly reason: 'no_more_names' | 'deadline' | 'max_price' | 'availability_unknown'
        }
      | undefined
  }
}

/** One line each. */
export type GenerateEvent =
  | {
      readonly event: 'suggestion'
      /** To be sent as Last-Event-ID after a broken connection. */
      readonly id: string
      readonly data: Suggestion
    }
  | {
      readonly event: 'domain'
      /** To be sent as Last-Event-ID after a broken connection. */
      readonly id: string
      readonly data: {
        readonly name: string
        /** Its place in `domains`. */
        readonly index: number
        readonly domain: DomainEntry
      }
    }
  | {
      readonly event: 'withdrawn'
      /** To be sent as Last-Event-ID after a broken connection. */
      readonly id: string
      readonly data: {
        readonly name: string
      }
    }
  | {
      readonly event: 'done'
      /** To be sent as Last-Event-ID after a broken connection. */
      readonly id: string
      readonly data: GenerateAnswer
    }
  | {
      readonly event: 'error'
      readonly data: ErrorAnswer
    }
  | {
      readonly event: 'heartbeat'
    }

export interface GenerateRequest {
  /** What the project is, in any language: 1 to 2000 characters, trimmed. */
  readonly description: string
  /** How many suggestions. */
  readonly count: number
  /** BCP 47: the language of names and texts. */
  readonly language?: string | undefined
  /** Suffixes or presets, best first. */
  readonly tlds?: readonly string[] | undefined
  readonly styles?:
    | readonly (
        | 'real_word'
        | 'compound'
        | 'blend'
        | 'affix'
        | 'respelling'
        | 'foreign'
        | 'invented'
        | 'short_phrase'
        | 'domain_hack'
      )[]
    | undefined
  /** Every name contains one of these. */
  readonly include_words?: readonly string[] | undefined
  /** No name contains any of these. */
  readonly exclude_words?: readonly string[] | undefined
  readonly min_length?: number | undefined
  readonly max_length?: number | undefined
  /** Names may contain hyphens. Default false. */
  readonly hyphens?: boolean | undefined
  /** Names may contain digits. Default false. */
  readonly digits?: boolean | undefined
  /** Names may contain letters beyond a to z. Default false. */
  readonly idn?: boolean | undefined
  /** ISO 3166-1: its suffix is offered too. */
  readonly country?: string | undefined
  /** ISO 4217. Default USD. */
  readonly currency?: string | undefined
  /** For the first year. */
  readonly max_price?: number | undefined
  /** For five years in all. */
  readonly max_price_5y?: number | undefined
  /** Premium domains may be offered. Default false. */
  readonly premium?: boolean | undefined
  /** Default true: each suggestion can be registered. */
  readonly only_available?: boolean | undefined
  /** full: nothing remembered is used. */
  readonly verify?: 'fast' | 'full' | undefined
  /** Default 2500. */
  readonly deadline_ms?: number | undefined
  /** Offer getmayfly.com where mayfly.com is taken. */
  readonly variants?: boolean | undefined
  /** Names to steer towards. */
  readonly like?: readonly string[] | undefined
  /** Names to steer away from. */
  readonly unlike?: readonly string[] | undefined
  readonly seed?: number | undefined
  readonly include?: readonly ('evidence' | 'pricing' | 'score' | 'rationale' | 'sound' | 'risks')[] | undefined
}

export interface HistoryAnswer {
  readonly status: 'success'
  readonly data: {
    readonly history: HistoryRecord
  }
}

export interface HistoryPage {
  readonly status: 'success'
  readonly data: {
    readonly history: readonly HistoryRecord[]
    readonly next_cursor: string | null
  }
}

export interface HistoryRecord {
  readonly id: string
  readonly created_at: string
  readonly description: string
  readonly count: number
  readonly language: string
  readonly options: Readonly<Record<string, unknown>>
  readonly key_id: string
  readonly suggestions: readonly Suggestion[]
}

export interface KeyUsage {
  readonly id: string
  /** Newest first, also those without use. */
  readonly days: readonly {
    readonly day: string
    readonly suggestions: number
  }[]
  readonly today: number
  readonly this_month: number
  readonly left: {
    /** null: unlimited. */
    readonly day: number | null
    /** null: unlimited. */
    readonly month: number | null
  }
}

/** Integer minor units of the currency. */
export interface Pricing {
  readonly currency: string
  readonly registration_minor: number
  readonly renewal_minor: number
  readonly transfer_minor: number
  readonly years: number
  readonly total_5y_minor: number
  /** quote: what who sells this domain asks for it. */
  readonly kind: 'list' | 'quote'
  readonly registrar: string
  readonly as_of: string
}

export interface Risks {
  /** In how many languages was looked; nothing found means nothing in these. */
  readonly checked: number
  readonly found: readonly {
    /** Null for a famous name. */
    readonly language: string | null
    readonly kind: 'offensive' | 'vulgar' | 'unlucky' | 'confusable_brand'
    /** What the name might be taken for. */
    readonly word: string
  }[]
}

export interface RotateSecretRequest {
  /** How long both secrets sign. Default 24; 0 ends the old one now. */
  readonly grace_hours?: number | undefined
}

export interface Seen {
  readonly available: boolean
  /** Symbol and amount: $12.99. */
  readonly price: string
  readonly checked_at: string
}

export interface Sound {
  readonly syllables: number
  /** As an English reader says it, the stressed syllable in capitals: BRED-weel. */
  readonly said: string
  /** Would who hears it write it so? Null where it could go either way. */
  readonly spelled_as_heard: boolean | null
}

export interface StatusAnswer {
  readonly status: 'success'
  readonly data: {
    /** What callers were told is available, asked again later elsewhere. Of this node. */
    readonly audit: readonly {
      readonly suffix: string
      readonly source: string
      readonly confirmed: number
      readonly contradicted: number
      readonly unanswered: number
      /** Confirmed of those answered. */
      readonly precision: number | null
    }[]
    readonly index: readonly {
      readonly suffix: string
      readonly names: number
      readonly snapshot_at: string
    }[]
    readonly redis: boolean
    /** How what the node stands on is just now. More parts may be added. */
    readonly parts: {
      readonly database: 'ok' | 'degraded' | 'away' | 'off'
      readonly redis: 'ok' | 'degraded' | 'away' | 'off'
      readonly registries: 'ok' | 'degraded' | 'away' | 'off'
      readonly language_model: 'ok' | 'degraded' | 'away' | 'off'
    }
    /** What the node does differently because a part is away; empty when all is well. */
    readonly in_force: readonly ('deferred_history' | 'reading_from_standby' | 'local_limits')[]
    /** Minutes of the last hour in which this node was called, and those in which more than 5 % of the answers failed. */
    readonly last_hour: {
      readonly minutes: number
      readonly down: number
    }
  }
}

export interface Suggestion {
  readonly name: string
  readonly domains: readonly DomainEntry[]
  readonly score?: Readonly<Record<string, number>> | undefined
  readonly rationale?: string | undefined
  readonly sound?: Sound | null | undefined
  readonly risks?: Risks | undefined
}

export interface Tld {
  readonly suffix: string
  /** Symbol and amount: $12.99. */
  readonly price: string
  readonly pricing: Pricing
  /** The shortest term that can be registered. */
  readonly term_years: number
  /** Who may register: open, or the code of a rule. */
  readonly eligibility: string
  /** Letters beyond a to z can be registered; null: not known. */
  readonly idn: boolean | null
  /** Rank; 1 is the most popular. null: not counted. */
  readonly popularity: number | null
}

export interface TldAnswer {
  readonly status: 'success'
  readonly data: {
    readonly tlds: readonly Tld[]
    /** What `currency` may be now. */
    readonly currencies: readonly string[]
  }
}

export interface UsageAnswer {
  readonly status: 'success'
  readonly data: {
    readonly usage: {
      readonly key: KeyUsage
      readonly account: AccountUsage
    }
  }
}

export interface Webhook {
  readonly id: string
  readonly created_at: string
  readonly url: string
  readonly events: readonly string[]
  readonly description: string | null
  readonly enabled: boolean
  readonly off_reason: 'by_hand' | 'failing' | 'gone' | null
  readonly off_at: string | null
  readonly failing_since: string | null
  readonly old_secret_until: string | null
  /** whsec_…: only in the answer that makes it. */
  readonly secret?: string | undefined
}

export interface WebhookAnswer {
  readonly status: 'success'
  readonly data: {
    readonly webhook: Webhook
  }
}

export interface WebhookChange {
  /** Where events are posted: https, port 443 or 8443, a public host. */
  readonly url?: string | undefined
  /** What it is told. */
  readonly events?:
    | readonly (
        | 'favorite.available'
        | 'favorite.taken'
        | 'favorite.price_changed'
        | 'batch.completed'
        | 'quota.warning'
      )[]
    | undefined
  readonly description?: string | null | undefined
  /** true also sends what it missed while it was off. */
  readonly enabled?: boolean | undefined
}

export interface WebhookList {
  readonly status: 'success'
  readonly data: {
    readonly webhooks: readonly Webhook[]
  }
}

export interface WebhookRequest {
  /** Where events are posted: https, port 443 or 8443, a public host. */
  readonly url: string
  /** What it is told. */
  readonly events: readonly (
    | 'favorite.available'
    | 'favorite.taken'
    | 'favorite.price_changed'
    | 'batch.completed'
    | 'quota.warning'
  )[]
  readonly description?: string | null | undefined
}

/** Every operation, by its method and path. */
export interface Operations {
  /** Generate domain suggestions. */
  readonly 'POST /v1/generate': {
    readonly body: GenerateRequest
    readonly data: GenerateAnswer['data']
    readonly event: GenerateEvent
  }
  /** Get generation history. */
  readonly 'GET /v1/history': {
    readonly query: {
      /** Default 20. */
      readonly limit?: number | undefined
      /** `next_cursor` of the page before. */
      readonly cursor?: string | undefined
      /** Part of the description. */
      readonly q?: string | undefined
      readonly since?: string | undefined
      readonly until?: string | undefined
      readonly key_id?: string | undefined
    }
    readonly data: HistoryPage['data']
  }
  /** Delete all history of the caller. */
  readonly 'DELETE /v1/history': {
    readonly data: Deleted['data']
  }
  /** Get one history record. */
  readonly 'GET /v1/history/{id}': {
    readonly params: {
      readonly id: string
    }
    readonly data: HistoryAnswer['data']
  }
  /** Delete one history record. */
  readonly 'DELETE /v1/history/{id}': {
    readonly params: {
      readonly id: string
    }
    readonly data: Deleted['data']
  }
  /** Add to favorites. */
  readonly 'POST /v1/favorites': {
    readonly body: FavoriteRequest
    readonly data: FavoriteAnswer['data']
  }
  /** Get the favorites list. */
  readonly 'GET /v1/favorites': {
    readonly query: {
      /** Default 20. */
      readonly limit?: number | undefined
      /** `next_cursor` of the page before. */
      readonly cursor?: string | undefined
      /** Part of domain, name or note. */
      readonly q?: string | undefined
      readonly tag?: string | undefined
      readonly watch?: boolean | undefined
      readonly changed_since?: string | undefined
    }
    readonly data: FavoritePage['data']
  }
  /** Get one favorite. */
  readonly 'GET /v1/favorites/{id}': {
    readonly params: {
      readonly id: string
    }
    readonly data: FavoriteAnswer['data']
  }
  /** Change one favorite. */
  readonly 'PATCH /v1/favorites/{id}': {
    readonly params: {
      readonly id: string
    }
    readonly body: FavoriteChange
    readonly data: FavoriteAnswer['data']
  }
  /** Delete one favorite. */
  readonly 'DELETE /v1/favorites/{id}': {
    readonly params: {
      readonly id: string
    }
    readonly data: Deleted['data']
  }
  /** Get what has changed of one favorite. */
  readonly 'GET /v1/favorites/{id}/changes': {
    readonly params: {
      readonly id: string
    }
    readonly query: {
      /** Default 20. */
      readonly limit?: number | undefined
      /** `next_cursor` of the page before. */
      readonly cursor?: string | undefined
    }
    readonly data: FavoriteChangePage['data']
  }
  /** List batches. */
  readonly 'GET /v1/batches': {
    readonly query: {
      /** Default 20. */
      readonly limit?: number | undefined
      /** `next_cursor` of the page before. */
      readonly cursor?: string | undefined
    }
    readonly data: BatchPage['data']
  }
  /** Generate for many descriptions at once. */
  readonly 'POST /v1/batches': {
    readonly body: BatchRequest
    readonly data: BatchAnswer['data']
  }
  /** Get one batch: its state and how far it is. */
  readonly 'GET /v1/batches/{id}': {
    readonly params: {
      readonly id: string
    }
    readonly data: BatchAnswer['data']
  }
  /** Cancel a batch. */
  readonly 'DELETE /v1/batches/{id}': {
    readonly params: {
      readonly id: string
    }
    readonly data: BatchAnswer['data']
  }
  /** Get what became of the requests of a batch, in their order. */
  readonly 'GET /v1/batches/{id}/results': {
    readonly params: {
      readonly id: string
    }
    readonly query: {
      /** Default 20. */
      readonly limit?: number | undefined
      /** `next_cursor` of the page before. */
      readonly cursor?: string | undefined
    }
    readonly data: BatchResults['data']
    readonly event: BatchResultEvent
  }
  /** Watch the progress of a batch. */
  readonly 'GET /v1/batches/{id}/events': {
    readonly params: {
      readonly id: string
    }
    readonly event: BatchEvent
  }
  /** Check domains. */
  readonly 'POST /v1/domains/check': {
    readonly body: CheckRequest
    readonly data: CheckAnswer['data']
    readonly event: CheckEvent
  }
  /** Add a webhook. */
  readonly 'POST /v1/webhooks': {
    readonly body: WebhookRequest
    readonly data: WebhookAnswer['data']
  }
  /** Get the webhooks. */
  readonly 'GET /v1/webhooks': {
    readonly data: WebhookList['data']
  }
  /** Get one webhook. */
  readonly 'GET /v1/webhooks/{id}': {
    readonly params: {
      readonly id: string
    }
    readonly data: WebhookAnswer['data']
  }
  /** Change one webhook. */
  readonly 'PATCH /v1/webhooks/{id}': {
    readonly params: {
      readonly id: string
    }
    readonly body: WebhookChange
    readonly data: WebhookAnswer['data']
  }
  /** Delete one webhook. */
  readonly 'DELETE /v1/webhooks/{id}': {
    readonly params: {
      readonly id: string
    }
    readonly data: Deleted['data']
  }
  /** Make a new secret. */
  readonly 'POST /v1/webhooks/{id}/rotate-secret': {
    readonly params: {
      readonly id: string
    }
    readonly body: RotateSecretRequest
    readonly data: WebhookAnswer['data']
  }
  /** Try a webhook out. */
  readonly 'POST /v1/webhooks/{id}/test': {
    readonly params: {
      readonly id: string
    }
    readonly data: DeliveryAnswer['data']
  }
  /** Get what was sent, and what came of it. */
  readonly 'GET /v1/webhooks/{id}/deliveries': {
    readonly params: {
      readonly id: string
    }
    readonly query: {
      /** Default 20. */
      readonly limit?: number | undefined
      /** `next_cursor` of the page before. */
      readonly cursor?: string | undefined
    }
    readonly data: DeliveryPage['data']
  }
  /** Send an event again. */
  readonly 'POST /v1/webhooks/{id}/deliveries/{delivery}/replay': {
    readonly params: {
      readonly id: string
      readonly delivery: string
    }
    readonly data: DeliveryAnswer['data']
  }
  /** Get the suffix catalogue. */
  readonly 'GET /v1/tlds': {
    readonly query: {
      /** Default: all of them. */
      readonly limit?: number | undefined
      /** Part of the suffix. */
      readonly q?: string | undefined
      /** ISO 4217. Default USD. */
      readonly currency?: string | undefined
    }
    readonly data: TldAnswer['data']
  }
  /** How the service is, and how right its answers have been. */
  readonly 'GET /v1/status': {
    readonly data: StatusAnswer['data']
  }
  /** Get what was used and what is left. */
  readonly 'GET /v1/usage': {
    readonly query: {
      /** How many, with today. Default 31. */
      readonly days?: number | undefined
    }
    readonly data: UsageAnswer['data']
  }
}

/** Every code that the service may refuse with, and its HTTP status. */
export const SERVICE_ERRORS = {
  invalid_json: 400,
  body_too_deep: 400,
  invalid_request: 400,
  invalid_cursor: 400,
  invalid_idempotency_key: 400,
  malformed_http: 400,
  missing_token: 401,
  invalid_token: 401,
  expired_token: 401,
  sign_in_required: 401,
  https_required: 403,
  ip_not_allowed: 403,
  origin_not_allowed: 403,
  insufficient_scope: 403,
  insufficient_role: 403,
  recent_sign_in_required: 403,
  cross_site: 403,
  wrong_host: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  idempotency_in_progress: 409,
  last_owner: 409,
  own_account: 409,
  already_member: 409,
  too_many_webhooks: 409,
  share_full: 409,
  canceled: 409,
  invalid_link: 410,
  body_too_large: 413,
  unsupported_media_type: 415,
  idempotency_mismatch: 422,
  no_names: 422,
  rate_limited: 429,
  quota_exceeded: 429,
  headers_too_large: 431,
  internal: 500,
  unavailable: 503,
  overloaded: 503,
  storage_full: 503,
} as const
