"""Requests to Azure storage: tried again while that helps, and their faults told in our words."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from http.client import HTTPException
from typing import TYPE_CHECKING, TypeVar, cast

from countersign.platform.backoff import backoff
from countersign.platform.own_identity import NoToken
from countersign.stores.errors import StoreError, StoreUnavailable

if TYPE_CHECKING:
    from azure.core.exceptions import AzureError, HttpResponseError
    from azure.core.rest import HttpResponse

T = TypeVar("T")

_log = logging.getLogger(__name__)

_PASSING = {408, 429, 500, 502, 503, 504}
_REFUSED = {401, 403}
_FIRST_PAUSE = 0.2
_LONGEST_PAUSE = 4.0


class _Passing(StoreUnavailable):
    """A fault that may be over soon; `retry_after` is in seconds, 0 if the service said nothing."""

    def __init__(self, message: str, retry_after: float = 0.0) -> None:
        super().__init__(message)
        self.retry_after = retry_after


async def with_retries(work: Callable[[], T], *, role: str, seconds: float) -> T:
    """Do blocking work on the storage off the event loop, again while its faults may pass.

    The pauses grow exponentially and at random, or are what the service asks for (`Retry-After`).
    The SDKs' own retries are switched off. Those of the tables don't repeat a POST whose
    connection broke, never look at the failure inside of a transaction's answer, and sleep for
    whatever `Retry-After` says; those of the blobs ignore `Retry-After` and 429, and wait for 15
    seconds before the first one. Neither has an end in time that an HTTP caller could wait for.

    Args:
        work: safe to repeat, because what it did may have happened although it failed.
        role: the role that an identity needs for this, for the message if it lacks it.
        seconds: no try begins later than this after the first. A try takes ten at most, so an
            outage is told after twenty.

    Raises:
        StoreUnavailable: the fault did not pass; whether the last try had its effect is unknown.
        StoreError: the service refuses this.
    """
    end = time.monotonic() + seconds
    tries = 0
    while True:
        try:
            return await asyncio.to_thread(_attempt, work, role)
        except _Passing as fault:
            pause = fault.retry_after or backoff(tries, first=_FIRST_PAUSE, longest=_LONGEST_PAUSE)
            if time.monotonic() + pause > end:
                raise StoreUnavailable(str(fault)) from None
            _log.warning("%s; trying again in %.1f s", fault, pause)
        await asyncio.sleep(pause)
        tries += 1


def _attempt(work: Callable[[], T], role: str) -> T:
    # Imported where the SDKs are loaded anyway.
    from azure.core.exceptions import AzureError

    try:
        return work()
    except AzureError as error:
        # Without its cause: the SDKs' messages quote addresses, which may carry signatures.
        raise _told(error, role) from None
    except NoToken:
        # It was tried again for: the identity's own SDK does that.
        raise StoreUnavailable("the app's own identity has no token for the storage now") from None
    except (OSError, HTTPException) as error:
        # The tables' SDK lets these through where it takes a transaction's answer apart.
        raise _unreached(error) from None


def _told(error: AzureError, role: str) -> StoreError:
    from azure.core.exceptions import HttpResponseError

    if isinstance(error, HttpResponseError) and error.status_code:
        return _answered(error, error.status_code, role)
    return _unreached(error)


def _unreached(error: Exception) -> StoreError:
    return _Passing(f"the storage account can't be reached ({type(error).__name__})")


def _answered(error: HttpResponseError, status: int, role: str) -> StoreError:
    code = code_of(error)
    answer = f"the storage account answered {status} {code}".rstrip()
    if status in _PASSING or code.endswith("BeingDeleted"):
        return _Passing(answer, _retry_after(error))
    if code == "AuthorizationPermissionMismatch":
        return StoreError(f"{answer}: the identity lacks the role {role}")
    if status in _REFUSED:
        return StoreError(
            f"{answer}: the identity lacks the role {role}, the key of the connection string is"
            " wrong, or the account's network rules keep the app out"
        )
    return StoreError(answer)


def code_of(error: HttpResponseError) -> str:
    """Return the storage error code of an answer, empty if it has none."""
    code = getattr(error, "error_code", None)
    return str(getattr(code, "value", code) or "")


def _retry_after(error: HttpResponseError) -> float:
    from azure.core.pipeline.policies import RetryPolicy

    # Its type in the SDK is the least that all its transports share.
    response = cast("HttpResponse | None", error.response)
    text = response.headers.get("Retry-After") if response else None
    try:
        return RetryPolicy().parse_retry_after(text) if text else 0.0
    except ValueError:
        return 0.0
