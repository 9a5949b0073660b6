"""A reviewer's question being answered: from what one version rests on, with its quotes checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict

from countersign.approvals.operation import Operation, Proposal, Question
from countersign.approvals.questions import conversation
from countersign.operations.steps import question_step
from countersign.operations.workshop import Workshop
from countersign.platform.threads import RESEARCH
from countersign.research.evidence import Evidence, SourceNote
from countersign.research.investigation import Investigation
from countersign.research.report import read_report
from countersign.sources.library import Catalogue, Library, UnknownSource
from countersign.team import consultant
from countersign.team.calls import Calls
from countersign.team.models import Citation, Consultation, QuotedPassage
from countersign.team.quotes import passages

UNSUPPORTED = "No quote from the sources supports this answer."
UNQUOTED = "This answer quotes no source."


class Quotation(BaseModel):
    """A quote with where it stands; `passage` is None where it doesn't, `source` if it is none."""

    model_config = ConfigDict(strict=True, frozen=True, defer_build=True)

    quote: str
    source: SourceNote | None
    passage: QuotedPassage | None


class Reply(BaseModel):
    """An answer of the fact-checker, as it is kept and shown."""

    model_config = ConfigDict(strict=True, frozen=True, defer_build=True)

    answer: str
    quotes: list[Quotation]


@dataclass(frozen=True, kw_only=True, slots=True)
class Consultations:
    """Puts reviewers' questions to the fact-checker."""

    workshop: Workshop
    investigation: Investigation

    async def answer(self, operation: Operation, question: Question) -> str:
        """Have a question answered, unless it was before.

        What went into it is in the ledger, so a repeat finds the stored answer and calls no model.

        Returns:
            The reference of the stored reply.

        Raises:
            TeamError: it can't be answered, or not now.
            SourceError: the library can't be read.
            ArtifactError: something that the version rests on is missing or damaged.
        """
        proposal = operation.proposals[question.version - 1]
        before = conversation(operation, question)

        async def work(calls: Calls) -> dict[str, Any]:
            library = await self.investigation.sources(operation)
            consultation = await consultant.consult(
                calls,
                question=question.text,
                matter=await self._matter(operation, proposal, before),
                library=library,
            )
            reply = await RESEARCH.run(checked_reply, consultation, library)
            return reply.model_dump(mode="json")

        made_from = {
            "question": question.text,
            "content": proposal.content,
            "evidence": proposal.evidence,
            "before": [[each.text, each.answer] for each in before],
        }
        return await self.workshop.keep(operation, question_step(question.id), made_from, work)

    async def read(self, tenant: str, reference: str) -> Reply:
        """The reply that is stored under a reference.

        Raises:
            ArtifactError: it is missing or damaged.
        """
        return Reply.model_validate_json(await self.workshop.artifacts.get(tenant, reference))

    async def _matter(
        self, operation: Operation, proposal: Proposal, before: Sequence[Question]
    ) -> consultant.Matter:
        artifacts, tenant = self.workshop.artifacts, operation.tenant
        assert proposal.evidence is not None  # noqa: S101 - a team's work has evidence
        content = await read_report(artifacts, tenant, proposal.content)
        evidence = Evidence.model_validate_json(await artifacts.get(tenant, proposal.evidence))
        return consultant.Matter(
            topic=operation.title,
            report=content.text,
            claims=shown_claims(evidence),
            earlier=[
                {"question": each.text, "answer": (await self.read(tenant, each.answer)).answer}
                for each in before
                if each.answer
            ],
        )


def shown_claims(evidence: Evidence) -> list[dict[str, object]]:
    """The claims of a version as its fact-checker is reminded of them."""
    titles = {source.id: source.title for source in evidence.sources}
    shown = {"claim", "quote", "source", "found", "supported", "note", "used"}
    return [
        {**claim.model_dump(include=shown), "source_title": titles.get(claim.source, "")}
        for claim in evidence.claims
    ]


def checked_reply(consultation: Consultation, library: Library) -> Reply:
    """An answer with each quote looked up in its source; one that rests on none says so."""
    quotes = [
        Quotation(quote=each.quote, source=_source(each, library), passage=passage)
        for each, passage in zip(
            consultation.quotes, passages(consultation.quotes, library), strict=True
        )
    ]
    if any(each.passage for each in quotes):
        return Reply(answer=consultation.answer, quotes=quotes)
    lacking = UNSUPPORTED if quotes else UNQUOTED
    return Reply(answer=f"{consultation.answer}\n\n{lacking}", quotes=quotes)


def _source(cited: Citation, catalogue: Catalogue) -> SourceNote | None:
    try:
        source = catalogue.source(cited.source)
    except UnknownSource:
        return None
    return SourceNote.of(source)
