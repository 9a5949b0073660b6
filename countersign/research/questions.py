"""A reviewer's question to the fact-checker: answered from what one version rests on.

The quotes of an answer are looked up by code before anybody reads it.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict

from countersign.approvals.operation import Operation, Proposal, Question
from countersign.approvals.questions import (
    conversation,
    fail_question,
    record_answer,
)
from countersign.approvals.standing import open_questions
from countersign.operations.rule import Rule
from countersign.operations.workshop import Workshop
from countersign.platform.telemetry import span
from countersign.platform.threads import RESEARCH
from countersign.reports.evidence import Evidence, SourceNote, read_evidence
from countersign.reports.report import read_report
from countersign.research.material import Material
from countersign.retrieval.choice import Choice
from countersign.sources.library import Catalogue, Library, SourceError, UnknownSource
from countersign.steps.names import question_step
from countersign.steps.records import QuestionSettled, QuestionWork, SettlingWork
from countersign.stores.artifacts import ArtifactError
from countersign.team import consultant
from countersign.team.calls import Calls
from countersign.team.errors import BudgetSpent, ModelUnavailable, TeamError
from countersign.team.models import Citation, Consultation, QuotedPassage
from countersign.team.quotes import passages

UNSUPPORTED = "No quote from the sources supports this answer."
UNQUOTED = "This answer quotes no source."

UNREADABLE = "What this version rests on can't be read; see the host's log."
SHARE = "Questions may use only a part of an operation's tokens."
GIVEN_UP = "The fact-checker could not answer in several tries: ask again later."

_log = logging.getLogger(__name__)


class Quotation(BaseModel):
    """A quote with where it stands; `passage` is None where it doesn't, `source` if it is none."""

    model_config = ConfigDict(strict=True, frozen=True, defer_build=True)

    quote: str
    source: SourceNote | None
    passage: QuotedPassage | None


class Answer(BaseModel):
    """An answer of the fact-checker, as it is kept and shown."""

    model_config = ConfigDict(strict=True, frozen=True, defer_build=True)

    answer: str
    quotes: list[Quotation]


@dataclass(frozen=True, kw_only=True, slots=True)
class Questions:
    """Puts reviewers' questions to the fact-checker.

    Attributes:
        workshop: where they are answered and the answers kept.
        choice: where research can look.
    """

    workshop: Workshop
    choice: Choice

    async def take_up(self, work: QuestionWork) -> bool:
        """Have a question answered and record that, or why it can't be.

        Returns:
            Whether it is settled, now or since before; if not, another try may do better.
        """
        operation, question = await self._open(work)
        if operation is None or question is None:
            return True
        with span("answer_question", operation_id=operation.id):
            rule = await self._rule(operation, question)
        if rule:
            await self.workshop.operations.change(operation.tenant, operation.id, rule)
        return rule is not None

    async def settle(self, work: SettlingWork) -> QuestionSettled:
        """Say whether a question is settled, and settle it if this was the last try."""
        operation, question = await self._open(work)
        if operation is None or question is None:
            return QuestionSettled(settled=True)
        if work.last:
            await self.workshop.operations.change(
                operation.tenant,
                operation.id,
                lambda state, now: fail_question(state, question.id, GIVEN_UP, now),
            )
        return QuestionSettled(settled=work.last)

    async def answer(self, operation: Operation, question: Question) -> str:
        """Have a question answered, unless it was before.

        What went into it is in the ledger, so a repeat finds the stored answer and calls no model.

        Returns:
            The reference of the stored answer.

        Raises:
            TeamError: it can't be answered, or not now.
            SourceError: the library can't be read.
            ArtifactError: something that the version rests on is missing or damaged.
        """
        proposal = operation.proposals[question.version - 1]
        before = conversation(operation, question)

        async def work(calls: Calls) -> dict[str, Any]:
            library = await Material(self.workshop, self.choice, operation).sources()
            consultation = await consultant.consult(
                calls,
                question=question.text,
                matter=await self._matter(operation, proposal, before),
                library=library,
            )
            answer = await RESEARCH.run(checked_answer, consultation, library)
            return answer.model_dump(mode="json")

        made_from = {
            "question": question.text,
            "content": proposal.content,
            "evidence": proposal.evidence,
            "before": [[each.text, each.answer] for each in before],
        }
        return await self.workshop.keep(operation, question_step(question.id), made_from, work)

    async def read(self, shelf: str, reference: str) -> Answer:
        """Return the answer that is stored under a reference.

        Raises:
            ArtifactError: it is missing or damaged.
        """
        return Answer.model_validate_json(await self.workshop.artifacts.get(shelf, reference))

    async def _open(self, work: QuestionWork) -> tuple[Operation | None, Question | None]:
        operation = await self.workshop.operations.load(work.tenant, work.operation_id)
        waiting = open_questions(operation) if operation else ()
        asked = (each for each in waiting if each.id == work.question_id)
        return operation, next(asked, None)

    async def _rule(self, operation: Operation, question: Question) -> Rule | None:
        """Answer a question; what is to be recorded of it, None if another try may do better."""
        try:
            reference = await self.answer(operation, question)
        except (ModelUnavailable, SourceError) as error:
            _log.warning("%s of %s has to wait: %s", question.id, operation.id, error)
            return None
        except BudgetSpent as error:
            why = f"The fact-checker can't answer this: {error}. {SHARE}"
        except TeamError as error:
            why = f"The fact-checker can't answer this: {error}."
        except ArtifactError as error:
            # Its text names folders of this machine, which is nothing for every reader.
            _log.error("%s of %s can't be answered: %s", question.id, operation.id, error)
            why = UNREADABLE
        else:
            return lambda state, now: record_answer(state, question.id, reference, now)
        return lambda state, now: fail_question(state, question.id, why, now)

    async def _matter(
        self, operation: Operation, proposal: Proposal, before: Sequence[Question]
    ) -> consultant.Matter:
        artifacts, shelf = self.workshop.artifacts, operation.shelf
        assert proposal.evidence is not None  # noqa: S101 - a team's work has evidence
        content = await read_report(artifacts, shelf, proposal.content)
        evidence = await read_evidence(artifacts, shelf, proposal.evidence)
        return consultant.Matter(
            topic=operation.title,
            report=content.text,
            claims=shown_claims(evidence),
            earlier=[
                {"question": each.text, "answer": (await self.read(shelf, each.answer)).answer}
                for each in before
                if each.answer
            ],
        )


def shown_claims(evidence: Evidence) -> list[dict[str, object]]:
    """Return the claims of a version as its fact-checker is reminded of them."""
    titles = {source.id: source.title for source in evidence.sources}
    shown = {"claim", "quote", "source", "found", "supported", "note", "used"}
    return [
        {**claim.model_dump(include=shown), "source_title": titles.get(claim.source, "")}
        for claim in evidence.claims
    ]


def checked_answer(consultation: Consultation, library: Library) -> Answer:
    """Return an answer with each quote looked up in its source; one that rests on none says so."""
    quotes = [
        Quotation(quote=each.quote, source=_source(each, library), passage=passage)
        for each, passage in zip(
            consultation.quotes, passages(consultation.quotes, library), strict=True
        )
    ]
    if any(each.passage for each in quotes):
        return Answer(answer=consultation.answer, quotes=quotes)
    lacking = UNSUPPORTED if quotes else UNQUOTED
    return Answer(answer=f"{consultation.answer}\n\n{lacking}", quotes=quotes)


def _source(cited: Citation, catalogue: Catalogue) -> SourceNote | None:
    try:
        source = catalogue.source(cited.source)
    except UnknownSource:
        return None
    return SourceNote.of(source)
