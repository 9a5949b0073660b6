"""The state of an operation: nothing but the fold of its events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, TypeAlias

from countersign.approvals.errors import ImpossibleHistory
from countersign.approvals.events import (
    DecisionRecorded,
    Event,
    ModelCalled,
    NoticeClaimed,
    NoticeInDoubt,
    NoticeSent,
    OperationClosed,
    OperationStarted,
    OperationWithdrawn,
    ProposalApproved,
    ProposalExpired,
    ProposalOpened,
    ProposalRejected,
    ProposalSuperseded,
    QuestionAnswered,
    QuestionAsked,
    QuestionFailed,
    ReceiptRecorded,
    ReminderDue,
    RetryRequested,
    RevisionFailed,
    VersionOrigin,
    WorkDone,
    WorkHeld,
    WorkPlanned,
    WorkResumed,
    WriteClaimed,
    WriteRefused,
)
from countersign.approvals.hold import Hold
from countersign.approvals.money import Money
from countersign.approvals.person import Actor
from countersign.approvals.policy import Policy
from countersign.approvals.question import Question

Status: TypeAlias = Literal["pending", "approved", "rejected", "superseded", "expired", "withdrawn"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Proposal:
    """One version of what is offered for approval.

    Attributes:
        failure: why it is the text of the version before, where a reviewer wanted that changed;
            None if it is what its origin says.
    """

    version: int
    digest: str
    content: str
    evidence: str | None
    origin: VersionOrigin
    opened_at: datetime
    expires_at: datetime
    required_role: str
    quorum: int
    countersigner_role: str | None
    correctors: tuple[str, ...]
    amount: Money | None
    status: Status = "pending"
    decisions: tuple[tuple[int, DecisionRecorded], ...] = ()
    reminded: tuple[int, ...] = ()
    escalated_to: str | None = None
    failure: str | None = None

    @property
    def asked_roles(self) -> tuple[str, ...]:
        """The roles in which somebody can decide about this version."""
        return tuple(filter(None, (self.required_role, self.countersigner_role)))

    @property
    def approvals(self) -> dict[str, tuple[str, ...]]:
        """Who approved this version so far, by id, and in which of the asked roles."""
        return {
            event.actor.id: event.roles or (self.required_role,)
            for _, event in self.decisions
            if event.decision == "approve"
        }

    @property
    def approvers(self) -> frozenset[str]:
        """The ids of the people who approved this version so far."""
        return frozenset(self.approvals)

    @property
    def correction(self) -> str | None:
        """The reference of the text with which a reviewer superseded this version, if one did."""
        last = self.decisions[-1][1] if self.status == "superseded" else None
        return last.correction if last else None

    def decided_by(self, person: str) -> tuple[int, DecisionRecorded] | None:
        """The decision that this person recorded about this version, with its sequence."""
        mine = (entry for entry in self.decisions if entry[1].actor.id == person)
        return next(mine, None)


@dataclass(frozen=True, kw_only=True, slots=True)
class Operation:
    """One business request with all that happened to it.

    Attributes:
        sequence: how many events made this state; the next append expects it.
        work: the stored result of each finished step, by the step's name.
        spent: the model tokens that each step has cost, by the step's name.
        hold: why the work does not go on, while a step of it is to be tried again.
        unrevised: the revision that can't be made, until the text is offered again.
        claims: the tries to write of which it isn't known what came, in their order.
        begun: the last try to write, whatever came of it.
        late: whether the write was confirmed after the operation had ended.
        notices: the last that is known of each notice, by its key.
    """

    id: str
    tenant: str
    kind: str
    title: str
    request: str
    requester: Actor
    policy: Policy
    created_at: datetime
    updated_at: datetime
    sequence: int = 1
    subtopics: tuple[str, ...] | None = None
    work: Mapping[str, str]
    spent: Mapping[str, int]
    hold: Hold | None = None
    unrevised: RevisionFailed | None = None
    proposals: tuple[Proposal, ...] = ()
    questions: tuple[Question, ...] = ()
    withdrawn: OperationWithdrawn | None = None
    claims: tuple[WriteClaimed, ...] = ()
    begun: WriteClaimed | None = None
    written: ReceiptRecorded | None = None
    closed: OperationClosed | None = None
    late: bool = False
    notices: Mapping[str, NoticeClaimed | NoticeSent | NoticeInDoubt]

    @property
    def tokens(self) -> int:
        """The model tokens that all steps have cost."""
        return sum(self.spent.values())

    @property
    def reservation(self) -> WriteClaimed | None:
        """The first of the tries to write of which it isn't known what came, if there is one."""
        return self.claims[0] if self.claims else None

    @property
    def receipt(self) -> Mapping[str, str | int] | None:
        """What the destination confirmed the write with, if it was written."""
        return self.written.receipt if self.written else None

    @property
    def current(self) -> Proposal | None:
        """The newest version, if one was opened."""
        return self.proposals[-1] if self.proposals else None

    def proposal(self, version: int) -> Proposal | None:
        """The version with this number (from 1), if it was opened."""
        return self.proposals[version - 1] if 1 <= version <= len(self.proposals) else None

    def question(self, question_id: str) -> Question | None:
        """The question with this id, if it was asked."""
        return next((each for each in self.questions if each.id == question_id), None)


