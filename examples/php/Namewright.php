<?php

/**
 * A client of Namewright, for PHP 8.1 or later, without extensions.
 *
 * Made from api/openapi.json of version 0.1.0 by `pnpm clients`; not to be edited. It is published as an example and
 * is not a maintained SDK: copy it into your project and change it as you like.
 *
 * A method returns the `data` of the response. A refused request throws NamewrightError. A response 429 or 503 is retried
 * after the seconds of its header Retry-After, while the time budget lasts. Every POST has an Idempotency-Key, the same
 * for all its tries, so that a retry has no second effect.
 */

declare(strict_types=1);

namespace Namewright;

/** A refused request, or a response that is not one of the service (code "unexpected_response"). */
final class NamewrightError extends \RuntimeException
{
    public readonly string $errorCode;
    public readonly ?string $hint;
    public readonly ?string $requestId;
    /** @var list<array{pointer: string, code: string, message: string}> */
    public readonly array $errors;

    /** @param array<string, mixed> $error */
    public function __construct(public readonly int $status, array $error, public readonly ?int $retryAfter)
    {
        $this->errorCode = $error['code'] ?? 'unexpected_response';
        $this->hint = $error['hint'] ?? null;
        $this->requestId = $error['request_id'] ?? null;
        $this->errors = $error['errors'] ?? [];
        $message = $error['message'] ?? "HTTP status $status";
        parent::__construct("$this->errorCode: $message" . ($this->hint === null ? '' : " $this->hint"), $status);
    }
}

/** The service could not be reached, or the connection broke. */
final class NetworkError extends \RuntimeException
{
}

