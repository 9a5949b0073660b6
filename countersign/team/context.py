"""A quote in its context, for a person who wants to see what else its source says there."""

from __future__ import annotations

import re
from collections.abc import Sequence

from countersign.sources.locators import Locator, located
from countersign.team.folded import FoldedText
from countersign.team.introductions import introduction
from countersign.team.models import QuotedPassage
from countersign.team.sentences import begins_sentence, ends_sentence, sentences
from countersign.team.view import QuotePlace

USUAL_LENGTH = 300
"""Characters of the source on either side of a quote."""

LONGEST_SENTENCE = 2_000
"""Characters on either side that are looked at for the ends of the sentence that a quote is in."""

_HALF = USUAL_LENGTH // 2
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]\u2019\u201d]*\s+|\n[ \t]*\n\s*|[\u3002\uff01\uff1f]")
_SPACE = re.compile(r"\s+")
_BETWEEN_CELLS = re.compile(r"[|\t;]")
_BEGINS_ANOTHER = re.compile(
    r"[.!?\u2026\u3002\uff01\uff1f]|\s*\Z|[ \t]*\n\s*(?:\n|(?:[-*+\u2022#>|]|\d{1,3}[.)])[ \t])"
)


def passage_of(
    quote: str, source: FoldedText, locators: Sequence[Locator] = ()
) -> QuotedPassage | None:
    """Return the source's own words for a quote, and those around it; None if it doesn't stand.

    The words before and after are cut where a sentence ends, or else a word. Lines are joined and
    only blank lines kept, since it is the words that are shown.

    Args:
        quote: What to look for.
        source: The text to look in.
        locators: Where the parts of that text stand in its file.
    """
    place = source.place(quote)
    if place is None:
        return None
    before, after = _before(place.shown, place.first), _after(place.shown, place.last)
    where = located(locators, source.text, place.start, place.end)
    row = _is_row(place)
    if not (row or begins_sentence(before)):
        before = _from_the_sentence(place.shown, place.first, before)
    if not (row or ends_sentence(place.words) or _BEGINS_ANOTHER.match(after)):
        after = _to_the_sentence_end(place.shown, place.last, after)
    return QuotedPassage(
        before=_reflowed(before),
        quote=_reflowed(place.words),
        after=_reflowed(after),
        begins_inside=not (row or begins_sentence(before)),
        ends_inside=not (row or ends_sentence(place.words) or _BEGINS_ANOTHER.match(after)),
        where=where,
        introduced=introduction(place.shown, place.first, where),
        start=place.start,
        end=place.end,
    )


def sentence_of(passage: QuotedPassage) -> str:
    """Return the whole sentence, or sentences, that a passage quotes a part of."""
    return " ".join("".join(_parts(passage)).split())


def rest_of_sentence(passage: QuotedPassage) -> str:
    """Return what a passage leaves out of the sentence, or sentences, that it quotes a part of."""
    before, _, after = _parts(passage)
    return f"{before} \u2026 {after}"


def _parts(passage: QuotedPassage) -> tuple[str, str, str]:
    """Return the quote, and what its first sentence has before it, and its last one after it."""
    text = f"{passage.before}{passage.quote}{passage.after}"
    first = len(passage.before)
    last = first + len(passage.quote)
    spans = [span for span in sentences(text) if span[1] > first and span[0] < last]
    start, end = min(spans[0][0], first), max(spans[-1][1], last)
    return text[start:first], passage.quote, text[last:end]


def _is_row(place: QuotePlace) -> bool:
    """Return whether a place is a whole row of a table, with the marks between its cells."""
    before = place.shown[place.shown.rfind("\n", 0, place.first) + 1 : place.first]
    after = place.shown[place.last :].partition("\n")[0]
    alone = not before.strip(" |") and not after.strip(" |")
    return alone and bool(_BETWEEN_CELLS.search(place.words))


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


def _from_the_sentence(text: str, start: int, before: str) -> str:
    """Return what is before a quote, from where its sentence begins if that is further away."""
    window = text[max(0, start - LONGEST_SENTENCE) : start]
    begins = sentences(f"{window}X")[-1][0]
    return max(before, window[begins:], key=len)


def _to_the_sentence_end(text: str, end: int, after: str) -> str:
    """Return what is after a quote, up to where its sentence ends if that is further away."""
    window = text[end : end + LONGEST_SENTENCE]
    ends = sentences(f"X{window}")[0][1] - 1
    return max(after, window[:ends], key=len)


def _reflowed(text: str) -> str:
    return _SPACE.sub(lambda run: "\n\n" if run.group().count("\n") > 1 else " ", text)
