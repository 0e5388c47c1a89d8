"""A client of Namewright, for Python 3.11 or later, with the standard library alone.

Made from api/openapi.json of version 0.1.0 by `pnpm clients`; not to be edited. It is published as an example and is
not a maintained SDK: copy it into your project and change it as you like.

A method returns the `data` of the response. A refused request raises NamewrightError. A response 429 or 503 is retried
after the seconds of its header Retry-After, while the time budget lasts. Every POST has an Idempotency-Key, the same for
all its tries, so that a retry has no second effect.
"""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Iterator, Literal, Mapping, NotRequired, TypedDict, Union

class AccountUsageDaysItem(TypedDict):
    day: str
    suggestions: int


class AccountUsageLeft(TypedDict):
    day: Union[int, None]
    month: Union[int, None]


class AccountUsageLimits(TypedDict):
    names_per_day: Union[int, None]
    names_per_month: Union[int, None]
    requests_per_minute: Union[int, None]
    keys: Union[int, None]
    webhooks: Union[int, None]
    applications: Union[int, None]
    running_batches: Union[int, None]
    open_streams: Union[int, None]


class AccountUsage(TypedDict):
    days: list[AccountUsageDaysItem]
    today: int
    this_month: int
    left: AccountUsageLeft
    limits: AccountUsageLimits


class Batch(TypedDict):
    id: str
    created_at: str
    key_id: str
    state: Literal["running", "completed", "canceled"]
    total: int
    finished: int
    succeeded: int
    short: int
    failed: int
    canceled: int
    progress: float
    webhook_id: Union[str, None]
    finished_at: Union[str, None]


class BatchAnswerData(TypedDict):
    batch: Batch


class BatchAnswer(TypedDict):
    status: Literal["success"]
    data: BatchAnswerData


class BatchPageData(TypedDict):
    batches: list[Batch]
    next_cursor: Union[str, None]


class BatchPage(TypedDict):
    status: Literal["success"]
    data: BatchPageData


class BatchRequest(TypedDict):
    requests: list[GenerateRequest]
    webhook_id: NotRequired[str]


class BatchResultsData(TypedDict):
    results: list[BatchItem]
    waiting_for: Union[int, None]
    next_cursor: Union[str, None]


class BatchResults(TypedDict):
    status: Literal["success"]
    data: BatchResultsData


class CheckAnswerData(TypedDict):
    domains: list[CheckedDomain]


class CheckAnswer(TypedDict):
    status: Literal["success"]
    data: CheckAnswerData


class CheckedDomainForSale(TypedDict):
    text: NotRequired[str]
    uri: NotRequired[str]
    value: NotRequired[str]
    offers: NotRequired[list[SaleOffer]]


class CheckedDomain(TypedDict):
    input: str
    domain: str
    available: bool
    status: Literal["available", "premium", "for_sale", "taken", "reserved", "restricted", "unsupported", "invalid", "unknown"]
    confidence: Literal["definitive", "likely"]
    sources: list[str]
    checked_at: str
    expires_at: str
    eligibility: NotRequired[str]
    eligible_countries: NotRequired[list[str]]
    price: Union[str, None]
    pricing: Union[Pricing, None]
    for_sale: NotRequired[CheckedDomainForSale]
    reputation: NotRequired[Reputation]


class CheckedName(TypedDict):
    input: str
    label: str
    domains: list[CheckedDomain]
    packages: NotRequired[list[NameVerdict]]
    code: NotRequired[list[NameVerdict]]
    links: NotRequired[list[NameLink]]


class CheckRequest(TypedDict):
    domains: list[str]
    verify: NotRequired[Literal["fast", "full"]]
    for_sale: NotRequired[bool]
    include: NotRequired[list[Literal["reputation"]]]
    country: NotRequired[str]
    deadline_ms: NotRequired[int]


class DeletedData(TypedDict):
    pass


class Deleted(TypedDict):
    status: Literal["success"]
    data: DeletedData


class Delivery(TypedDict):
    id: str
    type: str
    created_at: str
    state: Literal["pending", "paused", "delivered", "failed"]
    attempts: int
    next_at: Union[str, None]
    last_at: Union[str, None]
    last_status: Union[int, None]
    last_error: Union[str, None]
    last_answer: Union[str, None]


class DeliveryAnswerData(TypedDict):
    delivery: Delivery


class DeliveryAnswer(TypedDict):
    status: Literal["success"]
    data: DeliveryAnswerData


class DeliveryPageData(TypedDict):
    deliveries: list[Delivery]
    next_cursor: Union[str, None]