/**
 * @phpstan-type AccountUsage array{days: list<array{day: string, suggestions: int}>, today: int, this_month: int, left: array{day: int|null, month: int|null}, limits: array{names_per_day: int|null, names_per_month: int|null, requests_per_minute: int|null, keys: int|null, webhooks: int|null, applications: int|null, running_batches: int|null, open_streams: int|null}}
 * @phpstan-type Batch array{id: string, created_at: string, key_id: string, state: 'running'|'completed'|'canceled', total: int, finished: int, succeeded: int, short: int, failed: int, canceled: int, progress: float, webhook_id: string|null, finished_at: string|null}
 * @phpstan-type BatchAnswer array{status: 'success', data: array{batch: Batch}}
 * @phpstan-type BatchEvent array{event: 'progress', id: string, data: array{batch: Batch}}|array{event: 'done', id: string, data: array{batch: Batch}}|array{event: 'error', data: ErrorAnswer}|array{event: 'heartbeat'}
 * @phpstan-type BatchItem array{index: int, outcome: 'succeeded'|'short'|'failed'|'canceled', status: 'success', data: array{suggestions: list<Suggestion>, understanding?: Understanding, shortfall?: array{wanted: int, returned: int, reason: 'no_more_names'|'deadline'|'max_price'|'restricted'|'availability_unknown', sources?: list<array{source: string, state: 'proving'|'untrusted'|'unreachable'|'failing'|'resting'|'rate_limited'}>, retry_after?: int, hint?: string}}}|array{index: int, outcome: 'succeeded'|'short'|'failed'|'canceled', status: 'error', error: array{code: 'invalid_json'|'body_too_deep'|'invalid_request'|'invalid_cursor'|'invalid_idempotency_key'|'malformed_http'|'missing_token'|'invalid_token'|'expired_token'|'sign_in_required'|'https_required'|'ip_not_allowed'|'origin_not_allowed'|'insufficient_scope'|'insufficient_role'|'account_suspended'|'account_limit'|'application_blocked'|'recent_sign_in_required'|'cross_site'|'wrong_host'|'not_found'|'method_not_allowed'|'request_timeout'|'idempotency_in_progress'|'last_owner'|'own_account'|'already_member'|'too_many_webhooks'|'share_full'|'canceled'|'invalid_link'|'body_too_large'|'unsupported_media_type'|'idempotency_mismatch'|'no_names'|'rate_limited'|'concurrency_limited'|'quota_exceeded'|'headers_too_large'|'internal'|'unavailable'|'overloaded'|'storage_full', message: string, request_id: string, errors?: list<FieldError>, hint?: string, docs: string}}
 * @phpstan-type BatchPage array{status: 'success', data: array{batches: list<Batch>, next_cursor: string|null}}
 * @phpstan-type BatchRequest array{requests: list<GenerateRequest>, webhook_id?: string}
 * @phpstan-type BatchResultEvent array{event: 'result', id: string, data: BatchItem}|array{event: 'done', data: array{state: 'running'|'completed'|'canceled', waiting_for: int|null, next_cursor: string|null}}|array{event: 'error', data: ErrorAnswer}|array{event: 'heartbeat'}
 * @phpstan-type BatchResults array{status: 'success', data: array{results: list<BatchItem>, waiting_for: int|null, next_cursor: string|null}}
 * @phpstan-type CheckAnswer array{status: 'success', data: array{domains: list<CheckedDomain>}}
 * @phpstan-type CheckedDomain array{input: string, domain: string, available: bool, status: 'available'|'premium'|'for_sale'|'taken'|'reserved'|'restricted'|'unsupported'|'invalid'|'unknown', confidence: 'definitive'|'likely', sources: list<string>, checked_at: string, expires_at: string, eligibility?: string, eligible_countries?: list<string>, price: string|null, pricing: Pricing|null, for_sale?: array{text?: string, uri?: string, value?: string, offers?: list<SaleOffer>}, reputation?: Reputation}
 * @phpstan-type CheckedName array{input: string, label: string, domains: list<CheckedDomain>, packages?: list<NameVerdict>, code?: list<NameVerdict>, links?: list<NameLink>}
 * @phpstan-type CheckEvent array{event: 'domain', id: string, data: array{index: int, domain: CheckedDomain}}|array{event: 'done', id: string, data: CheckAnswer}|array{event: 'error', data: ErrorAnswer}|array{event: 'heartbeat'}
 * @phpstan-type CheckRequest array{domains: list<string>, verify?: 'fast'|'full', for_sale?: bool, include?: list<'reputation'>, country?: string, deadline_ms?: int}
 * @phpstan-type Deleted array{status: 'success', data: array{}}
 * @phpstan-type Delivery array{id: string, type: string, created_at: string, state: 'pending'|'paused'|'delivered'|'failed', attempts: int, next_at: string|null, last_at: string|null, last_status: int|null, last_error: string|null, last_answer: string|null}
 * @phpstan-type DeliveryAnswer array{status: 'success', data: array{delivery: Delivery}}
 * @phpstan-type DeliveryPage array{status: 'success', data: array{deliveries: list<Delivery>, next_cursor: string|null}}
 * @phpstan-type DomainEntry array{domain: string, available: bool, price: string, status?: 'available'|'premium'|'for_sale'|'taken'|'reserved'|'restricted'|'unsupported'|'invalid'|'unknown', confidence?: 'definitive'|'likely', sources?: list<string>, checked_at?: string, expires_at?: string, eligibility?: string, eligible_countries?: list<string>, pricing?: Pricing}
 * @phpstan-type ErrorAnswer array{status: 'error', error: array{code: 'invalid_json'|'body_too_deep'|'invalid_request'|'invalid_cursor'|'invalid_idempotency_key'|'malformed_http'|'missing_token'|'invalid_token'|'expired_token'|'sign_in_required'|'https_required'|'ip_not_allowed'|'origin_not_allowed'|'insufficient_scope'|'insufficient_role'|'account_suspended'|'account_limit'|'application_blocked'|'recent_sign_in_required'|'cross_site'|'wrong_host'|'not_found'|'method_not_allowed'|'request_timeout'|'idempotency_in_progress'|'last_owner'|'own_account'|'already_member'|'too_many_webhooks'|'share_full'|'canceled'|'invalid_link'|'body_too_large'|'unsupported_media_type'|'idempotency_mismatch'|'no_names'|'rate_limited'|'concurrency_limited'|'quota_exceeded'|'headers_too_large'|'internal'|'unavailable'|'overloaded'|'storage_full', message: string, request_id: string, errors?: list<FieldError>, hint?: string, docs: string}}
 * @phpstan-type Favorite array{id: string, domain: string, name: string, note: string|null, tags: list<string>, watch: bool, created_at: string, saved: Seen, current: Seen}
 * @phpstan-type FavoriteAnswer array{status: 'success', data: array{favorite: Favorite}}
 * @phpstan-type FavoriteChange array{name?: string, note?: string|null, tags?: list<string>, watch?: bool}
 * @phpstan-type FavoriteChangePage array{status: 'success', data: array{changes: list<FavoriteChangeRecord>, next_cursor: string|null}}
 * @phpstan-type FavoriteChangeRecord array{id: string, created_at: string, kind: 'available'|'taken'|'price_changed', before: Seen, after: Seen}
 * @phpstan-type FavoritePage array{status: 'success', data: array{favorites: list<Favorite>, next_cursor: string|null}}
 * @phpstan-type FavoriteRequest array{domain: string, name?: string, note?: string|null, tags?: list<string>, watch?: bool}
 * @phpstan-type FieldError array{pointer: string, code: 'required'|'unknown_field'|'wrong_type'|'too_short'|'too_long'|'too_small'|'too_large'|'too_few'|'too_many'|'not_allowed'|'bad_format'|'repeated'|'no_letter'|'unknown_suffix'|'unknown_preset'|'invalid_domain'|'url_not_allowed'|'unknown_webhook'|'min_above_max', message: string}
 * @phpstan-type GenerateAnswer array{status: 'success', data: array{suggestions: list<Suggestion>, understanding?: Understanding, shortfall?: array{wanted: int, returned: int, reason: 'no_more_names'|'deadline'|'max_price'|'restricted'|'availability_unknown', sources?: list<array{source: string, state: 'proving'|'untrusted'|'unreachable'|'failing'|'resting'|'rate_limited'}>, retry_after?: int, hint?: string}}}
 * @phpstan-type GenerateEvent array{event: 'suggestion', id: string, data: Suggestion}|array{event: 'domain', id: string, data: array{name: string, index: int, domain: DomainEntry}}|array{event: 'handles', id: string, data: array{name: string, handles: Handles}}|array{event: 'withdrawn', id: string, data: array{name: string}}|array{event: 'done', id: string, data: GenerateAnswer}|array{event: 'error', data: ErrorAnswer}|array{event: 'heartbeat'}
 * @phpstan-type GenerateRequest array{description: string, count: int, language?: string, tlds?: list<string>, styles?: list<'real_word'|'compound'|'blend'|'affix'|'respelling'|'foreign'|'invented'|'short_phrase'|'domain_hack'>, include_words?: list<string>, exclude_words?: list<string>, min_length?: int, max_length?: int, hyphens?: bool, digits?: bool, idn?: bool, country?: string, currency?: string, max_price?: float, max_price_5y?: float, premium?: bool, only_available?: bool, verify?: 'fast'|'full', quality?: 'fast'|'best', deadline_ms?: int, variants?: bool, like?: list<string>, unlike?: list<string>, seed?: int, include?: list<'evidence'|'pricing'|'score'|'rationale'|'sound'|'risks'|'understanding'|'handles'>}
 * @phpstan-type Handles array{packages: list<NameVerdict>, code: list<NameVerdict>}
 * @phpstan-type HistoryAnswer array{status: 'success', data: array{history: HistoryRecord}}
 * @phpstan-type HistoryPage array{status: 'success', data: array{history: list<HistoryRecord>, next_cursor: string|null}}
 * @phpstan-type HistoryRecord array{id: string, created_at: string, description: string, count: int, language: string, options: array<string, mixed>, key_id: string, suggestions: list<Suggestion>}
 * @phpstan-type KeyUsage array{id: string, days: list<array{day: string, suggestions: int}>, today: int, this_month: int, left: array{day: int|null, month: int|null}, limits: array{per_minute: int, burst: int, per_day: int|null, per_month: int|null}}
 * @phpstan-type NameLink array{site: 'uspto'|'euipo'|'wipo'|'x'|'instagram'|'youtube', url: string}
 * @phpstan-type NamesAnswer array{status: 'success', data: array{names: list<CheckedName>}}
 * @phpstan-type NamesEvent array{event: 'domain', id: string, data: array{index: int, domain: CheckedDomain}}|array{event: 'done', id: string, data: NamesAnswer}|array{event: 'error', data: ErrorAnswer}|array{event: 'heartbeat'}
 * @phpstan-type NamesRequest array{names: list<string>, tlds?: list<string>, include?: list<'packages'|'code'|'links'>, verify?: 'fast'|'full', country?: string, deadline_ms?: int}
 * @phpstan-type NameVerdict array{namespace: string, label: string, available: bool|'unknown', status: 'available'|'taken'|'reserved'|'invalid'|'unknown', rule: 'exists'|'similar_exists'|'reserved_word'|'invalid_name'|'not_found'|'no_answer'|'rate_limited'|'malformed_answer'|'switched_off'|'not_asked', confidence: 'definitive'|'likely', sources: list<string>, checked_at: string, expires_at: string, url: string}
 * @phpstan-type Pricing array{currency: string, registration_minor: int, renewal_minor: int, transfer_minor: int, transfer_estimated?: true, years: int, total_5y_minor: int, kind: 'list'|'quote', registrar: string, as_of: string, outdated?: true}
 * @phpstan-type Reputation array{registered_before: true|'unknown', listed: bool|'unknown', blocklists: list<array{zone: string, listed: bool|'unknown', rule: 'listed'|'not_listed'|'no_answer'|'refused'|'malformed_answer'|'untrusted'|'not_asked'|'switched_off', codes: list<string>}>}
 * @phpstan-type Risks array{checked: int, found: list<array{language: string|null, kind: 'offensive'|'vulgar'|'unlucky'|'confusable_brand', word: string}>}
 * @phpstan-type RotateSecretRequest array{grace_hours?: int}
 * @phpstan-type SaleOffer array{source: string, vendor?: string, price: string, currency: string, amount_minor: int}
 * @phpstan-type Seen array{available: bool, price: string, checked_at: string}
 * @phpstan-type Sound array{syllables: int, said: string, spelled_as_heard: bool|null}
 * @phpstan-type StatusAnswer array{status: 'success', data: array{audit: list<array{suffix: string, source: string, confirmed: int, contradicted: int, unanswered: int, precision: float|null}>, index: list<array{suffix: string, names: int, snapshot_at: string}>, redis: bool, parts: array{database: 'ok'|'degraded'|'away'|'off', redis: 'ok'|'degraded'|'away'|'off', registries: 'ok'|'degraded'|'away'|'off', language_model: 'ok'|'degraded'|'away'|'off'}, sources: list<array{source: string, state: 'proving'|'trusted'|'untrusted'|'unreachable', since: string, why: string|null}>, sandbox: bool, in_force: list<'deferred_history'|'reading_from_standby'|'local_limits'>, last_hour: array{minutes: int, down: int}}}
 * @phpstan-type Suggestion array{name: string, domains: list<DomainEntry>, score?: array<string, float>, rationale?: string, sound?: Sound|null, risks?: Risks, handles?: Handles}
 * @phpstan-type Tld array{suffix: string, price: string, pricing: Pricing, term_years: int, eligibility: string, eligible_countries?: list<string>, idn: bool|null, popularity: int|null}
 * @phpstan-type TldAnswer array{status: 'success', data: array{tlds: list<Tld>, currencies: list<string>}}
 * @phpstan-type Understanding array{language: string, subject: string|null, does: list<string>, for_whom: list<string>, angles: list<string>, ignored: list<string>, sure: bool}
 * @phpstan-type UsageAnswer array{status: 'success', data: array{usage: array{key: KeyUsage, account: AccountUsage}}}
 * @phpstan-type Webhook array{id: string, created_at: string, url: string, events: list<string>, description: string|null, enabled: bool, off_reason: 'by_hand'|'failing'|'gone'|'creator_lost_access'|null, off_at: string|null, failing_since: string|null, old_secret_until: string|null, secret?: string}
 * @phpstan-type WebhookAnswer array{status: 'success', data: array{webhook: Webhook}}
 * @phpstan-type WebhookChange array{url?: string, events?: list<'favorite.available'|'favorite.taken'|'favorite.price_changed'|'batch.completed'|'quota.warning'|'audit.entry'>, description?: string|null, enabled?: bool}
 * @phpstan-type WebhookList array{status: 'success', data: array{webhooks: list<Webhook>}}
 * @phpstan-type WebhookRequest array{url: string, events: list<'favorite.available'|'favorite.taken'|'favorite.price_changed'|'batch.completed'|'quota.warning'|'audit.entry'>, description?: string|null}
 */
