"""The bodies that requests carry, strictly: unknown fields and near misses are refused.

Imported where a body is read: building these models would slow every start of the app down.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from countersign.approvals.questions import LONGEST_QUESTION
from countersign.operations.content import LONGEST_TEXT, Content, ReportContent, UnfitCorrection
from countersign.operations.visible import visible, visible_line
from countersign.retrieval.allowed import MOST_ADDRESSES, LookIn
from countersign.roles import REVIEWER
from countersign.settings import LONGEST_WINDOW
from countersign.sources.uploads import MOST_CHARACTERS, MOST_DOCUMENTS, MOST_LOCATORS
from countersign.team.colophon import edited
from countersign.web.addresses import read_address

Line = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=300),
    AfterValidator(visible_line),
]
"""Text of one line, all of which can be seen."""

Remark = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=5_000), AfterValidator(visible)
]


def _address(text: str) -> str:
    read_address(text)
    return text


Address = Annotated[str, AfterValidator(_address)]
"""An address of the web that anybody may ask for."""


def _is_none(value: object) -> bool:
    # What is not said is not stored either, so that the bytes of a request stay what they were
    # before there was this field, and its idempotency key with them.
    return value is None


class StrictBody(BaseModel):
    """What all bodies have in common."""

    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, allow_inf_nan=False, defer_build=True
    )


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


class TermsBody(StrictBody):
    """The terms of the approval, where the requester wants other than the usual ones."""

    window_seconds: Annotated[float, Field(ge=1, le=LONGEST_WINDOW)] | None = None
    quorum: Annotated[int, Field(ge=1, le=10)] = 1


class ApprovalBody(TermsBody):
    """The terms of the approval of a report."""

    role: Literal["Report.Reviewer", "Report.Escalation"] = REVIEWER


class ResearchBody(StrictBody):
    """A request for a report."""

    kind: ClassVar[Literal["research"]] = "research"

    topic: Line
    subtopics: Annotated[list[Line], Field(min_length=1, max_length=40)] | None = None
    documents: (
        Annotated[list[DocumentBody], Field(min_length=1, max_length=MOST_DOCUMENTS)] | None
    ) = None
    look_in: Annotated[list[LookIn] | None, Field(min_length=1, exclude_if=_is_none)] = None
    addresses: Annotated[
        list[Address] | None, Field(min_length=1, max_length=MOST_ADDRESSES, exclude_if=_is_none)
    ] = None
    approval: Annotated[ApprovalBody, Field(default_factory=ApprovalBody)]

    @property
    def title(self) -> str:
        """What the operation is called."""
        return self.topic


class CorrectionBody(StrictBody):
    """The reviewer's own text, to be offered as the next version."""

    title: Line | None = None
    text: Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT), AfterValidator(visible)]

    def applied(self, content: Content) -> Content:
        """The report with this text, under its old title where this brings none.

        What the text says at its end of how it was made is no longer so, and is replaced.

        Raises:
            UnfitCorrection: the text can't be stored.
        """
        assert isinstance(content, ReportContent)  # noqa: S101 - whoever reads it knows its kind
        try:
            corrected = ReportContent(title=self.title or content.title, text=edited(self.text))
            corrected.stored()
        except ValueError as error:
            reason = "it is too long, or has characters that can't be encoded"
            raise UnfitCorrection("correction.text", reason) from error
        return corrected


class VerdictBody(StrictBody):
    """A decision about exactly the version whose digest it echoes."""

    decision: Literal["approve", "reject", "revise"]
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    comment: Remark = ""


class DecisionBody(VerdictBody):
    """A decision about a version of a report."""

    correction: CorrectionBody | None = None


class QuestionBody(StrictBody):
    """What a reviewer wants to know about a version."""

    question: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_QUESTION),
        AfterValidator(visible),
    ]


class WithdrawBody(StrictBody):
    """Why a request is taken back."""

    reason: Remark = ""