class DeliveryPage(TypedDict):
    status: Literal["success"]
    data: DeliveryPageData


class DomainEntry(TypedDict):
    domain: str
    available: bool
    price: str
    status: NotRequired[Literal["available", "premium", "for_sale", "taken", "reserved", "restricted", "unsupported", "invalid", "unknown"]]
    confidence: NotRequired[Literal["definitive", "likely"]]
    sources: NotRequired[list[str]]
    checked_at: NotRequired[str]
    expires_at: NotRequired[str]
    eligibility: NotRequired[str]
    eligible_countries: NotRequired[list[str]]
    pricing: NotRequired[Pricing]


class ErrorError(TypedDict):
    code: Literal["invalid_json", "body_too_deep", "invalid_request", "invalid_cursor", "invalid_idempotency_key", "malformed_http", "missing_token", "invalid_token", "expired_token", "sign_in_required", "https_required", "ip_not_allowed", "origin_not_allowed", "insufficient_scope", "insufficient_role", "account_suspended", "account_limit", "application_blocked", "recent_sign_in_required", "cross_site", "wrong_host", "not_found", "method_not_allowed", "request_timeout", "idempotency_in_progress", "last_owner", "own_account", "already_member", "too_many_webhooks", "share_full", "canceled", "invalid_link", "body_too_large", "unsupported_media_type", "idempotency_mismatch", "no_names", "rate_limited", "concurrency_limited", "quota_exceeded", "headers_too_large", "internal", "unavailable", "overloaded", "storage_full"]
    message: str
    request_id: str
    errors: NotRequired[list[FieldError]]
    hint: NotRequired[str]
    docs: str


class Error(TypedDict):
    status: Literal["error"]
    error: ErrorError


class Favorite(TypedDict):
    id: str
    domain: str
    name: str
    note: Union[str, None]
    tags: list[str]
    watch: bool
    created_at: str
    saved: Seen
    current: Seen


class FavoriteAnswerData(TypedDict):
    favorite: Favorite


class FavoriteAnswer(TypedDict):
    status: Literal["success"]
    data: FavoriteAnswerData


class FavoriteChange(TypedDict):
    name: NotRequired[str]
    note: NotRequired[Union[str, None]]
    tags: NotRequired[list[str]]
    watch: NotRequired[bool]


class FavoriteChangePageData(TypedDict):
    changes: list[FavoriteChangeRecord]
    next_cursor: Union[str, None]


class FavoriteChangePage(TypedDict):
    status: Literal["success"]
    data: FavoriteChangePageData


class FavoriteChangeRecord(TypedDict):
    id: str
    created_at: str
    kind: Literal["available", "taken", "price_changed"]
    before: Seen
    after: Seen


class FavoritePageData(TypedDict):
    favorites: list[Favorite]
    next_cursor: Union[str, None]


class FavoritePage(TypedDict):
    status: Literal["success"]
    data: FavoritePageData


class FavoriteRequest(TypedDict):
    domain: str
    name: NotRequired[str]
    note: NotRequired[Union[str, None]]
    tags: NotRequired[list[str]]
    watch: NotRequired[bool]


class FieldError(TypedDict):
    pointer: str
    code: Literal["required", "unknown_field", "wrong_type", "too_short", "too_long", "too_small", "too_large", "too_few", "too_many", "not_allowed", "bad_format", "repeated", "no_letter", "unknown_suffix", "unknown_preset", "invalid_domain", "url_not_allowed", "unknown_webhook", "min_above_max"]
    message: str


class GenerateAnswerDataShortfallSourcesItem(TypedDict):
    source: str
    state: Literal["proving", "untrusted", "unreachable", "failing", "resting", "rate_limited"]


class GenerateAnswerDataShortfall(TypedDict):
    wanted: int
    returned: int
    reason: Literal["no_more_names", "deadline", "max_price", "restricted", "availability_unknown"]
    sources: NotRequired[list[GenerateAnswerDataShortfallSourcesItem]]
    retry_after: NotRequired[int]
    hint: NotRequired[str]


class GenerateAnswerData(TypedDict):
    suggestions: list[Suggestion]
    understanding: NotRequired[Understanding]
    shortfall: NotRequired[GenerateAnswerDataShortfall]


class GenerateAnswer(TypedDict):
    status: Literal["success"]
    data: GenerateAnswerData


