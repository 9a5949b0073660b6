"""The evidence for a text: claims with quotes, what was found of them, and what of it is used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field

from countersign.approvals.digest import canonical
from countersign.approvals.errors import UntrustedLedger
from countersign.approvals.evidence_count import EvidenceCount
from countersign.approvals.operation import Operation, Proposal
from countersign.reports.comments import CommentAnswer
from countersign.sources.library import Source, UnknownSource
from countersign.sources.origin import Origin
from countersign.stores.artifacts import Artifacts, DamagedArtifact
from countersign.team.draft import all_cited
from countersign.team.folded import FoldedText
from countersign.team.models import CheckedFinding, Doubt, LeftOut

if TYPE_CHECKING:
    from countersign.team.proofreader import Proofread

EDITED = (
    "The text is a reviewer's own, and nobody checked it against the sources. Of the claims that"
    " were checked for the version before, those marked as used still stand in it word for word."
)

ASSEMBLED = (
    "The model wrote no draft that could be used. A program put this text together from the claims."
)

MOST_UNREAD = 50
"""Lines that say what could not be read."""


class Claim(CheckedFinding):
    """A claim with what code and fact-checker say of it.

    `found`: its quote stands in its source. `supported`: the quote supports the claim. `used`: the
    text that this is the evidence for cites the claim, or has its quote. `answers`: it says what
    its subtopic asks for. `marks`: what a reviewer should know about the claim or its quote.
    """

    supported: bool
    answers: bool = True
    note: str
    used: bool = False
    marks: list[str] = Field(default_factory=list)

    def finding(self) -> CheckedFinding:
        """Return the finding as the writer is given it."""
        return CheckedFinding(**self.model_dump(include=set(CheckedFinding.model_fields)))


class SourceNote(BaseModel):
    """A source, as it was when the facts were checked."""

    model_config = ConfigDict(strict=True, frozen=True, defer_build=True)

    id: str
    title: str
    url: str | None
    origin: Origin | None = None

    @classmethod
    def of(cls, source: Source) -> SourceNote:
        """Return what there is to know about a source."""
        return cls(id=source.id, title=source.title, url=source.url, origin=source.origin)


class Evidence(BaseModel):
    """What a reviewer can check a text against.

    Attributes:
        notes: the fact-checker's.
        claims: all that were made, in order.
        sources: those that they are from.
        revision: how the writer took a reviewer's comment.
        answers: what the writer did about a reviewer's comments on passages.
        own_text: the text is a reviewer's own, so that none of this was ever said about it.
        doubts: what speaks against sentences, headings or the title of the text.
        left_out: what the writer wrote and the text doesn't have.
        contradictions: pairs of claims, by number (from 1), that don't agree.
        gaps: what the text says of subtopics on which nothing was found.
        unread: what research found or was pointed to and could not read, with the reason.
    """

    model_config = ConfigDict(strict=True, frozen=True, defer_build=True)

    notes: str
    claims: list[Claim]
    sources: list[SourceNote]
    revision: str = ""
    answers: list[CommentAnswer] = []
    own_text: bool = False
    unread: list[str] = []
    doubts: list[Doubt] = []
    left_out: list[LeftOut] = []
    contradictions: list[list[int]] = []
    gaps: list[str] = []

    def stored(self) -> bytes:
        """Return the canonical bytes of this evidence."""
        return canonical(self.model_dump(mode="json"))

    def source(self, source_id: str) -> Source:
        """Return the source with this id, also when the library has lost it since.

        Raises:
            UnknownSource: no claim is from such a source.
        """
        for each in self.sources:
            if each.id == source_id:
                return Source(id=each.id, title=each.title, url=each.url, origin=each.origin)
        raise UnknownSource(source_id)

    def supported(self) -> Sequence[Claim]:
        """Return the claims that a report may make."""
        return [claim for claim in self.claims if claim.supported]

    def count(self) -> EvidenceCount:
        """Return what this comes to: of how many claims in the text, and what is to be checked."""
        contradictions = len(self.contradictions)
        return EvidenceCount.of(self.claims, self.doubts, contradictions, own_text=self.own_text)

    def also_unread(self, lines: Sequence[str]) -> Evidence:
        """Return this evidence, with more that could not be read."""
        all_lines = list(dict.fromkeys([*self.unread, *lines]))
        return self.model_copy(update={"unread": all_lines[:MOST_UNREAD]})

    def of_draft(
        self,
        read: Proofread,
        gaps: Sequence[str],
        *,
        revision: str,
        answers: Sequence[CommentAnswer] = (),
    ) -> Evidence:
        """Return this evidence for what the writer made of it, after that was proofread."""
        numbers = [n for n, claim in enumerate(self.claims, start=1) if claim.supported]
        written = {numbers[n - 1] for n in all_cited(read.draft.report)}
        claims = [
            claim.model_copy(update={"used": n in written})
            for n, claim in enumerate(self.claims, start=1)
        ]
        notes = self.notes.replace(ASSEMBLED, "").strip()
        if read.draft.assembled:
            notes = f"{notes} {ASSEMBLED}".strip()
        return self.model_copy(
            update={
                "claims": claims,
                "notes": notes,
                "revision": revision,
                "answers": list(answers),
                "doubts": list(read.doubts),
                "left_out": list(read.draft.left_out),
                "contradictions": [[numbers[n - 1] for n in pair] for pair in read.contradictions],
                "gaps": list(gaps),
            }
        )

    def of_own_text(self, text: str) -> Evidence:
        """Return this evidence for a reviewer's own Markdown: which quotes it has, no more."""
        folded = FoldedText(text)
        claims = [
            claim.model_copy(update={"used": folded.has(claim.words)}) for claim in self.claims
        ]
        nothing = {"revision": "", "answers": [], "doubts": [], "left_out": [], "gaps": []}
        return self.model_copy(
            update={"claims": claims, "notes": EDITED, "own_text": True, **nothing}
        )


async def read_evidence(artifacts: Artifacts, shelf: str, reference: str) -> Evidence:
    """Return the evidence that is stored under a reference.

    Raises:
        ArtifactError: it is missing or damaged, or what is stored is no evidence.
    """
    stored = await artifacts.get(shelf, reference)
    try:
        return Evidence.model_validate_json(stored)
    except ValueError as error:
        raise DamagedArtifact(f"{reference} is not evidence") from error


async def evidence_of(
    artifacts: Artifacts, operation: Operation, proposal: Proposal
) -> Evidence | None:
    """Return the evidence for a version, None if it has none, once it is what the ledger counts.

    Lists show the count alone, and the rules cannot tell whether it is right.

    Raises:
        ArtifactError: it is missing or damaged, or what is stored is no evidence.
        UntrustedLedger: the count in the ledger is another.
    """
    reference, counted = proposal.evidence, proposal.evidence_count
    evidence = await read_evidence(artifacts, operation.shelf, reference) if reference else None
    if counted is not None and (evidence is None or evidence.count() != counted):
        reason = f"The count of the evidence for version {proposal.version} is wrong."
        raise UntrustedLedger(operation.id, operation.sequence, reason)
    return evidence
