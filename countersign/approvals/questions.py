"""What may be asked about a version, and what becomes of it: nothing here decides anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile

from countersign.approvals.digest import canonical, sha256
from countersign.approvals.errors import (
    Invalid,
    NotAuthorised,
    NotFound,
    OwnRequest,
    QuestionOpen,
    QuestionsSpent,
    Refusal,
)
from countersign.approvals.events import QuestionAnswered, QuestionAsked, QuestionFailed
from countersign.approvals.operation import Operation, Question
from countersign.approvals.person import SYSTEM, Person
from countersign.approvals.rules import Ruling
from countersign.approvals.standing import ended, open_questions, too_late

MOST_QUESTIONS = 20
"""Questions that one operation takes, of all its reviewers and versions together."""

LONGEST_QUESTION = 2_000
"""Characters of a question."""

ENDED_FIRST = "The operation ended before this was answered."


@dataclass(frozen=True, kw_only=True, slots=True)
class Ask:
    """A reviewer's question about one version."""

    reviewer: Person
    version: int
    question: str


def ask(operation: Operation, command: Ask, now: datetime) -> Ruling:
    """Record a question, as long as a decision could be; the same again while it is open is none.

    Whoever can be asked to decide may ask, so the requester can't; and one thing at a time.
    """
    person, proposal = command.reviewer, operation.proposal(command.version)
    if person.tenant != operation.tenant or proposal is None:
        return NotFound()
    if refusal := _may_not_ask(operation, person):
        return refusal
    waiting = next((each for each in open_questions(operation) if each.by.id == person.id), None)
    if waiting and (waiting.version, waiting.text) == (command.version, command.question):
        return ()
    return (
        too_late(operation, proposal, now)
        or (QuestionOpen(question_id=waiting.id) if waiting else None)
        or _spent(operation)
        or (
            QuestionAsked(
                at=now,
                actor=person.actor,
                version=command.version,
                question_id=f"q{len(operation.questions) + 1}",
                question=command.question,
            ),
        )
    )


def record_answer(operation: Operation, question_id: str, result: str, now: datetime) -> Ruling:
    """Record where the answer to a question is stored; what was recorded first stands."""
    return _settle(
        operation, QuestionAnswered(at=now, actor=SYSTEM, question_id=question_id, result=result)
    )


def fail_question(operation: Operation, question_id: str, reason: str, now: datetime) -> Ruling:
    """Record why a question gets no answer; what was recorded first stands."""
    return _settle(
        operation, QuestionFailed(at=now, actor=SYSTEM, question_id=question_id, reason=reason)
    )


def failure(operation: Operation, question: Question) -> str | None:
    """Return why a question has no answer and will get none, or None if it has or may get one."""
    if question.is_open and ended(operation):
        return ENDED_FIRST
    return question.failure


def conversation(operation: Operation, question: Question) -> Sequence[Question]:
    """Return the same person's earlier questions in this operation, in order."""
    before = takewhile(lambda each: each.id != question.id, operation.questions)
    return [each for each in before if each.by.id == question.by.id]


def session_key(operation: Operation, question: Question) -> str:
    """Return the name of the conversation that a question is part of.

    There is one for each operation and person, and its name doesn't tell who that is.
    """
    return f"{operation.id}-{sha256(canonical([operation.tenant, question.by.id]))[:24]}"


def _may_not_ask(operation: Operation, person: Person) -> Refusal | None:
    policy = operation.policy
    roles = dict.fromkeys(filter(None, (policy.reviewer_role, policy.escalation_role)))
    if person.roles.isdisjoint(roles):
        return NotAuthorised(needs=f"the role {' or '.join(roles)}")
    if person.id == operation.requester.id:
        return OwnRequest()
    if not policy.has_team:
        return Invalid(
            fields={"question": "no agents worked on this proposal, so nobody can answer"}
        )
    return None


def _spent(operation: Operation) -> Refusal | None:
    spent = len(operation.questions) >= MOST_QUESTIONS
    return QuestionsSpent(most=MOST_QUESTIONS) if spent else None


def _settle(operation: Operation, event: QuestionAnswered | QuestionFailed) -> Ruling:
    question = operation.question(event.question_id)
    if question is None:
        return NotFound()
    return (ended(operation) or (event,)) if question.is_open else ()