final class Namewright
{
    private string $baseUrl;

    public function __construct(
        string $baseUrl,
        private string $apiKey,
        private ?string $language = null,
        private float $timeBudget = 30.0,
        private float $timeout = 35.0,
    ) {
        if (preg_match('~^https?://~i', $baseUrl) !== 1) {
            throw new \InvalidArgumentException('baseUrl is not an http or https URL');
        }
        $this->baseUrl = rtrim($baseUrl, '/');
    }

    /**
     * Generate domain suggestions: POST /v1/generate.
     *
     * @param GenerateRequest $body
     * @return array{suggestions: list<Suggestion>, understanding?: Understanding, shortfall?: array{wanted: int, returned: int, reason: 'no_more_names'|'deadline'|'max_price'|'restricted'|'availability_unknown', sources?: list<array{source: string, state: 'proving'|'untrusted'|'unreachable'|'failing'|'resting'|'rate_limited'}>, retry_after?: int, hint?: string}}
     */
    public function generate(array $body, ?string $idempotencyKey = null): array
    {
        return $this->call('POST', '/v1/generate', body: $body, headers: ['Idempotency-Key' => $idempotencyKey ?? bin2hex(random_bytes(16))]);
    }

    /**
     * Get generation history: GET /v1/history.
     *
     * @return array{history: list<HistoryRecord>, next_cursor: string|null}
     */
    public function listHistory(?int $limit = null, ?string $cursor = null, ?string $q = null, ?string $since = null, ?string $until = null, ?string $key_id = null): array
    {
        return $this->call('GET', '/v1/history', query: ['limit' => $limit, 'cursor' => $cursor, 'q' => $q, 'since' => $since, 'until' => $until, 'key_id' => $key_id]);
    }

