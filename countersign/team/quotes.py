"""Check, without any model, that a quote stands in the source it is said to come from."""

from __future__ import annotations

from collections.abc import Sequence

from countersign.sources.library import Library, UnknownSource
from countersign.sources.locators import Locator
from countersign.team.context import passage_of
from countersign.team.folded import FoldedText
from countersign.team.models import (
    CheckedFinding,
    Citation,
    Finding,
    QuotedPassage,
    SubtopicFinding,
)


def stands_in(quote: str, text: str) -> bool:
    """Say whether a text has these very words, in this order, as whole words and numbers.

    What counts and what doesn't, `FoldedText` says.
    """
    return FoldedText(text).has(quote)


def checked(findings: Sequence[SubtopicFinding], library: Library) -> list[CheckedFinding]:
    """Mark each finding with whether its quote stands in its source, and where.

    An unknown source has no quote in it.
    """
    return [
        CheckedFinding(
            claim=finding.claim,
            quote=finding.quote,
            source=finding.source,
            subtopic=finding.subtopic,
            found=passage is not None,
            passage=passage,
        )
        for finding, passage in zip(findings, passages(findings, library), strict=True)
    ]


def passages(cited: Sequence[Finding | Citation], library: Library) -> list[QuotedPassage | None]:
    """Return for each quote where it stands in its source; None if it doesn't stand there."""
    sources = {source: _text(source, library) for source in {each.source for each in cited}}
    return [passage_of(each.quote, *sources[each.source]) for each in cited]


def _text(source: str, library: Library) -> tuple[FoldedText, Sequence[Locator]]:
    """Return the text of a source, and where its parts stand in its file."""
    try:
        return FoldedText(library.text(source)), library.locators(source)
    except UnknownSource:
        return FoldedText(""), ()
