"""What was mended once is put back, and the explorer finds it: else it could find nothing."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

import endpoints.reconcile
from countersign.approvals import offering
from countersign.approvals.offering import Open
from countersign.approvals.operation import Operation
from testbed.explorer.explorer import Explored, play

MOST_WORLDS = 30
"""Each of these is found within the first few, whatever the steps of the app are."""


async def nothing(*_: Any) -> None:
    """Do none of what would mend something."""


def amount_alone(_: Operation, command: Open) -> Decimal | None:
    """Return what a version costs, whatever those before it cost."""
    return command.amount.amount if command.amount else None


def first_broken() -> Explored:
    """The first world in which a promise is broken."""
    for seed in range(MOST_WORLDS):
        explored = play(seed)
        if explored.broken:
            return explored
    pytest.fail(f"none of {MOST_WORLDS} worlds shows it")


@pytest.mark.parametrize(
    ("owner", "name", "hole", "why"),
    [
        pytest.param(
            *(endpoints.reconcile, "mend", nothing, "it never ended"),
            id="what is stuck is left alone",
        ),
        pytest.param(
            *(endpoints.reconcile, "start_again", nothing, "it never ended"),
            id="an orchestration that somebody ended is not started again",
        ),
        pytest.param(
            *(endpoints.reconcile, "show_announced", nothing, "summarise(operation)"),
            id="a list that shows an operation as it was stays so",
        ),
        pytest.param(
            *(offering, "_amount", amount_alone, "finds_the_promises_kept"),
            id="a lower price lets fewer people approve",
        ),
    ],
)
def test_the_explorer_finds(
    owner: Any, name: str, hole: Any, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner, name, hole)
    assert why in first_broken().broken