    /**
     * Delete all history of the caller: DELETE /v1/history.
     *
     * @return array{}
     */
    public function clearHistory(): array
    {
        return $this->call('DELETE', '/v1/history');
    }

    /**
     * Get one history record: GET /v1/history/{id}.
     *
     * @return array{history: HistoryRecord}
     */
    public function getHistoryRecord(string $id): array
    {
        return $this->call('GET', '/v1/history/' . self::segment('id', $id));
    }

    /**
     * Delete one history record: DELETE /v1/history/{id}.
     *
     * @return array{}
     */
    public function deleteHistoryRecord(string $id): array
    {
        return $this->call('DELETE', '/v1/history/' . self::segment('id', $id));
    }

    /**
     * Add to favorites: POST /v1/favorites.
     *
     * @param FavoriteRequest $body
     * @return array{favorite: Favorite}
     */
    public function addFavorite(array $body, ?string $idempotencyKey = null): array
    {
        return $this->call('POST', '/v1/favorites', body: $body, headers: ['Idempotency-Key' => $idempotencyKey ?? bin2hex(random_bytes(16))]);
    }

    /**
     * Get the favorites list: GET /v1/favorites.
     *
     * @return array{favorites: list<Favorite>, next_cursor: string|null}
     */
    public function listFavorites(?int $limit = null, ?string $cursor = null, ?string $q = null, ?string $tag = null, ?bool $watch = null, ?string $changed_since = null): array
    {
        return $this->call('GET', '/v1/favorites', query: ['limit' => $limit, 'cursor' => $cursor, 'q' => $q, 'tag' => $tag, 'watch' => $watch, 'changed_since' => $changed_since]);
    }

