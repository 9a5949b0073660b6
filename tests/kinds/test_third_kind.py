"""A third kind of operation is registered from here, and nothing else of the app changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from countersign.kinds import registry
from countersign.proof.check import check
from countersign.proof.errors import ProofFault
from testbed.desk import Desk

APP = Path(__file__).parent / "app"
LETTER = {"customer": "Otter GmbH", "text": "We are sorry.\n"}


class Writers(Desk):
    """A desk at which letters are asked for instead of reports."""

    ROLES = ("Reply.Requester", "Reply.Approver", "Reply.Escalation")

    def write(self) -> str:
        """Ask for a letter; returns the operation's id."""
        answer = self.host.call("POST", "replies", self.requester, json=LETTER)
        assert answer.status_code == 202, answer.text
        return answer.json()["operation_id"]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def writers(new_host: Callable[..., Any], data: Path) -> Iterator[Writers]:
    """People at the app with the third kind."""
    host = new_host(data, app=APP).start()
    yield Writers(host)
    host.close()


def test_it_goes_from_the_request_to_the_receipt(
    writers: Writers, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    operation = writers.write()
    first = writers.until_version(operation)
    path = f"operations/{operation}/proposals"
    shown = writers.host.call("GET", f"{path}/1", writers.reviewer).json()
    assert shown["content"] == LETTER
    assert shown["consequence"] == "The letter is sent, once, exactly as shown."
    outsider = writers.person("Grace", "Report.Reviewer", "Purchase.Approver")
    assert writers.decide(operation, first, token=outsider).status_code == 403
    writers.decide(operation, first, "revise", correction={"text": "We are very sorry.\n"})
    second = writers.until_version(operation, 2)
    changes = writers.host.call("GET", f"{path}/2", writers.reviewer).json()["changes"]
    assert changes["letters"] == len("very ")
    for token in (writers.reviewer, writers.second):
        assert writers.decide(operation, second, token=token).status_code == 200
    ended = writers.until_state(operation, "sent")
    [letter] = (data / "letters").rglob("*.md")
    assert letter.read_text("utf-8") == "We are very sorry.\n"
    assert ended["receipt"]["location"].endswith(letter.name)
    writers.host.until(lambda: writers.operation(operation)["stage"] == "closed", "it is closed")
    bundle = writers.host.call("GET", f"operations/{operation}/proof", writers.reviewer).content
    with pytest.raises(ProofFault, match="operations of the kind 'reply' are not known here"):
        check(bundle)
    monkeypatch.syspath_prepend(APP)
    monkeypatch.setattr(registry, "_KINDS", dict(registry._KINDS))
    registry.register(__import__("reply").REPLY)
    assert check(bundle, report=letter.read_bytes()).report


def test_an_app_that_does_not_know_it_shows_it_as_unknown_and_does_nothing_about_it(
    writers: Writers, new_host: Callable[..., Any], data: Path
) -> None:
    operation = writers.write()
    first = writers.until_version(operation)
    writers.host.process.kill()
    elsewhere = Writers(new_host(data).start())
    try:
        host, auditor = elsewhere.host, elsewhere.person("Ada", "Auditor")
        elsewhere.reconcile()
        shown = elsewhere.operation(operation)
        assert (shown["kind"], shown["state"], shown["stage"]) == ("reply", "unknown", "unknown")
        assert shown["consequence"] == "Operations of the kind 'reply' are not known here."
        listed = host.call("GET", "operations", auditor).json()["operations"]
        assert [each["state"] for each in listed] == ["awaiting_approval"]
        assert host.call("GET", f"operations/{operation}/history", auditor).status_code == 200
        version = host.call("GET", f"operations/{operation}/proposals/1", auditor)
        assert (version.status_code, version.json()["code"]) == (409, "unknown_kind")
        approver = elsewhere.person("Victor", "Reply.Approver", "Report.Reviewer")
        refused = elsewhere.decide(operation, first, token=approver)
        assert (refused.status_code, refused.json()["code"]) == (409, "unknown_kind")
    finally:
        elsewhere.host.close()
