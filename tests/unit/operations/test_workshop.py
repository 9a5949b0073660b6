"""What was made and stored is never made again, and what was paid for is never forgotten."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from countersign.approvals import rules
from countersign.approvals.errors import AlreadyDecided
from countersign.approvals.events import OperationStarted
from countersign.approvals.operation import Operation
from countersign.approvals.person import Person
from countersign.operations.repository import NotWanted, Operations
from countersign.operations.rule import Rule
from countersign.operations.workshop import ADVICE_SHARE, Workshop
from countersign.stores.memory import MemoryArtifacts
from countersign.team.calls import Calls
from countersign.team.chat import ModelChoice
from countersign.team.errors import BudgetSpent, ModelUnavailable
from countersign.team.progress import Progress
from countersign.team.replies import Reply
from countersign.team.roles import Request

PATIENCE_SECONDS = 30.0

Begin = Callable[..., Coroutine[Any, Any, Operation]]


class Work:
    """Work that makes one model call of 40 tokens, and fails as often as it is told."""

    def __init__(self, *failures: Exception) -> None:
        self.times, self.failures = 0, list(failures)

    async def __call__(self, calls: Calls) -> dict[str, Any]:
        self.times += 1
        await charge(calls, 40)
        if self.failures:
            raise self.failures.pop(0)
        return {"times": self.times}


NUMBERS = count()
MODEL = ModelChoice(provider="compatible", model="m")
OTHER = ModelChoice(provider="compatible", model="other")


async def charge(calls: Calls, tokens: int, question: str | None = None) -> None:
    """Make a call that costs so much, unlike any before unless its question is given."""
    asked = question or f"question {next(NUMBERS)}"

    async def reply() -> Reply:
        await asyncio.sleep(0)
        return Reply(text="{}", tokens=tokens)

    await calls.make(Request(role="R", prompt="p", question=asked, form={}), tokens, reply)


async def charge_with(calls: Calls, request: Request) -> None:
    """Make a call that costs ten tokens, unless there is a reply to it."""

    async def reply() -> Reply:
        return Reply(text="{}", tokens=10)

    await calls.make(request, 10, reply)


@pytest.fixture
def begin(operations: Operations, started: OperationStarted) -> Begin:
    async def start(operation_id: str = "o-1", tenant: str = "home") -> Operation:
        await operations.start(tenant, operation_id, started)
        operation = await operations.load(tenant, operation_id)
        assert operation
        return operation

    return start


@pytest.fixture
def workshop(operations: Operations, artifacts: MemoryArtifacts) -> Workshop:
    return Workshop(operations=operations, artifacts=artifacts, model=MODEL, token_limit=100)


async def test_a_repeat_gets_the_stored_result_and_calls_nobody(
    workshop: Workshop, begin: Begin
) -> None:
    operation, work = await begin(), Work()
    first = await workshop.make(operation, "step", work)
    again = await workshop.make(operation, "step", work)
    assert (first, again, work.times) == ({"times": 1}, {"times": 1}, 1)


async def test_work_that_runs_twice_at_once_is_paid_for_once(
    workshop: Workshop, begin: Begin
) -> None:
    operation = await begin()
    let_go = asyncio.Event()

    class Slow(Work):
        async def __call__(self, calls: Calls) -> dict[str, Any]:
            made = await super().__call__(calls)
            await let_go.wait()
            return made

    work = Slow()
    both = [asyncio.create_task(workshop.make(operation, "step", work)) for _ in range(2)]
    other = Work()
    assert await workshop.make(operation, "other step", other) == {"times": 1}
    let_go.set()
    assert await asyncio.gather(*both) == [{"times": 1}, {"times": 1}]
    assert work.times == 1


async def test_work_on_one_loop_does_not_wait_for_the_same_work_on_another(
    workshop: Workshop, begin: Begin
) -> None:
    operation = await begin()
    begun, let_go = threading.Event(), threading.Event()

    class Slow(Work):
        async def __call__(self, calls: Calls) -> dict[str, Any]:
            begun.set()
            await asyncio.to_thread(let_go.wait)
            return {"times": 7}

    def on_a_loop_of_its_own(work: Work) -> Future[Any]:
        made: Future[Any] = Future()
        making = workshop.make(operation, "step", work)
        # Not one of a pool's, which the test would have to wait for even if it hung.
        threading.Thread(target=lambda: made.set_result(asyncio.run(making)), daemon=True).start()
        return made

    first = on_a_loop_of_its_own(Slow())
    try:
        await asyncio.to_thread(begun.wait, PATIENCE_SECONDS)
        second = on_a_loop_of_its_own(Work())
        assert await asyncio.to_thread(second.result, PATIENCE_SECONDS) == {"times": 1}
    finally:
        let_go.set()
    # What was stored first stands.
    assert await asyncio.to_thread(first.result, PATIENCE_SECONDS) == {"times": 1}


async def test_a_recorded_step_stands_whatever_model_works_now(
    workshop: Workshop, begin: Begin
) -> None:
    await workshop.make(await begin(), "step", Work())
    other, work = replace(workshop, model=OTHER), Work()
    assert await other.make(await begin(), "step", work) == {"times": 1}
    assert work.times == 0


async def test_a_step_that_was_never_recorded_is_carried_out_with_the_replies_that_are_kept(
    workshop: Workshop, begin: Begin
) -> None:
    operation = await begin()

    async def work(calls: Calls) -> dict[str, Any]:
        await charge(calls, 40, "the same")
        return {"made": True}

    async def dies(calls: Calls) -> dict[str, Any]:
        await work(calls)
        raise SystemExit

    with pytest.raises(SystemExit):
        await workshop.make(operation, "step", dies)
    assert await workshop.make(await begin(), "step", work) == {"made": True}
    assert (await begin()).tokens == 40


class Asked(MemoryArtifacts):
    """Artifacts that count how often they are asked for a reply."""

    def __init__(self) -> None:
        super().__init__()
        self.times = 0

    async def recall(self, tenant: str, key: str) -> str | None:
        self.times += 1
        return await super().recall(tenant, key)


async def test_a_reply_is_looked_for_only_where_a_call_with_its_prompt_is_recorded(
    operations: Operations, begin: Begin
) -> None:
    artifacts, operation, called = Asked(), await begin(), list[str]()
    workshop = Workshop(operations=operations, artifacts=artifacts, model=MODEL, token_limit=100)
    looked: list[int] = []

    async def work(calls: Calls) -> list[str]:
        for prompt in ("p", "other"):
            request = Request(role="R", prompt=prompt, question="q", form={})
            before = artifacts.times
            kept = calls._kept
            assert kept
            if await kept.get(request) is None:
                called.append(prompt)
            looked.append(artifacts.times - before)
            await charge_with(calls, request)
        raise ModelUnavailable

    for _ in range(2):
        with pytest.raises(ModelUnavailable):
            await workshop.make(operation, "plan", work)
    assert looked == [0, 0, 1, 1]
    assert called == ["p", "other"]


async def test_what_goes_with_a_result_is_recorded_with_the_first_one_only(
    workshop: Workshop, begin: Begin
) -> None:
    operation = await begin()

    async def then(made: dict[str, Any]) -> Rule:
        subtopics = (str(made["times"]),)
        return lambda state, now: rules.plan_work(state, subtopics, now)

    await workshop.make(operation, "step", Work())
    # One that runs elsewhere knows nothing of it.
    elsewhere = replace(
        workshop,
        operations=Operations(
            workshop.operations.ledger, workshop.operations.index, workshop.operations.clock
        ),
    )
    assert await elsewhere.make(operation, "step", Work(), then) == {"times": 1}
    assert (await begin()).subtopics is None
    await workshop.make(operation, "other", Work(), then)
    assert (await begin()).subtopics == ("1",)


@pytest.mark.parametrize(
    ("step", "made_from"),
    [
        ("other", {"asked": 1}),  # another step
        ("step", {"asked": 2}),  # made from something else
    ],
)
async def test_other_work_has_another_key(
    workshop: Workshop, begin: Begin, step: str, made_from: dict[str, Any]
) -> None:
    operation = await begin()
    key = workshop.key(operation, "step", {"asked": 1})
    assert workshop.key(operation, step, made_from) != key


async def test_two_operations_never_share_a_result(workshop: Workshop, begin: Begin) -> None:
    work = Work()
    for operation in (await begin(), await begin("o-2"), await begin("o-1", "other")):
        await workshop.make(operation, "step", work)
    assert work.times == 3


async def test_steps_side_by_side_keep_to_one_limit(workshop: Workshop, begin: Begin) -> None:
    operation = await begin()
    answers = await asyncio.gather(
        *(workshop.make(operation, f"step:{number}", twenty_calls) for number in range(3)),
        return_exceptions=True,
    )
    assert all(isinstance(each, BudgetSpent) for each in answers)
    used = (await begin()).tokens
    # The last call may begin with one token left, and no second one beside it.
    assert 100 <= used < 100 + 10


async def twenty_calls(calls: Calls) -> dict[str, Any]:
    for _ in range(20):
        await charge(calls, 10)
    return {}


async def test_questions_together_leave_the_most_for_a_revision(
    workshop: Workshop, begin: Begin
) -> None:
    await workshop.make(await begin(), "draft:1", Work())
    answered = await workshop.keep(await begin(), "question:q1", {}, one_call)
    with pytest.raises(BudgetSpent):
        await workshop.keep(await begin(), "question:q2", {}, twenty_calls)
    with pytest.raises(BudgetSpent):
        await workshop.keep(await begin(), "question:q3", {}, one_call)
    operation = await begin()
    assert operation.tokens == 40 + 100 * ADVICE_SHARE
    assert await workshop.keep(operation, "question:q1", {}, one_call) == answered
    assert await workshop.make(operation, "draft:2", Work()) == {"times": 1}


async def test_questions_get_no_more_than_is_left_at_all(workshop: Workshop, begin: Begin) -> None:
    for version in (1, 2):
        await workshop.make(await begin(), f"draft:{version}", Work())
    await workshop.make(await begin(), "draft:3", one_call)
    with pytest.raises(BudgetSpent):
        await workshop.keep(await begin(), "question:q1", {}, twenty_calls)
    assert (await begin()).tokens == 100


async def one_call(calls: Calls) -> dict[str, Any]:
    await charge(calls, 10)
    return {}


async def test_what_a_failed_attempt_cost_is_recorded(workshop: Workshop, begin: Begin) -> None:
    work = Work(ModelUnavailable("busy"))
    with pytest.raises(ModelUnavailable):
        await workshop.make(await begin(), "step", work)
    assert (await begin()).tokens == 40


async def test_work_that_ends_after_a_withdrawal_is_not_wanted(
    workshop: Workshop, begin: Begin, operations: Operations
) -> None:
    requester = Person(id="rita", name="Rita", tenant="home", roles=frozenset())

    async def slow(calls: Calls) -> dict[str, Any]:
        await operations.change(
            "home", "o-1", lambda state, now: rules.withdraw(state, requester, "", now)
        )
        return {}

    with pytest.raises(NotWanted) as refused:
        await workshop.make(await begin(), "step", slow)
    assert isinstance(refused.value.refusal, AlreadyDecided)


async def test_a_step_is_seen_to_be_under_way_unless_it_is_done_at_once(
    workshop: Workshop, begin: Begin
) -> None:
    told, came = list[str](), asyncio.Event()

    async def watch(progress: Progress) -> None:
        told.append(progress.step)
        came.set()

    watched, operation = replace(workshop, watch=watch), await begin()
    async with watched.seen(operation, "quick"):
        pass
    async with watched.seen(operation, "long"):
        await asyncio.wait_for(came.wait(), PATIENCE_SECONDS)
    assert told == ["long"]
