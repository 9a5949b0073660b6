"""The bodies that requests about reports carry; strict, as all bodies are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

from countersign.bodies.body import (
    CorrectionBody,
    DecisionBody,
    Line,
    RequestBody,
    StrictBody,
    TermsBody,
)
from countersign.bodies.content import UnfitCorrection
from countersign.platform.visible import visible
from countersign.reports.comments import MOST_COMMENTS, PassageComment, ReviewComments
from countersign.reports.report import LONGEST_TEXT, ReportContent
from countersign.retrieval.allowed import MOST_ADDRESSES, LookIn
from countersign.roles import REPORT_REVIEWER
from countersign.sources.uploads import MOST_CHARACTERS, MOST_DOCUMENTS, MOST_LOCATORS
from countersign.team.colophon import edited
from countersign.web.addresses import read_address

MOST_SUBTOPICS = 40
"""Subtopics that a request can name."""


def _address(text: str) -> str:
    read_address(text)
    return text


WebAddress = Annotated[str, AfterValidator(_address)]
"""An address of the web that anybody may ask for."""


def _is_none(value: object) -> bool:
    # What is not said is not stored either, so that the bytes of a request stay what they were
    # before there was this field, and its idempotency key with them.
    return value is None


class LocatorBody(StrictBody):
    """What the text from `start` on is called in its file: a page, a heading, rows of a sheet."""

    start: Annotated[int, Field(ge=0)]
    label: Annotated[str, StringConstraints(max_length=200)]
    first_row: Annotated[int, Field(ge=1)] | None = None


class DocumentBody(StrictBody):
    """A document to research in, instead of the library."""

    title: Line
    text: Annotated[str, Field(min_length=1, max_length=MOST_CHARACTERS)]
    url: (
        Annotated[
            str, Field(max_length=2_000, pattern=r"^https?://[^\s]+$"), AfterValidator(_address)
        ]
        | None
    ) = None
    locators: Annotated[list[LocatorBody], Field(max_length=MOST_LOCATORS)] | None = None


class ReportTermsBody(TermsBody):
    """The terms of the approval of a report."""

    role: Literal["Report.Reviewer", "Report.Escalation"] = REPORT_REVIEWER


class ReportRequestBody(RequestBody):
    """A request for a report."""

    topic: Line
    subtopics: Annotated[list[Line], Field(min_length=1, max_length=MOST_SUBTOPICS)] | None = None
    documents: (
        Annotated[list[DocumentBody], Field(min_length=1, max_length=MOST_DOCUMENTS)] | None
    ) = None
    look_in: Annotated[list[LookIn] | None, Field(min_length=1, exclude_if=_is_none)] = None
    addresses: Annotated[
        list[WebAddress] | None, Field(min_length=1, max_length=MOST_ADDRESSES, exclude_if=_is_none)
    ] = None
    approval: Annotated[ReportTermsBody, Field(default_factory=ReportTermsBody)]

    @property
    def title(self) -> str:
        """What the operation is called."""
        return self.topic


class ReportCorrectionBody(CorrectionBody):
    """The reviewer's own text, to be offered as the next version."""

    title: Line | None = None
    text: Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT), AfterValidator(visible)]

    def applied(self, content: ReportContent) -> ReportContent:
        """Return the report with this text, under its old title where this brings none.

        What the text says at its end of how it was made is no longer so, and is replaced.

        Raises:
            UnfitCorrection: the text can't be stored.
        """
        try:
            corrected = ReportContent(title=self.title or content.title, text=edited(self.text))
            corrected.stored()
        except ValueError as error:
            reason = "it is too long, or has characters that can't be encoded"
            raise UnfitCorrection("correction.text", reason) from error
        return corrected


class ReportDecisionBody(DecisionBody[ReportCorrectionBody]):
    """A decision about a version of a report; a request for changes can comment on passages."""

    comments: (
        Annotated[list[PassageComment], Field(min_length=1, max_length=MOST_COMMENTS)] | None
    ) = None

    def on_passages(self) -> bytes | None:
        """Return the comments as they are stored: one that is there again is not said twice."""
        once = [*dict.fromkeys(self.comments or ())]
        return ReviewComments(comments=once).stored() if once else None


class CommentsBody(StrictBody):
    """Comments on passages of the version that has this digest, which decide nothing."""

    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    comments: Annotated[list[PassageComment], Field(min_length=1, max_length=MOST_COMMENTS)]

    def besides(self, before: Sequence[bytes]) -> tuple[int, bytes]:
        """Return how many comments are new beside stored ones, and those as they are stored."""
        stored = map(ReviewComments.model_validate_json, before)
        said = [comment for each in stored for comment in each.comments]
        new = [each for each in dict.fromkeys(self.comments) if each not in said]
        return len(new), ReviewComments(comments=new).stored()