class GenerateRequest(TypedDict):
    description: str
    count: int
    language: NotRequired[str]
    tlds: NotRequired[list[str]]
    styles: NotRequired[list[Literal["real_word", "compound", "blend", "affix", "respelling", "foreign", "invented", "short_phrase", "domain_hack"]]]
    include_words: NotRequired[list[str]]
    exclude_words: NotRequired[list[str]]
    min_length: NotRequired[int]
    max_length: NotRequired[int]
    hyphens: NotRequired[bool]
    digits: NotRequired[bool]
    idn: NotRequired[bool]
    country: NotRequired[str]
    currency: NotRequired[str]
    max_price: NotRequired[float]
    max_price_5y: NotRequired[float]
    premium: NotRequired[bool]
    only_available: NotRequired[bool]
    verify: NotRequired[Literal["fast", "full"]]
    quality: NotRequired[Literal["fast", "best"]]
    deadline_ms: NotRequired[int]
    variants: NotRequired[bool]
    like: NotRequired[list[str]]
    unlike: NotRequired[list[str]]
    seed: NotRequired[int]
    include: NotRequired[list[Literal["evidence", "pricing", "score", "rationale", "sound", "risks", "understanding", "handles"]]]


class Handles(TypedDict):
    packages: list[NameVerdict]
    code: list[NameVerdict]


class HistoryAnswerData(TypedDict):
    history: HistoryRecord


class HistoryAnswer(TypedDict):
    status: Literal["success"]
    data: HistoryAnswerData


class HistoryPageData(TypedDict):
    history: list[HistoryRecord]
    next_cursor: Union[str, None]


class HistoryPage(TypedDict):
    status: Literal["success"]
    data: HistoryPageData


class HistoryRecord(TypedDict):
    id: str
    created_at: str
    description: str
    count: int
    language: str
    options: dict[str, Any]
    key_id: str
    suggestions: list[Suggestion]


class KeyUsageDaysItem(TypedDict):
    day: str
    suggestions: int


class KeyUsageLeft(TypedDict):
    day: Union[int, None]
    month: Union[int, None]


class KeyUsageLimits(TypedDict):
    per_minute: int
    burst: int
    per_day: Union[int, None]
    per_month: Union[int, None]


class KeyUsage(TypedDict):
    id: str
    days: list[KeyUsageDaysItem]
    today: int
    this_month: int
    left: KeyUsageLeft
    limits: KeyUsageLimits


class NameLink(TypedDict):
    site: Literal["uspto", "euipo", "wipo", "x", "instagram", "youtube"]
    url: str


class NamesAnswerData(TypedDict):
    names: list[CheckedName]


class NamesAnswer(TypedDict):
    status: Literal["success"]
    data: NamesAnswerData


class NamesRequest(TypedDict):
    names: list[str]
    tlds: NotRequired[list[str]]
    include: NotRequired[list[Literal["packages", "code", "links"]]]
    verify: NotRequired[Literal["fast", "full"]]
    country: NotRequired[str]
    deadline_ms: NotRequired[int]


class NameVerdict(TypedDict):
    namespace: str
    label: str
    available: Union[bool, Literal["unknown"]]
    status: Literal["available", "taken", "reserved", "invalid", "unknown"]
    rule: Literal["exists", "similar_exists", "reserved_word", "invalid_name", "not_found", "no_answer", "rate_limited", "malformed_answer", "switched_off", "not_asked"]
    confidence: Literal["definitive", "likely"]
    sources: list[str]
    checked_at: str
    expires_at: str
    url: str


class Pricing(TypedDict):
    currency: str
    registration_minor: int
    renewal_minor: int
    transfer_minor: int
    transfer_estimated: NotRequired[Literal[True]]
    years: int
    total_5y_minor: int
    kind: Literal["list", "quote"]
    registrar: str
    as_of: str
    outdated: NotRequired[Literal[True]]


class ReputationBlocklistsItem(TypedDict):
    zone: str
    listed: Union[bool, Literal["unknown"]]
    rule: Literal["listed", "not_listed", "no_answer", "refused", "malformed_answer", "untrusted", "not_asked", "switched_off"]
    codes: list[str]


class Reputation(TypedDict):
    registered_before: Union[Literal[True], Literal["unknown"]]
    listed: Union[bool, Literal["unknown"]]
    blocklists: list[ReputationBlocklistsItem]


class RisksFoundItem(TypedDict):
    language: Union[str, None]
    kind: Literal["offensive", "vulgar", "unlucky", "confusable_brand"]
    word: str


class Risks(TypedDict):
    checked: int
    found: list[RisksFoundItem]


class RotateSecretRequest(TypedDict):
    grace_hours: NotRequired[int]


class SaleOffer(TypedDict):
    source: str
    vendor: NotRequired[str]
    price: str
    currency: str
    amount_minor: int


class Seen(TypedDict):
    available: bool
    price: str
    checked_at: str


