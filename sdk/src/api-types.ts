/**
 * The shapes on the wire, made from `api/openapi.json` by `pnpm openapi`; not to be edited.
 *
 * Everything here is named as the service names it, in snake_case. A service that is newer than this file may send
 * fields that are not listed.
 */

export interface AccountUsage {
  /** Newest first, including days without usage. */
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
  /** Checked domains, of all keys, applications and members together. */
  readonly checks: {
    readonly today: number
    /** null: unlimited. */
    readonly left: number | null
  }
  /** Limits that the operator sets for all keys, applications and members together. */
  readonly limits: {
    /** null: unlimited. */
    readonly names_per_day: number | null
    /** null: unlimited. */
    readonly names_per_month: number | null
    /** null: unlimited. */
    readonly requests_per_minute: number | null
    /** null: unlimited. */
    readonly checks_per_day: number | null
    /** null: unlimited. */
    readonly keys: number | null
    /** null: unlimited. */
    readonly webhooks: number | null
    /** null: unlimited. */
    readonly applications: number | null
    /** null: unlimited. */
    readonly running_batches: number | null
    /** null: unlimited. */
    readonly open_streams: number | null
    /** null: unlimited. */
    readonly history_bytes: number | null
    /** null: unlimited. */
    readonly batch_bytes: number | null
    /** null: unlimited. */
    readonly answer_bytes: number | null
    /** null: unlimited. */
    readonly favorites: number | null
  }
}