    /**
     * Get one favorite: GET /v1/favorites/{id}.
     *
     * @return array{favorite: Favorite}
     */
    public function getFavorite(string $id): array
    {
        return $this->call('GET', '/v1/favorites/' . self::segment('id', $id));
    }

    /**
     * Change one favorite: PATCH /v1/favorites/{id}.
     *
     * @param FavoriteChange $body
     * @return array{favorite: Favorite}
     */
    public function changeFavorite(string $id, array $body): array
    {
        return $this->call('PATCH', '/v1/favorites/' . self::segment('id', $id), body: $body);
    }

    /**
     * Delete one favorite: DELETE /v1/favorites/{id}.
     *
     * @return array{}
     */
    public function deleteFavorite(string $id): array
    {
        return $this->call('DELETE', '/v1/favorites/' . self::segment('id', $id));
    }

    /**
     * List the changes of one favorite: GET /v1/favorites/{id}/changes.
     *
     * @return array{changes: list<FavoriteChangeRecord>, next_cursor: string|null}
     */
    public function listFavoriteChanges(string $id, ?int $limit = null, ?string $cursor = null): array
    {
        return $this->call('GET', '/v1/favorites/' . self::segment('id', $id) . '/changes', query: ['limit' => $limit, 'cursor' => $cursor]);
    }

