"""Operations as the API shows them: in lists, one by one, and by their ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from countersign.approvals.events import Decision, OperationClosed, VersionOrigin
from countersign.approvals.evidence_count import EvidenceCount
from countersign.approvals.operation import Operation
from countersign.approvals.person import Person
from countersign.approvals.standing import ended
from countersign.kinds.registry import consequence_of
from countersign.operations.names import names_on
from countersign.operations.summary import outcomes, stages, states, summarise
from countersign.services import Services
from countersign.stores.index import Page
from countersign.stores.progress import UnderWay
from countersign.stores.summary import Summary
from endpoints.answers.may import MayAboutOperation
from endpoints.answers.proposals import ProposalSummary
from endpoints.answers.receipt import ReceiptView
from endpoints.answers.response_body import Moment, ResponseBody
from endpoints.runtime import EventDelivery

StateName = Annotated[str, WithJsonSchema({"type": "string", "enum": [*states()]})]
StageName = Annotated[str, WithJsonSchema({"type": "string", "enum": [*stages()]})]
OutcomeName = Annotated[str, WithJsonSchema({"type": "string", "enum": [*outcomes()]})]


class SubtopicCount(ResponseBody):
    """How many of the subtopics have findings, of how many; 0 of 0 where there are none."""

    done: int
    total: int


class OperationSummary(ResponseBody):
    """What every view of an operation begins with.

    `consequence`: what follows if it is approved, in a sentence.
    """

    operation_id: str
    kind: str
    title: str
    requester: str
    state: StateName
    stage: StageName
    progress: SubtopicCount
    tokens: int
    consequence: str
    created_at: Moment
    updated_at: Moment


class DeciderView(ResponseBody):
    """Somebody who decided about a version, and what they decided last."""

    name: str
    decision: Decision
    version: int
    at: Moment


class EvidenceCountView(ResponseBody):
    """How many checked claims a version has, and how many claims and lines a reviewer has to check.

    `to_check` is null where nobody compared the text with the sources.
    """

    claims: int
    to_check: int | None

    @classmethod
    def of(cls, count: EvidenceCount) -> EvidenceCountView:
        """Return the count that a row of the index holds."""
        return cls(claims=count.claims, to_check=count.to_check)


class OperationRow(OperationSummary):
    """An operation in a list.

    `version`: the newest version, null before the first, with its `origin`. `required_role`: the
    first of the `awaited_roles`, in any of which the next approval is needed. `approvals_needed`:
    how many people it takes to approve that version, of whom `approvals_given` have. `evidence`:
    what its evidence comes to; null without any, and for versions of earlier releases. `cause` and
    `next_try`: of the hold, where it waits for an operator.
    """

    requester_id: str
    version: int | None
    required_role: str | None
    awaited_roles: list[str]
    expires_at: Moment | None
    amount: str | None
    origin: VersionOrigin | None
    evidence: EvidenceCountView | None
    approvals_needed: int
    approvals_given: int
    decided_by: list[DeciderView]
    cause: str | None
    next_try: Moment | None

    @classmethod
    def of(cls, summary: Summary, names: Mapping[str, str]) -> OperationRow:
        """Return a row of the index as the API shows it, with what people are called by id."""
        return cls(
            **{**_progress(summary), "requester": names[summary.requester_id]},
            requester_id=summary.requester_id,
            version=summary.version,
            required_role=summary.required_role,
            awaited_roles=list(summary.awaited),
            expires_at=summary.expires_at,
            amount=summary.amount,
            origin=summary.origin,
            evidence=EvidenceCountView.of(count) if (count := summary.evidence_count) else None,
            approvals_needed=summary.approvals_needed,
            approvals_given=len(summary.approvers),
            decided_by=[
                DeciderView(
                    name=names[each.person],
                    decision=each.decision,
                    version=each.version,
                    at=each.at,
                )
                for each in summary.decided_by
            ],
            cause=summary.cause,
            next_try=summary.next_try,
        )


def rows_of(page: Page) -> list[OperationRow]:
    """Return the rows of a page, on which two people of one name are told apart."""
    names = names_on(page.rows)
    return [OperationRow.of(row, names) for row in page.rows]


class OperationPage(ResponseBody):
    """A page of operations; `cursor` asks for the next one, null on the last.

    `count`: how many match on all pages together; null where too many would have to be read.
    """

    operations: list[OperationRow]
    cursor: str | None
    count: int | None

    @classmethod
    def of(cls, page: Page, count: int | None) -> OperationPage:
        """Return a page of the index as the API shows it."""
        rows = rows_of(page)
        return cls(operations=rows, cursor=page.cursor, count=count)


class ProposalPage(ResponseBody):
    """A page of operations that wait for a decision by the caller; see `OperationPage`."""

    proposals: list[OperationRow]
    cursor: str | None
    count: int | None

    @classmethod
    def of(cls, page: Page, count: int | None) -> ProposalPage:
        """Return a page of the inbox as the API shows it."""
        rows = rows_of(page)
        return cls(proposals=rows, cursor=page.cursor, count=count)


class OutcomeView(ResponseBody):
    """As what an operation ended, and why, in a sentence."""

    as_: OutcomeName = Field(alias="as")
    reason: str

    @classmethod
    def of(cls, closed: OperationClosed) -> OutcomeView:
        """Return an end as it was recorded."""
        return cls.model_validate({"as": closed.outcome, "reason": closed.reason})


class HoldView(ResponseBody):
    """Why the work of an operation does not go on.

    `needs_operator` is false for what is expected to pass by itself. `next_try` is null if nothing
    is tried before somebody asks for it; then `asked_by` is who has asked.
    """

    cause: str
    reason: str
    step: str | None
    needs_operator: bool
    since: Moment
    tries: int
    tried_at: Moment
    next_try: Moment | None
    asked_by: str | None

    @classmethod
    def of(cls, operation: Operation) -> HoldView | None:
        """Return what holds the work of an operation up; None if it goes on, or has ended."""
        hold = operation.hold
        if hold is None or ended(operation):
            return None
        return cls(
            cause=hold.cause,
            reason=hold.reason,
            step=hold.step,
            needs_operator=hold.needs_operator,
            since=hold.since,
            tries=hold.tries,
            tried_at=hold.tried_at,
            next_try=hold.next_try,
            asked_by=hold.asked.actor.name if hold.asked else None,
        )


class StepView(ResponseBody):
    """A step that is in progress; `tokens`: about how many the model's answer has so far."""

    step: str
    subtopic: str | None
    tokens: int
    seen_at: Moment


