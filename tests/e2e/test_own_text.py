"""A reviewer has their own text checked before they offer it, and nothing is decided by that."""

from __future__ import annotations

from typing import Any

import httpx
import pytest


@pytest.fixture
def offered(desk: Any) -> tuple[str, str]:
    """An operation, and the text of its first version."""
    operation = desk.ask()
    desk.until_version(operation)
    path = f"operations/{operation}/proposals/1"
    return operation, desk.host.call("GET", path, desk.reviewer).json()["content"]["text"]


def check(desk: Any, operation: str, text: str, token: str | None = None) -> httpx.Response:
    path = f"operations/{operation}/proposals/1/check"
    return desk.host.call("POST", path, token or desk.reviewer, json={"text": text})


def evidence(desk: Any, operation: str) -> dict[str, Any]:
    path = f"operations/{operation}/proposals/1"
    return desk.host.call("GET", path, desk.reviewer).json()["evidence"]


def test_what_the_team_wrote_is_not_checked_again(desk: Any, offered: tuple[str, str]) -> None:
    operation, text = offered
    told = check(desk, operation, text).json()
    assert (told["lines"], told["gone"], told["left"], told["note"]) == ([], [], 0, "")
    assert told["unchanged"] > 0


def test_each_new_line_is_told_with_the_passage_that_comes_nearest(
    desk: Any, offered: tuple[str, str]
) -> None:
    operation, text = offered
    used = next(each for each in evidence(desk, operation)["claims"] if each["used"])
    words = used["passage"]["quote"].rstrip(".")
    more = f"\n\nWhales sing at night. Some say “{words}”.\n\n> “{words} never”\n"
    told = check(desk, operation, text + more).json()
    states = {(each["kind"], each["text"]): each for each in told["lines"]}
    assert states["sentence", "Whales sing at night."]["state"] == "unproven"
    altered = states["quote", f"{words} never"]
    assert altered["state"] == "altered"
    assert words in altered["passage"]["quote"]
    assert altered["source"]["title"]


def test_a_quote_that_the_text_no_longer_has_is_told(desk: Any, offered: tuple[str, str]) -> None:
    operation, _ = offered
    told = check(desk, operation, "# Mine\n\nNothing.\n").json()
    used = {
        each["passage"]["quote"] for each in evidence(desk, operation)["claims"] if each["used"]
    }
    assert set(told["gone"]) == used


def test_a_check_decides_nothing_and_is_paid_for_once(desk: Any, offered: tuple[str, str]) -> None:
    operation, text = offered
    before = desk.operation(operation)
    first = check(desk, operation, f"{text}\n\nDurable execution survives.\n")
    paid = desk.operation(operation)
    again = check(desk, operation, f"{text}\n\nDurable execution survives.\n")
    after = desk.operation(operation)
    assert first.json() == again.json()
    assert (after["state"], after["proposal"]) == (before["state"], before["proposal"])
    assert after["usage"] == paid["usage"]
    added = desk.history(operation)
    assert {each["type"] for each in added if each["data"].get("step") == "own-text:1"} == {
        "ModelCalled"
    }


def test_only_who_may_correct_a_version_has_a_text_checked(
    desk: Any, offered: tuple[str, str]
) -> None:
    operation, text = offered
    assert check(desk, operation, text, desk.requester).status_code == 403
    assert check(desk, operation, "").status_code == 422
    proposal = desk.operation(operation)["proposal"]
    assert desk.decide(operation, proposal, "reject").status_code == 200
    assert check(desk, operation, text).json()["code"] == "already_decided"
