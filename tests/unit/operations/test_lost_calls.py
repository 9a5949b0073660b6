"""What a call cost that died with its process counts, though nobody was told of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from countersign.operations.workshop import KeptReplies
from countersign.stores.memory import MemoryArtifacts
from countersign.team.budget import OwnAccount, TokenBudget, estimated
from countersign.team.calls import Calls
from countersign.team.chat import ModelChoice, Provider
from countersign.team.errors import Busy, TooSlow
from countersign.team.replies import Reply
from countersign.team.roles import Request

REQUEST = Request(role="Planner", prompt="Plan. " * 40, question="Bees? " * 60, form={})
OTHER = REQUEST.model_copy(update={"question": "Flight?"})
ASKED = estimated(REQUEST.prompt, REQUEST.question)
TOLD = 120


class Killed(BaseException):
    """The end of a process, as its code sees it: nothing of ours runs any more."""


async def answers() -> Reply:
    return Reply(text="{}", finish="stop", tokens=TOLD)


async def is_killed() -> Reply:
    raise Killed


async def is_refused() -> Reply:
    raise Busy


async def is_too_slow() -> Reply:
    raise TooSlow(tokens=50)


class Processes:
    """Processes one after the other, with what they share: the account and the kept replies."""

    def __init__(self, provider: Provider = "compatible") -> None:
        self.account, self._artifacts = OwnAccount(), MemoryArtifacts()
        self._choice = ModelChoice(provider=provider, model="m", base_url="http://m/v1")

    async def make(
        self, call: Callable[[], Awaitable[Reply]], request: Request = REQUEST
    ) -> Reply | None:
        kept = KeptReplies(artifacts=self._artifacts, shelf="home", operation_id="op-1", model="m")
        calls = Calls(self._choice, TokenBudget(10_000, self.account), kept=kept)
        try:
            return await calls.make(request, 1_000, call)
        except (Killed, Busy, TooSlow):
            return None


@pytest.mark.parametrize(
    ("before", "spent"),
    [
        ([], 0),  # nothing happened
        ([is_killed], ASKED),  # in the call
        ([is_killed, is_killed], 2 * ASKED),  # and once more
        ([is_refused], 0),  # what is refused costs nothing
        ([is_refused, is_killed], ASKED),
        ([is_killed, is_refused, is_refused], ASKED),  # it counts once
        ([is_too_slow], 50),  # what is known to have been lost is counted already
        ([is_too_slow, is_killed, is_too_slow], 100 + ASKED),
    ],
)
async def test_a_call_that_was_killed_counts_as_what_was_asked(
    before: list[Callable[[], Awaitable[Reply]]], spent: int
) -> None:
    processes = Processes()
    for call in before:
        assert await processes.make(call) is None
    assert (await processes.make(answers)) == await answers()
    assert processes.account.used == spent + TOLD


async def test_a_reply_that_was_kept_counts_once_whoever_asks_again() -> None:
    processes = Processes()
    for call in (answers, is_killed, answers):
        assert await processes.make(call) == await answers()
    assert processes.account.used == TOLD


async def test_a_call_that_was_killed_says_nothing_of_other_requests() -> None:
    processes = Processes()
    await processes.make(is_killed)
    await processes.make(answers, OTHER)
    assert processes.account.used == TOLD


async def test_the_embedded_model_costs_nobody_anything() -> None:
    processes = Processes("extractive")
    await processes.make(is_killed)
    await processes.make(answers)
    assert processes.account.used == TOLD
