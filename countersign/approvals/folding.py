"""How events make the state of an operation: it is their fold and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from countersign.approvals.errors import ImpossibleHistory
from countersign.approvals.events import (
    ApprovalTakenBack,
    CommentResolved,
    CommentsAdded,
    ContentErased,
    DecisionRecorded,
    Event,
    LegalHoldLifted,
    LegalHoldPlaced,
    ModelCalled,
    NoticeClaimed,
    NoticeInDoubt,
    NoticeSent,
    OperationClosed,
    OperationStarted,
    OperationStopped,
    OperationWithdrawn,
    PersonErased,
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
    WorkDone,
    WorkHeld,
    WorkPlanned,
    WorkResumed,
    WriteClaimed,
    WriteFound,
    WriteRefused,
)
from countersign.approvals.hold import Hold
from countersign.approvals.operation import Operation, Proposal
from countersign.approvals.question import Question


def fold(tenant: str, operation_id: str, events: Iterable[Event]) -> Operation | None:
    """Return the state that these events make; None if there are none.

    Raises:
        ImpossibleHistory: the events could never have happened in this order.
    """
    operation: Operation | None = None
    for event in events:
        operation = evolve(operation, event) if operation else begin(tenant, operation_id, event)
    return operation


def begin(tenant: str, operation_id: str, event: Event) -> Operation:
    """Return the state after the first event.

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
        erasable=event.erasable,
    )


def evolve(operation: Operation, event: Event) -> Operation:
    """Return the state after one more event.

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
    day = event.at.date()
    earlier = operation.day_tokens if operation.tokens_day == day else 0
    return replace(
        operation,
        spent={**operation.spent, event.step: before + event.tokens},
        prompts=operation.prompts | {event.prompt},
        tokens_day=day,
        day_tokens=earlier + event.tokens,
    )


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
        asked_before=event.asked_before,
        passkey_roles=_signed_roles(operation, event),
        decisions=_kept(operation, event),
        evidence_count=event.evidence_count,
    )
    return replace(
        operation,
        proposals=(*operation.proposals, proposal),
        title=event.title or operation.title,
        hold=None,
        unrevised=None,
    )


def _signed_roles(operation: Operation, event: ProposalOpened) -> frozenset[str]:
    """Return the roles in which an approval counts only with a passkey's signature."""
    asked = filter(None, (event.required_role, event.asked_before, event.countersigner_role))
    amounts = (event.amount, *(each.amount for each in operation.proposals))
    largest = max((each.amount for each in amounts if each), default=None)
    return operation.policy.signed_roles(tuple(asked), largest)


def _kept(operation: Operation, event: ProposalOpened) -> tuple[tuple[int, DecisionRecorded], ...]:
    """Return the approvals of the version before that still count for the one that is opened."""
    before = operation.current.standing if operation.current else ()
    return tuple(entry for entry in before if entry[0] in event.kept)


def _taken_back(operation: Operation, event: ApprovalTakenBack) -> Operation:
    proposal = _opened_before(operation, event.version)
    approvals = (entry[0] for entry in proposal.standing if entry[1].decision == "approve")
    if event.approval not in approvals:
        fault = f"takes row {event.approval} back, which is no approval of version {event.version}"
        raise ImpossibleHistory(operation.id, fault)
    taken_back = {**proposal.taken_back, event.approval: event}
    return _with_proposal(_acted(operation, event), event.version, taken_back=taken_back)


def _decided(operation: Operation, event: DecisionRecorded) -> Operation:
    before = _opened_before(operation, event.version).decisions
    entry = (operation.sequence + 1, event)
    return _with_proposal(_acted(operation, event), event.version, decisions=(*before, entry))


def _acted(operation: Operation, event: DecisionRecorded | ApprovalTakenBack) -> Operation:
    decided = {**operation.decided, event.actor.id: operation.sequence + 1}
    return replace(operation, decided=decided)


def _commented(operation: Operation, event: CommentsAdded) -> Operation:
    before = _opened_before(operation, event.version).added
    return _with_proposal(operation, event.version, added=(*before, event))


def _resolved(operation: Operation, event: CommentResolved) -> Operation:
    before = _opened_before(operation, event.version).resolved
    return _with_proposal(operation, event.version, resolved={**before, event.comment: event})


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


def _stopped(operation: Operation, event: OperationStopped) -> Operation:
    current = operation.current
    if current and current.status == "pending":
        operation = _with_proposal(operation, current.version, status="stopped")
    return replace(operation, stopped=event)


def _reserved(operation: Operation, event: WriteClaimed) -> Operation:
    return replace(operation, claims=(*operation.claims, event), begun=event, refused=None)


def _refused(operation: Operation, event: WriteRefused) -> Operation:
    left = (each for each in operation.claims if event.attempt and each.attempt != event.attempt)
    claims = tuple(left)
    return replace(operation, claims=claims, refused=None if claims else event)


def _received(operation: Operation, event: ReceiptRecorded) -> Operation:
    return replace(operation, written=event, late=operation.closed is not None)


def _closed(operation: Operation, event: OperationClosed) -> Operation:
    return replace(operation, closed=event)


def _noticed(operation: Operation, event: NoticeClaimed | NoticeSent | NoticeInDoubt) -> Operation:
    return replace(operation, notices={**operation.notices, event.notice: event})


def _erased(operation: Operation, event: ContentErased) -> Operation:
    return replace(operation, erased=event)


def _person_erased(operation: Operation, event: PersonErased) -> Operation:
    return replace(operation, people_erased=(*operation.people_erased, event))


def _kept_as_it_is(operation: Operation, event: LegalHoldPlaced) -> Operation:
    return replace(operation, legal_hold=event)


def _no_longer_kept(operation: Operation, _event: LegalHoldLifted) -> Operation:
    return replace(operation, legal_hold=None)


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
    CommentsAdded: _commented,
    CommentResolved: _resolved,
    ApprovalTakenBack: _taken_back,
    ProposalApproved: _approved,
    ProposalRejected: _rejected,
    ProposalSuperseded: _superseded,
    ProposalExpired: _expired,
    ReminderDue: _reminded,
    QuestionAsked: _asked,
    QuestionAnswered: _answered,
    QuestionFailed: _unanswered,
    OperationWithdrawn: _withdrawn,
    OperationStopped: _stopped,
    WriteClaimed: _reserved,
    WriteRefused: _refused,
    WriteFound: lambda operation, _: operation,
    ReceiptRecorded: _received,
    OperationClosed: _closed,
    NoticeClaimed: _noticed,
    NoticeSent: _noticed,
    NoticeInDoubt: _noticed,
    ContentErased: _erased,
    PersonErased: _person_erased,
    LegalHoldPlaced: _kept_as_it_is,
    LegalHoldLifted: _no_longer_kept,
}
