"""The evidence for a report: claims with quotes, and what code and fact-checker say of them."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from countersign.team.models import CheckedFinding


class Claim(CheckedFinding):
    """A claim of which it is known whether its quote was found and whether it supports it."""

    supported: bool
    note: str

    def finding(self) -> CheckedFinding:
        """The finding as the writer is given it."""
        return CheckedFinding(**self.model_dump(include=set(CheckedFinding.model_fields)))


class SourceNote(BaseModel):
    """A source that a report cites."""

    model_config = ConfigDict(strict=True, frozen=True)

    id: str
    title: str
    url: str | None


class Evidence(BaseModel):
    """What a reviewer can check a report against."""

    model_config = ConfigDict(strict=True, frozen=True)

    notes: str
    claims: list[Claim]
    sources: list[SourceNote]
