"""Versions of a proposal as the API shows them, with who approved them and what changed in them."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from countersign.approvals.events import DecisionRecorded
from countersign.approvals.operation import Operation, Proposal
from countersign.approvals.policy import MAX_VERSIONS
from countersign.approvals.quorum import missing_role
from countersign.approvals.standing import asked_role
from countersign.kinds import KINDS, read_content
from countersign.platform.threads import PAGES
from countersign.wiring import services

if TYPE_CHECKING:
    from countersign.operations.content import Content


def proposal_summary(proposal: Proposal, now: datetime) -> dict[str, Any]:
    """A version without its content.

    `last`: no other version can follow it, so sending it back ends the operation. `asked_role`: the
    role whose approval is needed next. `failure`: why it is the text of the version before, which a
    reviewer wanted changed.

    A version whose deadline has passed is shown as expired even before that is recorded, since
    no decision about it can count any more.
    """
    late = proposal.status == "pending" and now >= proposal.expires_at
    return {
        "version": proposal.version,
        "last": proposal.version == MAX_VERSIONS,
        "digest": proposal.digest,
        "status": "expired" if late else proposal.status,
        "origin": proposal.origin,
        "failure": proposal.failure,
        "opened_at": proposal.opened_at.isoformat(),
        "expires_at": proposal.expires_at.isoformat(),
        "required_role": proposal.required_role,
        "asked_role": asked_role(proposal),
        "escalated_to": proposal.escalated_to,
        "amount": str(proposal.amount) if proposal.amount else None,
    }


def approvals_view(operation: Operation, proposal: Proposal) -> dict[str, Any]:
    """What it takes to approve a version, what of it there is, and what is missing.

    `missing_role` is the role in which another person has to approve, null if nobody has to or can
    any more, and `missing` says in a sentence who all have to. None of the `correctors` can be the
    only one to approve.
    """
    pending = proposal.status == "pending"
    missing = missing_role(proposal, proposal.approvals) if pending else None
    return {
        "quorum": proposal.quorum,
        "countersigner_role": proposal.countersigner_role,
        "by": [
            {"name": event.actor.name, "roles": list(proposal.approvals[event.actor.id])}
            for _, event in proposal.decisions
            if event.decision == "approve"
        ],
        "missing_role": missing,
        "missing": _missing(operation, proposal, missing) if missing else None,
        "correctors": _names_of(operation, proposal.correctors),
    }


async def proposal_view(
    operation: Operation, proposal: Proposal, now: datetime, *, since: Proposal | None
) -> dict[str, Any]:
    """A version with its content, the evidence for it, and what changed since an earlier one."""
    content = await _content(operation, proposal)
    return {
        "operation_id": operation.id,
        **proposal_summary(proposal, now),
        "kind": operation.kind,
        "quorum": proposal.quorum,
        "approvals": approvals_view(operation, proposal),
        "consequence": KINDS[operation.kind].consequence,
        "decisions": [
            {
                "sequence": sequence,
                "by": event.actor.name,
                "at": event.at.isoformat(),
                "decision": event.decision,
                "comment": event.comment,
            }
            for sequence, event in proposal.decisions
        ],
        "content": content.model_dump(mode="json"),
        "html": await _html(content),
        "evidence": await _evidence(operation, proposal),
        "changes": await changes_view(operation, proposal, since=since) if since else None,
    }


async def changes_view(
    operation: Operation, proposal: Proposal, *, since: Proposal
) -> dict[str, Any]:
    """What changed in a version since an earlier one, who asked for it, and why.

    Of several versions between them, each has its say: their reasons are paragraphs of `why`.
    Nobody asked for an escalation, which leaves the text as it was; `origin` tells of it.
    """
    old, new = await _content(operation, since), await _content(operation, proposal)
    between = operation.proposals[since.version - 1 : proposal.version - 1]
    asked_for = [each.decisions[-1][1] for each in between if each.status == "superseded"]
    # Nobody is to be given the words of another.
    said = [event for event in asked_for if event.comment]
    return {
        "since": since.version,
        "origin": proposal.origin,
        "why": "\n\n".join(event.comment for event in said),
        "by": ", ".join(dict.fromkeys(event.actor.name for event in said or asked_for)),
        **await _differences(old, new),
    }


async def correction_view(
    operation: Operation, proposal: Proposal, decision: DecisionRecorded
) -> dict[str, Any]:
    """What a reviewer's correction goes beyond the corrected version in, and what follows."""
    old = await _content(operation, proposal)
    new = await read_content(services().artifacts, operation, decision.correction or "")
    widened = list(new.widening(old))
    correctors = {*proposal.correctors, *([decision.actor.id] if widened else [])}
    rule = None
    if correctors and proposal.version < MAX_VERSIONS:
        names = " or ".join(_names_of(operation, tuple(sorted(correctors))))
        rule = f"{names} can't be the only one to approve the corrected version."
    return {"widened": widened, "rule": rule}


def _missing(operation: Operation, proposal: Proposal, role: str) -> str:
    first, second = proposal.required_role, proposal.countersigner_role
    signed = proposal.approvals.values()
    left = proposal.quorum - sum(first in roles for roles in signed)
    missing = [_people(left, first)] if left > 0 else []
    if second and not any(second in roles for roles in signed):
        missing.append(_people(1, second))
    if missing:
        return f"Still to approve: {' and '.join(missing)}."
    if second:
        return f"Still to approve: 1 more person as {first} or {second}."
    [corrector] = _names_of(operation, tuple(proposal.approvers))
    return f"{corrector} corrected this, so somebody else has to approve it too, as {role}."


def _people(count: int, role: str) -> str:
    return f"{count} {'person' if count == 1 else 'people'} as {role}"


def _names_of(operation: Operation, people: tuple[str, ...]) -> list[str]:
    """What those are called who decided about some version of an operation, by their ids."""
    deciders = {
        event.actor.id: event.actor.name
        for proposal in operation.proposals
        for _, event in proposal.decisions
    }
    return [deciders[person] for person in people]


async def _differences(old: Content, new: Content) -> dict[str, Any]:
    # Imported here because most calls show no text.
    from countersign.purchases.order import OrderContent
    from countersign.research.report import ReportContent

    match old, new:
        case ReportContent(), ReportContent():
            from countersign.review.changes import changed_words

            return {"words": await PAGES.run(changed_words, old.text, new.text)}
        case OrderContent(), OrderContent():
            from countersign.purchases.order_changes import order_changes

            return order_changes(old, new)
        case _:
            raise TypeError(f"{type(old).__name__} and {type(new).__name__} are of two kinds")


async def _html(content: Content) -> str | None:
    """A report as a browser may show it; an order is shown by its fields."""
    from countersign.research.report import ReportContent

    if not isinstance(content, ReportContent):
        return None
    from countersign.review.render import to_html

    return await PAGES.run(to_html, content.text)


async def _content(operation: Operation, proposal: Proposal) -> Content:
    return await read_content(services().artifacts, operation, proposal.content)


async def _evidence(operation: Operation, proposal: Proposal) -> dict[str, Any] | None:
    """The evidence in today's form, whatever it had none of when it was stored."""
    if proposal.evidence is None:
        return None
    # Imported here because most calls show no evidence.
    from countersign.research.evidence import Evidence

    stored = await services().artifacts.get(operation.tenant, proposal.evidence)
    return Evidence.model_validate_json(stored).model_dump(mode="json")