    /**
     * List batches: GET /v1/batches.
     *
     * @return array{batches: list<Batch>, next_cursor: string|null}
     */
    public function listBatches(?int $limit = null, ?string $cursor = null): array
    {
        return $this->call('GET', '/v1/batches', query: ['limit' => $limit, 'cursor' => $cursor]);
    }

    /**
     * Create a batch of generate requests: POST /v1/batches.
     *
     * @param BatchRequest $body
     * @return array{batch: Batch}
     */
    public function createBatch(array $body, ?string $idempotencyKey = null): array
    {
        return $this->call('POST', '/v1/batches', body: $body, headers: ['Idempotency-Key' => $idempotencyKey ?? bin2hex(random_bytes(16))]);
    }

    /**
     * Get one batch: GET /v1/batches/{id}.
     *
     * @return array{batch: Batch}
     */
    public function getBatch(string $id): array
    {
        return $this->call('GET', '/v1/batches/' . self::segment('id', $id));
    }

    /**
     * Cancel a batch: DELETE /v1/batches/{id}.
     *
     * @return array{batch: Batch}
     */
    public function cancelBatch(string $id): array
    {
        return $this->call('DELETE', '/v1/batches/' . self::segment('id', $id));
    }

    /**
     * List the results of a batch: GET /v1/batches/{id}/results.
     *
     * @return array{results: list<BatchItem>, waiting_for: int|null, next_cursor: string|null}
     */
    public function listBatchResults(string $id, ?int $limit = null, ?string $cursor = null): array
    {
        return $this->call('GET', '/v1/batches/' . self::segment('id', $id) . '/results', query: ['limit' => $limit, 'cursor' => $cursor]);
    }

    /**
     * Stream the progress of a batch: GET /v1/batches/{id}/events.
     *
     * @return \Generator<int, BatchEvent>
     */
    public function watchBatch(string $id, ?string $lastEventId = null): \Generator
    {
        return $this->stream('GET', '/v1/batches/' . self::segment('id', $id) . '/events', headers: ['Last-Event-ID' => $lastEventId]);
    }

    /**
     * Check domains: POST /v1/domains/check.
     *
     * @param CheckRequest $body
     * @return array{domains: list<CheckedDomain>}
     */
    public function checkDomains(array $body, ?string $idempotencyKey = null): array
    {
        return $this->call('POST', '/v1/domains/check', body: $body, headers: ['Idempotency-Key' => $idempotencyKey ?? bin2hex(random_bytes(16))]);
    }

    /**
     * Check names: POST /v1/names/check.
     *
     * @param NamesRequest $body
     * @return array{names: list<CheckedName>}
     */
    public function checkNames(array $body, ?string $idempotencyKey = null): array
    {
        return $this->call('POST', '/v1/names/check', body: $body, headers: ['Idempotency-Key' => $idempotencyKey ?? bin2hex(random_bytes(16))]);
    }

    /**
     * Create a webhook: POST /v1/webhooks.
     *
     * @param WebhookRequest $body
     * @return array{webhook: Webhook}
     */
    public function addWebhook(array $body, ?string $idempotencyKey = null): array
    {
        return $this->call('POST', '/v1/webhooks', body: $body, headers: ['Idempotency-Key' => $idempotencyKey ?? bin2hex(random_bytes(16))]);
    }

    /**
     * List webhooks: GET /v1/webhooks.
     *
     * @return array{webhooks: list<Webhook>}
     */
    public function listWebhooks(): array
    {
        return $this->call('GET', '/v1/webhooks');
    }

    /**
     * Get one webhook: GET /v1/webhooks/{id}.
     *
     * @return array{webhook: Webhook}
     */
    public function getWebhook(string $id): array
    {
        return $this->call('GET', '/v1/webhooks/' . self::segment('id', $id));
    }

    /**
     * Change one webhook: PATCH /v1/webhooks/{id}.
     *
     * @param WebhookChange $body
     * @return array{webhook: Webhook}
     */
    public function changeWebhook(string $id, array $body): array
    {
        return $this->call('PATCH', '/v1/webhooks/' . self::segment('id', $id), body: $body);
    }