class Sound(TypedDict):
    syllables: int
    said: str
    spelled_as_heard: Union[bool, None]


class StatusAnswerDataAuditItem(TypedDict):
    suffix: str
    source: str
    confirmed: int
    contradicted: int
    unanswered: int
    precision: Union[float, None]


class StatusAnswerDataIndexItem(TypedDict):
    suffix: str
    names: int
    snapshot_at: str


class StatusAnswerDataParts(TypedDict):
    database: Literal["ok", "degraded", "away", "off"]
    redis: Literal["ok", "degraded", "away", "off"]
    registries: Literal["ok", "degraded", "away", "off"]
    language_model: Literal["ok", "degraded", "away", "off"]


class StatusAnswerDataSourcesItem(TypedDict):
    source: str
    state: Literal["proving", "trusted", "untrusted", "unreachable"]
    since: str
    why: Union[str, None]


class StatusAnswerDataLastHour(TypedDict):
    minutes: int
    down: int


class StatusAnswerData(TypedDict):
    audit: list[StatusAnswerDataAuditItem]
    index: list[StatusAnswerDataIndexItem]
    redis: bool
    parts: StatusAnswerDataParts
    sources: list[StatusAnswerDataSourcesItem]
    sandbox: bool
    in_force: list[Literal["deferred_history", "reading_from_standby", "local_limits"]]
    last_hour: StatusAnswerDataLastHour


class StatusAnswer(TypedDict):
    status: Literal["success"]
    data: StatusAnswerData


class Suggestion(TypedDict):
    name: str
    domains: list[DomainEntry]
    score: NotRequired[dict[str, float]]
    rationale: NotRequired[str]
    sound: NotRequired[Union[Sound, None]]
    risks: NotRequired[Risks]
    handles: NotRequired[Handles]


class Tld(TypedDict):
    suffix: str
    price: str
    pricing: Pricing
    term_years: int
    eligibility: str
    eligible_countries: NotRequired[list[str]]
    idn: Union[bool, None]
    popularity: Union[int, None]


class TldAnswerData(TypedDict):
    tlds: list[Tld]
    currencies: list[str]


class TldAnswer(TypedDict):
    status: Literal["success"]
    data: TldAnswerData


class Understanding(TypedDict):
    language: str
    subject: Union[str, None]
    does: list[str]
    for_whom: list[str]
    angles: list[str]
    ignored: list[str]
    sure: bool


class UsageAnswerDataUsage(TypedDict):
    key: KeyUsage
    account: AccountUsage


class UsageAnswerData(TypedDict):
    usage: UsageAnswerDataUsage


class UsageAnswer(TypedDict):
    status: Literal["success"]
    data: UsageAnswerData


class Webhook(TypedDict):
    id: str
    created_at: str
    url: str
    events: list[str]
    description: Union[str, None]
    enabled: bool
    off_reason: Union[Literal["by_hand", "failing", "gone", "creator_lost_access"], None]
    off_at: Union[str, None]
    failing_since: Union[str, None]
    old_secret_until: Union[str, None]
    secret: NotRequired[str]


class WebhookAnswerData(TypedDict):
    webhook: Webhook


class WebhookAnswer(TypedDict):
    status: Literal["success"]
    data: WebhookAnswerData


class WebhookChange(TypedDict):
    url: NotRequired[str]
    events: NotRequired[list[Literal["favorite.available", "favorite.taken", "favorite.price_changed", "batch.completed", "quota.warning", "audit.entry"]]]
    description: NotRequired[Union[str, None]]
    enabled: NotRequired[bool]


class WebhookListData(TypedDict):
    webhooks: list[Webhook]


class WebhookList(TypedDict):
    status: Literal["success"]
    data: WebhookListData


class WebhookRequest(TypedDict):
    url: str
    events: list[Literal["favorite.available", "favorite.taken", "favorite.price_changed", "batch.completed", "quota.warning", "audit.entry"]]
    description: NotRequired[Union[str, None]]


class BatchEventProgressData(TypedDict):
    batch: Batch


class BatchEventProgress(TypedDict):
    event: Literal["progress"]
    id: str
    data: BatchEventProgressData


class BatchEventDoneData(TypedDict):
    batch: Batch


class BatchEventDone(TypedDict):
    event: Literal["done"]
    id: str
    data: BatchEventDoneData


class BatchEventError(TypedDict):
    event: Literal["error"]
    data: Error


class BatchEventHeartbeat(TypedDict):
    event: Literal["heartbeat"]


BatchEvent = Union[BatchEventProgress, BatchEventDone, BatchEventError, BatchEventHeartbeat]


