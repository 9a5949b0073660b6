"""The source of a claim or of an answer, opened at its quote."""

from __future__ import annotations

from countersign.reports.evidence import SourceNote
from countersign.research.opened import OpenedSource
from endpoints.answers.response_body import ResponseBody


class SourcePiece(ResponseBody):
    """A stretch of a source's text.

    `where`: the page, sheet, slide or section that it is on, if that is known. `quoted`: the quote
    is all of it, or a part of the quote is.
    """

    where: str
    text: str
    quoted: bool


class SourceView(ResponseBody):
    """A part of a source's text as it was kept, opened at a quote of a claim or an answer.

    `length`: characters of the whole text. `start` and `end`: which of them these are, from 0.
    `previous` and `next`: `from` of the parts before and after it, if there are any. `quote`: where
    in the whole text the quote begins, if it stands there.
    """

    source: SourceNote
    length: int
    start: int
    end: int
    previous: int | None
    next: int | None
    quote: int | None
    pieces: list[SourcePiece]

    @classmethod
    def of(cls, opened: OpenedSource) -> SourceView:
        """Return a source as the API shows it."""
        return cls(
            source=SourceNote.of(opened.source),
            length=opened.length,
            start=opened.start,
            end=opened.end,
            previous=opened.previous,
            next=opened.end if opened.end < opened.length else None,
            quote=opened.quote,
            pieces=[
                SourcePiece(where=each.where, text=each.text, quoted=each.quoted)
                for each in opened.pieces
            ],
        )
