"""Who has the service's own key can't sign away what the rest of a bundle says."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, TypeAlias

import pytest

from countersign.approvals.digest import canonical, sha256
from countersign.proof.check import check
from countersign.proof.errors import ProofFault

Document: TypeAlias = dict[str, Any]
Tamper: TypeAlias = Callable[[Document], None]

RITA = {"id": "id-Rita", "name": "Rita", "kind": "person"}
ANN = {"id": "id-Ann", "name": "Ann", "kind": "person"}


def rows(document: Document, kind: str) -> list[dict[str, Any]]:
    return [row for row in document["rows"] if row["type"] == kind]


def says(kind: str, *, which: int = 0, **changes: Any) -> Tamper:
    """A row that says something else."""

    def tamper(document: Document) -> None:
        rows(document, kind)[which]["data"].update(changes)

    return tamper


def lacks(kind: str, *names: str, which: int = 0) -> Tamper:
    """A row that leaves something out."""

    def tamper(document: Document) -> None:
        for name in names:
            del rows(document, kind)[which]["data"][name]

    return tamper


def without(*kinds: str, which: int = 0) -> Tamper:
    """Rows that are gone; the summary says as much."""

    def tamper(document: Document) -> None:
        for kind in kinds:
            document["rows"].remove(rows(document, kind)[which])

    return tamper


def again(kind: str, which: int = 0) -> Tamper:
    """A row that stands twice."""

    def tamper(document: Document) -> None:
        row = rows(document, kind)[which]
        document["rows"].insert(document["rows"].index(row) + 1, copy.deepcopy(row))

    return tamper


def receipt(**changes: Any) -> Tamper:
    def tamper(document: Document) -> None:
        rows(document, "ReceiptRecorded")[0]["data"]["receipt"].update(changes)
        document["summary"]["receipt"].update(changes)

    return tamper


def policy(**changes: Any) -> Tamper:
    def tamper(document: Document) -> None:
        document["rows"][0]["data"]["policy"].update(changes)

    return tamper


def summary(**changes: Any) -> Tamper:
    return lambda document: document["summary"].update(changes)


def operation(**changes: Any) -> Tamper:
    return lambda document: document["operation"].update(changes)


def edited_content(document: Document) -> None:
    next(iter(document["contents"].values()))["reason"] = "Another."


def exchanged_content(content: Callable[[Document], Any]) -> Tamper:
    """Another content for the last version, with the reference that fits it."""

    def tamper(document: Document) -> None:
        opened = rows(document, "ProposalOpened")[-1]["data"]
        old, new = opened["content"], content(document["contents"][opened["content"]])
        reference = sha256(canonical(new))
        document["contents"][reference] = new
        del document["contents"][old]
        opened["content"] = reference
        for decided in rows(document, "DecisionRecorded"):
            if decided["data"]["correction"] == old:
                decided["data"]["correction"] = reference

    return tamper


def cheaper_line(order: Any) -> Any:
    first, *others = order["lines"]
    return {**order, "lines": [{**first, "total": "1.00"}, *others]}


def twin_lines(order: Any) -> Any:
    [line] = order["lines"]
    total = f"{2 * Decimal(line['total'])}"
    return {**order, "lines": [line, line], "total": total}


def missing_content(document: Document) -> None:
    document["contents"].popitem()


def stray_content(document: Document) -> None:
    document["contents"][sha256(b"{}")] = {}


def another_kind(document: Document) -> None:
    document["operation"]["kind"] = document["rows"][0]["data"]["kind"] = "loan"


def two(*tampers: Tamper) -> Tamper:
    def tamper(document: Document) -> None:
        for each in tampers:
            each(document)

    return tamper


OTHER = "f" * 64
EARLIER, LATER = "2020-01-01T00:00:00Z", "2030-01-01T00:00:00Z"
DEAR = {"amount": "1.00", "currency": "EUR"}
TERMS = {"above": "1000", "quorum": 1, "countersigner_role": None}

TAMPERINGS: list[tuple[str, Tamper, str]] = [
    # the operation itself
    ("ordered", operation(kind="research"), "not of the kind that its first row says"),
    ("ordered", another_kind, "kind 'loan' are not known"),
    ("ordered", operation(tenant="fabrikam"), "digest is"),
    ("ordered", operation(id="purchase-" + "1" * 24), "digest is"),
    # the history
    ("ordered", without("OperationStarted"), "begins with WorkDone|begins with ProposalOpened"),
    ("ordered", again("OperationStarted"), "a second OperationStarted"),
    ("ordered", says("DecisionRecorded", version=9), "version 9 before it was opened"),
    ("ordered", says("DecisionRecorded", decision="maybe"), "row 3 .* can't be read as an event"),
    ("ordered", says("DecisionRecorded", at="2026-03-01T09:00:02"), "offset from UTC"),
    ("running", policy(reminders=[50, "soon"]), "row 1 .* can't be read"),
    ("awaiting_approval", policy(window_seconds=1e300), "a number in it is out of range"),
    # who decided
    ("ordered", says("DecisionRecorded", which=1, actor=RITA), "not allowed: You requested this"),
    ("ordered", says("DecisionRecorded", which=2, actor=ANN), "something that did not happen"),
    (
        "ordered",
        says("DecisionRecorded", which=3, actor=ANN),
        "Ann approved this version|something that did not",
    ),
    ("ordered", says("DecisionRecorded", which=1, roles=["Auditor"]), "requires the role"),
    ("ordered", says("DecisionRecorded", which=3, roles=[]), "lacks an approval in the role"),
    ("ordered", says("ProposalApproved", actor=ANN), "says that actor is 'Ann'"),
    ("rejected", says("DecisionRecorded", actor={**ANN, "kind": "system"}), "says that actor"),
    # when they decided
    ("ordered", says("DecisionRecorded", which=1, at=LATER), "The deadline passed"),
    ("expired", says("ProposalExpired", at=EARLIER), "something that did not happen"),
    ("expired", says("ProposalExpired", escalated_to=None), "escalated_to is None"),
    # what they decided about
    ("ordered", says("DecisionRecorded", which=1, digest=OTHER), "digest is not that of this"),
    ("ordered", says("DecisionRecorded", which=1, version=1), "not allowed: Version 2"),
    (
        "rejected",
        says("DecisionRecorded", decision="approve"),
        "ProposalRejected.* in the place of",
    ),
    ("withdrawn", says("DecisionRecorded", decision="approve"), "only a request for changes"),
    # how many they were
    ("ordered", without("DecisionRecorded", which=1), "lacks an approval in the role Purchase.App"),
    ("ordered", without("DecisionRecorded", which=3), "lacks an approval in the role Purchase.Esc"),
    ("awaiting_approval", again("DecisionRecorded"), "something that did not happen"),
    ("ordered", without("ProposalApproved"), "in the place of a ProposalApproved"),
    ("ordered", again("ProposalApproved"), "follows from no decision"),
    ("rejected", without("ProposalRejected", "OperationClosed"), "its ProposalRejected is missing"),
    ("rejected", again("ProposalRejected"), "does not follow from the rows before it"),
    # what it took
    ("ordered", says("ProposalOpened", which=1, quorum=1), "quorum is 1 instead of 2"),
    ("ordered", lacks("ProposalOpened", "quorum", which=1), "quorum is 1 instead of 2"),
    ("ordered", says("ProposalOpened", which=1, countersigner_role=None), "countersigner_role is"),
    ("ordered", lacks("ProposalOpened", "countersigner_role", which=1), "countersigner_role is"),
    ("ordered", says("ProposalOpened", which=1, correctors=[]), r"correctors is \(\)"),
    ("published", lacks("ProposalOpened", "correctors", which=1), r"correctors is \(\)"),
    ("ordered", says("ProposalOpened", which=1, required_role="Auditor"), "required_role is 'Aud"),
    ("ordered", says("ProposalOpened", expires_at=LATER), "expires_at is"),
    ("ordered", says("ProposalOpened", which=1, origin="draft"), "origin is 'draft'"),
    ("ordered", policy(tiers=[TERMS]), "quorum is 2 instead of 1"),
    # what was offered
    ("ordered", says("ProposalOpened", which=1, digest=OTHER), "digest is"),
    ("ordered", says("ProposalOpened", which=1, amount=DEAR), "amount is"),
    ("ordered", lacks("ProposalOpened", "amount", which=1), "amount is None"),
    ("ordered", edited_content, "has another digest"),
    ("ordered", missing_content, "is missing"),
    ("ordered", stray_content, "belongs to no version"),
    ("ordered", exchanged_content(lambda old: {**old, "vendor": "Mine"}), "digest is"),
    ("published", exchanged_content(lambda old: {**old, "text": "Mine"}), "digest is"),
    ("ordered", exchanged_content(lambda _: {"text": "Mine"}), "not what a purchase offers"),
    ("ordered", exchanged_content(lambda old: {**old, "total": "1.00"}), "not what a purchase off"),
    ("ordered", exchanged_content(cheaper_line), "not what a purchase offers"),
    ("ordered", exchanged_content(twin_lines), "not what a purchase offers"),
    (
        "ordered",
        exchanged_content(lambda old: {**old, "total": "+120000.00"}),
        "not what a purchase off",
    ),
    # what was written
    ("ordered", without("WriteClaimed"), "requires a reserved write"),
    ("ordered", says("WriteClaimed", digest=OTHER), "digest is not that of this version"),
    ("ordered", says("WriteClaimed", version=1), "digest is not that of this version"),
    (
        "awaiting_approval",
        lambda document: claimed(document),
        "requires an approval of this version",
    ),
    ("failed", says("WriteRefused", version=1, actor=ANN), "actor is 'Ann'"),
    ("ordered", says("ReceiptRecorded", version=1), "version is 1"),
    ("ordered", again("ReceiptRecorded"), "something that did not happen"),
    ("ordered", receipt(sha256=OTHER), "the receipt's sha256"),
    ("published", receipt(sha256=OTHER), "the receipt's sha256"),
    ("published", receipt(size=1), "the receipt's size"),
    ("ordered", receipt(total="1.00"), "the receipt's total"),
    ("ordered", receipt(currency="USD"), "the receipt's currency"),
    # how it ended
    ("rejected", says("OperationClosed", outcome="published"), "outcome is 'published'"),
    ("write_unknown", says("OperationClosed", outcome="failed"), "not allowed: outcome"),
    ("ordered", without("ReceiptRecorded"), "not allowed: outcome"),
    ("withdrawn", says("OperationWithdrawn", actor=ANN), "requires that you are the requester"),
    ("rejected", again("OperationClosed"), "something that did not happen"),
    # the rest of the ledger
    ("published", says("ReminderDue", at=EARLIER), "something that did not happen"),
    ("published", without("ReminderDue"), "ReminderDue"),
    ("published", says("NoticeClaimed", notice="opened:2"), "opened:2 is not due"),
    ("published", without("NoticeClaimed"), "requires a reserved notice"),
    ("published", says("QuestionAsked", actor=RITA), "You requested this"),
    ("published", again("QuestionAnswered"), "something that did not happen"),
    ("published", again("WorkPlanned"), "something that did not happen"),
    ("published", again("WorkDone"), "something that did not happen"),
    # the summary
    ("ordered", summary(state="rejected"), "the summary's 'state' is not what"),
    ("ordered", summary(requester=ANN), "the summary's 'requester'"),
    ("ordered", summary(verdict="fine"), "the summary has a 'verdict'"),
    ("ordered", summary(versions=[]), "the summary's 'versions'"),
    ("ordered", summary(receipt=None), "the summary's 'receipt'"),
    ("ordered", lambda document: document["summary"].pop("outcome"), "the summary's 'outcome'"),
    ("ordered", lambda d: d["summary"]["versions"][0].update(version=True), "'versions'"),
    # the form
    ("ordered", lambda d: d["format"].update(version=2), "not of the version that it says it is"),
    ("ordered", lambda d: d.update(more=1), "not of the form"),
    ("ordered", lambda d: d.update(exported_at="today"), "'exported_at'"),
    ("ordered", lambda d: d.update(rows=[]), "'rows'"),
]


def claimed(document: Document) -> None:
    opened = document["rows"][1]["data"]
    data = {
        "at": "2026-03-01T09:00:05Z",
        "actor": {"id": "countersign", "name": "Countersign", "kind": "system"},
        "version": 1,
        "digest": opened["digest"],
    }
    document["rows"].append({"sequence": 0, "type": "WriteClaimed", "data": data, "hash": OTHER})


@pytest.mark.parametrize(("story", "tamper", "told"), TAMPERINGS)
def test_a_bundle_signed_anew_after_tampering_is_found_out(
    bundles: Mapping[str, bytes],
    tampered: Callable[..., bytes],
    story: str,
    tamper: Tamper,
    told: str,
) -> None:
    changed = tampered(bundles[story], tamper)
    assert changed != bundles[story]
    with pytest.raises(ProofFault, match=told):
        check(changed)


CHAIN: list[Tamper] = [
    says("DecisionRecorded", comment="I never said that."),
    without("DecisionRecorded"),
    again("DecisionRecorded"),
    operation(tenant="fabrikam"),
    lambda document: document["rows"].reverse(),
    lambda document: document["rows"][3].update(hash=OTHER),
    lambda document: document["rows"][3].update(sequence=40),
    lambda document: document["rows"].pop(0),
]


@pytest.mark.parametrize("tamper", CHAIN)
def test_rows_that_do_not_hang_together_are_found_out(
    bundles: Mapping[str, bytes], tampered: Callable[..., bytes], tamper: Tamper
) -> None:
    with pytest.raises(ProofFault, match=r"the chain of the ledger is broken: row \d"):
        check(tampered(bundles["ordered"], tamper, rechained=False))


def test_the_first_wrong_row_is_the_one_that_is_named(
    bundles: Mapping[str, bytes], tampered: Callable[..., bytes]
) -> None:
    both = two(says("DecisionRecorded", which=1, actor=RITA), receipt(sha256=OTHER))
    with pytest.raises(ProofFault, match=r"^row 6 \(DecisionRecorded\) is not allowed"):
        check(tampered(bundles["ordered"], both))


@pytest.mark.parametrize("name", ["value", "public_key", "key_id"])
def test_a_part_of_the_signature_is_of_its_form(bundles: Mapping[str, bytes], name: str) -> None:
    document = json.loads(bundles["running"])
    document["signature"][name] = "x"
    with pytest.raises(ProofFault):
        check(canonical(document))
