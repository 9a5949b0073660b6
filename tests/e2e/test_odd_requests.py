"""No request, however odd, gets more of an answer than it should: see `odd_requests`."""

from __future__ import annotations

import json
import os
import re
from typing import Any
from urllib.parse import urlsplit

import pytest

from testbed import odd_requests, raw
from testbed.host import ROOT
from testbed.odd_requests import Odd

INSIDE = re.compile(
    rb'Traceback|File "|\.py\b|site-packages|/tmp/|at System\.|at Microsoft\.|'
    + re.escape(os.fsencode(ROOT))
)
"""What only those see who run the app."""


@pytest.fixture(scope="module")
def waiting(desk: Any) -> str:
    """A report whose first version waits for a decision."""
    operation = desk.ask()
    desk.until_version(operation)
    return operation


def sent(desk: Any, waiting: str, odd: Odd) -> raw.Reply:
    headers = list(odd.headers)
    if odd.person:
        headers.append(("Authorization", f"Bearer {getattr(desk, odd.person)}"))
    address = urlsplit(desk.host.url).netloc
    target = odd.target.replace("{operation}", waiting)
    request = raw.written(odd.method, target, *headers, host=address, body=odd.body)
    return raw.exchange(desk.host.url, request)


def test_they_are_many() -> None:
    assert len(odd_requests.ALL) >= 150
    assert len({*map(str, odd_requests.ALL)}) > 0.95 * len(odd_requests.ALL)


@pytest.mark.parametrize("odd", odd_requests.ALL, ids=str)
def test_an_odd_request_is_answered_as_it_should_be(desk: Any, waiting: str, odd: Odd) -> None:
    reply = sent(desk, waiting, odd)
    assert reply.status in odd.statuses, reply.body[:300]
    kind = reply.headers.get_content_type()
    if odd.code:
        assert kind == "application/problem+json"
        problem = json.loads(reply.body)
        assert (problem["code"], problem["status"]) == (odd.code, reply.status)
    if reply.status >= 400:
        assert not INSIDE.search(reply.body)
    if kind in {"application/json", "application/problem+json"}:
        assert reply.headers["X-Content-Type-Options"] == "nosniff"
        assert reply.headers["Cache-Control"] == "no-store"
    if kind == "text/html" and reply.status == 200:
        assert "default-src 'none'" in reply.headers["Content-Security-Policy"]
    if odd.method == "HEAD":
        assert reply.body == b""
    assert "X-Powered-By" not in reply.headers


def test_none_of_them_has_done_anything(desk: Any, waiting: str) -> None:
    assert desk.operation(waiting)["state"] == "awaiting_approval"
    types = [event["type"] for event in desk.history(waiting)]
    assert "DecisionRecorded" not in types
    assert "Withdrawn" not in types