class BatchItemSuccessDataShortfallSourcesItem(TypedDict):
    source: str
    state: Literal["proving", "untrusted", "unreachable", "failing", "resting", "rate_limited"]


class BatchItemSuccessDataShortfall(TypedDict):
    wanted: int
    returned: int
    reason: Literal["no_more_names", "deadline", "max_price", "restricted", "availability_unknown"]
    sources: NotRequired[list[BatchItemSuccessDataShortfallSourcesItem]]
    retry_after: NotRequired[int]
    hint: NotRequired[str]


class BatchItemSuccessData(TypedDict):
    suggestions: list[Suggestion]
    understanding: NotRequired[Understanding]
    shortfall: NotRequired[BatchItemSuccessDataShortfall]


class BatchItemSuccess(TypedDict):
    index: int
    outcome: Literal["succeeded", "short", "failed", "canceled"]
    status: Literal["success"]
    data: BatchItemSuccessData


class BatchItemErrorError(TypedDict):
    code: Literal["invalid_json", "body_too_deep", "invalid_request", "invalid_cursor", "invalid_idempotency_key", "malformed_http", "missing_token", "invalid_token", "expired_token", "sign_in_required", "https_required", "ip_not_allowed", "origin_not_allowed", "insufficient_scope", "insufficient_role", "account_suspended", "account_limit", "application_blocked", "recent_sign_in_required", "cross_site", "wrong_host", "not_found", "method_not_allowed", "request_timeout", "idempotency_in_progress", "last_owner", "own_account", "already_member", "too_many_webhooks", "share_full", "canceled", "invalid_link", "body_too_large", "unsupported_media_type", "idempotency_mismatch", "no_names", "rate_limited", "concurrency_limited", "quota_exceeded", "headers_too_large", "internal", "unavailable", "overloaded", "storage_full"]
    message: str
    request_id: str
    errors: NotRequired[list[FieldError]]
    hint: NotRequired[str]
    docs: str


class BatchItemError(TypedDict):
    index: int
    outcome: Literal["succeeded", "short", "failed", "canceled"]
    status: Literal["error"]
    error: BatchItemErrorError


BatchItem = Union[BatchItemSuccess, BatchItemError]


class BatchResultEventResult(TypedDict):
    event: Literal["result"]
    id: str
    data: BatchItem


class BatchResultEventDoneData(TypedDict):
    state: Literal["running", "completed", "canceled"]
    waiting_for: Union[int, None]
    next_cursor: Union[str, None]


class BatchResultEventDone(TypedDict):
    event: Literal["done"]
    data: BatchResultEventDoneData


class BatchResultEventError(TypedDict):
    event: Literal["error"]
    data: Error


class BatchResultEventHeartbeat(TypedDict):
    event: Literal["heartbeat"]


BatchResultEvent = Union[BatchResultEventResult, BatchResultEventDone, BatchResultEventError, BatchResultEventHeartbeat]


class CheckEventDomainData(TypedDict):
    index: int
    domain: CheckedDomain


class CheckEventDomain(TypedDict):
    event: Literal["domain"]
    id: str
    data: CheckEventDomainData


class CheckEventDone(TypedDict):
    event: Literal["done"]
    id: str
    data: CheckAnswer


class CheckEventError(TypedDict):
    event: Literal["error"]
    data: Error


class CheckEventHeartbeat(TypedDict):
    event: Literal["heartbeat"]


CheckEvent = Union[CheckEventDomain, CheckEventDone, CheckEventError, CheckEventHeartbeat]


class GenerateEventSuggestion(TypedDict):
    event: Literal["suggestion"]
    id: str
    data: Suggestion


class GenerateEventDomainData(TypedDict):
    name: str
    index: int
    domain: DomainEntry


class GenerateEventDomain(TypedDict):
    event: Literal["domain"]
    id: str
    data: GenerateEventDomainData


class GenerateEventHandlesData(TypedDict):
    name: str
    handles: Handles


class GenerateEventHandles(TypedDict):
    event: Literal["handles"]
    id: str
    data: GenerateEventHandlesData


class GenerateEventWithdrawnData(TypedDict):
    name: str


class GenerateEventWithdrawn(TypedDict):
    event: Literal["withdrawn"]
    id: str
    data: GenerateEventWithdrawnData


class GenerateEventDone(TypedDict):
    event: Literal["done"]
    id: str
    data: GenerateAnswer


class GenerateEventError(TypedDict):
    event: Literal["error"]
    data: Error


class GenerateEventHeartbeat(TypedDict):
    event: Literal["heartbeat"]