class TokenUsage(ResponseBody):
    """The model tokens that an operation has used, and how many it may use."""

    tokens: int
    limit: int


class OperationView(OperationSummary):
    """One operation; `proposal` is its newest version, null before the first."""

    proposal: ProposalSummary | None
    outcome: OutcomeView | None
    receipt: ReceiptView | None
    hold: HoldView | None
    under_way: list[StepView]
    usage: TokenUsage
    may: MayAboutOperation

    @classmethod
    def of(
        cls, app: Services, operation: Operation, person: Person, under_way: Sequence[UnderWay]
    ) -> OperationView:
        """One operation with all that a requester wants to know, and the steps in progress."""
        now = app.clock()
        closed, current, receipt = operation.closed, operation.current, operation.receipt
        return cls(
            **_progress(summarise(operation)),
            proposal=ProposalSummary.of(operation, current, person, now) if current else None,
            outcome=OutcomeView.of(closed) if closed else None,
            receipt=ReceiptView.model_validate(receipt) if receipt else None,
            hold=HoldView.of(operation),
            under_way=[
                StepView(
                    step=each.step,
                    subtopic=each.subtopic,
                    tokens=each.tokens,
                    seen_at=each.seen_at,
                )
                for each in under_way
            ],
            usage=TokenUsage(tokens=operation.tokens, limit=app.settings.token_limit),
            may=MayAboutOperation.of(operation, person, now),
        )


class Withdrawn(ResponseBody):
    """The request was taken back, now or before."""

    operation_id: str
    state: StateName
    at: Moment


class Stopped(ResponseBody):
    """The operation was stopped, now or before."""

    operation_id: str
    state: StateName
    at: Moment


class Retried(ResponseBody):
    """How things stand after a retry was asked for; `hold` is null if nothing waits any more."""

    operation_id: str
    state: StateName
    hold: HoldView | None
    delivery: EventDelivery


def _progress(summary: Summary) -> dict[str, Any]:
    return {
        "operation_id": summary.operation_id,
        "kind": summary.kind,
        "title": summary.title,
        "requester": summary.requester_name,
        "state": summary.state,
        "stage": summary.stage,
        "progress": SubtopicCount(done=summary.done, total=summary.total),
        "tokens": summary.tokens,
        "consequence": consequence_of(summary.kind),
        "created_at": summary.created_at,
        "updated_at": summary.updated_at,
    }
