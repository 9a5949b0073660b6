"""The forms in which agents answer, and what the team makes of their answers.

A model may write whatever it likes, so each form is strict and each length bounded.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

_BOUNDS = ("minLength", "maxLength", "minItems", "maxItems")


def _without_bounds(schema: dict[str, Any]) -> None:
    # Azure OpenAI refuses a schema with bounds on lengths, so the model isn't told them:
    # they are checked when the answer comes.
    for part in schema.get("properties", {}).values():
        for bound in _BOUNDS:
            part.pop(bound, None)
            part.get("items", {}).pop(bound, None)


class _Form(BaseModel):
    model_config = ConfigDict(
        strict=True,
        extra="forbid",
        frozen=True,
        json_schema_extra=_without_bounds,
        defer_build=True,
    )


def _text(longest: int) -> StringConstraints:
    return StringConstraints(strip_whitespace=True, min_length=1, max_length=longest)


LONGEST_TOPIC = 300

Subtopic = Annotated[str, _text(LONGEST_TOPIC)]
Claim = Annotated[str, _text(1_000)]
Quote = Annotated[str, _text(2_000)]
SourceId = Annotated[str, _text(200)]
Notes = Annotated[str, StringConstraints(max_length=4_000)]


class Plan(_Form):
    """The parts of a topic that are researched one by one."""

    subtopics: Annotated[list[Subtopic], Field(min_length=1, max_length=6)]


class Finding(_Form):
    """A claim, and the words of a source that are to prove it."""

    claim: Claim
    quote: Quote
    source: SourceId


class Findings(_Form):
    """What the researcher found; nothing is a good answer too."""

    findings: Annotated[list[Finding], Field(max_length=40)]


class Verdict(_Form):
    """Whether the quote supports the claim with this number (from 1)."""

    claim: int
    supported: bool
    note: Annotated[str, StringConstraints(max_length=1_000)]


class FactCheckResult(_Form):
    """Whether a report may be written, why, and what became of each claim."""

    approved: bool
    notes: Notes
    verdicts: Annotated[list[Verdict], Field(max_length=2_000)]


class Section(_Form):
    """A part of a report. Its body cites claims by number: `[3]`, or `[3][4]`."""

    heading: Annotated[str, _text(LONGEST_TOPIC)]
    body: Annotated[str, _text(20_000)]


class Report(_Form):
    """A report as written, before its citations become numbers of sources.

    `note` says how a reviewer's comment was taken; it is empty when there was none.
    """

    title: Annotated[str, _text(LONGEST_TOPIC)]
    summary: Annotated[str, _text(4_000)]
    sections: Annotated[list[Section], Field(min_length=1, max_length=60)]
    note: Annotated[str, StringConstraints(strip_whitespace=True, max_length=600)] = ""


class Citation(_Form):
    """Words of a source that are to prove an answer."""

    quote: Quote
    source: SourceId


class Consultation(_Form):
    """What the fact-checker answers to a reviewer's question; an answer can do without a quote."""

    answer: Annotated[str, _text(4_000)]
    quotes: Annotated[list[Citation], Field(max_length=20)]


class SubtopicFinding(Finding):
    """A finding, with the subtopic it was found for."""

    subtopic: Subtopic


class QuotedPassage(BaseModel):
    """A quote in the source's own words, with the text before and after it.

    `begins_inside` and `ends_inside`: it is a part of a sentence, of which `before` and `after`
    have the rest. Both are False where that was not looked at.
    """

    model_config = ConfigDict(strict=True, frozen=True, defer_build=True)

    before: str
    quote: str
    after: str
    begins_inside: bool = False
    ends_inside: bool = False

    @property
    def cut(self) -> str:
        """The quote, with dots where it is cut out of a sentence."""
        before, after = "\u2026 " * self.begins_inside, " \u2026" * self.ends_inside
        return f"{before}{self.quote}{after}"

    @property
    def is_cut(self) -> bool:
        """Whether it is a part of a sentence only."""
        return self.begins_inside or self.ends_inside


class CheckedFinding(SubtopicFinding):
    """A finding of which code knows whether its quote stands in its source, and in what context.

    `passage` is also missing where the facts were checked before passages were kept.
    """

    found: bool
    passage: QuotedPassage | None = None

    @property
    def words(self) -> str:
        """The quote in its source's own words, where they are known."""
        return self.passage.quote if self.passage else self.quote
