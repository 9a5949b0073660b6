"""A letter of reply to a customer, and what people send about one."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field

from countersign.bodies.body import (
    CorrectionBody,
    DecisionBody,
    Line,
    RequestBody,
    TermsBody,
)
from countersign.bodies.content import Content
from countersign.platform.visible import visible

Text = Annotated[str, Field(min_length=1, max_length=10_000), AfterValidator(visible)]


class ReplyContent(Content):
    """A letter as it would be sent."""

    customer: str
    text: str

    def written(self) -> bytes:
        """The letter's text."""
        return self.text.encode()

    def widening(self, before: Any) -> tuple[str, ...]:
        """The text: no other text was looked at."""
        return ("text",)


class ReplyRequestBody(RequestBody):
    """A request for a reply."""

    customer: Line
    text: Text
    approval: Annotated[TermsBody, Field(default_factory=TermsBody)]

    @property
    def title(self) -> str:
        """What the operation is called."""
        return f"Reply to {self.customer}"


class ReplyCorrectionBody(CorrectionBody):
    """The letter as an approver would rather have it."""

    text: Text

    def applied(self, content: ReplyContent) -> ReplyContent:
        """The letter with this text."""
        return ReplyContent(customer=content.customer, text=self.text)


class ReplyDecisionBody(DecisionBody[ReplyCorrectionBody]):
    """A decision about a version of a letter."""