export interface Batch {
  readonly id: string
  readonly created_at: string
  readonly key_id: string
  readonly state: 'running' | 'completed' | 'canceled'
  /** Number of items, equal to the number of requests. */
  readonly total: number
  /** Finished items: succeeded, short, failed and canceled. */
  readonly finished: number
  /** Items with at least one suggestion. */
  readonly succeeded: number
  /** Items that finished without a suggestion; their shortfall gives the reason. */
  readonly short: number
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

/** The response that the request would get on its own. */
export type BatchItem =
  | {
      /** Index of the request in `requests`. */
      readonly index: number
      /** The batch counter that includes this item. */
      readonly outcome: 'succeeded' | 'short' | 'failed' | 'canceled'
      readonly status: 'success'
      readonly data: {
        readonly suggestions: readonly Suggestion[]
        /** The candidates that are not suggested. Only in answers to a request with `candidates`. */
        readonly rejected?: readonly Rejected[] | undefined
        readonly understanding?: Understanding | undefined
        readonly shortfall?:
          | {
              readonly wanted: number
              readonly returned: number
              readonly reason: 'no_more_names' | 'deadline' | 'max_price' | 'restricted' | 'availability_unknown'
              /** For availability_unknown: the sources that could not be used, and their state. */
              readonly sources?:
                | readonly {
                    readonly source: string
                    readonly state: 'proving' | 'untrusted' | 'unreachable' | 'failing' | 'resting' | 'rate_limited'
                  }[]
                | undefined
              /** Seconds until a rate-limited source can be used again. */
              readonly retry_after?: number | undefined
              /** For availability_unknown and restricted: what to do, in the language of the response. */
              readonly hint?: string | undefined
            }
          | undefined
      }
    }
  | {
      /** Index of the request in `requests`. */
      readonly index: number
      /** The batch counter that includes this item. */
      readonly outcome: 'succeeded' | 'short' | 'failed' | 'canceled'
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
          | 'account_suspended'
          | 'account_limit'
          | 'storage_limit'
          | 'application_blocked'
          | 'recent_sign_in_required'
          | 'cross_site'
          | 'wrong_host'
          | 'not_found'
          | 'method_not_allowed'
          | 'request_timeout'
          | 'batch_running'
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
          | 'concurrency_limited'
          | 'quota_exceeded'
          | 'checks_exceeded'
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
  /** Generate request bodies. An invalid one becomes an item with an error. */
  readonly requests: readonly GenerateRequest[]
  /** The webhook to notify when the batch is complete. */
  readonly webhook_id?: string | undefined
}

/** One event per line. */
export type BatchResultEvent =
  | {
      readonly event: 'result'
      /** The index of the item. */
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
  /** The input as it was sent. */
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
  /** Absent if the status is `unknown`. */
  readonly confidence?: 'definitive' | 'likely' | undefined
  readonly sources: readonly string[]
  readonly checked_at: string
  readonly expires_at: string
  /** The code of the rule about who can register, where there is one. */
  readonly eligibility?: string | undefined
  /** ISO 3166-1 codes: the countries whose registrants satisfy the rule, if it is about countries. */
  readonly eligible_countries?: readonly string[] | undefined
  /** null if there is no price: the domain is invalid or unsupported, or nobody of whom we know the price sells its suffix. */
  readonly price: string | null
  readonly pricing: Pricing | null
  /** Where it can be registered: the search of a registrar. */
  readonly register_url?: string | undefined
  /** Whose page that is: the registrar of this service, one with a dated price for the suffix, one that confirmed the domain, or `IANA`, whose page links the registry. */
  readonly registrar?: string | undefined
  /** Text published by the owner of the domain, and offers. Not verified. */
  readonly for_sale?:
    | {
        readonly text?: string | undefined
        readonly uri?: string | undefined
        /** The price as the owner wrote it: USD750. */
        readonly value?: string | undefined
        /** Offers with a price. Not verified. */
        readonly offers?: readonly SaleOffer[] | undefined
      }
    | undefined
}

export interface CheckedName {
  /** The name as it was sent. */
  readonly input: string
  readonly label: string
  readonly domains: readonly CheckedDomain[]
  readonly packages?: readonly NameVerdict[] | undefined
  readonly code?: readonly NameVerdict[] | undefined
  readonly links?: readonly NameLink[] | undefined
}

/** One event per line. */
export type CheckEvent =
  | {
      readonly event: 'domain'
      /** The part before the dot is the same for all events of one response. */
      readonly id: string
      readonly data: {
        /** Index in the request. */
        readonly index: number
        readonly domain: CheckedDomain
      }
    }
  | {
      readonly event: 'done'
      /** The part before the dot is the same for all events of one response. */
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
  /** Up to 200; up to 1000 when the response is streamed. */
  readonly domains: readonly string[]
  /** full: bypass caches and ask the registrar or registry again. */
  readonly verify?: 'fast' | 'full' | undefined
  /** Also find offers for taken domains: of the owner (RFC 10023), and of aftermarket vendors. */
  readonly for_sale?: boolean | undefined
  /** ISO 3166-1 country code of the registrant. Domains that need presence in another country are `restricted`. */
  readonly country?: string | undefined
  /** register: where each available domain can be registered. */
  readonly include?: readonly 'register'[] | undefined
  /** Default 2500. */
  readonly deadline_ms?: number | undefined
}

export interface Delivery {
  /** The id of the event, sent as the webhook-id header. */
  readonly id: string
  readonly type: string
  readonly created_at: string
  readonly state: 'pending' | 'delivered' | 'failed'
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
  /** True if the domain can be registered. False if it cannot, or if that is unknown. */
  readonly available: boolean
  /** Symbol and amount: $12.99, R$12.99, CHF12.99. */
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
  /** Absent if the status is `unknown`. */
  readonly confidence?: 'definitive' | 'likely' | undefined
  /** Sources of the result, such as `dns`, `rdap` or a registrar; only `sandbox` in sandbox mode. */
  readonly sources?: readonly string[] | undefined
  readonly checked_at?: string | undefined
  readonly expires_at?: string | undefined
  /** The code of the rule about who can register, where there is one. */
  readonly eligibility?: string | undefined
  /** ISO 3166-1 codes: the countries whose registrants satisfy the rule, if it is about countries. */
  readonly eligible_countries?: readonly string[] | undefined
  readonly pricing?: Pricing | undefined
  /** Where it can be registered: the search of a registrar. */
  readonly register_url?: string | undefined
  /** Whose page that is: the registrar of this service, one with a dated price for the suffix, one that confirmed the domain, or `IANA`, whose page links the registry. */
  readonly registrar?: string | undefined
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
      | 'account_suspended'
      | 'account_limit'
      | 'storage_limit'
      | 'application_blocked'
      | 'recent_sign_in_required'
      | 'cross_site'
      | 'wrong_host'
      | 'not_found'
      | 'method_not_allowed'
      | 'request_timeout'
      | 'batch_running'
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
      | 'concurrency_limited'
      | 'quota_exceeded'
      | 'checks_exceeded'
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
  /** The shortest registration, in years. Prices are for it. */
  readonly term_years: number
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
    /** The candidates that are not suggested. Only in answers to a request with `candidates`. */
    readonly rejected?: readonly Rejected[] | undefined
    readonly understanding?: Understanding | undefined
    readonly shortfall?:
      | {
          readonly wanted: number
          readonly returned: number
          readonly reason: 'no_more_names' | 'deadline' | 'max_price' | 'restricted' | 'availability_unknown'
          /** For availability_unknown: the sources that could not be used, and their state. */
          readonly sources?:
            | readonly {
                readonly source: string
                readonly state: 'proving' | 'untrusted' | 'unreachable' | 'failing' | 'resting' | 'rate_limited'
              }[]
            | undefined
          /** Seconds until a rate-limited source can be used again. */
          readonly retry_after?: number | undefined
          /** For availability_unknown and restricted: what to do, in the language of the response. */
          readonly hint?: string | undefined
        }
      | undefined
  }
}

