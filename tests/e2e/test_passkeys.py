"""Where an approval takes a passkey, only one that its approver signed for it counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from countersign.proof.check import ProvenOperation, check
from countersign.proof.findings import findings
from testbed.authenticator import Authenticator
from testbed.buyers import Buyers
from testbed.desk import Desk
from testbed.host import Host
from testbed.listener import Listener
from testbed.signers import Signers, order

SMALL, LARGE = "60.00", "600.00"
"""Of two things each: for the first one approver is enough, and for the second it takes two."""


@pytest.fixture
def signers(buyers: Buyers) -> Iterator[Signers]:
    """People at the buyers' host; nobody has a passkey from an earlier test."""
    people = Signers(buyers)
    people.remove_all()
    yield people
    people.remove_all()


def code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")


def test_an_approval_counts_with_the_signature_and_the_proof_names_the_passkey(
    buyers: Buyers, signers: Signers
) -> None:
    operation, proposal = order(buyers, SMALL)
    assert buyers.shown(operation)["may"]["passkey_required"] is True
    assert code(buyers.decide(operation, proposal)) == (403, "passkey_required")
    assert code(signers.challenge(operation, buyers.reviewer)) == (403, "passkey_refused")
    device = signers.with_passkey(buyers.reviewer)
    signature = signers.signature(device, operation, buyers.reviewer)
    answer = buyers.decide(operation, proposal, passkey=signature)
    assert answer.status_code == 200, answer.text
    again = buyers.decide(operation, proposal, passkey=signature)
    assert again.json()["receipt"] == answer.json()["receipt"]
    buyers.until_state(operation, "ordered")
    proof = proven(buyers, operation)
    [key] = proof.passkeys.values()
    [own] = buyers.host.call("GET", "passkeys", buyers.reviewer).json()["passkeys"][-1:]
    assert key
    assert (key.fingerprint, key.origin) == (own["fingerprint"], f"http://localhost:{port(buyers)}")
    assert any(own["fingerprint"] in line for line in findings(proof))


def proven(buyers: Buyers, operation: str) -> ProvenOperation:
    path = f"operations/{operation}/proof"
    return check(buyers.host.call("GET", path, buyers.requester).content)


def port(buyers: Buyers) -> str:
    return buyers.host.url.rpartition(":")[2]


def test_what_was_signed_before_an_approval_was_taken_back_does_not_bring_it_back(
    buyers: Buyers, signers: Signers
) -> None:
    operation, proposal = order(buyers, LARGE)
    # Nobody's counter tells here: synced passkeys have none.
    device = signers.with_passkey(buyers.reviewer)
    device.counter = None
    first = signers.signature(device, operation, buyers.reviewer)
    unused = signers.signature(device, operation, buyers.reviewer)
    assert buyers.decide(operation, proposal, passkey=first).json()["status"] == "pending"
    path = f"operations/{operation}/proposals/1/take-back"
    assert signers.post(path, buyers.reviewer, {}).status_code == 200
    for replayed in (first, unused, {**first, "after": 10_000}):
        answer = buyers.decide(operation, proposal, passkey=replayed)
        assert code(answer) == (403, "passkey_refused"), answer.text
    anew = signers.signature(device, operation, buyers.reviewer)
    assert buyers.decide(operation, proposal, passkey=anew).status_code == 200
    # The other approver signs with a passkey of their own, and not with this one.
    theirs = signers.with_passkey(buyers.second)
    stolen = device.sign(signers.challenge(operation, buyers.second).json())
    assert code(buyers.decide(operation, proposal, token=buyers.second, passkey=stolen)) == (
        403,
        "passkey_refused",
    )
    signed = signers.signature(theirs, operation, buyers.second)
    answer = buyers.decide(operation, proposal, token=buyers.second, passkey=signed)
    assert answer.json()["status"] == "approved"
    buyers.until_state(operation, "ordered")
    assert len(proven(buyers, operation).passkeys) == 3


@pytest.mark.parametrize(
    "forged",
    [
        {"origin": "https://evil.example"},
        {"origin": "http://127.0.0.1:7071"},
        {"domain": "evil.example"},
        {"type": "webauthn.create"},
    ],
)
def test_what_was_signed_elsewhere_does_not_count(
    buyers: Buyers, signers: Signers, forged: dict[str, str]
) -> None:
    operation, proposal = order(buyers, SMALL)
    device = signers.with_passkey(buyers.reviewer)
    challenge = signers.challenge(operation, buyers.reviewer).json()
    answer = buyers.decide(operation, proposal, passkey=device.sign(challenge, **forged))
    assert code(answer) == (403, "passkey_refused")
    assert buyers.operation(operation)["state"] == "awaiting_approval"


def test_a_signature_is_for_one_order_one_comment_and_an_approval(
    buyers: Buyers, signers: Signers
) -> None:
    (operation, proposal), (other, offered) = order(buyers, SMALL), order(buyers, SMALL)
    device = signers.with_passkey(buyers.reviewer)
    signature = signers.signature(device, other, buyers.reviewer)
    assert code(buyers.decide(operation, proposal, passkey=signature)) == (403, "passkey_refused")
    signature = signers.signature(device, operation, buyers.reviewer)
    said = buyers.decide(operation, proposal, comment="Yes.", passkey=signature)
    assert code(said) == (403, "passkey_refused")
    rejected = buyers.decide(operation, proposal, "reject", passkey=signature)
    assert code(rejected) == (422, "malformed")
    # What ends a request without a write takes no passkey.
    assert buyers.decide(operation, proposal, "reject").status_code == 200
    assert buyers.decide(other, offered, "reject").status_code == 200