def fold(tenant: str, operation_id: str, events: Iterable[Event]) -> Operation | None:
    """The state that these events make; None if there are none.

    Raises:
        ImpossibleHistory: the events could never have happened in this order.
    """
    operation: Operation | None = None
    for event in events:
        operation = evolve(operation, event) if operation else begin(tenant, operation_id, event)
    return operation


def begin(tenant: str, operation_id: str, event: Event) -> Operation:
    """The state after the first event.

    Raises:
        ImpossibleHistory: the event does not start an operation.
    """
    if not isinstance(event, OperationStarted):
        raise ImpossibleHistory(operation_id, f"begins with {type(event).__name__}")
    return Operation(
        id=operation_id,
        tenant=tenant,
        kind=event.kind,
        title=event.title,
        request=event.request,
        requester=event.actor,
        policy=event.policy,
        created_at=event.at,
        updated_at=event.at,
        work={},
        spent={},
        notices={},
    )


def evolve(operation: Operation, event: Event) -> Operation:
    """The state after one more event.

    Raises:
        ImpossibleHistory: the event can't follow what was before.
    """
    change = _CHANGES.get(type(event))
    if change is None:
        raise ImpossibleHistory(operation.id, f"has a second {type(event).__name__}")
    changed = change(operation, event)
    return replace(changed, sequence=operation.sequence + 1, updated_at=event.at)


def _planned(operation: Operation, event: WorkPlanned) -> Operation:
    return replace(operation, subtopics=event.subtopics)


def _worked(operation: Operation, event: WorkDone) -> Operation:
    return replace(operation, work={**operation.work, event.step: event.result})


def _called(operation: Operation, event: ModelCalled) -> Operation:
    before = operation.spent.get(event.step, 0)
    return replace(operation, spent={**operation.spent, event.step: before + event.tokens})


def _held(operation: Operation, event: WorkHeld) -> Operation:
    return replace(operation, hold=Hold.after(event, operation.hold, operation.sequence + 1))


def _asked_again(operation: Operation, event: RetryRequested) -> Operation:
    if operation.hold is None:
        raise ImpossibleHistory(operation.id, "is tried again before anything failed")
    return replace(operation, hold=replace(operation.hold, asked=event, next_try=event.at))


def _resumed(operation: Operation, _event: WorkResumed) -> Operation:
    return replace(operation, hold=None)


def _unrevised(operation: Operation, event: RevisionFailed) -> Operation:
    _opened_before(operation, event.version)
    return replace(operation, unrevised=event, hold=None)


def _opened(operation: Operation, event: ProposalOpened) -> Operation:
    unrevised = operation.unrevised
    proposal = Proposal(
        version=event.version,
        digest=event.digest,
        content=event.content,
        evidence=event.evidence,
        origin=event.origin,
        opened_at=event.at,
        expires_at=event.expires_at,
        required_role=event.required_role,
        quorum=event.quorum or operation.policy.quorum,
        countersigner_role=event.countersigner_role,
        correctors=event.correctors,
        amount=event.amount,
        failure=unrevised.reason if unrevised else None,
    )
    return replace(
        operation,
        proposals=(*operation.proposals, proposal),
        title=event.title or operation.title,
        hold=None,
        unrevised=None,
    )


def _decided(operation: Operation, event: DecisionRecorded) -> Operation:
    before = _opened_before(operation, event.version).decisions
    entry = (operation.sequence + 1, event)
    return _with_proposal(operation, event.version, decisions=(*before, entry))


