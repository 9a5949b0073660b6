"""What was made and stored is never made again."""

from __future__ import annotations

from typing import Any

import pytest

from countersign.approvals.events import OperationStarted
from countersign.approvals.operation import Operation, begin
from countersign.stores.folder import FolderArtifacts
from countersign.team.budget import TokenBudget
from countersign.workshop import Workshop


class Work:
    """Work that counts how often it is done and what it may cost."""

    def __init__(self, tokens: int = 7) -> None:
        self.times, self.tokens, self.limits = 0, tokens, list[int]()

    async def __call__(self, budget: TokenBudget) -> dict[str, Any]:
        self.times += 1
        self.limits.append(budget.limit)
        budget.used += self.tokens
        return {"times": self.times}


@pytest.fixture
def operation(started: OperationStarted) -> Operation:
    return begin("home", "o-1", started)


@pytest.fixture
def workshop(artifacts: FolderArtifacts) -> Workshop:
    return Workshop(artifacts=artifacts, model="m", token_limit=100)


async def test_a_repeat_gets_the_stored_result_and_its_cost(
    workshop: Workshop, operation: Operation
) -> None:
    work = Work()
    first = await workshop.make(operation, "step", {"asked": 1}, work)
    again = await workshop.make(operation, "step", {"asked": 1}, work)
    assert first == again
    assert (again.result, again.tokens, work.times) == ({"times": 1}, 7, 1)


@pytest.mark.parametrize(
    ("step", "made_from"),
    [
        ("other", {"asked": 1}),  # another step
        ("step", {"asked": 2}),  # made from something else
    ],
)
async def test_other_work_is_done_anew(
    workshop: Workshop, operation: Operation, step: str, made_from: dict[str, Any]
) -> None:
    work = Work()
    await workshop.make(operation, "step", {"asked": 1}, work)
    await workshop.make(operation, step, made_from, work)
    assert work.times == 2


async def test_two_operations_never_share_a_result(
    workshop: Workshop, operation: Operation, started: OperationStarted
) -> None:
    work = Work()
    for each in (operation, begin("home", "o-2", started), begin("other", "o-1", started)):
        await workshop.make(each, "step", {}, work)
    assert work.times == 3


async def test_another_model_makes_another_result(
    workshop: Workshop, operation: Operation, artifacts: FolderArtifacts
) -> None:
    work = Work()
    await workshop.make(operation, "step", {}, work)
    other = Workshop(artifacts=artifacts, model="other", token_limit=100)
    await other.make(operation, "step", {}, work)
    assert work.times == 2


async def test_steps_side_by_side_share_what_is_left(
    workshop: Workshop, operation: Operation
) -> None:
    work = Work()
    await workshop.make(operation, "a", {}, work, share=4)
    await workshop.make(operation, "b", {}, work)
    assert work.limits == [25, 100]
