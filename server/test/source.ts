/**
 * All that the tests of this folder use of the service's own code. A file of the service that moves is named anew here, and
 * in no test. A test asks for as little as it can: what is here is what a test cannot see through HTTP.
 */
export { settingsDocument } from '../src/http/settings-openapi.ts'
export { FEATURES } from '../src/app.ts'
export { runAdmin } from '../src/cli/admin.ts'
export { openPgbackrest, type Pgbackrest } from '../src/cli/backup/pgbackrest.ts'
export { openDemoDatabase } from '../src/cli/demo/database.ts'
export { DemoError, PACKAGE, startOwnPostgres } from '../src/cli/demo/own-postgres.ts'
export { runDoctor } from '../src/cli/doctor.ts'
export type { Finding } from '../src/cli/doctor/finding.ts'
export { migrate } from '../src/cli/migrate.ts'
export { switchesWith, USAGE } from '../src/cli/switches.ts'
export { type Context, openContext } from '../src/context.ts'
export { readData } from '../src/data.ts'
export {
  type Availability,
  type AvailabilityMode,
  type AvailabilityOptions,
  isRegistrable,
  openAvailability,
} from '../src/engines/availability/availability.ts'
export { createBudgetHosts, type LookupBudget, openBudget } from '../src/engines/availability/budget.ts'
export {
  createRegisteredNames,
  readRegisteredNames,
  type RegisteredNames,
} from '../src/engines/availability/control-names.ts'
export { type DnsClient, openDnsClient } from '../src/engines/availability/dns-client.ts'
export { createForSale, readOffer } from '../src/engines/availability/dns-for-sale.ts'
export type { DnsAnswer, QueryType } from '../src/engines/availability/dns-message.ts'
export { type DnsSource, type DnsSourceOptions, openDnsSource } from '../src/engines/availability/dns-source.ts'
export { readDoubts } from '../src/engines/availability/doubts.ts'
export type { Evidence, EvidenceSource } from '../src/engines/availability/evidence.ts'
export { openLiveSources } from '../src/engines/availability/live-sources.ts'
export { type Bootstrap, openBootstrap } from '../src/engines/availability/rdap/bootstrap.ts'
export { openRdap, type RdapSource } from '../src/engines/availability/rdap/rdap.ts'
export { REGISTRARS } from '../src/engines/availability/registrars/all.ts'
export type { RegistrarBudget } from '../src/engines/availability/registrars/batcher.ts'
export type { Claim } from '../src/engines/availability/registrars/claim.ts'
export { createCloudflare } from '../src/engines/availability/registrars/cloudflare.ts'
export { findRegistrar, type RegistrarDeclaration } from '../src/engines/availability/registrars/declaration.ts'
export { createFastly } from '../src/engines/availability/registrars/fastly.ts'
export { createGoDaddyWithToken } from '../src/engines/availability/registrars/godaddy-token.ts'
export { createGoDaddy, godaddy } from '../src/engines/availability/registrars/godaddy.ts'
export { createNameCom } from '../src/engines/availability/registrars/name-com.ts'
export { createNamecheap } from '../src/engines/availability/registrars/namecheap.ts'
export { createOwnSource, ownSource } from '../src/engines/availability/registrars/own-source.ts'
export { createPorkbun } from '../src/engines/availability/registrars/porkbun.ts'
export { Limited, type Registrar, type Send } from '../src/engines/availability/registrars/registrar.ts'
export { openRegistrars } from '../src/engines/availability/registrars/registrars.ts'
export { createSpaceship } from '../src/engines/availability/registrars/spaceship.ts'
export { openRegistrarTrust, type TestedRegistrar } from '../src/engines/availability/registrars/trust.ts'
export { createVercel } from '../src/engines/availability/registrars/vercel.ts'
export { openSandbox } from '../src/engines/availability/sandbox.ts'
export { createSourceHealth } from '../src/engines/availability/source-health.ts'
export type { SourceTrust } from '../src/engines/availability/trust.ts'
export type { LookupCache } from '../src/engines/availability/verdict-cache.ts'
export type { ModelConfig } from '../src/engines/language-model/call.ts'
export {
  type LanguageModel,
  openLanguageModel,
  type ProposeOptions,
} from '../src/engines/language-model/language-model.ts'
export { type Names, openNames } from '../src/engines/names/names.ts'
export { NAMESPACES } from '../src/engines/namespaces/all.ts'
export type { NamespaceDeclaration } from '../src/engines/namespaces/declaration.ts'
export { type NamespaceCheck, type Namespaces, openNamespaces } from '../src/engines/namespaces/namespaces.ts'
export { openPrices, type Prices } from '../src/engines/prices/prices.ts'
export { type Accounts, type AccountSpec, openAccounts } from '../src/features/accounts/accounts.ts'
export { type Invitation, isUsedUp } from '../src/features/accounts/invitations.ts'
export { joinAsNewMember } from '../src/features/accounts/inviting.ts'
export { type Members, openMembers } from '../src/features/accounts/members.ts'
export { openBatches } from '../src/features/batches/batches.ts'
export { notifying } from '../src/features/batches/working.ts'
export { CheckBody } from '../src/features/check/schemas.ts'
export { newFavorite } from '../src/features/favorites/favorite.ts'
export { favorites } from '../src/features/favorites/index.ts'
export {
  changesOf,
  deleteFavorite,
  favoriteWith,
  forgetFavorites,
  insertFavorite,
  updateFavorite,
} from '../src/features/favorites/rows.ts'
export { parseGenerateRequest } from '../src/features/generate/generate-request.ts'
export { createNamingTime } from '../src/features/generate/naming-time.ts'
export { createSuggestionEncoder, shown } from '../src/features/generate/shown.ts'
export { type Generated, suggest, type SuggestContext, type SuggestOptions } from '../src/features/generate/suggest.ts'
export { openHistory } from '../src/features/history/history.ts'
export { type Keys, type KeySpec, openKeys } from '../src/features/keys/keys.ts'
export { createCredentialCache } from '../src/features/keys/resolve-credential.ts'
export { forgetMaker } from '../src/features/keys/rows.ts'
export { purgeExpired } from '../src/features/operation/jobs.ts'
export type { BlockTimes } from '../src/features/quota/block.ts'
export { dropCounts } from '../src/features/quota/forgetting.ts'
export { openQuota, type Quota, type QuotaReservation } from '../src/features/quota/quota.ts'
export { accountRateName, BLOCK_NAMES, blockName, periodsOf, rateName } from '../src/features/quota/rate.ts'
export { openTraffic } from '../src/features/quota/traffic.ts'
export { createWarnings } from '../src/features/quota/warnings.ts'
export { openShares } from '../src/features/shares/shares.ts'
export { ATTEMPT_LIMITS } from '../src/features/sign-in/attempts.ts'
export { removeExpired } from '../src/features/sign-in/expired-rows.ts'
export { findWeakness, isWeak, PASSWORD_MAX, PASSWORD_MIN } from '../src/features/sign-in/password.ts'
export { PAGE_PATHS } from '../src/features/site/app.ts'
export { openChangeEmails, sendChangeEmails } from '../src/features/watch/change-emails.ts'
export { watch, type WatchContext, watchFavorites } from '../src/features/watch/jobs.ts'
export { learn } from '../src/features/watch/learn.ts'
export { LEASE_MS, openWatch } from '../src/features/watch/watch.ts'
export { deliverWebhooks, type DeliverWebhooksContext } from '../src/features/webhooks/jobs.ts'
export { openLeases } from '../src/features/webhooks/lease.ts'
export { changeWebhook, createWebhook, replayDelivery, rotateWebhook } from '../src/features/webhooks/manage.ts'
export { findTarget } from '../src/features/webhooks/send.ts'
export { type DeliveryRow, openWebhooks, type WebhookChange } from '../src/features/webhooks/webhooks.ts'
export { ACCESS, enforceAccess } from '../src/http/access.ts'
export { DEPRECATED_METRICS, METRICS, type MetricWords } from '../src/http/metrics/names.ts'
export { createHttpServer } from '../src/http/server.ts'
export { openStream } from '../src/http/stream/writer.ts'
export { type AllMessages, readMessages } from '../src/http/wire/language.ts'
export { GenerateBody } from '../src/http/wire/schemas.ts'
export {
  type AccountId,
  type Caller,
  type KeyId,
  PUBLISHABLE_SCOPES,
  type QuotaLimits,
  type Scope,
  SCOPES,
  VISITORS,
} from '../src/model/caller.ts'
export { hashOf, kindOf, makeSecret } from '../src/model/credential-text.ts'
export { behindLabel, type Domain, isLabel, type Suffix } from '../src/model/domain.ts'
export { ApiError, type ErrorCode, ERRORS, FIELD_CODES } from '../src/model/errors.ts'
export { AUDIT_EVENT, EVENT_TYPES, TEST_EVENT } from '../src/model/event.ts'
export type { GenerateRequest } from '../src/model/generate-request.ts'
export { makeId } from '../src/model/id.ts'
export { LANGUAGES } from '../src/model/language.ts'
export { isAtLeast, type Member, type Role, ROLES, type UserId } from '../src/model/member.ts'
export { type Currency, formatPrice } from '../src/model/money.ts'
export type { Proposal } from '../src/model/name.ts'
export { NAMESPACE_GROUPS, NAMESPACE_RULES } from '../src/model/namespace-verdict.ts'
export { leftOf, rowOf, UNLIMITED } from '../src/model/plan.ts'
export { Secret } from '../src/model/secret.ts'
export { SECURITY_ACTIONS } from '../src/model/security-action.ts'
export type { Verdict } from '../src/model/verdict.ts'
export { type AuditLog, openAuditLog, type SecurityNote } from '../src/platform/audit-log/audit-log.ts'
export { CacheDown } from '../src/platform/cache/cache-down.ts'
export { type Cache, openCache } from '../src/platform/cache/cache.ts'
export { forgetKeys } from '../src/platform/cache/forget.ts'
export { type Config, ConfigError, readConfig } from '../src/platform/config/config.ts'
export { readMachine } from '../src/platform/config/machine.ts'
export { settingsWith } from '../src/platform/config/registrars.ts'
export { SETTINGS } from '../src/platform/config/settings.ts'
export { openAdminConnection } from '../src/platform/db/admin-connection.ts'
export {
  type Acting,
  APP_ROLE,
  type Db,
  ofAccount,
  openDb,
  type Own,
  sql,
  type Statement,
  type Transaction,
} from '../src/platform/db/db.ts'
export { openJobsPool } from '../src/platform/db/jobs-pool.ts'
export { applyMigrations, compareSchema } from '../src/platform/db/migrate.ts'
export { openPeoplePool } from '../src/platform/db/people-pool.ts'
export { BEFORE_ALL } from '../src/platform/db/walk.ts'
export {
  type Handler,
  type Handlers,
  isNotOurs,
  type Job,
  type Jobs,
  openJobs,
  type QueueName,
  type Work,
} from '../src/platform/jobs/jobs.ts'
export { HOUSE, QUEUE_NAMES } from '../src/platform/jobs/queues.ts'
export { addressSubject, type LimitBucket, openLimits } from '../src/platform/limits/limits.ts'
export { openLog } from '../src/platform/log.ts'
export type { Email } from '../src/platform/mail/email.ts'
export { type MailOptions, openMail } from '../src/platform/mail/mail.ts'
export { reasonOf } from '../src/platform/outbound/fail-reason.ts'
export { createHealthTracker } from '../src/platform/outbound/health-tracker.ts'
export {
  type Answered,
  openOutbound,
  type Outbound,
  type OutboundAnswer,
  type OutboundOptions,
  type OutboundRequest,
} from '../src/platform/outbound/outbound.ts'
export { placeOf } from '../src/platform/outbound/place.ts'
export { connectThrough, findProxy } from '../src/platform/outbound/proxy.ts'
export { createPublicLookup, type Lookup, PrivateAddress } from '../src/platform/outbound/public-lookup.ts'
export { startPauseTolerantTimer } from '../src/platform/pause-tolerant-timer.ts'
export { createSeal } from '../src/platform/seal.ts'
export { makeWebhookSecret, signedHeaders } from '../src/platform/webhook-signature.ts'
export { findSetupText, type Opening, openService, openWorker, type Service } from '../src/service.ts'
