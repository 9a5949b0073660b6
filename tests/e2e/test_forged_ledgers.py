"""Whoever can write the storage approves nothing: at the running host, with its own ledger."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from countersign.approvals import rules
from countersign.approvals.events import Event
from countersign.approvals.folding import fold
from countersign.approvals.ledger import GENESIS, record_of, row_hash
from countersign.approvals.person import Person
from countersign.roles import REPORT_REVIEWER
from countersign.stores.sqlite import SqliteLedger

TENANT = "home"
EVE = Person(id="id-eve", name="Eve", tenant=TENANT, roles=frozenset({REPORT_REVIEWER}))


def approved_by_eve(rows: Sequence[Any], name: str) -> Sequence[Event]:
    """What the rules would record if she approved: every hash and every field is right."""
    operation = fold(TENANT, name, (row.event for row in rows))
    assert operation
    assert operation.current
    command = rules.Decide(
        reviewer=EVE, version=1, digest=operation.current.digest, decision="approve"
    )
    answer = rules.decide(operation, command, operation.updated_at)
    assert isinstance(answer, tuple)
    return answer


def forge(data: Path, name: str) -> None:
    async def append() -> None:
        ledger = SqliteLedger(data / "countersign.db")
        rows = await ledger.read(TENANT, name)
        await ledger.append(TENANT, name, len(rows), approved_by_eve(rows, name))

    asyncio.run(append())


@pytest.mark.devhost_only("it writes to the local host's own file")
def test_a_forged_approval_is_held_and_told_and_nothing_is_published(desk: Any) -> None:
    operation = desk.ask()
    proposal = desk.until_version(operation)
    gate = f"{operation}-v1"
    # A ledger that is held starts no gate, so this one has begun before.
    assert desk.host.instance(gate)
    forge(desk.host.data, operation)

    seen = desk.operation(operation)
    assert seen["state"] == "needs_operator"
    assert seen["hold"]["cause"] == "ledger_untrusted"
    assert "has no signature" in seen["hold"]["reason"]
    assert seen["proposal"]["status"] == "pending"

    decided = desk.decide(operation, proposal)
    assert (decided.status_code, decided.json()["code"]) == (409, "ledger_broken")
    olga = desk.person("Olga", "Operator")
    for command, token, body in (
        ("withdraw", desk.requester, {}),
        ("retry", desk.requester, {}),
        ("stop", olga, {"reason": "Somebody else wrote it."}),
        ("proposals/1/take-back", desk.reviewer, {}),
    ):
        answer = desk.host.call("POST", f"operations/{operation}/{command}", token, json=body)
        assert (answer.status_code, answer.json()["code"]) == (409, "ledger_broken")

    before = desk.host.instance(gate)["lastUpdatedTime"]

    def heard() -> bool:
        desk.host.manage("POST", f"instances/{gate}/raiseEvent/ApprovalDecision", json={})
        seen = desk.host.instance(gate)
        assert seen["runtimeStatus"] in {"Running", "Pending"}
        return seen["lastUpdatedTime"] != before

    desk.host.until(heard, "the gate has looked at the ledger")
    report = desk.host.call("GET", f"operations/{operation}/report", desk.requester)
    assert report.json()["code"] == "not_published"
    proof = desk.host.call("GET", f"operations/{operation}/proof", desk.requester)
    assert proof.json()["code"] == "ledger_broken"
    listed = desk.host.call("GET", "operations?state=needs_operator", desk.requester).json()
    assert operation in {each["operation_id"] for each in listed["operations"]}


def count_falsely(data: Path, name: str) -> None:
    """Have the row of the first version say that nothing is to be checked, with right hashes."""
    rows = asyncio.run(SqliteLedger(data / "countersign.db").read(TENANT, name))
    previous = GENESIS
    with closing(sqlite3.connect(data / "countersign.db")) as database, database:
        database.execute("DROP TRIGGER no_update")
        for row in rows:
            said = dict(row.data)
            if row.type == "ProposalOpened":
                said["evidence_count"] = {"claims": 99, "to_check": 0}
            previous = row_hash(TENANT, name, row.sequence, row.type, said, previous)
            record = record_of(replace(row, data=said, hash=previous))
            database.execute(
                "UPDATE ledger SET data = ?, hash = ? WHERE operation_id = ? AND sequence = ?",
                (record.data, record.hash, name, record.sequence),
            )


@pytest.mark.devhost_only("it writes to the local host's own file")
def test_no_version_is_shown_with_a_count_of_its_evidence_that_somebody_wrote(
    make_host: Callable[..., Any], desk_at: Callable[..., Any]
) -> None:
    desk = desk_at(make_host().start())
    operation = desk.ask()
    desk.until_version(operation)
    count_falsely(desk.host.data, operation)
    shown = desk.host.call("GET", f"operations/{operation}/proposals/1", desk.reviewer)
    assert (shown.status_code, shown.json()["code"]) == (409, "ledger_broken"), shown.text
    assert "count of the evidence for version 1 is wrong" in shown.json()["detail"]


def test_without_a_key_nothing_is_signed_and_everything_goes_on(
    make_host: Callable[..., Any], desk_at: Callable[..., Any]
) -> None:
    desk = desk_at(make_host(COUNTERSIGN_PROOF_KEY="").start())
    operation = desk.ask()
    assert desk.decide(operation, desk.until_version(operation)).status_code == 200
    desk.until_state(operation, "published")
    assert all("signature" not in each["data"] for each in desk.history(operation))