def test_who_makes_an_order_smaller_still_needs_the_passkey(
    buyers: Buyers, signers: Signers
) -> None:
    operation, proposal = order(buyers, SMALL)
    smaller = {"lines": [{"sku": "S-1", "quantity": 2, "unit_price": "1.00"}]}
    corrected = buyers.decide(operation, proposal, "revise", correction=smaller)
    assert corrected.status_code == 200, corrected.text
    second = buyers.until_version(operation, 2)
    answer = buyers.decide(operation, second, token=buyers.second)
    assert code(answer) == (403, "passkey_required")
    assert signers.challenge(operation, buyers.second, 1).json()["code"] == "superseded"


def test_smaller_orders_take_none_and_one_is_taken_all_the_same(
    buyers: Buyers, signers: Signers
) -> None:
    operation, proposal = order(buyers, "20.00")
    assert buyers.shown(operation)["may"]["passkey_required"] is False
    device = signers.with_passkey(buyers.reviewer)
    signature = signers.signature(device, operation, buyers.reviewer)
    broken = {**signature, "signature": signature["signature"][:-4] + "AAAA"}
    assert code(buyers.decide(operation, proposal, passkey=broken)) == (403, "passkey_refused")
    signature = signers.signature(device, operation, buyers.reviewer)
    assert buyers.decide(operation, proposal, passkey=signature).status_code == 200


def test_a_passkey_counts_between_its_confirmation_and_its_removal(
    buyers: Buyers, signers: Signers
) -> None:
    operation, proposal = order(buyers, SMALL)
    device = Authenticator()
    added = signers.add(device, buyers.reviewer)
    assert added.status_code == 200, added.text
    named = {"person": added.json()["person"], "id": added.json()["id"]}
    refused = signers.challenge(operation, buyers.reviewer)
    assert re.search("waits for an operator", refused.json()["detail"])
    for token, status in ((buyers.reviewer, 403), (signers.operator, 200)):
        assert signers.post("passkeys/confirm", token, named).status_code == status
    signature = signers.signature(device, operation, buyers.reviewer)
    assert signers.post("passkeys/remove", buyers.second, named).status_code == 403
    removed = signers.post("passkeys/remove", buyers.reviewer, named).json()
    assert removed["removed"]["by"] == "Victor"
    assert code(buyers.decide(operation, proposal, passkey=signature)) == (403, "passkey_refused")


def test_operators_hear_of_each_step_before_its_answer(
    make_host: Callable[..., Host], listener: Listener
) -> None:
    told = {"COUNTERSIGN_NOTIFY__Operator": listener.url}
    host = make_host(COUNTERSIGN_SIGN_IN="platform", **told).start()
    desk = Desk(host)
    people = Signers(desk)
    device = people.with_passkey(desk.reviewer)
    [own] = host.call("GET", "passkeys", desk.reviewer).json()["passkeys"]
    assert len(listener.bodies) == 2
    people.remove_all()
    steps = [subject.split(":")[0] for subject in listener.subjects]
    assert steps == ["Passkey added", "Passkey confirmed", "Passkey removed"]
    assert all(own["fingerprint"] in body["message"] for body in listener.bodies)
    assert all("api/review?passkeys" in body["message"] for body in listener.bodies)
    assert device.counter == 0


def test_operators_see_the_passkeys_of_all_and_others_only_their_own(
    buyers: Buyers, signers: Signers
) -> None:
    added = signers.add(Authenticator(), buyers.reviewer).json()
    both = buyers.person("Victor", "Purchase.Approver", "Operator")
    seen = {
        token: signers.host.call("GET", "passkeys", token).json()
        for token in (signers.operator, buyers.second, both)
    }
    assert added["id"] in [each["id"] for each in seen[signers.operator]["waiting"]]
    assert seen[buyers.second]["waiting"] == seen[buyers.second]["confirmed"] == []
    # Who runs the app can't confirm their own.
    assert added["id"] not in [each["id"] for each in seen[both]["waiting"]]
    named = {"person": added["person"], "id": added["id"]}
    assert code(signers.post("passkeys/confirm", both, named)) == (403, "passkey_refused")
    for way, signs in (("confirm", True), ("remove", False)):
        signers.post(f"passkeys/{way}", signers.operator, named)
        shown = signers.host.call("GET", "passkeys", signers.operator).json()
        assert (added["id"] in [each["id"] for each in shown["confirmed"]]) is signs


def test_programs_have_no_passkeys_and_nonsense_is_answered_in_words(
    buyers: Buyers, signers: Signers
) -> None:
    program = buyers.host.token("Bot", "Purchase.Approver", program=True)
    assert code(signers.host.call("GET", "passkeys/options", program)) == (403, "people_only")
    options = signers.host.call("GET", "passkeys/options", buyers.reviewer).json()
    made = Authenticator().make(options)
    assert code(signers.post("passkeys", program, made)) == (403, "people_only")
    for wrong in ({"attestation": "AAAA"}, {"client_data": "e30"}, {"id": "AA"}):
        assert code(signers.post("passkeys", buyers.reviewer, {**made, **wrong})) == (
            403,
            "passkey_refused",
        )
    for wrong in ({"id": "no base64!"}, {"label": ""}, {"more": 1}):
        answer = signers.post("passkeys", buyers.reviewer, {**made, **wrong})
        assert code(answer) == (422, "malformed")
    named = {"person": "nobody", "id": "AAAA"}
    assert code(signers.post("passkeys/remove", signers.operator, named)) == (
        403,
        "passkey_refused",
    )
