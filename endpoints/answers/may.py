"""What the caller may do about an operation or a version, as the API tells them beforehand."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypeAlias

from countersign.approvals.errors import Refusal
from countersign.approvals.operation import Operation, Proposal
from countersign.approvals.permissions import may_retry, may_stop, may_withdraw, permissions
from countersign.approvals.person import Person
from countersign.kinds.registry import may_read_content
from countersign.operations.refusals import explain
from endpoints.answers.response_body import ResponseBody


class RefusalView(ResponseBody):
    """Why something would be refused: the `code` and `detail` that the problem would have."""

    code: str
    detail: str


Permission: TypeAlias = Literal[True] | RefusalView


class MayDecide(ResponseBody):
    """Which decisions the caller may send; `revise` is a wish in words, without a correction."""

    approve: Permission
    reject: Permission
    revise: Permission


class May(ResponseBody):
    """What the caller may do about a version now: true, or why they may not.

    The call itself is judged anew. `passkey_required`: they have to sign an approval with a
    passkey. `correct` is to send the content as it should be, `take_back` to take the own
    approval back, `withdraw` to take the whole request back.
    """

    decide: MayDecide
    passkey_required: bool
    correct: Permission
    take_back: Permission
    ask: Permission
    withdraw: Permission

    @classmethod
    def of(cls, operation: Operation, proposal: Proposal, person: Person, now: datetime) -> May:
        """Return what somebody may do about a version at a moment (UTC)."""
        may = permissions(operation, proposal, person, now)
        return cls(
            decide=MayDecide(
                approve=permission(may.approve),
                reject=permission(may.reject),
                revise=permission(may.revise),
            ),
            passkey_required=proposal.needs_passkey(person.roles),
            correct=permission(may.correct),
            take_back=permission(may.take_back),
            ask=permission(may.ask),
            withdraw=permission(may.withdraw),
        )


class MayAboutOperation(ResponseBody):
    """What the caller may do about an operation now, whether it has a version or not.

    `read` is to read what is proposed. `retry` is to have work tried again now that waits for an
    operator; `stop` is to end an operation that is not approved, as an operator.
    """

    read: Permission
    withdraw: Permission
    retry: Permission
    stop: Permission

    @classmethod
    def of(cls, operation: Operation, person: Person, now: datetime) -> MayAboutOperation:
        """Return what somebody may do about an operation at a moment (UTC)."""
        return cls(
            read=permission(may_read_content(operation, person)),
            withdraw=permission(may_withdraw(operation, person, now)),
            retry=permission(may_retry(operation, person, now)),
            stop=permission(may_stop(operation, person, now)),
        )


def permission(refusal: Refusal | None) -> Permission:
    """Return true, or why something would be refused."""
    if refusal is None:
        return True
    told = explain(refusal)
    return RefusalView(code=told.code, detail=told.detail)
