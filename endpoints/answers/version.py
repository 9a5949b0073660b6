"""One version of a proposal with its content, its evidence and what changed in it."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, TypeAlias

from countersign.approvals.operation import Operation, Proposal
from countersign.approvals.person import Person
from countersign.kinds import KINDS, content_of, read_content
from countersign.operations.content import Content
from countersign.platform.threads import PAGES
from countersign.purchases.order import OrderContent
from countersign.purchases.order_changes import order_changes
from countersign.research.evidence import Evidence
from countersign.research.report import ReportContent
from countersign.review.changes import changed_words
from countersign.review.render import to_html
from countersign.services import Services
from countersign.stores.artifacts import Artifacts
from endpoints.answers.approvals import Approvals
from endpoints.answers.changes import Changes, OrderChanges, ReportChanges
from endpoints.answers.proposals import ProposalSummary, RecordedDecision

if TYPE_CHECKING:
    AnyContent: TypeAlias = Content
else:
    # What is offered in some kind of operation; schemas name each of them.
    AnyContent = reduce(or_, map(content_of, KINDS))


class VersionView(ProposalSummary):
    """A version with its content, the evidence for it, and what changed since an earlier one.

    `consequence`: what follows if it is approved, in a sentence. `html` and `evidence` are those of
    a report, null of an order.
    """

    operation_id: str
    kind: str
    quorum: int
    approvals: Approvals
    consequence: str
    decisions: list[RecordedDecision]
    content: AnyContent
    html: str | None
    evidence: Evidence | None
    changes: Changes | None


async def version_view(
    app: Services,
    operation: Operation,
    proposal: Proposal,
    person: Person,
    *,
    since: Proposal | None,
) -> VersionView:
    """A version as it stands for somebody now, and what changed in it since an earlier one."""
    content = await read_content(app.artifacts, operation, proposal.content)
    changes = await changes_view(app.artifacts, operation, proposal, since=since) if since else None
    return VersionView(
        **dict(ProposalSummary.of(operation, proposal, person, app.clock())),
        operation_id=operation.id,
        kind=operation.kind,
        quorum=proposal.quorum,
        approvals=Approvals.of(operation, proposal),
        consequence=KINDS[operation.kind].consequence,
        decisions=[RecordedDecision.of(*decision) for decision in proposal.decisions],
        content=content,
        html=await _html(content),
        evidence=await _evidence(app.artifacts, operation, proposal),
        changes=changes,
    )


async def changes_view(
    artifacts: Artifacts, operation: Operation, proposal: Proposal, *, since: Proposal
) -> Changes:
    """What changed in a version since an earlier one, who asked for it, and why."""
    old = await read_content(artifacts, operation, since.content)
    new = await read_content(artifacts, operation, proposal.content)
    between = operation.proposals[since.version - 1 : proposal.version - 1]
    asked_for = [each.decisions[-1][1] for each in between if each.status == "superseded"]
    # Nobody is to be given the words of another.
    said = [event for event in asked_for if event.comment]
    asked = {
        "since": since.version,
        "origin": proposal.origin,
        "why": "\n\n".join(event.comment for event in said),
        "by": ", ".join(dict.fromkeys(event.actor.name for event in said or asked_for)),
    }
    return await differences(asked, old, new)


async def differences(asked: dict[str, Any], old: Content, new: Content) -> Changes:
    """What is different in a later content, with who asked for it."""
    match old, new:
        case ReportContent(), ReportContent():
            words = await PAGES.run(changed_words, old.text, new.text)
            return ReportChanges.model_validate({**asked, "words": words})
        case OrderContent(), OrderContent():
            return OrderChanges.model_validate({**asked, **order_changes(old, new)})
        case _:
            raise TypeError(f"{type(old).__name__} and {type(new).__name__} are of two kinds")


async def _html(content: Content) -> str | None:
    """A report as a browser may show it; an order is shown by its fields."""
    return await PAGES.run(to_html, content.text) if isinstance(content, ReportContent) else None


async def _evidence(
    artifacts: Artifacts, operation: Operation, proposal: Proposal
) -> Evidence | None:
    """The evidence in today's form, whatever it had none of when it was stored."""
    if proposal.evidence is None:
        return None
    return Evidence.model_validate_json(await artifacts.get(operation.tenant, proposal.evidence))