GenerateEvent = Union[GenerateEventSuggestion, GenerateEventDomain, GenerateEventHandles, GenerateEventWithdrawn, GenerateEventDone, GenerateEventError, GenerateEventHeartbeat]


class NamesEventDomainData(TypedDict):
    index: int
    domain: CheckedDomain


class NamesEventDomain(TypedDict):
    event: Literal["domain"]
    id: str
    data: NamesEventDomainData


class NamesEventDone(TypedDict):
    event: Literal["done"]
    id: str
    data: NamesAnswer


class NamesEventError(TypedDict):
    event: Literal["error"]
    data: Error


class NamesEventHeartbeat(TypedDict):
    event: Literal["heartbeat"]


NamesEvent = Union[NamesEventDomain, NamesEventDone, NamesEventError, NamesEventHeartbeat]


class NamewrightError(Exception):
    """A refused request, or a response that is not one of the service (code "unexpected_response")."""

    def __init__(self, status: int, error: Mapping[str, Any], retry_after: int | None) -> None:
        self.status = status
        self.code: str = error.get("code", "unexpected_response")
        self.message: str = error.get("message", f"HTTP status {status}")
        self.hint: str | None = error.get("hint")
        self.errors: list[FieldError] = error.get("errors", [])
        self.request_id: str | None = error.get("request_id")
        # Seconds, or None if the response has no such header.
        self.retry_after = retry_after
        super().__init__(f"{self.code}: {self.message}" + (f" {self.hint}" if self.hint else ""))


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirected request would send the API key to another address."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Namewright:
    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        language: str | None = None,
        time_budget: float = 30.0,
        timeout: float = 35.0,
    ) -> None:
        if urllib.parse.urlsplit(base_url).scheme not in ("http", "https"):
            raise ValueError("base_url is not an http or https URL")
        self._base_url = base_url.rstrip("/")
        self._headers = {"Authorization": f"Bearer {api_key}"}
        if language is not None:
            self._headers["Accept-Language"] = language
        self._time_budget = time_budget
        self._timeout = timeout
        self._opener = urllib.request.build_opener(_NoRedirect)

    def generate(
        self,
        body: GenerateRequest,
        *,
        idempotency_key: str | None = None,
    ) -> GenerateAnswerData:
        """Generate domain suggestions: POST /v1/generate."""
        return self._call(
            "POST",
            "/v1/generate",
            body=body,
            headers={"Idempotency-Key": idempotency_key or uuid.uuid4().hex},
        )

    def list_history(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        q: str | None = None,
        since: str | None = None,
        until: str | None = None,
        key_id: str | None = None,
    ) -> HistoryPageData:
        """Get generation history: GET /v1/history."""
        return self._call(
            "GET",
            "/v1/history",
            query={"limit": limit, "cursor": cursor, "q": q, "since": since, "until": until, "key_id": key_id},
        )

    def clear_history(
        self,
    ) -> DeletedData:
        """Delete all history of the caller: DELETE /v1/history."""
        return self._call(
            "DELETE",
            "/v1/history",
        )

    def get_history_record(
        self,
        id: str,
    ) -> HistoryAnswerData:
        """Get one history record: GET /v1/history/{id}."""
        return self._call(
            "GET",
            f"/v1/history/{_segment('id', id)}",
        )

    def delete_history_record(
        self,
        id: str,
    ) -> DeletedData:
        """Delete one history record: DELETE /v1/history/{id}."""
        return self._call(
            "DELETE",
            f"/v1/history/{_segment('id', id)}",
        )

    def add_favorite(
        self,
        body: FavoriteRequest,
        *,
        idempotency_key: str | None = None,
    ) -> FavoriteAnswerData:
        """Add to favorites: POST /v1/favorites."""
        return self._call(
            "POST",
            "/v1/favorites",
            body=body,
            headers={"Idempotency-Key": idempotency_key or uuid.uuid4().hex},
        )

    def list_favorites(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        q: str | None = None,
        tag: str | None = None,
        watch: bool | None = None,
        changed_since: str | None = None,
    ) -> FavoritePageData:
        """Get the favorites list: GET /v1/favorites."""
        return self._call(
            "GET",
            "/v1/favorites",
            query={"limit": limit, "cursor": cursor, "q": q, "tag": tag, "watch": watch, "changed_since": changed_since},
        )

    def get_favorite(
        self,
        id: str,
    ) -> FavoriteAnswerData:
        """Get one favorite: GET /v1/favorites/{id}."""
        return self._call(
            "GET",
            f"/v1/favorites/{_segment('id', id)}",
        )

    def change_favorite(
        self,
        id: str,
        body: FavoriteChange,
    ) -> FavoriteAnswerData:
        """Change one favorite: PATCH /v1/favorites/{id}."""
        return self._call(
            "PATCH",
            f"/v1/favorites/{_segment('id', id)}",
            body=body,
        )

    def delete_favorite(
        self,
        id: str,
    ) -> DeletedData:
        """Delete one favorite: DELETE /v1/favorites/{id}."""
        return self._call(
            "DELETE",
            f"/v1/favorites/{_segment('id', id)}",
        )

    def list_favorite_changes(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> FavoriteChangePageData:
        """List the changes of one favorite: GET /v1/favorites/{id}/changes."""
        return self._call(
            "GET",
            f"/v1/favorites/{_segment('id', id)}/changes",
            query={"limit": limit, "cursor": cursor},
        )

    def list_batches(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> BatchPageData:
        """List batches: GET /v1/batches."""
        return self._call(
            "GET",
            "/v1/batches",
            query={"limit": limit, "cursor": cursor},
        )

    def create_batch(
        self,
        body: BatchRequest,
        *,
        idempotency_key: str | None = None,
    ) -> BatchAnswerData:
        """Create a batch of generate requests: POST /v1/batches."""
        return self._call(
            "POST",
            "/v1/batches",
            body=body,
            headers={"Idempotency-Key": idempotency_key or uuid.uuid4().hex},
        )

    def get_batch(
        self,
        id: str,
    ) -> BatchAnswerData:
        """Get one batch: GET /v1/batches/{id}."""
        return self._call(
            "GET",
            f"/v1/batches/{_segment('id', id)}",
        )

    def cancel_batch(
        self,
        id: str,
    ) -> BatchAnswerData:
        """Cancel a batch: DELETE /v1/batches/{id}."""
        return self._call(
            "DELETE",
            f"/v1/batches/{_segment('id', id)}",
        )

    def list_batch_results(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> BatchResultsData:
        """List the results of a batch: GET /v1/batches/{id}/results."""
        return self._call(
            "GET",
            f"/v1/batches/{_segment('id', id)}/results",
            query={"limit": limit, "cursor": cursor},
        )

    def watch_batch(
        self,
        id: str,
        *,
        last_event_id: str | None = None,
    ) -> Iterator[BatchEvent]:
        """Stream the progress of a batch: GET /v1/batches/{id}/events."""
        return self._stream(
            "GET",
            f"/v1/batches/{_segment('id', id)}/events",
            headers={"Last-Event-ID": last_event_id},
        )

    def check_domains(
        self,
        body: CheckRequest,
        *,
        idempotency_key: str | None = None,
    ) -> CheckAnswerData:
        """Check domains: POST /v1/domains/check."""
        return self._call(
            "POST",
            "/v1/domains/check",
            body=body,
            headers={"Idempotency-Key": idempotency_key or uuid.uuid4().hex},
        )

    def check_names(
        self,
        body: NamesRequest,
        *,
        idempotency_key: str | None = None,
    ) -> NamesAnswerData:
        """Check names: POST /v1/names/check."""
        return self._call(
            "POST",
            "/v1/names/check",
            body=body,
            headers={"Idempotency-Key": idempotency_key or uuid.uuid4().hex},
        )

    def add_webhook(
        self,
        body: WebhookRequest,
        *,
        idempotency_key: str | None = None,
    ) -> WebhookAnswerData:
        """Create a webhook: POST /v1/webhooks."""
        return self._call(
            "POST",
            "/v1/webhooks",
            body=body,
            headers={"Idempotency-Key": idempotency_key or uuid.uuid4().hex},
        )

    def list_webhooks(
        self,
    ) -> WebhookListData:
        """List webhooks: GET /v1/webhooks."""
        return self._call(
            "GET",
            "/v1/webhooks",
        )

    def get_webhook(
        self,
        id: str,
    ) -> WebhookAnswerData:
        """Get one webhook: GET /v1/webhooks/{id}."""
        return self._call(
            "GET",
            f"/v1/webhooks/{_segment('id', id)}",
        )

    def change_webhook(
        self,
        id: str,
        body: WebhookChange,
    ) -> WebhookAnswerData:
        """Change one webhook: PATCH /v1/webhooks/{id}."""
        return self._call(
            "PATCH",
            f"/v1/webhooks/{_segment('id', id)}",
            body=body,
        )

    def delete_webhook(
        self,
        id: str,
    ) -> DeletedData:
        """Delete one webhook: DELETE /v1/webhooks/{id}."""
        return self._call(
            "DELETE",
            f"/v1/webhooks/{_segment('id', id)}",
        )

    def rotate_webhook_secret(
        self,
        id: str,
        body: RotateSecretRequest,
        *,
        idempotency_key: str | None = None,
    ) -> WebhookAnswerData:
        """Rotate the webhook secret: POST /v1/webhooks/{id}/rotate-secret."""
        return self._call(
            "POST",
            f"/v1/webhooks/{_segment('id', id)}/rotate-secret",
            body=body,
            headers={"Idempotency-Key": idempotency_key or uuid.uuid4().hex},
        )

    def test_webhook(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> DeliveryAnswerData:
        """Send a test event: POST /v1/webhooks/{id}/test."""
        return self._call(
            "POST",
            f"/v1/webhooks/{_segment('id', id)}/test",
            headers={"Idempotency-Key": idempotency_key or uuid.uuid4().hex},
        )

    def list_deliveries(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> DeliveryPageData:
        """List the deliveries of a webhook: GET /v1/webhooks/{id}/deliveries."""
        return self._call(
            "GET",
            f"/v1/webhooks/{_segment('id', id)}/deliveries",
            query={"limit": limit, "cursor": cursor},
        )

    def replay_delivery(
        self,
        id: str,
        delivery: str,
        *,
        idempotency_key: str | None = None,
    ) -> DeliveryAnswerData:
        """Replay a delivery: POST /v1/webhooks/{id}/deliveries/{delivery}/replay."""
        return self._call(
            "POST",
            f"/v1/webhooks/{_segment('id', id)}/deliveries/{_segment('delivery', delivery)}/replay",
            headers={"Idempotency-Key": idempotency_key or uuid.uuid4().hex},
        )

    def list_tlds(
        self,
        *,
        limit: int | None = None,
        q: str | None = None,
        currency: str | None = None,
    ) -> TldAnswerData:
        """Get the suffix catalogue: GET /v1/tlds."""
        return self._call(
            "GET",
            "/v1/tlds",
            query={"limit": limit, "q": q, "currency": currency},
        )

    def get_status(
        self,
    ) -> StatusAnswerData:
        """Get the service status and its accuracy: GET /v1/status."""
        return self._call(
            "GET",
            "/v1/status",
        )

    def get_usage(
        self,
        *,
        days: int | None = None,
    ) -> UsageAnswerData:
        """Get usage and remaining quota: GET /v1/usage."""
        return self._call(
            "GET",
            "/v1/usage",
            query={"days": days},
        )

    def _call(self, method: str, path: str, **parts: Any) -> Any:
        with self._open(method, path, "application/json", **parts) as response:
            status, text = response.status, response.read()
        answer = _json_of(text)
        if not isinstance(answer.get("data"), dict):
            raise NamewrightError(status, {}, None)
        return answer["data"]

    def _stream(self, method: str, path: str, **parts: Any) -> Iterator[Any]:
        with self._open(method, path, "application/x-ndjson", **parts) as response:
            for line in response:
                if line.strip():
                    yield json.loads(line)

    def _open(
        self,
        method: str,
        path: str,
        accept: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        headers: Mapping[str, str | None] | None = None,
    ) -> Any:
        given = {name: _text_of(value) for name, value in (query or {}).items() if value is not None}
        url = self._base_url + path + (f"?{urllib.parse.urlencode(given)}" if given else "")
        sent = {**self._headers, "Accept": accept}
        sent.update({name: value for name, value in (headers or {}).items() if value is not None})
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        ends_at = time.monotonic() + self._time_budget
        while True:
            request = urllib.request.Request(url, data=data, headers=sent, method=method)
            try:
                return self._opener.open(request, timeout=self._timeout)
            except urllib.error.HTTPError as response:
                error = _error_of(response)
            wait = error.retry_after
            if error.status not in (429, 503) or wait is None or time.monotonic() + wait > ends_at:
                raise error
            time.sleep(wait)


def _error_of(response: urllib.error.HTTPError) -> NamewrightError:
    with response:
        error = _json_of(response.read()).get("error")
    after = (response.headers.get("Retry-After") or "").strip()
    wait = int(after) if after.isascii() and after.isdigit() else None
    return NamewrightError(response.code, error if isinstance(error, dict) else {}, wait)


def _json_of(text: bytes) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _text_of(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _segment(name: str, value: str) -> str:
    """An empty id or dots would change the path: "delete this record" would become "delete all"."""
    if value in ("", ".", ".."):
        raise ValueError(f"{name} is not a valid id")
    return urllib.parse.quote(value, safe="")