/** One event per line. */
export type GenerateEvent =
  | {
      readonly event: 'suggestion'
      /** The part before the dot is the same for all events of one response. */
      readonly id: string
      readonly data: Suggestion
    }
  | {
      readonly event: 'domain'
      /** The part before the dot is the same for all events of one response. */
      readonly id: string
      readonly data: {
        readonly name: string
        /** Index in `domains`. */
        readonly index: number
        readonly domain: DomainEntry
      }
    }
  | {
      readonly event: 'handles'
      /** The part before the dot is the same for all events of one response. */
      readonly id: string
      readonly data: {
        readonly name: string
        readonly handles: Handles
      }
    }
  | {
      readonly event: 'withdrawn'
      /** The part before the dot is the same for all events of one response. */
      readonly id: string
      readonly data: {
        readonly name: string
      }
    }
  | {
      readonly event: 'done'
      /** The part before the dot is the same for all events of one response. */
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
  /** Description of the project, in any language: 1 to 2000 characters, trimmed. */
  readonly description: string
  /** Number of suggestions. */
  readonly count: number
  /** Names of your own, 1 to 100 characters each, with at most 5 suffixes in the request. They are checked like names of the service, and each is in `suggestions`, in your order, or in `rejected`. A name with a suffix (`crumbfolk.io`) is checked under that suffix. Each valid candidate counts one daily check for each suffix. */
  readonly candidates?: readonly string[] | undefined
  /** With candidates: add names of the service until there are `count`. Default false. */
  readonly fill?: boolean | undefined
  /** BCP 47 language of the names and texts. Default: of the description, and of the headers. */
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
  /** Every name contains one of these words. */
  readonly include_words?: readonly string[] | undefined
  /** No name contains any of these words. */
  readonly exclude_words?: readonly string[] | undefined
  readonly min_length?: number | undefined
  readonly max_length?: number | undefined
  /** Names may contain hyphens. Default false. */
  readonly hyphens?: boolean | undefined
  /** Names may contain digits. Default false. */
  readonly digits?: boolean | undefined
  /** Names may contain letters other than a to z. Default false. */
  readonly idn?: boolean | undefined
  /** ISO 3166-1 country code of the registrant. Its suffix is also offered. Domains that need presence in another country are `restricted`. */
  readonly country?: string | undefined
  /** ISO 4217. Default USD. */
  readonly currency?: string | undefined
  /** Maximum amount due today, for the shortest term. */
  readonly max_price?: number | undefined
  /** Maximum total price of at least five years. */
  readonly max_price_5y?: number | undefined
  /** Include premium domains. Default false. */
  readonly premium?: boolean | undefined
  /** Default true: each suggestion has a domain that can be registered. */
  readonly only_available?: boolean | undefined
  /** full: bypass caches and ask the registrar or registry again. */
  readonly verify?: 'fast' | 'full' | undefined
  /** fast: do not wait for the language model of the service, if it has one. Default best. */
  readonly quality?: 'fast' | 'best' | undefined
  /** Default 2500, or 10000 with a language model. */
  readonly deadline_ms?: number | undefined
  /** Offer variants such as getmayfly.com if mayfly.com is taken. */
  readonly variants?: boolean | undefined
  /** Names that you like. New names resemble them. */
  readonly like?: readonly string[] | undefined
  /** Names that you dislike. New names avoid their style. */
  readonly unlike?: readonly string[] | undefined
  readonly seed?: number | undefined
  readonly include?:
    | readonly ('evidence' | 'pricing' | 'register' | 'score' | 'rationale' | 'understanding' | 'handles')[]
    | undefined
}

