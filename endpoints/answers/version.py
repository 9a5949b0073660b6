"""One version of a proposal with its content, its evidence and what changed in it."""

from __future__ import annotations

from typing import Any

from countersign.approvals.operation import Operation, Proposal
from countersign.approvals.person import Person
from countersign.bodies.content import Content
from countersign.kinds.kind import AnyKind
from countersign.kinds.registry import kind_named, read_content
from countersign.kinds.unions import AnyContent
from countersign.operations.names import names_in
from countersign.platform.scripts import mixed_words, strings_in
from countersign.platform.threads import PAGES
from countersign.reports.evidence import Evidence, evidence_of
from countersign.services import Services
from countersign.stores.artifacts import Artifacts
from endpoints.answers.approvals import Approvals
from endpoints.answers.changes import Changes, changes_of
from endpoints.answers.comments import CommentView, comments_about
from endpoints.answers.proposals import ProposalSummary, RecordedDecision
from endpoints.answers.response_body import ResponseBody


class MixedScripts(ResponseBody):
    """A word whose letters come from more than one script, with the scripts."""

    word: str
    scripts: list[str]


class VersionView(ProposalSummary):
    """A version with its content, the evidence for it, and what changed since an earlier one.

    `consequence`: what follows if it is approved, in a sentence. `html` and `evidence` are those of
    a report, null of an order. `own_correction`: whether the caller corrected it or requested its
    changes, so that their approval alone does not count. `comments`: those on passages of the
    version before, which this one answers, and those on this one. `mixed_scripts`: words of it, its
    title and its requester's name whose letters come from more than one script, such as a Cyrillic
    one among Latin ones.
    """

    operation_id: str
    kind: str
    quorum: int
    approvals: Approvals
    own_correction: bool
    consequence: str
    decisions: list[RecordedDecision]
    content: AnyContent
    html: str | None
    evidence: Evidence | None
    changes: Changes | None
    comments: list[CommentView]
    mixed_scripts: list[MixedScripts]


async def version_view(
    app: Services,
    operation: Operation,
    proposal: Proposal,
    person: Person,
    *,
    since: Proposal | None,
) -> VersionView:
    """Return a version as it stands for somebody now, and what changed since an earlier one."""
    kind, names = kind_named(operation.kind), names_in(operation)
    content = await kind.read(app.artifacts, operation.shelf, proposal.content)
    changes = await changes_view(app.artifacts, operation, proposal, since=since) if since else None
    return VersionView(
        **dict(ProposalSummary.of(operation, proposal, person, app.clock())),
        operation_id=operation.id,
        kind=kind.name,
        quorum=proposal.quorum,
        approvals=Approvals.of(operation, proposal),
        own_correction=person.id in proposal.correctors,
        consequence=kind.consequence,
        decisions=[RecordedDecision.of(proposal, *each, names) for each in proposal.decisions],
        content=content,
        html=await kind.html(content),
        evidence=await evidence_of(app.artifacts, operation, proposal),
        changes=changes,
        comments=await comments_about(app.artifacts, operation, proposal, person, app.clock()),
        mixed_scripts=await _mixed(operation, content),
    )


async def _mixed(operation: Operation, content: Content) -> list[MixedScripts]:
    texts = [
        operation.title,
        operation.requester.name,
        *strings_in(content.model_dump(mode="json")),
    ]
    found = await PAGES.run(mixed_words, texts)
    return [MixedScripts(word=each.word, scripts=list(each.scripts)) for each in found]


async def changes_view(
    artifacts: Artifacts, operation: Operation, proposal: Proposal, *, since: Proposal
) -> Changes:
    """Return what changed in a version since an earlier one, who asked for it, and why."""
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
    return await differences(kind_named(operation.kind), asked, old, new)


async def differences(kind: AnyKind, asked: dict[str, Any], old: Content, new: Content) -> Changes:
    """Return what is different in a later content, with who asked for it."""
    return changes_of(kind.name, {**asked, **await kind.differences(old, new)})
