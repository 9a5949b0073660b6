"""What the fact-checker was asked about a version, and what it answered."""

from __future__ import annotations

from typing import Literal

from countersign.approvals.operation import Operation, Question
from countersign.approvals.questions import failure
from countersign.reports.evidence import SourceNote
from countersign.research.questions import Questions, Quotation
from countersign.sources.origin import Origin
from countersign.team.models import QuotedPassage
from endpoints.answers.response_body import Moment, ResponseBody


class AskedQuestion(ResponseBody):
    """The question was recorded and is being answered."""

    question_id: str


class QuotedSource(ResponseBody):
    """Where a quote is from; `origin` is null where it was not recorded."""

    title: str
    url: str | None
    origin: Origin | None

    @classmethod
    def of(cls, source: SourceNote) -> QuotedSource:
        """Return a source as the API shows it beside an answer."""
        return cls(title=source.title, url=source.url, origin=source.origin)


class QuoteView(ResponseBody):
    """A quote of an answer; `passage` is where it stands in its source, null if it doesn't.

    `marks`: what its reader should know about where it stands, a sentence each.
    """

    quote: str
    source: QuotedSource | None
    found: bool
    passage: QuotedPassage | None
    marks: list[str]

    @classmethod
    def of(cls, quotation: Quotation) -> QuoteView:
        """Return a quote as the API shows it."""
        from countersign.team.doubts import marks_of_passage

        source, passage = quotation.source, quotation.passage
        return cls(
            quote=quotation.quote,
            source=QuotedSource.of(source) if source else None,
            found=passage is not None,
            passage=passage,
            marks=marks_of_passage(passage) if passage else [],
        )


class QuestionView(ResponseBody):
    """A question with its answer; where there will be none, `answer` says why."""

    question_id: str
    by: str
    at: Moment
    question: str
    status: Literal["asked", "answered", "failed"]
    answer: str | None
    quotes: list[QuoteView]


class QuestionList(ResponseBody):
    """What was asked about a version, in order."""

    questions: list[QuestionView]


async def question_view(
    operation: Operation, question: Question, questions: Questions
) -> QuestionView:
    """Return a question as it stands, with what was answered to it."""
    asked = {
        "question_id": question.id,
        "by": question.by.name,
        "at": question.at,
        "question": question.text,
    }
    if why := failure(operation, question):
        return QuestionView(**asked, status="failed", answer=why, quotes=[])
    if question.answer is None:
        return QuestionView(**asked, status="asked", answer=None, quotes=[])
    said = await questions.read(operation.shelf, question.answer)
    quotes = [QuoteView.of(each) for each in said.quotes]
    return QuestionView(**asked, status="answered", answer=said.answer, quotes=quotes)
