"""Which artifacts ledgers refer to that are missing or damaged, as in a copy that is incomplete."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass

from countersign.approvals.errors import LedgerError
from countersign.approvals.events import (
    CommentsAdded,
    ContentErased,
    DecisionRecorded,
    Event,
    OperationStarted,
    ProposalOpened,
    QuestionAnswered,
    WorkDone,
)
from countersign.approvals.ledger import Ledger
from countersign.approvals.operation import shelf_of
from countersign.stores.artifacts import ArtifactError, Artifacts


@dataclass(frozen=True, kw_only=True, slots=True)
class LostText:
    """An artifact that a ledger refers to, and that can't be had.

    Attributes:
        tenant: whose operation refers to it.
        operation_id: the operation.
        what: what it is, for people.
        reason: why it can't be had.
    """

    tenant: str
    operation_id: str
    what: str
    reason: str

    def __str__(self) -> str:
        return f"{self.tenant}: {self.operation_id} lacks {self.what}: {self.reason}"


async def lost_texts(ledger: Ledger, artifacts: Artifacts) -> AsyncIterator[LostText]:
    """Look for all artifacts that the ledgers refer to and that were not erased.

    A ledger that can't be read refers to nothing.

    Args:
        ledger: all of it is read.
        artifacts: each is read, and compared with its digest.

    Raises:
        StoreUnavailable: one of the two can't be used.
    """
    async for tenant in ledger.tenants():
        async for operation_id in ledger.operations(tenant):
            try:
                events = [row.event for row in await ledger.read(tenant, operation_id)]
            except LedgerError:
                continue
            for what, reason in await _lost(tenant, operation_id, events, artifacts):
                yield LostText(tenant=tenant, operation_id=operation_id, what=what, reason=reason)


async def _lost(
    tenant: str, operation_id: str, events: Sequence[Event], artifacts: Artifacts
) -> list[tuple[str, str]]:
    if any(isinstance(event, ContentErased) for event in events):
        return []
    own = any(isinstance(event, OperationStarted) and event.erasable for event in events)
    shelf = shelf_of(tenant, operation_id) if own else tenant
    lost: list[tuple[str, str]] = []
    for reference, what in _referred(events).items():
        try:
            await artifacts.get_stored(shelf, reference)
        except ArtifactError as error:
            lost.append((what, f"{error}"))
    return lost


def _referred(events: Sequence[Event]) -> dict[str, str]:
    """Return what each artifact is that events refer to, by its reference."""
    referred: dict[str, str] = {}
    for event in events:
        for what, reference in _references(event):
            if reference is not None:
                referred.setdefault(reference, what)
    return referred


def _references(event: Event) -> Iterator[tuple[str, str | None]]:
    match event:
        case OperationStarted():
            yield "the request", event.request
        case WorkDone():
            yield f"the result of the step {event.step}", event.result
        case ProposalOpened():
            yield f"the text of version {event.version}", event.content
            yield f"the evidence for version {event.version}", event.evidence
        case DecisionRecorded():
            yield f"a correction of version {event.version}", event.correction
            yield f"the comments on version {event.version}", event.comments
        case CommentsAdded():
            yield f"comments on version {event.version}", event.comments
        case QuestionAnswered():
            yield "an answer of the fact-checker", event.result
        case _:
            pass
