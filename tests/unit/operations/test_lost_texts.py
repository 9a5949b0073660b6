"""Every text that a ledger refers to is looked for, but those that were erased."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timezone

import pytest

from countersign.approvals.events import (
    ContentErased,
    DecisionRecorded,
    Event,
    OperationStarted,
    ProposalOpened,
    QuestionAnswered,
    WorkDone,
)
from countersign.approvals.operation import shelf_of
from countersign.approvals.person import SYSTEM
from countersign.operations.lost_texts import lost_texts
from countersign.stores.memory import MemoryArtifacts, MemoryLedger

NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)
KINDS = 7


async def recorded(
    started: OperationStarted, artifacts: MemoryArtifacts, shelf: str
) -> list[Event]:
    """Events that refer to one text each, or to two."""
    texts = [await artifacts.put(shelf, f"{number}".encode()) for number in range(KINDS)]
    request, result, content, evidence, correction, comments, answer = texts
    about = {"at": NOW, "actor": SYSTEM}
    return [
        replace(started, request=request),
        WorkDone(**about, step="plan", result=result),
        ProposalOpened(
            **about,
            version=1,
            digest="0" * 64,
            content=content,
            evidence=evidence,
            origin="draft",
            expires_at=NOW,
            required_role="R",
        ),
        QuestionAnswered(**about, question_id="q", result=answer),
        DecisionRecorded(
            **about,
            version=1,
            digest="0" * 64,
            decision="revise",
            correction=correction,
            comments=comments,
        ),
    ]


@pytest.mark.parametrize("own", [False, True])
async def test_each_is_named_with_what_it_is(started: OperationStarted, own: bool) -> None:
    ledger, kept = MemoryLedger(), MemoryArtifacts()
    shelf = shelf_of("home", "o-1") if own else "home"
    events = await recorded(replace(started, erasable=own), kept, shelf)
    await ledger.append("home", "o-1", 0, events)
    assert [each async for each in lost_texts(ledger, kept)] == []
    lost = [each async for each in lost_texts(ledger, MemoryArtifacts())]
    assert [each.what for each in lost] == [
        "the request",
        "the result of the step plan",
        "the text of version 1",
        "the evidence for version 1",
        "an answer of the fact-checker",
        "a correction of version 1",
        "the comments on version 1",
    ]
    assert len(lost) == KINDS
    assert f"{lost[0]}".startswith("home: o-1 lacks the request: ")


async def test_what_was_erased_is_not_missed(started: OperationStarted) -> None:
    ledger = MemoryLedger()
    erased = ContentErased(at=NOW, actor=SYSTEM, rule="30 days")
    events = await recorded(replace(started, erasable=True), MemoryArtifacts(), "home")
    await ledger.append("home", "o-1", 0, [*events, erased])
    assert [each async for each in lost_texts(ledger, MemoryArtifacts())] == []
