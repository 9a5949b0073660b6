"""The API's description is valid, and each call answers as it says.

Every answer that any test gets through `Host.call` is held to it as well, refusals among them.
"""

from __future__ import annotations

from typing import Any

import httpx
from openapi_spec_validator import OpenAPIV31SpecValidator

from testbed import described
from testbed.authenticator import Authenticator
from testbed.buyers import Buyers
from testbed.described import Answered
from testbed.desk import Desk
from testbed.signers import order

TEXT = {"X-File-Name": "notes.txt"}


class Caller:
    """Calls a host, and notes by which answers of the description it was answered."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.seen: set[Answered] = set()

    def __call__(
        self, method: str, path: str, token: str | None = None, **request: Any
    ) -> httpx.Response:
        answer = self.desk.host.call(method, path, token, **request)
        seen = described.check(method, path, answer)
        assert seen, f"{method} {path} is not described"
        self.seen.add(seen)
        return answer


def calls() -> list[dict[str, Any]]:
    return [call for path in described.document()["paths"].values() for call in path.values()]


def test_it_is_a_valid_document_of_openapi_3_1() -> None:
    assert [*OpenAPIV31SpecValidator(described.document()).iter_errors()] == []


def test_each_call_is_known_by_a_name_of_its_own_and_says_who_may_call() -> None:
    names = [call["operationId"] for call in calls()]
    assert len({*names}) == len(names) > 25
    public = {call["operationId"] for call in calls() if call.get("security") == []}
    assert public == {
        "get_health",
        "get_openapi",
        "get_proof_key",
        "get_review",
        "get_review_file",
        "get_review_part",
        "get_sign_in",
    }


def test_every_answer_that_is_no_refusal_is_given_as_described(desk: Desk, buyers: Buyers) -> None:
    call, buy = Caller(desk), Caller(buyers)
    for path in ("health", "openapi.json", "proof-key", "sign-in", "review"):
        call("GET", path)
    for path in ("review/mark.svg", "review/elements/element.js"):
        call("GET", path)
    for path in ("me", "limits", "documents", "sources", "operations"):
        call("GET", path, desk.requester)
    call("POST", "documents", desk.requester, headers=TEXT, content=b"A mill stores the flood.")
    key, asked = {"Idempotency-Key": "described"}, {"topic": "Tides", "subtopics": ["Tides"]}
    for _ in range(2):
        call("POST", "research", desk.requester, headers=key, json=asked)
        buy("POST", "purchases", buyers.requester, headers=key, json=buyers.order())
    follow(call)
    withdraw(call)
    stop(call)
    comment(call)
    sign(buy, buyers)
    wanted = {
        Answered(each["operationId"], int(status))
        for each in calls()
        for status in each["responses"]
        if status < "300"
    }
    assert wanted - call.seen - buy.seen == set()


def follow(call: Caller) -> None:
    """Go with a report from its first version to its receipt."""
    desk = call.desk
    operation = desk.ask()
    proposal = desk.until_version(operation)
    one, version = f"operations/{operation}", f"operations/{operation}/proposals/1"
    decision = {"decision": "approve", "digest": proposal["digest"]}
    call("GET", "proposals", desk.reviewer)
    call("GET", version, desk.reviewer)
    call("GET", f"{version}/claims/1/source", desk.reviewer)
    call(
        "POST",
        f"{version}/questions",
        desk.reviewer,
        json={"question": "What lets a workflow wait?"},
    )
    desk.host.until(lambda: answered(call, version), "the question is answered")
    call("GET", f"{version}/questions/q1/quotes/1/source", desk.reviewer)
    call("POST", f"{version}/check", desk.reviewer, json={"text": "# Mine\n"})
    call("POST", f"{version}/preview", desk.reviewer, json=decision)
    call("POST", f"{version}/decision", desk.reviewer, json=decision)
    desk.until_state(operation, "published")
    for path in ("", "/history", "/report", "/proof", "/attestation"):
        call("GET", f"{one}{path}", desk.requester)


def answered(call: Caller, version: str) -> bool:
    asked = call("GET", f"{version}/questions", call.desk.reviewer)
    return asked.json()["questions"][0]["status"] == "answered"


def withdraw(call: Caller) -> None:
    """Have an operation tried again that needs it not, and take an approval and all of it back."""
    desk = call.desk
    operation = desk.ask(approval={"quorum": 2})
    desk.decide(operation, desk.until_version(operation))
    call("POST", f"operations/{operation}/proposals/1/take-back", desk.reviewer)
    call("POST", f"operations/{operation}/retry", desk.requester)
    call("POST", f"operations/{operation}/withdraw", desk.requester, json={})


def stop(call: Caller) -> None:
    """Have an operation stopped by somebody who runs the app."""
    desk = call.desk
    operation = desk.ask()
    olga = desk.person("Olga", "Operator")
    call("POST", f"operations/{operation}/stop", olga, json={"reason": "Nobody needs it."})
    call("POST", "index/rebuild", olga)


def comment(call: Caller) -> None:
    """Have a passage commented on, and the comment resolved."""
    desk = call.desk
    operation = desk.ask()
    first = desk.until_version(operation)
    shown = desk.host.call("GET", f"operations/{operation}/proposals/1", desk.reviewer).json()
    comments = [{"quote": shown["content"]["title"], "start": 0, "comment": "Which?"}]
    path = f"operations/{operation}/proposals/1/comments"
    body = {"digest": shown["digest"], "comments": comments}
    call("POST", path, desk.reviewer, json=body)
    desk.decide(operation, first, "revise", comments=comments)
    call("POST", f"{path}/1/resolve", desk.reviewer)


def sign(call: Caller, buyers: Buyers) -> None:
    """Have a passkey added, confirmed, asked to sign, and removed."""
    victor, olga = buyers.reviewer, buyers.person("Olga", "Operator")
    options = call("GET", "passkeys/options", victor).json()
    added = call("POST", "passkeys", victor, json=Authenticator().make(options)).json()
    named = {"person": added["person"], "id": added["id"]}
    call("POST", "passkeys/confirm", olga, json=named)
    call("GET", "passkeys", olga)
    operation, _ = order(buyers, "60.00")
    call("POST", f"operations/{operation}/proposals/1/challenge", victor, json={})
    call("POST", "passkeys/remove", olga, json=named)
