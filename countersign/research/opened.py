"""A source opened at a quote: its text as it was kept, a part of it at a time."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from countersign.platform.threads import RESEARCH
from countersign.research.material import Material
from countersign.sources.library import Library, Source
from countersign.sources.locators import Locator, located
from countersign.team.folded import FoldedText
from countersign.team.models import QuotedPassage

MOST = 40_000
"""Characters of a source that are shown at once."""

_BEFORE = MOST // 4
_PARAGRAPH = "\n\n"
_NEAR = 2_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Quoted:
    """A quote of a claim or of an answer.

    Attributes:
        source: the id of the source that it is from.
        quote: its words.
        passage: where they stand there, if they were found and that was kept.
    """

    source: str
    quote: str
    passage: QuotedPassage | None


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceStretch:
    """A stretch of a source's text.

    Attributes:
        where: the page, sheet, slide or section that it is on; empty if that isn't known.
        text: it, as it was kept.
        quoted: whether the quote is all of it.
    """

    where: str
    text: str
    quoted: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenedSource:
    """A part of a source, opened at a quote.

    Attributes:
        source: which.
        length: characters of its whole text.
        start: where in that the part begins, counted from 0.
        end: where it ends.
        previous: where the part before it begins; None if this is the first.
        quote: where in the whole text the quote begins; None if it doesn't stand there.
        pieces: the part, in order.
    """

    source: Source
    length: int
    start: int
    end: int
    previous: int | None
    quote: int | None
    pieces: Sequence[SourceStretch]


async def opened_source(
    material: Material, quoted: Quoted, start: int | None = None
) -> OpenedSource:
    """Open the source of a quote.

    Args:
        material: of the operation that the quote is from.
        quoted: what is shown in its source.
        start: where to begin; None for a place shortly before the quote.

    Raises:
        UnknownSource: nothing is kept of it.
        ArtifactError: what is kept of it is missing or damaged.
    """
    library = await material.sources([quoted.source])
    return await RESEARCH.run(_opened, library, quoted, start)


def _opened(library: Library, quoted: Quoted, start: int | None) -> OpenedSource:
    text, locators = library.text(quoted.source), library.locators(quoted.source)
    quote = _place(quoted, text)
    if start is None:
        start = _paragraph(text, max(0, quote[0] - _BEFORE)) if quote else 0
    start = min(start, max(0, len(text) - 1))
    end = min(len(text), start + MOST)
    if end < len(text):
        end = max(_paragraph(text, end), start + 1)
    return OpenedSource(
        source=library.source(quoted.source),
        length=len(text),
        start=start,
        end=end,
        previous=_paragraph(text, max(0, start - MOST)) if start else None,
        quote=quote[0] if quote else None,
        pieces=list(_pieces(text, locators, start, end, quote)),
    )


def _place(quoted: Quoted, text: str) -> tuple[int, int] | None:
    """Where a quote stands; looked up if that was not kept."""
    passage = quoted.passage
    if passage and passage.start is not None and passage.end is not None:
        return passage.start, passage.end
    place = FoldedText(text).place(quoted.quote)
    return (place.start, place.end) if place else None


def _paragraph(text: str, near: int) -> int:
    """Where the nearest paragraph before a place begins; the place if none is near."""
    found = text.rfind(_PARAGRAPH, max(0, near - _NEAR), near)
    return found + len(_PARAGRAPH) if found >= 0 else near


def _pieces(
    text: str,
    locators: Sequence[Locator],
    start: int,
    end: int,
    quote: tuple[int, int] | None,
) -> Iterator[SourceStretch]:
    """Yield the part, cut at both ends of the quote and where another page or section begins."""
    starts = [each.start for each in locators]
    cuts = {start, end, *starts[bisect_right(starts, start) : bisect_right(starts, end)]}
    cuts |= {each for each in quote or () if start < each < end}
    for first, last in pairwise(sorted(cuts)):
        yield SourceStretch(
            where=located(locators, text, first, first + 1),
            text=text[first:last],
            quoted=quote is not None and quote[0] <= first and last <= quote[1],
        )
