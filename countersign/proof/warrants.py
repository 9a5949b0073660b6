"""Whether each row of a ledger is what the rules answer to the command that it records.

The rules are asked again, row by row, with the state and the moment of the row. So there is no
second version of them here that could say something else.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, TypeAlias

from countersign.approvals import (
    commenting,
    erasing,
    holding,
    notices,
    offering,
    questions,
    resolving,
    rules,
    stopping,
    writes,
)
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
    OperationStopped,
    OperationWithdrawn,
    PersonErased,
    ProposalApproved,
    ProposalExpired,
    ProposalOpened,
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
from countersign.approvals.folding import begin, evolve
from countersign.approvals.ledger import Row
from countersign.approvals.operation import Operation
from countersign.approvals.person import OPERATOR, Actor, Person
from countersign.approvals.quorum import missing_role
from countersign.approvals.rules import Events, Ruling
from countersign.approvals.sealing import ERASED
from countersign.bodies.content import Content, offer
from countersign.kinds.registry import kind_named
from countersign.operations.refusals import explain
from countersign.proof.errors import ProofFault

Contents: TypeAlias = Mapping[str, Content]
"""The contents of versions and corrections, by their references."""


def check_rows(
    tenant: str, operation_id: str, rows: Sequence[Row], contents: Contents
) -> Operation:
    """Check that the rules allow each row where it stands; returns the state after the last.

    Of the first row, which a request makes, there is nothing to check.

    Raises:
        ProofFault: names the first row that they don't allow.
        LedgerError: a row can't be read.
    """
    operation = begin(tenant, operation_id, rows[0].event)
    place = 1
    while place < len(rows):
        answered = _answered(operation, rows[place], rows[place].event, contents)
        together = rows[place : place + len(answered)]
        for row, expected in zip(together, answered, strict=False):
            event = row.event
            _compare(operation, row, event, expected)
            operation = evolve(operation, event)
        if len(together) < len(answered):
            missing = type(answered[len(together)]).__name__
            raise ProofFault(f"{_named(rows[-1])} is the last row, but its {missing} is missing")
        place += len(answered)
    return operation


def _answered(operation: Operation, row: Row, event: Event, contents: Contents) -> Events:
    """Return the events that the rules record at the moment of a row: itself first, if legal."""
    command = _COMMANDS.get(type(event))
    if command is None:
        raise ProofFault(f"{_named(row)} {_out_of_nothing(operation, event)}")
    answer = command(operation, event, contents)
    if not isinstance(answer, tuple):
        raise ProofFault(f"{_named(row)} is not allowed: {explain(answer).detail.rstrip('.')}")
    if not answer:
        raise ProofFault(f"{_named(row)} records something that did not happen")
    return answer


def _out_of_nothing(operation: Operation, event: Event) -> str:
    if isinstance(event, ProposalApproved) and (version := operation.proposal(event.version)):
        role = missing_role(version, version.approvals)
        return f"lacks an approval in the role {role}" if role else "follows from no decision"
    return "does not follow from the rows before it"


def _compare(operation: Operation, row: Row, event: Event, expected: Event) -> None:
    recorded = _completed(operation, event)
    if type(recorded) is not type(expected):
        raise ProofFault(f"{_named(row)} is in the place of a {type(expected).__name__}")
    for each in fields(expected):
        found, right = getattr(recorded, each.name), getattr(expected, each.name)
        if found not in (right, ERASED):
            said, due = reprlib.repr(_plain(found)), reprlib.repr(_plain(right))
            raise ProofFault(f"{_named(row)} says that {each.name} is {said} instead of {due}")


def _completed(operation: Operation, event: Event) -> Event:
    """Return an event with what its kind had no field for when older ledgers were written.

    The values are those that the fold takes in their place, so leaving one out gains nothing.
    """
    if isinstance(event, ProposalOpened):
        # They were sorted by ids, some of which may be erased.
        correctors = tuple(sorted(event.correctors))
        return replace(event, quorum=event.quorum or operation.policy.quorum, correctors=correctors)
    if isinstance(event, DecisionRecorded) and not event.roles:
        return replace(event, roles=_roles(operation, event))
    return event


def _roles(operation: Operation, event: DecisionRecorded) -> tuple[str, ...]:
    version = operation.proposal(event.version)
    return event.roles or ((version.required_role,) if version else ())


def _named(row: Row) -> str:
    return f"row {row.sequence} ({row.type})"


def _plain(value: Any) -> Any:
    return value.name if isinstance(value, Actor) else value


def _person(operation: Operation, actor: Actor, *roles: str) -> Person:
    return Person(id=actor.id, name=actor.name, tenant=operation.tenant, roles=frozenset(roles))


def _open(operation: Operation, event: ProposalOpened, contents: Contents) -> Ruling:
    # Like the evidence that it counts, it is what the team says, and no rule follows from it.
    command = replace(_offered(operation, event, contents), evidence_count=event.evidence_count)
    return offering.open_proposal(operation, command, event.at)


def _offered(operation: Operation, event: ProposalOpened, contents: Contents) -> offering.Open:
    before = operation.proposal(event.version - 1)
    if event.content not in contents:
        # It is erased, so what was made of it can't be made again.
        return offering.Open(
            version=event.version,
            digest=event.digest,
            content=event.content,
            evidence=event.evidence,
            amount=event.amount,
            title=event.title,
            widens=before is not None and set(event.correctors) != set(before.correctors),
        )
    return offer(
        operation,
        event.version,
        offered=contents[event.content],
        content=event.content,
        evidence=event.evidence,
        corrected=contents[before.content] if before and before.correction else None,
    )


def _decide(operation: Operation, event: DecisionRecorded, _: Contents) -> Ruling:
    command = rules.Decide(
        reviewer=_person(operation, event.actor, *_roles(operation, event)),
        version=event.version,
        digest=event.digest,
        decision=event.decision,
        comment=event.comment,
        correction=event.correction,
        comments=event.comments,
        passkey=event.passkey,
    )
    return rules.decide(operation, command, event.at)


def _take_back(operation: Operation, event: ApprovalTakenBack, _: Contents) -> Ruling:
    return rules.take_back(operation, _person(operation, event.actor), event.version, event.at)


def _settle(operation: Operation, event: ProposalExpired | ReminderDue, _: Contents) -> Ruling:
    return rules.settle(operation, event.version, event.at)


def _ask(operation: Operation, event: QuestionAsked, _: Contents) -> Ruling:
    # In which role somebody asked is not recorded, and decides nothing.
    reviewer = _person(operation, event.actor, operation.policy.reviewer_role)
    command = questions.Ask(reviewer=reviewer, version=event.version, question=event.question)
    return questions.ask(operation, command, event.at)


def _comment(operation: Operation, event: CommentsAdded, _: Contents) -> Ruling:
    # In which role somebody commented is not recorded, and decides nothing.
    version = operation.proposal(event.version)
    command = commenting.AddComments(
        reviewer=_person(operation, event.actor, *(version.asked_roles if version else ())),
        version=event.version,
        digest=event.digest,
        comments=event.comments,
        count=event.count,
    )
    return commenting.add_comments(operation, command, event.at)


def _resolve(operation: Operation, event: CommentResolved, _: Contents) -> Ruling:
    # In which role somebody resolved a comment is not recorded, and decides nothing.
    person = _person(operation, event.actor, operation.policy.reviewer_role)
    return resolving.resolve(operation, person, event.version, event.comment, event.at)


def _withdraw(operation: Operation, event: OperationWithdrawn, _: Contents) -> Ruling:
    person = _person(operation, event.actor)
    return rules.withdraw(operation, person, event.reason, event.at)


def _stop(operation: Operation, event: OperationStopped, _: Contents) -> Ruling:
    person = _person(operation, event.actor, OPERATOR)
    return stopping.stop(operation, person, event.reason, event.at)


def _retry(operation: Operation, event: RetryRequested, _: Contents) -> Ruling:
    # Whether as the requester or as an operator is not recorded, and decides nothing.
    return holding.request_retry(operation, _person(operation, event.actor, OPERATOR), event.at)


def _erase_person(operation: Operation, event: PersonErased, _: Contents) -> Ruling:
    operator = _person(operation, event.actor, OPERATOR)
    return erasing.erase_person(operation, operator, event.commitments, event.rule, event.at)


def _place_hold(operation: Operation, event: LegalHoldPlaced, _: Contents) -> Ruling:
    operator = _person(operation, event.actor, OPERATOR)
    return erasing.place_hold(operation, operator, event.reason, event.at)


def _lift_hold(operation: Operation, event: LegalHoldLifted, _: Contents) -> Ruling:
    operator = _person(operation, event.actor, OPERATOR)
    return erasing.lift_hold(operation, operator, event.reason, event.at)


_COMMANDS: Mapping[type, Callable[[Operation, Any, Contents], Ruling]] = {
    WorkPlanned: lambda state, event, _: rules.plan_work(state, event.subtopics, event.at),
    WorkDone: lambda state, event, _: rules.record_work(state, event.step, event.result, event.at),
    ModelCalled: lambda state, event, _: rules.record_call(
        state, event.step, event.tokens, event.at, event.prompt
    ),
    WorkHeld: lambda state, event, _: holding.record_hold(state, event),
    RetryRequested: _retry,
    WorkResumed: lambda state, event, _: holding.resume_work(state, event.step, event.at),
    RevisionFailed: lambda state, event, _: holding.fail_revision(
        state, event.version, event.reason, event.at
    ),
    ProposalOpened: _open,
    DecisionRecorded: _decide,
    CommentsAdded: _comment,
    CommentResolved: _resolve,
    ApprovalTakenBack: _take_back,
    ProposalExpired: _settle,
    ReminderDue: _settle,
    QuestionAsked: _ask,
    QuestionAnswered: lambda state, event, _: questions.record_answer(
        state, event.question_id, event.result, event.at
    ),
    QuestionFailed: lambda state, event, _: questions.fail_question(
        state, event.question_id, event.reason, event.at
    ),
    OperationWithdrawn: _withdraw,
    OperationStopped: _stop,
    WriteClaimed: lambda state, event, _: writes.reserve_write(
        state, event.version, event.digest, event.at, event.attempt, again=True
    ),
    WriteRefused: lambda state, event, _: writes.refuse_write(
        state, event.reason, event.at, event.attempt
    ),
    WriteFound: lambda state, event, _: writes.find_write(state, event.found, event.at),
    ReceiptRecorded: lambda state, event, _: writes.record_receipt(
        state, dict(event.receipt), event.at, written=kind_named(state.kind).outcome
    ),
    OperationClosed: lambda state, event, _: rules.close(
        state, event.outcome, event.reason, event.at, written=kind_named(state.kind).outcome
    ),
    NoticeClaimed: lambda state, event, _: notices.reserve_notice(state, event.notice, event.at),
    NoticeSent: lambda state, event, _: notices.record_notice(
        state, event.notice, event.taken, event.failed, event.at
    ),
    NoticeInDoubt: lambda state, event, _: notices.doubt_notices(state, event.at),
    ContentErased: lambda state, event, _: erasing.erase_content(state, event.rule, event.at),
    PersonErased: _erase_person,
    LegalHoldPlaced: _place_hold,
    LegalHoldLifted: _lift_hold,
}
"""The rule behind each event that one records first; the others go with a decision."""