def _approved(operation: Operation, event: ProposalApproved) -> Operation:
    return _with_proposal(operation, event.version, status="approved")


def _rejected(operation: Operation, event: ProposalRejected) -> Operation:
    return _with_proposal(operation, event.version, status="rejected")


def _superseded(operation: Operation, event: ProposalSuperseded) -> Operation:
    return _with_proposal(operation, event.version, status="superseded")


def _expired(operation: Operation, event: ProposalExpired) -> Operation:
    return _with_proposal(
        operation, event.version, status="expired", escalated_to=event.escalated_to
    )


def _reminded(operation: Operation, event: ReminderDue) -> Operation:
    before = _opened_before(operation, event.version).reminded
    return _with_proposal(operation, event.version, reminded=(*before, event.percent))


def _asked(operation: Operation, event: QuestionAsked) -> Operation:
    question = Question(
        id=event.question_id,
        version=_opened_before(operation, event.version).version,
        by=event.actor,
        at=event.at,
        text=event.question,
    )
    return replace(operation, questions=(*operation.questions, question))


def _answered(operation: Operation, event: QuestionAnswered) -> Operation:
    return _with_question(operation, event.question_id, answer=event.result)


def _unanswered(operation: Operation, event: QuestionFailed) -> Operation:
    return _with_question(operation, event.question_id, failure=event.reason)


def _withdrawn(operation: Operation, event: OperationWithdrawn) -> Operation:
    current = operation.current
    if current and current.status == "pending":
        operation = _with_proposal(operation, current.version, status="withdrawn")
    return replace(operation, withdrawn=event)


def _reserved(operation: Operation, event: WriteClaimed) -> Operation:
    return replace(operation, claims=(*operation.claims, event), begun=event)


def _refused(operation: Operation, event: WriteRefused) -> Operation:
    left = (each for each in operation.claims if event.attempt and each.attempt != event.attempt)
    return replace(operation, claims=tuple(left))


def _received(operation: Operation, event: ReceiptRecorded) -> Operation:
    return replace(operation, written=event, late=operation.closed is not None)


def _closed(operation: Operation, event: OperationClosed) -> Operation:
    return replace(operation, closed=event)


def _noticed(operation: Operation, event: NoticeClaimed | NoticeSent | NoticeInDoubt) -> Operation:
    return replace(operation, notices={**operation.notices, event.notice: event})


def _with_proposal(operation: Operation, version: int, **changes: Any) -> Operation:
    changed = replace(_opened_before(operation, version), **changes)
    before, after = operation.proposals[: version - 1], operation.proposals[version:]
    return replace(operation, proposals=(*before, changed, *after))


def _with_question(operation: Operation, question_id: str, **changes: str) -> Operation:
    if operation.question(question_id) is None:
        raise ImpossibleHistory(operation.id, f"answers {question_id} before it was asked")
    questions = (
        replace(each, **changes) if each.id == question_id else each for each in operation.questions
    )
    return replace(operation, questions=tuple(questions))


def _opened_before(operation: Operation, version: int) -> Proposal:
    proposal = operation.proposal(version)
    if proposal is None:
        raise ImpossibleHistory(operation.id, f"speaks of version {version} before it was opened")
    return proposal


_CHANGES: Mapping[type, Callable[[Operation, Any], Operation]] = {
    WorkPlanned: _planned,
    WorkDone: _worked,
    ModelCalled: _called,
    WorkHeld: _held,
    RetryRequested: _asked_again,
    WorkResumed: _resumed,
    RevisionFailed: _unrevised,
    ProposalOpened: _opened,
    DecisionRecorded: _decided,
    ProposalApproved: _approved,
    ProposalRejected: _rejected,
    ProposalSuperseded: _superseded,
    ProposalExpired: _expired,
    ReminderDue: _reminded,
    QuestionAsked: _asked,
    QuestionAnswered: _answered,
    QuestionFailed: _unanswered,
    OperationWithdrawn: _withdrawn,
    WriteClaimed: _reserved,
    WriteRefused: _refused,
    ReceiptRecorded: _received,
    OperationClosed: _closed,
    NoticeClaimed: _noticed,
    NoticeSent: _noticed,
    NoticeInDoubt: _noticed,
}
