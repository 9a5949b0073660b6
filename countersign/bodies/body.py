"""The bodies that requests carry, strictly: unknown fields and near misses are refused.

Imported where a body is read: building these models would slow every start of the app down.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from countersign.approvals.policy import LONGEST_WINDOW, MOST_APPROVERS
from countersign.approvals.questions import LONGEST_QUESTION
from countersign.bodies.content import Content
from countersign.platform.visible import visible_line, visible_remark, visible_words

LONGEST_LINE = 300
LONGEST_REMARK = 5_000
"""Characters."""

Line = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_LINE),
    AfterValidator(visible_line),
]
"""Text of one line, all of which can be seen."""

Remark = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=LONGEST_REMARK),
    AfterValidator(visible_remark),
]


class StrictBody(BaseModel):
    """What all bodies have in common."""

    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, allow_inf_nan=False, defer_build=True
    )


class TermsBody(StrictBody):
    """The terms of the approval, where the requester wants other than the usual ones."""

    window_seconds: Annotated[float, Field(ge=1, le=LONGEST_WINDOW)] | None = None
    quorum: Annotated[int, Field(ge=1, le=MOST_APPROVERS)] = 1


class RequestBody(StrictBody):
    """What somebody asks for, of whichever kind."""

    @property
    @abstractmethod
    def title(self) -> str:
        """What the operation is called."""


class CorrectionBody(StrictBody):
    """What a reviewer would rather have, to be offered as the next version."""

    @abstractmethod
    def applied(self, content: Any) -> Content:
        """Return the content with this correction.

        Raises:
            UnfitCorrection: it can't be made to this content.
        """


Correction = TypeVar("Correction", bound=CorrectionBody)


Base64Url = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]+$", max_length=8_000)]
"""Bytes in Base64 for addresses, without padding."""


class PasskeySignatureBody(StrictBody):
    """A signature by a passkey of the caller's, as the browser made it for a challenge."""

    id: Base64Url
    client_data: Base64Url
    authenticator_data: Base64Url
    signature: Base64Url
    after: Annotated[int, Field(ge=1)]


class DecisionBody(StrictBody, Generic[Correction]):
    """A decision about exactly the version whose digest it echoes."""

    decision: Literal["approve", "reject", "revise"]
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    comment: Remark = ""
    correction: Correction | None = None
    passkey: PasskeySignatureBody | None = None

    def on_passages(self) -> bytes | None:
        """Return what it says about passages, as it is stored; None if that is nothing."""
        return None


class ChallengeBody(StrictBody):
    """What the caller is about to say with an approval that they sign."""

    comment: Remark = ""


class NewPasskeyBody(StrictBody):
    """A passkey as the browser made it, and what it is to be called."""

    label: Line
    id: Base64Url
    client_data: Base64Url
    attestation: Base64Url


class PasskeyBody(StrictBody):
    """Which passkey of whom something is to be done about."""

    person: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_LINE)]
    id: Base64Url


class QuestionBody(StrictBody):
    """What a reviewer wants to know about a version."""

    question: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_QUESTION),
        AfterValidator(visible_words),
    ]


class StopBody(StrictBody):
    """Why an operation is stopped."""

    reason: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_REMARK),
        AfterValidator(visible_words),
    ]


class WithdrawBody(StrictBody):
    """Why a request is taken back."""

    reason: Remark = ""
