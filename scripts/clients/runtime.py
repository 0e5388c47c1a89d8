"""A client of Namewright, for Python 3.11 or later, with the standard library alone.

Made from api/openapi.json of version {{version}} by `pnpm clients`; not to be edited. It is published as an example and is
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

{{types}}


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

{{operations}}

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
