"""The executors that prepare a report: plan, research side by side, check, draft."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_framework import Executor, WorkflowContext, handler
from typing_extensions import Never

from countersign.graph.messages import LANES, ROUNDS, Message, about, ends, passed_on
from countersign.research import teamwork

if TYPE_CHECKING:
    from countersign.services import Services


class Planner(Executor):
    """Has the topic cut into subtopics."""

    def __init__(self, app: Services) -> None:
        super().__init__(id="planner")
        self._app = app

    @handler
    async def plan(self, order: Message, ctx: WorkflowContext[Message]) -> None:
        """Send on which subtopics there are to research."""
        answer = await teamwork.plan(self._app, order["tenant"], order["operation_id"])
        again = list(range(answer.get("subtopics", 0)))
        await ctx.send_message(passed_on(order, answer, round=0, again=again))


class Dispatcher(Executor):
    """Gives every researcher the same list; each knows which of it is theirs."""

    def __init__(self) -> None:
        super().__init__(id="dispatcher")

    @handler
    async def dispatch(self, order: Message, ctx: WorkflowContext[Message]) -> None:
        """Send the round to all researchers: the aggregator waits for every one."""
        await ctx.send_message(order)


class Researcher(Executor):
    """Researches the subtopics of one lane, one after the other.

    Args:
        app: the services.
        lane: from 0; its subtopics are those whose number leaves it when divided by LANES.
    """

    def __init__(self, app: Services, lane: int) -> None:
        super().__init__(id=f"researcher-{lane}")
        self._app = app
        self._lane = lane

    @handler
    async def research(self, order: Message, ctx: WorkflowContext[Never, Message]) -> None:
        """Yield that the lane is done, or why the operation ends."""
        done = about(order, round=order["round"])
        for subtopic in order["again"]:
            if subtopic % LANES == self._lane and not ends(done):
                answer = await teamwork.research(
                    self._app,
                    order["tenant"],
                    order["operation_id"],
                    number=order["round"],
                    subtopic=subtopic,
                )
                done = passed_on(order, answer, round=order["round"])
        await ctx.yield_output(done)


class Aggregator(Executor):
    """Brings the lanes together; what they found is in the ledger."""

    def __init__(self) -> None:
        super().__init__(id="aggregator")

    @handler
    async def aggregate(self, lanes: list[Message], ctx: WorkflowContext[Message]) -> None:
        """Send on what all lanes say: that the round is done, or the first reason to end."""
        await ctx.send_message(next(filter(ends, lanes), lanes[0]))


class FactChecker(Executor):
    """Has the findings judged, and says what comes next."""

    def __init__(self, app: Services) -> None:
        super().__init__(id="fact_checker")
        self._app = app

    @handler
    async def check(self, order: Message, ctx: WorkflowContext[Message]) -> None:
        """Send on the subtopics to research again, or the version to draft, or the ending."""
        if ends(order):
            await ctx.send_message(order)
            return
        number = order["round"]
        answer = await teamwork.check(
            self._app,
            order["tenant"],
            order["operation_id"],
            number=number,
            last=number + 1 == ROUNDS,
        )
        coming = {"version": 1} if answer.get("approved") else _another_round(number, answer)
        await ctx.send_message(passed_on(order, answer, **coming))


class Drafter(Executor):
    """Has a version written: the first one, or one that a reviewer asked for."""

    def __init__(self, app: Services) -> None:
        super().__init__(id="drafter")
        self._app = app

    @handler
    async def draft(self, order: Message, ctx: WorkflowContext[Message]) -> None:
        """Send on the version that can be offered, or why the operation ends."""
        version = order["version"]
        answer = await teamwork.write(
            self._app, order["tenant"], order["operation_id"], version=version
        )
        await ctx.send_message(passed_on(order, answer, version=version))


def _another_round(number: int, answer: Message) -> Message:
    return {"round": number + 1, "again": answer.get("again", [])}