    /**
     * Delete one webhook: DELETE /v1/webhooks/{id}.
     *
     * @return array{}
     */
    public function deleteWebhook(string $id): array
    {
        return $this->call('DELETE', '/v1/webhooks/' . self::segment('id', $id));
    }

    /**
     * Rotate the webhook secret: POST /v1/webhooks/{id}/rotate-secret.
     *
     * @param RotateSecretRequest $body
     * @return array{webhook: Webhook}
     */
    public function rotateWebhookSecret(string $id, array $body, ?string $idempotencyKey = null): array
    {
        return $this->call('POST', '/v1/webhooks/' . self::segment('id', $id) . '/rotate-secret', body: $body, headers: ['Idempotency-Key' => $idempotencyKey ?? bin2hex(random_bytes(16))]);
    }

    /**
     * Send a test event: POST /v1/webhooks/{id}/test.
     *
     * @return array{delivery: Delivery}
     */
    public function testWebhook(string $id, ?string $idempotencyKey = null): array
    {
        return $this->call('POST', '/v1/webhooks/' . self::segment('id', $id) . '/test', headers: ['Idempotency-Key' => $idempotencyKey ?? bin2hex(random_bytes(16))]);
    }

    /**
     * List the deliveries of a webhook: GET /v1/webhooks/{id}/deliveries.
     *
     * @return array{deliveries: list<Delivery>, next_cursor: string|null}
     */
    public function listDeliveries(string $id, ?int $limit = null, ?string $cursor = null): array
    {
        return $this->call('GET', '/v1/webhooks/' . self::segment('id', $id) . '/deliveries', query: ['limit' => $limit, 'cursor' => $cursor]);
    }

    /**
     * Replay a delivery: POST /v1/webhooks/{id}/deliveries/{delivery}/replay.
     *
     * @return array{delivery: Delivery}
     */
    public function replayDelivery(string $id, string $delivery, ?string $idempotencyKey = null): array
    {
        return $this->call('POST', '/v1/webhooks/' . self::segment('id', $id) . '/deliveries/' . self::segment('delivery', $delivery) . '/replay', headers: ['Idempotency-Key' => $idempotencyKey ?? bin2hex(random_bytes(16))]);
    }

    /**
     * Get the suffix catalogue: GET /v1/tlds.
     *
     * @return array{tlds: list<Tld>, currencies: list<string>}
     */
    public function listTlds(?int $limit = null, ?string $q = null, ?string $currency = null): array
    {
        return $this->call('GET', '/v1/tlds', query: ['limit' => $limit, 'q' => $q, 'currency' => $currency]);
    }

    /**
     * Get the service status and its accuracy: GET /v1/status.
     *
     * @return array{audit: list<array{suffix: string, source: string, confirmed: int, contradicted: int, unanswered: int, precision: float|null}>, index: list<array{suffix: string, names: int, snapshot_at: string}>, redis: bool, parts: array{database: 'ok'|'degraded'|'away'|'off', redis: 'ok'|'degraded'|'away'|'off', registries: 'ok'|'degraded'|'away'|'off', language_model: 'ok'|'degraded'|'away'|'off'}, sources: list<array{source: string, state: 'proving'|'trusted'|'untrusted'|'unreachable', since: string, why: string|null}>, sandbox: bool, in_force: list<'deferred_history'|'reading_from_standby'|'local_limits'>, last_hour: array{minutes: int, down: int}}
     */
    public function getStatus(): array
    {
        return $this->call('GET', '/v1/status');
    }

    /**
     * Get usage and remaining quota: GET /v1/usage.
     *
     * @return array{usage: array{key: KeyUsage, account: AccountUsage}}
     */
    public function getUsage(?int $days = null): array
    {
        return $this->call('GET', '/v1/usage', query: ['days' => $days]);
    }

    /**
     * @param array<string, scalar|null> $query
     * @param array<string, mixed>|null $body
     * @param array<string, string|null> $headers
     */
    private function call(string $method, string $path, array $query = [], ?array $body = null, array $headers = []): array
    {
        [$status, $stream] = $this->open($method, $path, 'application/json', $query, $body, $headers);
        $text = stream_get_contents($stream);
        fclose($stream);
        $answer = self::jsonOf($text);
        if (!is_array($answer['data'] ?? null)) {
            throw new NamewrightError($status, [], null);
        }
        return $answer['data'];
    }

