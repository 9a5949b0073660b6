"""What it means that a provider refused a call, or that none came through."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast

from agent_framework.exceptions import ChatClientContentFilterException, ChatClientException

from countersign.team.dialect import said_in, status_named
from countersign.team.errors import (
    AccessRefused,
    Busy,
    ContextTooSmall,
    Filtered,
    NotAModel,
    ProviderFailed,
    QuotaSpent,
    RequestRefused,
    TeamError,
    TooSlow,
    UnknownModel,
    Unreachable,
)

# By name, as the SDKs that own the classes are imported only if they are used.
_NO_CONNECTION = frozenset({"APIConnectionError", "TransportError"})
_TIMEOUTS = frozenset({"APITimeoutError", "TimeoutException"})
_TOLD_IN_THE_STREAM = "APIError"

_BY_STATUS: Mapping[int, type[TeamError]] = {
    401: AccessRefused,
    402: QuotaSpent,
    403: AccessRefused,
    404: UnknownModel,
    408: ProviderFailed,
    409: ProviderFailed,
    413: ContextTooSmall,
    425: ProviderFailed,
    429: Busy,
}
_BY_CODE: Mapping[str, type[TeamError]] = {
    "billing_hard_limit_reached": QuotaSpent,
    "content_filter": Filtered,
    "content_policy_violation": Filtered,
    "context_length_exceeded": ContextTooSmall,
    "exceed_context_size_error": ContextTooSmall,
    "insufficient_quota": QuotaSpent,
    "invalid_api_key": AccessRefused,
    "model_not_found": UnknownModel,
    "string_above_max_length": ContextTooSmall,
}
# vLLM, LM Studio, Mistral and others have no code for it.
_NAMES_CONTEXT = re.compile(
    r"context[ _](?:length|size|window)|maximum model length|prompt is too long"
    r"|too many (?:input )?tokens|input token count",
    re.IGNORECASE,
)
_BAD_REQUEST = frozenset({400, 422})
_CODE = re.compile(r"[a-z][a-z0-9]*(?:[_.-][a-z0-9]+){0,7}", re.IGNORECASE)
_LONGEST_CODE = 60


def fault_of(error: ChatClientException) -> TeamError:
    """Return what a failed call means, by its status, its code, or how the connection ended."""
    cause = error.__cause__
    if isinstance(cause, TeamError):
        return cause
    kinds = {kind.__name__ for kind in type(cause).__mro__}
    if kinds & _TIMEOUTS:
        return TooSlow()
    if kinds & _NO_CONNECTION:
        return Unreachable()
    status = _status_of(cause)
    if status is None and _TOLD_IN_THE_STREAM not in kinds:
        return NotAModel()
    code = _code_of(cause)
    if isinstance(error, ChatClientContentFilterException):
        return Filtered(status=status, code=code)
    kind = _BY_CODE.get(code or "") or _BY_STATUS.get(status or 500)
    if kind is None and status in _BAD_REQUEST and _NAMES_CONTEXT.search(said_in(cause)):
        kind = ContextTooSmall
    if kind is None:
        kind = RequestRefused if status and status < 500 else ProviderFailed
    return kind(status=status, code=code)


def _status_of(cause: object) -> int | None:
    """Return the HTTP status of an answer; in a stream that has begun, the code that is one."""
    status: int | None = getattr(cause, "status_code", None)
    return status or status_named(getattr(cause, "code", None))


def _code_of(cause: object) -> str | None:
    """Return the provider's code for its error, if it is a short identifier and no sentence."""
    body: Any = getattr(cause, "body", None)
    named: tuple[Any, ...] = (getattr(cause, "code", None), getattr(cause, "type", None))
    if isinstance(body, dict):
        fields = cast("Mapping[str, Any]", body)
        named = (*named, fields.get("code"), fields.get("type"))
    fit = (each for each in named if isinstance(each, str) and len(each) <= _LONGEST_CODE)
    return next((each for each in fit if _CODE.fullmatch(each)), None)
