"""Attempts at steps: whether one is wanted now, what came of it, and what keeps it from being done.

A step that fails for a cause that somebody can remove, or that passes, ends nothing: the ledger
holds why, and when the next attempt is due.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

from countersign.approvals.hold import Fault, Passing
from countersign.approvals.holding import hold_work, resume_work
from countersign.approvals.operation import Operation
from countersign.approvals.standing import ended, needs_operator
from countersign.operations.refusals import stopped_by
from countersign.operations.repository import Changed, NotWanted
from countersign.operations.workshop import Workshop
from countersign.platform.clock import Clock
from countersign.retrieval.errors import NothingLookedUp, PlaceAway
from countersign.sources.library import MissingFolder, SourceError, UnknownSource, UnusableIndex
from countersign.steps.records import AsPlanned, Stop, Wait, Work
from countersign.stores.artifacts import ArtifactError, DamagedArtifact, MissingArtifact
from countersign.team.errors import (
    BudgetSpent,
    ModelUnavailable,
    NothingSupported,
    TeamError,
    UnusableAnswer,
)

Step = Callable[[Operation], Awaitable[AsPlanned | Stop]]

_WHAT_FAILED = {
    MissingFolder: ("library_missing", "The library's folder is missing"),
    UnusableIndex: ("library_unusable", "The library's index cannot be used"),
    UnknownSource: ("source_removed", "A source was removed from the library during the work"),
    MissingArtifact: ("result_missing", "A stored result is missing"),
    DamagedArtifact: ("result_damaged", "A stored result is damaged"),
}
_UNREAD = ("source_unreadable", "A file that the work needs cannot be read")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class Attempts:
    """Attempts steps, and records those that fail.

    Attributes:
        workshop: where the steps are carried out.
        clock: tells when an attempt began.
        has_news: whether people have to hear of how an operation stands.
    """

    workshop: Workshop
    clock: Clock
    has_news: Callable[[Operation], bool]

    async def at(
        self,
        work: Work,
        name: str,
        step: Step[AsPlanned],
        *,
        read: Operation | None = None,
    ) -> AsPlanned | Wait | Stop:
        """Carry a step out if the operation wants it now, and say so if it can't be done.

        Args:
            work: which operation.
            name: what its ledger calls the step.
            step: carries it out.
            read: the operation, if it was read just now.

        Raises:
            TeamError, SourceError, ArtifactError: it is soon tried again.
        """
        began = self.clock()
        load = self.workshop.operations.load
        operation = read or await load(work.tenant, work.operation_id)
        if operation is None:
            return Stop(ends_as="failed", reason="The operation is not in the ledger.")
        if refusal := ended(operation):
            return stopped_by(refusal)
        hold = needs_operator(operation)
        if hold and not hold.is_due(began):
            return Wait(news=self.has_news(operation))
        try:
            result = await _carried_out(operation, step)
        except (TeamError, SourceError, ArtifactError) as error:
            _log.warning("%s of %s can't be done now: %s", name, operation.id, error)
            if held := await self._hold(work, name, fault_of(error), began):
                return held
            raise
        await self._resume(work, name)
        return result

    async def give_up(self, work: Work, reason: str) -> Wait | Stop | None:
        """Leave a step to an operator that failed again and again, as nobody foresaw."""
        fault = Fault(cause="unforeseen", reason=reason, passes="later")
        return await self._hold(work, None, fault, self.clock())

    async def _resume(self, work: Work, name: str) -> None:
        operations = self.workshop.operations
        known = operations.known(work.tenant, work.operation_id)
        # Nothing is held for a step once it is done, so what was known then is enough.
        if known and known.hold is None:
            return
        await operations.change(
            work.tenant,
            work.operation_id,
            lambda state, now: resume_work(state, name, now),
            again=True,
        )

    async def _hold(
        self, work: Work, step: str | None, fault: Fault, began: datetime
    ) -> Wait | Stop | None:
        """Record that a step failed; returns None if it is soon tried again."""
        changed = await self.workshop.operations.change(
            work.tenant,
            work.operation_id,
            lambda state, now: hold_work(state, step, fault, began, now),
        )
        if not isinstance(changed, Changed):
            return stopped_by(changed)
        if needs_operator(changed.operation):
            return Wait(news=self.has_news(changed.operation))
        return None


async def _carried_out(operation: Operation, step: Step[AsPlanned]) -> AsPlanned | Stop:
    """Carry a step out; what nobody can change makes the operation end."""
    try:
        return await step(operation)
    except NotWanted as error:
        return stopped_by(error.refusal)
    except BudgetSpent as error:
        return Stop(ends_as="over_budget", reason=sentence(error))
    except (NothingSupported, NothingLookedUp) as error:
        return Stop(ends_as="needs_revision", reason=sentence(error))


def fault_of(error: TeamError | SourceError | ArtifactError) -> Fault:
    """Return the fault that an error means for the step that it ended.

    What a library or a store says names folders of this machine, which is nothing for every reader
    of the ledger; it is for the host's log.
    """
    if isinstance(error, TeamError):
        return Fault(cause=error.cause, reason=sentence(error), passes=_passes(error))
    if isinstance(error, PlaceAway):
        return Fault(cause="search_unavailable", reason=sentence(error), passes="soon")
    cause, what = _WHAT_FAILED.get(type(error), _UNREAD)
    return Fault(cause=cause, reason=f"{what}; see the host's log.", passes="later")


def is_final(error: TeamError | NothingLookedUp) -> bool:
    """Return whether trying again by itself won't help, however long one waits."""
    if isinstance(error, BudgetSpent | NothingSupported | NothingLookedUp):
        return True
    return _passes(error) == "never"


def sentence(error: Exception) -> str:
    """Return an error's message as a sentence of its own."""
    text = f"{error}".rstrip(".")
    return f"{text[:1].upper()}{text[1:]}."


def _passes(error: TeamError) -> Passing:
    if isinstance(error, ModelUnavailable):
        return "soon"
    # A model that answers, or thinks for long, is paid for it.
    return "never" if isinstance(error, UnusableAnswer) or error.tokens else "later"