    /**
     * @param array<string, scalar|null> $query
     * @param array<string, string|null> $headers
     */
    private function stream(string $method, string $path, array $query = [], array $headers = []): \Generator
    {
        [, $stream] = $this->open($method, $path, 'application/x-ndjson', $query, null, $headers);
        try {
            while (($line = fgets($stream)) !== false) {
                if (trim($line) !== '') {
                    yield json_decode($line, true, 512, JSON_THROW_ON_ERROR);
                }
            }
            if (stream_get_meta_data($stream)['timed_out']) {
                throw new NetworkError('the service did not respond in time');
            }
        } finally {
            fclose($stream);
        }
    }

    /** @return array{int, resource} the status of a success, and its body */
    private function open(string $method, string $path, string $accept, array $query, ?array $body, array $headers): array
    {
        $given = array_map(
            static fn ($value) => is_bool($value) ? ($value ? 'true' : 'false') : (string) $value,
            array_filter($query, static fn ($value) => $value !== null),
        );
        $url = $this->baseUrl . $path . ($given === [] ? '' : '?' . http_build_query($given));
        $sent = ['Authorization' => "Bearer $this->apiKey", 'Accept' => $accept, 'Connection' => 'close', ...$headers];
        $sent['Accept-Language'] = $this->language;
        // A redirected request would send the API key to another address.
        $http = ['method' => $method, 'ignore_errors' => true, 'follow_location' => 0, 'timeout' => $this->timeout];
        if ($body !== null) {
            $sent['Content-Type'] = 'application/json';
            $http['content'] = json_encode((object) $body, JSON_THROW_ON_ERROR);
        }
        $http['header'] = self::headerLines($sent);
        $endsAt = microtime(true) + $this->timeBudget;
        for (;;) {
            error_clear_last();
            $stream = @fopen($url, 'r', false, stream_context_create(['http' => $http]));
            if ($stream === false) {
                throw new NetworkError(error_get_last()['message'] ?? 'the service cannot be reached');
            }
            [$status, $retryAfter] = self::headOf($stream);
            if ($status >= 200 && $status < 300) {
                return [$status, $stream];
            }
            $error = self::jsonOf(stream_get_contents($stream))['error'] ?? null;
            fclose($stream);
            $isLate = $retryAfter === null || microtime(true) + $retryAfter > $endsAt;
            if (($status !== 429 && $status !== 503) || $isLate) {
                throw new NamewrightError($status, is_array($error) ? $error : [], $retryAfter);
            }
            sleep($retryAfter);
        }
    }

    /** @return list<string> */
    private static function headerLines(array $headers): array
    {
        $lines = [];
        foreach ($headers as $name => $value) {
            if ($value === null) {
                continue;
            }
            if (preg_match('/[\x00-\x1f\x7f]/', $value) === 1) {
                throw new \InvalidArgumentException("$name has a control character");
            }
            $lines[] = "$name: $value";
        }
        return $lines;
    }

    /**
     * @param resource $stream
     * @return array{int, ?int} the status, and the seconds of Retry-After
     */
    private static function headOf($stream): array
    {
        $status = 0;
        $retryAfter = null;
        foreach (stream_get_meta_data($stream)['wrapper_data'] ?? [] as $line) {
            if (preg_match('~^HTTP/\S+ (\d{3})~', $line, $found) === 1) {
                $status = (int) $found[1];
            } elseif (preg_match('~^Retry-After:\s*(\d{1,9})\s*$~i', $line, $found) === 1) {
                $retryAfter = (int) $found[1];
            }
        }
        return [$status, $retryAfter];
    }

    private static function jsonOf(string|false $text): array
    {
        $value = $text === false ? null : json_decode($text, true);
        return is_array($value) ? $value : [];
    }

    /** An empty id or dots would change the path: "delete this record" would become "delete all". */
    private static function segment(string $name, string $value): string
    {
        if (in_array($value, ['', '.', '..'], true)) {
            throw new \InvalidArgumentException("$name is not a valid id");
        }
        return rawurlencode($value);
    }
}
