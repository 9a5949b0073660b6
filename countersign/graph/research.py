"""The executors that prepare a report: plan, research side by side, check, draft."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_framework import Executor, WorkflowContext, handler
from typing_extensions import Never

from countersign.graph.messages import (
    LANES,
    StepMessage,
    about,
    carried_out,
    ends,
    passed_on,
    version_of,
    work_of,
)
from countersign.steps.records import CheckWork, Round, Stop, SubtopicWork

if TYPE_CHECKING:
    from countersign.services import Services


class Planner(Executor):
    """Has the topic cut into subtopics."""

    def __init__(self, app: Services) -> None:
        super().__init__(id="planner")
        self._app = app

    @handler
    async def plan(self, message: StepMessage, ctx: WorkflowContext[StepMessage]) -> None:
        """Send on which subtopics there are to research."""
        planned = carried_out(await self._app.team.plan(work_of(message)))
        if isinstance(planned, Stop):
            await ctx.send_message(passed_on(message, planned))
        else:
            await ctx.send_message(_round(message, Round.first(planned)))


class Dispatcher(Executor):
    """Gives every researcher the same list; each knows which of it is theirs."""

    def __init__(self) -> None:
        super().__init__(id="dispatcher")

    @handler
    async def dispatch(self, message: StepMessage, ctx: WorkflowContext[StepMessage]) -> None:
        """Send the round to all researchers: the aggregator waits for every one."""
        await ctx.send_message(message)


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
    async def research(
        self, message: StepMessage, ctx: WorkflowContext[Never, StepMessage]
    ) -> None:
        """Yield that the lane is done, or why the operation ends."""
        number = message["round"]
        done = about(message, round=number)
        for subtopic in message["again"]:
            if subtopic % LANES == self._lane and not ends(done):
                work = SubtopicWork.of(work_of(message), round=number, subtopic=subtopic)
                done = passed_on(message, await self._app.team.research(work), round=number)
        await ctx.yield_output(done)


class Aggregator(Executor):
    """Brings the lanes together; what they found is in the ledger."""

    def __init__(self) -> None:
        super().__init__(id="aggregator")

    @handler
    async def aggregate(self, lanes: list[StepMessage], ctx: WorkflowContext[StepMessage]) -> None:
        """Send on what all lanes say: that the round is done, or the first reason to end."""
        await ctx.send_message(next(filter(ends, lanes), lanes[0]))


class FactChecker(Executor):
    """Has the findings judged, and says what comes next."""

    def __init__(self, app: Services) -> None:
        super().__init__(id="fact_checker")
        self._app = app

    @handler
    async def check(self, message: StepMessage, ctx: WorkflowContext[StepMessage]) -> None:
        """Send on the subtopics to research again, or the version to draft, or the ending."""
        if ends(message):
            await ctx.send_message(message)
            return
        ended = Round(number=message["round"], subtopics=())
        work = CheckWork.of(work_of(message), round=ended.number, last=ended.is_last)
        checked = carried_out(await self._app.team.check(work))
        if isinstance(checked, Stop):
            await ctx.send_message(passed_on(message, checked))
            return
        coming = ended.after(checked)
        await ctx.send_message(_round(message, coming) if coming else about(message, version=1))


class Drafter(Executor):
    """Has a version written: the first one, or one that a reviewer asked for."""

    def __init__(self, app: Services) -> None:
        super().__init__(id="drafter")
        self._app = app

    @handler
    async def draft(self, message: StepMessage, ctx: WorkflowContext[StepMessage]) -> None:
        """Send on the version that can be offered, or why the operation ends."""
        work = version_of(message)
        written = await self._app.team.write(work)
        await ctx.send_message(passed_on(message, written, version=work.version))


def _round(message: StepMessage, coming: Round) -> StepMessage:
    return about(message, round=coming.number, again=list(coming.subtopics))
