/** The public API of the package `namewright`. */
export { createNamewright } from './namewright.ts'
export type { CheckStreamEvent, Generated, GenerateStreamEvent, Namewright, NamewrightOptions } from './namewright.ts'
export { isErrorCode, NamewrightError, NetworkError, TimeBudgetError } from './errors.ts'
export type { ErrorCode } from './errors.ts'
export type { AnswerNote, CallOptions } from './caller.ts'
export type { Batches, BatchOptions, RunOptions, WaitOptions } from './batches.ts'
export type { AccessToken, ClientCredentials } from './credentials.ts'
export type { Fetch } from './exchange.ts'
export type { Favorites, FavoriteQuery } from './favorites.ts'
export type { History, HistoryQuery } from './history.ts'
export { minorDigits, minorToDecimal } from './minor-units.ts'
export type { Page } from './pages.ts'
export type { Restarted } from './stream.ts'
export { verifySignature, verifyWebhook, WebhookError } from './verify-webhook.ts'
export type { VerifiedWebhook, VerifyOptions, WebhookData, WebhookFault } from './verify-webhook.ts'
export type { Webhooks, WebhookWithSecret } from './webhooks.ts'
export type {
  Batch,
  BatchItem,
  CheckedDomain,
  CheckedName,
  CheckRequest,
  Delivery,
  DomainEntry,
  Favorite,
  FavoriteChange,
  FavoriteChangeRecord,
  FavoriteRequest,
  FieldError,
  GenerateRequest,
  Handles,
  HistoryRecord,
  NameLink,
  NamesRequest,
  NameVerdict,
  Pricing,
  Rejected,
  Suggestion,
  Tld,
  Webhook,
  WebhookChange,
  WebhookRequest,
} from './api-types.ts'
