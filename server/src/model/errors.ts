/**
 * The table of all errors that a caller can get, and the class that carries them.
 *
 * `code` is public, closed and never translated; the messages for it, in every language, are in `data/messages/`.
 * `docs/errors.md` lists the same codes, and a test fails if the page misses or invents one.
 *
 * An uncertain result is not an error (it is the verdict `unknown`), and a bug of ours is only ever `internal`.
 */
export const ERRORS = {
  invalid_json: { status: 400, retry: 'never' },
  body_too_deep: { status: 400, retry: 'never' },
  invalid_request: { status: 400, retry: 'never' },
  invalid_cursor: { status: 400, retry: 'never' },
  invalid_idempotency_key: { status: 400, retry: 'never' },
  malformed_http: { status: 400, retry: 'never' },
  missing_token: { status: 401, retry: 'never' },
  invalid_token: { status: 401, retry: 'never' },
  expired_token: { status: 401, retry: 'never' },
  sign_in_required: { status: 401, retry: 'never' },
  https_required: { status: 403, retry: 'never' },
  ip_not_allowed: { status: 403, retry: 'never' },
  origin_not_allowed: { status: 403, retry: 'never' },
  insufficient_scope: { status: 403, retry: 'never' },
  insufficient_role: { status: 403, retry: 'never' },
  account_suspended: { status: 403, retry: 'never' },
  account_limit: { status: 403, retry: 'never' },
  storage_limit: { status: 403, retry: 'never' },
  application_blocked: { status: 403, retry: 'never' },
  recent_sign_in_required: { status: 403, retry: 'never' },
  cross_site: { status: 403, retry: 'never' },
  wrong_host: { status: 403, retry: 'never' },
  not_found: { status: 404, retry: 'never' },
  method_not_allowed: { status: 405, retry: 'never' },
  request_timeout: { status: 408, retry: 'now' },
  batch_running: { status: 409, retry: 'never' },
  idempotency_in_progress: { status: 409, retry: 'later' },
  last_owner: { status: 409, retry: 'never' },
  own_account: { status: 409, retry: 'never' },
  already_member: { status: 409, retry: 'never' },
  too_many_webhooks: { status: 409, retry: 'never' },
  share_full: { status: 409, retry: 'never' },
  canceled: { status: 409, retry: 'never' },
  invalid_link: { status: 410, retry: 'never' },
  body_too_large: { status: 413, retry: 'never' },
  unsupported_media_type: { status: 415, retry: 'never' },
  idempotency_mismatch: { status: 422, retry: 'never' },
  no_names: { status: 422, retry: 'never' },
  rate_limited: { status: 429, retry: 'later' },
  concurrency_limited: { status: 429, retry: 'later' },
  quota_exceeded: { status: 429, retry: 'later' },
  checks_exceeded: { status: 429, retry: 'later' },
  headers_too_large: { status: 431, retry: 'never' },
  internal: { status: 500, retry: 'later' },
  unavailable: { status: 503, retry: 'later' },
  overloaded: { status: 503, retry: 'later' },
  storage_full: { status: 503, retry: 'later' },
} as const satisfies Record<string, { status: number; retry: 'never' | 'now' | 'later' }>

export type ErrorCode = keyof typeof ERRORS

/** What can be wrong with one field; the messages are in `data/messages/` too. */
export const FIELD_CODES = [
  'required',
  'unknown_field',
  'wrong_type',
  'too_short',
  'too_long',
  'too_small',
  'too_large',
  'too_few',
  'too_many',
  'not_allowed',
  'bad_format',
  'repeated',
  'no_letter',
  'unknown_suffix',
  'unknown_preset',
  'invalid_domain',
  'url_not_allowed',
  'unknown_webhook',
  'min_above_max',
] as const
export type FieldCode = (typeof FIELD_CODES)[number]

export interface FieldError {
  /** RFC 6901 pointer into the body, or `?name` for a query parameter. */
  readonly pointer: string
  readonly code: FieldCode
  /** Filled into the message: `{limit}`, `{expected}`, `{allowed}`. */
  readonly params?: Readonly<Record<string, string | number>>
  /** Of an unknown field: the one that was probably meant. */
  readonly near?: string
}

export interface ErrorDetail {
  readonly fields?: readonly FieldError[]
  readonly params?: Readonly<Record<string, string | number>>
  /** Seconds, for `Retry-After`. */
  readonly retryAfter?: number
  readonly cause?: unknown
}

export class ApiError extends Error {
  readonly code: ErrorCode
  readonly detail: ErrorDetail

  constructor(code: ErrorCode, detail: ErrorDetail = {}) {
    super(code, detail.cause === undefined ? undefined : { cause: detail.cause })
    this.code = code
    this.detail = detail
  }
}

/** Nothing was written, for certain; after any other `unavailable` it may have been. */
export class NotWritten extends ApiError {}
