"""A quote in its context, for a person who wants to see what else its source says there."""

from __future__ import annotations

import re

from countersign.team.folded import FoldedText
from countersign.team.models import QuotedPassage

USUAL_LENGTH = 300
"""Characters of the source on either side of a quote."""

LONGEST_QUOTE = 4_000
"""Characters that are shown of what a quote covers: twice the longest quote, which bounds what
dashes and marks between its words can add."""

_HALF = USUAL_LENGTH // 2
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]\u2019\u201d]*\s+|\n[ \t]*\n\s*|[\u3002\uff01\uff1f]")
_SPACE = re.compile(r"\s+")


def passage_of(quote: str, source: FoldedText) -> QuotedPassage | None:
    """Return the source's own words for a quote, and those around it; None if it doesn't stand.

    The words before and after are cut where a sentence ends, or else a word. Lines are joined and
    only blank lines kept, since it is the words that are shown.
    """
    place = source.place(quote)
    if place is None:
        return None
    start, end = place
    return QuotedPassage(
        before=_reflowed(_before(source.text, start)),
        quote=_reflowed(source.text[start:end])[:LONGEST_QUOTE],
        after=_reflowed(_after(source.text, end)),
    )


def _before(text: str, start: int) -> str:
    window = text[max(0, start - USUAL_LENGTH) : start]
    if start <= USUAL_LENGTH:
        return window.lstrip()
    cut = _SENTENCE_END.search(window, 0, _HALF) or _SPACE.search(window, 0, _HALF)
    return window[cut.end() if cut else 0 :]


def _after(text: str, end: int) -> str:
    window = text[end : end + USUAL_LENGTH]
    if len(text) <= end + USUAL_LENGTH:
        return window.rstrip()
    for pattern in (_SENTENCE_END, _SPACE):
        if cuts := [match.end() for match in pattern.finditer(window, _HALF)]:
            return window[: cuts[-1]].rstrip()
    return window


def _reflowed(text: str) -> str:
    return _SPACE.sub(lambda run: "\n\n" if run.group().count("\n") > 1 else " ", text)
