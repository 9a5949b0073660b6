"""What the app itself records follows from what people did; anything else is never written."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from countersign.approvals import offering
from countersign.approvals.acts import LedgerDoubt
from countersign.approvals.events import ProposalOpened
from countersign.bodies.content import offer
from countersign.proof.examine import examine

if TYPE_CHECKING:
    from conftest import Case


async def opened_by_somebody_else(case: Case, content: Any, **forged: Any) -> None:
    """A row as the app would append it, but for what is forged; its hash fits."""
    operation = await case.operation()
    reference = await case.artifacts.put(operation.tenant, content.stored())
    command = offer(operation, 1, offered=content, content=reference, evidence=None, corrected=None)
    answer = offering.open_proposal(operation, command, case.now)
    assert isinstance(answer, tuple)
    [event] = answer
    assert isinstance(event, ProposalOpened)
    ledger = case.operations.ledger
    await ledger.append(operation.tenant, operation.id, 1, [replace(event, **forged)])


async def doubt(case: Case) -> LedgerDoubt | None:
    operation = await case.operation()
    rows = await case.operations.ledger.read(operation.tenant, operation.id)
    return await examine(case.artifacts, operation.tenant, operation.id, rows)


@pytest.mark.parametrize(
    ("forged", "found"),
    [
        ({}, None),
        ({"quorum": 1}, "quorum is 1 instead of 2"),
        ({"required_role": "Report.Reviewer"}, "required_role"),
        ({"amount": None}, "amount"),
    ],
)
def test_terms_that_somebody_else_recorded_are_found_before_the_write(
    tmp_path: Path, cast: Any, forged: dict[str, Any], found: str | None
) -> None:
    """People approve what they see; how many of them it takes is not for the storage to say."""

    async def story() -> LedgerDoubt | None:
        case = await cast.begin(tmp_path, "purchase")
        await opened_by_somebody_else(case, cast.order(quantity=2), **forged)
        for person in (cast.ann, cast.bob):
            if (await case.current()).status == "pending":
                await case.decide(person)
        assert (await case.current()).status == "approved"
        return await doubt(case)

    seen = asyncio.run(story())
    assert (seen is None) is (found is None)
    if seen and found:
        assert found in seen.reason


def test_a_story_of_every_outcome_is_what_the_rules_make(tmp_path: Path, cast: Any) -> None:
    async def doubts() -> dict[str, LedgerDoubt | None]:
        return {
            name: await doubt(await story(partial(cast.begin, tmp_path / name)))
            for name, story in cast.stories.items()
        }

    assert set(asyncio.run(doubts()).values()) == {None}


def lose(reference: str, folder: Path) -> None:
    [kept] = [each for each in folder.rglob("*") if each.name.startswith(reference)]
    kept.unlink()


def test_the_lost_content_of_an_earlier_version_is_told_of(tmp_path: Path, cast: Any) -> None:
    """Retrying can't bring it back, so an operator has to hear of it."""

    async def story() -> LedgerDoubt | None:
        case = await cast.stories["published"](partial(cast.begin, tmp_path))
        first = (await case.operation()).proposals[0]
        lose(first.content, tmp_path)
        return await doubt(case)

    seen = asyncio.run(story())
    assert seen
    assert "the content of version 1" in seen.reason.lower()
