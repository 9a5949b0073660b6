"""A report: the text that would be published, as the bytes that are signed."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from countersign.bodies.content import Content
from countersign.stores.artifacts import Artifacts, DamagedArtifact

LONGEST_TEXT = 2_000_000
"""Characters of the longest report that can be sent back as a correction."""

LONGEST_LAST_LINE = 200
"""Characters of what is added to a report at its end, to say how it was made."""


class ReportContent(Content):
    """A report as it would be published."""

    title: str = Field(min_length=1, max_length=300)
    media_type: Literal["text/markdown"] = "text/markdown"
    text: str = Field(min_length=1, max_length=LONGEST_TEXT + LONGEST_LAST_LINE)

    def written(self) -> bytes:
        """Return the report's text."""
        return self.text.encode()

    def widening(self, before: Any) -> tuple[str, ...]:
        """Return the text, whatever it says: no other text was looked at."""
        return ("text",)


async def read_report(artifacts: Artifacts, shelf: str, reference: str) -> ReportContent:
    """Return the report that is stored under a reference.

    Raises:
        ArtifactError: it is missing or damaged, or what is stored is no report.
    """
    stored = await artifacts.get(shelf, reference)
    try:
        return ReportContent.read(stored)
    except ValueError as error:
        raise DamagedArtifact(f"{reference} is not a report") from error
