"""One person can't ask for more than a share, and hears when they can again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx

from testbed.desk import Desk

ASKED = {"topic": Desk.TOPIC, "subtopics": [Desk.TOPIC]}


def ask(desk: Desk, token: str, key: str) -> httpx.Response:
    headers = {"Idempotency-Key": key}
    return desk.host.call("POST", "research", token, json=ASKED, headers=headers)


def test_a_person_has_so_many_open_requests_and_no_more(
    make_host: Callable[..., Any], desk_at: Callable[..., Desk]
) -> None:
    desk = desk_at(make_host(COUNTERSIGN_OPEN_REQUESTS="2").start())
    first, second = (ask(desk, desk.requester, key) for key in ("one", "two"))
    assert (first.status_code, second.status_code) == (202, 202)
    third = ask(desk, desk.requester, "three")
    assert (third.status_code, third.json()["code"]) == (429, "too_many_open")
    assert int(third.headers["Retry-After"]) > 0
    assert ask(desk, desk.requester, "one").json() == first.json()
    other = desk.person("Ada", "Research.Requester")
    assert ask(desk, other, "three").status_code == 202
    operation = first.json()["operation_id"]
    desk.host.call("POST", f"operations/{operation}/withdraw", desk.requester, json={})
    desk.host.until(lambda: desk.operation(operation)["outcome"], "it has ended")
    assert ask(desk, desk.requester, "three").status_code == 202
    assert ask(desk, desk.requester, "four").status_code == 429


def test_a_person_uses_so_many_tokens_in_a_day_and_goes_on_the_next(
    make_host: Callable[..., Any], desk_at: Callable[..., Desk]
) -> None:
    host = make_host(clock="virtual", COUNTERSIGN_TOKENS_PER_DAY="1").start()
    desk = Desk(host, lifetime=5 * 86_400.0)
    first = ask(desk, desk.requester, "one").json()["operation_id"]
    desk.until_version(first)
    again = ask(desk, desk.requester, "two")
    assert (again.status_code, again.json()["code"]) == (429, "tokens_spent")
    wait = int(again.headers["Retry-After"])
    assert 0 < wait <= 86_400
    host.advance(wait)
    assert ask(desk, desk.requester, "two").status_code == 202
