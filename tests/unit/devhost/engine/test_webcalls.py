from __future__ import annotations

from datetime import datetime, timedelta, timezone

import httpx
import pytest

from devhost.engine.webcalls import CallFailed, following
from devhost.time.clock import read_stamp

NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)


def response(status: int, **headers: str) -> httpx.Response:
    request = httpx.Request("POST", "http://there/a/b")
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, headers=named, request=request)


def test_only_an_accepted_request_with_a_location_is_polled() -> None:
    assert following({}, response(200, location="c"), NOW) is None
    assert following({}, response(202), NOW) is None
    polled = following({"content": "x"}, response(202, location="c"), NOW)
    assert polled is not None
    assert (polled["method"], polled["uri"]) == ("GET", "http://there/a/c")
    assert "content" not in polled


@pytest.mark.parametrize(
    ("retry_after", "seconds"),
    [
        # The extension's own pause
        (None, 30),
        ("soon", 30),
        # Seconds, or a date
        ("7", 7),
        ("Thu, 01 Jan 2026 00:01:00 GMT", 60),
        ("Thu, 01 Jan 2026 00:01:00 -0000", 60),
        ("Fri, 31 Dec 9999 23:59:59 -0100", 30),
    ],
)
def test_the_pause_is_the_one_that_was_asked_for(retry_after: str | None, seconds: int) -> None:
    headers = {"retry_after": retry_after} if retry_after else {}
    polled = following({}, response(202, location="/c", **headers), NOW)
    assert polled is not None
    assert read_stamp(polled["due"]) == NOW + timedelta(seconds=seconds)


def test_the_key_of_the_function_is_not_sent_on() -> None:
    keys = {"X-Functions-Key": "secret", "Other": "1"}
    polled = following({"headers": keys}, response(202, location="/c"), NOW)
    assert polled is not None
    assert polled["headers"] == {"Other": "1"}


def test_an_address_that_cannot_be_read_is_said() -> None:
    with pytest.raises(CallFailed, match=r"Location 'http://\[' can't be read"):
        following({}, response(202, location="http://["), NOW)
