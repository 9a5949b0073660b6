"""What a reviewer says about passages of a report, and what the next version does about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)

from countersign.approvals.digest import canonical
from countersign.bodies.body import Remark, StrictBody
from countersign.platform.visible import visible_words
from countersign.reports.report import LONGEST_TEXT
from countersign.stores.artifacts import Artifacts, DamagedArtifact
from countersign.team.models import Report
from countersign.team.wish import PassageRemark

MOST_COMMENTS = 50
"""Comments on passages that one request for changes takes."""

LONGEST_PASSAGE = 2_000
LONGEST_COMMENT = 2_000
"""Characters."""

UNANSWERED = "The writer did not answer this comment."


class PassageComment(StrictBody):
    """A comment on a passage, or what is suggested in its place, or both.

    `quote` is the passage as readers see it, with single blanks. `start` tells passages with the
    same words apart: the characters before it in the text as it is shown, counted that way too.
    """

    quote: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_PASSAGE),
        AfterValidator(visible_words),
    ]
    start: Annotated[int, Field(ge=0, le=LONGEST_TEXT)]
    comment: Annotated[Remark, Field(max_length=LONGEST_COMMENT)] = ""
    suggestion: Annotated[Remark, Field(max_length=LONGEST_COMMENT)] | None = None

    @model_validator(mode="after")
    def _says_something(self) -> PassageComment:
        if not self.comment and self.suggestion in (None, self.quote):
            raise ValueError("it must have a comment, or suggest other words")
        return self

    @property
    def remark(self) -> PassageRemark:
        """What the team is told of it."""
        return PassageRemark(passage=self.quote, comment=self.comment, instead=self.suggestion)


class CommentAnswer(BaseModel):
    """What the writer did about the comment with this number (from 1), in their own words."""

    model_config = ConfigDict(strict=True, frozen=True, defer_build=True)

    comment: int
    done: bool
    reason: str


class ReviewComments(BaseModel):
    """All that one review says about passages, in the order in which the reviewer has it."""

    model_config = ConfigDict(strict=True, frozen=True, defer_build=True)

    comments: list[PassageComment]

    def stored(self) -> bytes:
        """Return the canonical bytes of these comments."""
        return canonical(self.model_dump(mode="json"))


async def read_comments(
    artifacts: Artifacts, shelf: str, reference: str | None
) -> list[PassageComment]:
    """Return the comments that are stored under a reference; none for none.

    Raises:
        ArtifactError: they are missing or damaged, or what is stored is something else.
    """
    if reference is None:
        return []
    stored = await artifacts.get(shelf, reference)
    try:
        return ReviewComments.model_validate_json(stored).comments
    except ValueError as error:
        raise DamagedArtifact(f"{reference} is not comments") from error


def answers_in(report: Report, remarks: Sequence[PassageRemark]) -> list[CommentAnswer]:
    """Return what the writer says of each remark, once; also where nothing was said of it."""
    told = {each.remark: each for each in reversed(report.answers)}
    return [
        CommentAnswer(comment=number, done=told[number].done, reason=told[number].reason)
        if number in told
        else CommentAnswer(comment=number, done=False, reason=UNANSWERED)
        for number, _ in enumerate(remarks, start=1)
    ]