/** The name in package registries and at code hosts. */
export interface Handles {
  readonly packages: readonly NameVerdict[]
  readonly code: readonly NameVerdict[]
}

export interface HistoryAnswer {
  readonly status: 'success'
  readonly data: {
    readonly record: HistoryRecord
  }
}

export interface HistoryCleared {
  readonly status: 'success'
  readonly data: {
    /** How many records there were. */
    readonly deleted: number
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
  /** Newest first, including days without usage. */
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
  /** Quota of this key. The limits of the account also apply. */
  readonly limits: {
    readonly per_minute: number
    readonly burst: number
    /** null: unlimited. */
    readonly per_day: number | null
    /** null: unlimited. */
    readonly per_month: number | null
  }
}

/** A search for a person to do. Nothing was asked there. */
export interface NameLink {
  readonly site: 'uspto' | 'euipo' | 'wipo' | 'x' | 'instagram' | 'youtube'
  readonly url: string
}

export interface NamesAnswer {
  readonly status: 'success'
  readonly data: {
    readonly names: readonly CheckedName[]
  }
}

/** One event per line. */
export type NamesEvent =
  | {
      readonly event: 'domain'
      /** The part before the dot is the same for all events of one response. */
      readonly id: string
      readonly data: {
        /** All domains of the first name come first, in the order of the suffixes. */
        readonly index: number
        readonly domain: CheckedDomain
      }
    }
  | {
      readonly event: 'done'
      /** The part before the dot is the same for all events of one response. */
      readonly id: string
      readonly data: NamesAnswer
    }
  | {
      readonly event: 'error'
      readonly data: ErrorAnswer
    }
  | {
      readonly event: 'heartbeat'
    }

export interface NamesRequest {
  /** Labels, or names with spaces: `Blue Heron` is checked as `blueheron`. */
  readonly names: readonly string[]
  /** Suffixes or presets, or `all`. Names times suffixes: up to 200; up to 1000 when the response is streamed. */
  readonly tlds?: readonly string[] | undefined
  /** packages: package registries. code: code hosts. links: where to search for trademarks and users. register: where each available domain can be registered. */
  readonly include?: readonly ('packages' | 'code' | 'links' | 'register')[] | undefined
  /** full: bypass caches and ask every source again. */
  readonly verify?: 'fast' | 'full' | undefined
  /** ISO 3166-1 country code of the registrant. Domains that need presence in another country are `restricted`. */
  readonly country?: string | undefined
  /** Default 2500. */
  readonly deadline_ms?: number | undefined
}

export interface NameVerdict {
  /** Such as `npm` or `github`. More may be added. */
  readonly namespace: string
  /** The name as it was looked up there. */
  readonly label: string
  /** Never true only because no entry was found: a namespace refuses names that it does not show. False if `status` is `unknown`, too. */
  readonly available: boolean
  readonly status: 'available' | 'taken' | 'reserved' | 'invalid' | 'unknown'
  /** What decided the status. */
  readonly rule:
    | 'exists'
    | 'similar_exists'
    | 'reserved_word'
    | 'invalid_name'
    | 'not_found'
    | 'no_answer'
    | 'rate_limited'
    | 'malformed_answer'
    | 'switched_off'
    | 'not_asked'
  /** Absent if the status is `unknown`. */
  readonly confidence?: 'definitive' | 'likely' | undefined
  /** Empty if nothing was asked. */
  readonly sources: readonly string[]
  readonly checked_at: string
  readonly expires_at: string
  /** Where a person can look. */
  readonly url: string
}

/** Amounts are integers in the minor unit of the currency (ISO 4217): 1499 for $14.99, 1500 for ¥1500. */
export interface Pricing {
  readonly currency: string
  /** For one year, also where more than one must be bought. */
  readonly registration_minor: number
  /** For one year. */
  readonly renewal_minor: number
  readonly transfer_minor: number
  /** No source says what a transfer costs: `transfer_minor` is the renewal price. */
  readonly transfer_estimated?: true | undefined
  /** The shortest registration, in years. */
  readonly term_years: number
  /** What is charged today, for `term_years`. */
  readonly due_minor: number
  /** What one renewal costs. */
  readonly renews_at_minor: number
  /** How many years one renewal adds. */
  readonly renewal_years: number
  /** The registration and the renewals for at least five years. */
  readonly total_5y_minor: number
  /** list: the list price of the suffix. quote: the price of the registrar for this exact domain. */
  readonly kind: 'list' | 'quote'
  readonly registrar: string
  readonly as_of: string
  /** The list price is older than 180 days: show `as_of` beside it. */
  readonly outdated?: true | undefined
}

/** `nearest` is a variant of a taken name that can be registered, such as `getmayfly.com`. */
export interface Rejected {
  /** As it was sent. */
  readonly name: string
  /** excluded: against a rule of the request. duplicate: an earlier candidate has the same domains. unknown: no source could say. not_checked: `count` or the deadline was reached. */
  readonly reason:
    | 'taken'
    | 'premium'
    | 'reserved'
    | 'restricted'
    | 'too_expensive'
    | 'unsafe'
    | 'famous'
    | 'excluded'
    | 'duplicate'
    | 'invalid'
    | 'unknown'
    | 'not_checked'
  readonly nearest?: DomainEntry | undefined
}

export interface RotateSecretRequest {
  /** How many hours both secrets sign. Default 24; 0 revokes the old one now. */
  readonly grace_hours?: number | undefined
}

export interface SaleOffer {
  /** `dns` for the record of the owner, otherwise the registrar that lists it. */
  readonly source: string
  /** The marketplace. */
  readonly vendor?: string | undefined
  /** Symbol and amount: $12.99, R$12.99, CHF12.99. */
  readonly price: string
  readonly currency: string
  /** In the minor unit of the currency. */
  readonly amount_minor: number
}

export interface Seen {
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
  /** Symbol and amount: $12.99, R$12.99, CHF12.99. */
  readonly price: string
  readonly checked_at: string
}

export interface StatusAnswer {
  readonly status: 'success'
  readonly data: {
    /** Domains that this node reported as available, checked again later with another source. */
    readonly audit: readonly {
      readonly suffix: string
      readonly source: string
      readonly confirmed: number
      readonly contradicted: number
      readonly unanswered: number
      /** Share of checked domains that were confirmed. */
      readonly precision: number | null
    }[]
    readonly index: readonly {
      readonly suffix: string
      readonly names: number
      readonly snapshot_at: string
    }[]
    readonly redis: boolean
    /** Current state of the dependencies of this node. More may be added. */
    readonly parts: {
      readonly database: 'ok' | 'degraded' | 'away' | 'off'
      readonly redis: 'ok' | 'degraded' | 'away' | 'off'
      readonly registries: 'ok' | 'degraded' | 'away' | 'off'
      readonly language_model: 'ok' | 'degraded' | 'away' | 'off'
    }
    /** Whether this node trusts its sources. It tests each source with domains whose status is known. Results of an untrusted or unreachable source count as unknown. */
    readonly sources: readonly {
      /** `dns` for a resolver, `index`, the name of a registrar, or the host of a registry. */
      readonly source: string
      readonly state: 'proving' | 'trusted' | 'untrusted' | 'unreachable'
      readonly since: string
      /** Why the source is not trusted, or what of it cannot be used, in English. */
      readonly why: string | null
    }[]
    /** True in sandbox mode: domains and prices are made up, and no real source is used. */
    readonly sandbox: boolean
    /** Active fallbacks while a dependency is down. Empty when all dependencies are healthy. */
    readonly in_force: readonly ('reading_from_standby' | 'local_limits')[]
    /** Minutes of the last hour with requests to this node, and minutes in which more than 5 % of the responses failed. */
    readonly last_hour: {
      readonly minutes: number
      readonly down: number
    }
  }
}

export interface Suggestion {
  readonly name: string
  readonly domains: readonly DomainEntry[]
  /** Whose name it is. Only in answers to a request with `candidates`. */
  readonly origin?: 'candidate' | 'model' | 'built_in' | undefined
  readonly score?: Readonly<Record<string, number>> | undefined
  readonly rationale?: string | undefined
  readonly handles?: Handles | undefined
}

export interface Tld {
  readonly suffix: string
  /** Symbol and amount: $12.99, R$12.99, CHF12.99. */
  readonly price: string
  readonly pricing: Pricing
  /** The shortest registration term, in years. */
  readonly term_years: number
  /** Who can register: open, or the code of an eligibility rule. */
  readonly eligibility: string
  /** ISO 3166-1 codes: the countries whose registrants satisfy the rule, if it is about countries. */
  readonly eligible_countries?: readonly string[] | undefined
  /** Whether internationalized names (IDN) can be registered; null: unknown. */
  readonly idn: boolean | null
  /** Popularity rank; 1 is the most popular. null: not ranked. */
  readonly popularity: number | null
}

export interface TldAnswer {
  readonly status: 'success'
  readonly data: {
    readonly tlds: readonly Tld[]
    /** The supported values of `currency`. */
    readonly currencies: readonly string[]
  }
}

export interface Understanding {
  /** The detected language. */
  readonly language: string
  readonly subject: string | null
  /** What the project does for people. */
  readonly does: readonly string[]
  readonly for_whom: readonly string[]
  /** Its manner: family-run, eco, playful. */
  readonly angles: readonly string[]
  /** Words that were not understood, and words that are negated. */
  readonly ignored: readonly string[]
  /** Whether the subject is certain enough to use the names written for it. */
  readonly sure: boolean
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
  readonly off_reason: 'by_hand' | 'failing' | 'gone' | 'creator_lost_access' | null
  readonly off_at: string | null
  readonly failing_since: string | null
  readonly old_secret_until: string | null
  /** The signing secret (whsec_…). Only in the response that creates it. */
  readonly secret?: string | undefined
}

export interface WebhookAnswer {
  readonly status: 'success'
  readonly data: {
    readonly webhook: Webhook
  }
}

export interface WebhookChange {
  /** The URL that receives events: https, port 443 or 8443, a public host. */
  readonly url?: string | undefined
  /** The event types to send. */
  readonly events?:
    | readonly (
        | 'favorite.available'
        | 'favorite.taken'
        | 'favorite.price_changed'
        | 'batch.completed'
        | 'quota.warning'
        | 'audit.entry'
      )[]
    | undefined
  readonly description?: string | null | undefined
  /** true also sends the events that were missed while the webhook was disabled. */
  readonly enabled?: boolean | undefined
}

export interface WebhookList {
  readonly status: 'success'
  readonly data: {
    readonly webhooks: readonly Webhook[]
  }
}

export interface WebhookRequest {
  /** The URL that receives events: https, port 443 or 8443, a public host. */
  readonly url: string
  /** The event types to send. */
  readonly events: readonly (
    | 'favorite.available'
    | 'favorite.taken'
    | 'favorite.price_changed'
    | 'batch.completed'
    | 'quota.warning'
    | 'audit.entry'
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
      /** `next_cursor` of the previous page. */
      readonly cursor?: string | undefined
      /** Search text within the description. */
      readonly q?: string | undefined
      readonly since?: string | undefined
      readonly until?: string | undefined
      readonly key_id?: string | undefined
    }
    readonly data: HistoryPage['data']
  }
  /** Delete all history of the caller. */
  readonly 'DELETE /v1/history': {
    readonly query: {
      /** Must be `true`: every record of the account is deleted. */
      readonly all: true
    }
    readonly data: HistoryCleared['data']
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
    readonly data: Readonly<Record<string, never>>
  }
  /** Check domains. */
  readonly 'POST /v1/domains/check': {
    readonly body: CheckRequest
    readonly data: CheckAnswer['data']
    readonly event: CheckEvent
  }
  /** Check names. */
  readonly 'POST /v1/names/check': {
    readonly body: NamesRequest
    readonly data: NamesAnswer['data']
    readonly event: NamesEvent
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
      /** `next_cursor` of the previous page. */
      readonly cursor?: string | undefined
      /** Search text within the domain, name or note. */
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
    readonly data: Readonly<Record<string, never>>
  }
  /** List the changes of one favorite. */
  readonly 'GET /v1/favorites/{id}/changes': {
    readonly params: {
      readonly id: string
    }
    readonly query: {
      /** Default 20. */
      readonly limit?: number | undefined
      /** `next_cursor` of the previous page. */
      readonly cursor?: string | undefined
    }
    readonly data: FavoriteChangePage['data']
  }
  /** List batches. */
  readonly 'GET /v1/batches': {
    readonly query: {
      /** Default 20. */
      readonly limit?: number | undefined
      /** `next_cursor` of the previous page. */
      readonly cursor?: string | undefined
    }
    readonly data: BatchPage['data']
  }
  /** Create a batch of generate requests. */
  readonly 'POST /v1/batches': {
    readonly body: BatchRequest
    readonly data: BatchAnswer['data']
  }
  /** Get one batch. */
  readonly 'GET /v1/batches/{id}': {
    readonly params: {
      readonly id: string
    }
    readonly data: BatchAnswer['data']
  }
  /** Delete a batch. */
  readonly 'DELETE /v1/batches/{id}': {
    readonly params: {
      readonly id: string
    }
    readonly data: Readonly<Record<string, never>>
  }
  /** Cancel a batch. */
  readonly 'POST /v1/batches/{id}/cancel': {
    readonly params: {
      readonly id: string
    }
    readonly data: BatchAnswer['data']
  }
  /** List the results of a batch. */
  readonly 'GET /v1/batches/{id}/results': {
    readonly params: {
      readonly id: string
    }
    readonly query: {
      /** Default 20. */
      readonly limit?: number | undefined
      /** `next_cursor` of the previous page. */
      readonly cursor?: string | undefined
    }
    readonly data: BatchResults['data']
    readonly event: BatchResultEvent
  }
  /** Create a webhook. */
  readonly 'POST /v1/webhooks': {
    readonly body: WebhookRequest
    readonly data: WebhookAnswer['data']
  }
  /** List webhooks. */
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
    readonly data: Readonly<Record<string, never>>
  }
  /** Rotate the webhook secret. */
  readonly 'POST /v1/webhooks/{id}/rotate-secret': {
    readonly params: {
      readonly id: string
    }
    readonly body: RotateSecretRequest
    readonly data: WebhookAnswer['data']
  }
  /** Send a test event. */
  readonly 'POST /v1/webhooks/{id}/test': {
    readonly params: {
      readonly id: string
    }
    readonly data: DeliveryAnswer['data']
  }
  /** List the deliveries of a webhook. */
  readonly 'GET /v1/webhooks/{id}/deliveries': {
    readonly params: {
      readonly id: string
    }
    readonly query: {
      /** Default 20. */
      readonly limit?: number | undefined
      /** `next_cursor` of the previous page. */
      readonly cursor?: string | undefined
    }
    readonly data: DeliveryPage['data']
  }
  /** Replay a delivery. */
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
      /** Default: all suffixes. */
      readonly limit?: number | undefined
      /** Search text within the suffix. */
      readonly q?: string | undefined
      /** ISO 4217. Default USD. */
      readonly currency?: string | undefined
    }
    readonly data: TldAnswer['data']
  }
  /** Get the service status and its accuracy. */
  readonly 'GET /v1/status': {
    readonly data: StatusAnswer['data']
  }
  /** Get usage and remaining quota. */
  readonly 'GET /v1/usage': {
    readonly query: {
      /** Number of days, including today. Default 31. */
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
  account_suspended: 403,
  account_limit: 403,
  storage_limit: 403,
  application_blocked: 403,
  recent_sign_in_required: 403,
  cross_site: 403,
  wrong_host: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  batch_running: 409,
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
  concurrency_limited: 429,
  quota_exceeded: 429,
  checks_exceeded: 429,
  headers_too_large: 431,
  internal: 500,
  unavailable: 503,
  overloaded: 503,
  storage_full: 503,
} as const
