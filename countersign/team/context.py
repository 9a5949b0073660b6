"""A quote in its context, for a person who wants to see what else its source says there.

What introduces a part of a text may deny all of it: "Common myths".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from countersign.sources.locators import Locator, located
from countersign.team.denials import denial
from countersign.team.folded import FoldedText
from countersign.team.models import QuotedPassage
from countersign.team.sentences import begins_sentence, ends_sentence, sentences
from countersign.team.view import QuotePlace
from countersign.team.wording import is_negative, reports

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
        denied=denial(place.shown, place.first, place.last),
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


_FARTHEST_INTRODUCTION = 20_000
"""Characters before a quote that are looked at; a list is seldom longer."""

_LONGEST_INTRODUCTION = 300
_ITEM = re.compile(r"\s*(?:[-*+\u2022\u2023\u2043\u25aa\u25e6]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+(.*)")
_ENDS_OPEN = (":", "\uff1a")
_CALLS_UNTRUE = re.compile(
    r"\b(?:myths?|misconceptions?|fallac(?:y|ies)|false|untrue|wrong|hoax(?:es)?|rumou?rs?|alleged"
    r"|allegations?|disputed|debunked|refuted|disproved|mythos|mythen|irrtum|irrt\u00fcmer|falsch\w*"
    r"|widerlegt\w*|angeblich\w*|ger\u00fcchte?|id\u00e9es re\u00e7ues|mythes?|rumeurs?|faux"
    r"|fausses?|mitos?|rumores|falsos?|falsas?)\b",
    re.IGNORECASE,
)


def introduction(text: str, start: int, where: str = "") -> str:
    """Return the line that introduces a place, if it denies it or says that others claim it.

    That is the last line before it that ends with a colon, if nothing but items of a list is
    between them; or else the heading that it is under, if that calls it untrue.

    Args:
        text: what the place is in.
        start: the place.
        where: the section that it is in, if that is known.
    """
    above = text[max(0, start - _FARTHEST_INTRODUCTION) : start].split("\n")[::-1]
    leading, heading = _leading(above[1:]), next(_headings(above), where)
    if is_negative(leading) or reports(leading):
        return _on_one_line(leading)
    return _on_one_line(heading) if _CALLS_UNTRUE.search(heading) else ""


def _leading(lines: list[str]) -> str:
    """Return the nearest line with a colon at its end, with the lines that it goes on from.

    Nothing if a paragraph of another kind comes first.
    """
    after_blank = False
    for number, line in enumerate(lines):
        if line.rstrip().endswith(_ENDS_OPEN):
            return " ".join(reversed([line, *_of_paragraph(lines[number + 1 :])]))
        if _HEADING.match(line) or (after_blank and line.strip() and not _ITEM.match(line)):
            return ""
        after_blank = not line.strip()
    return ""


def _of_paragraph(lines: list[str]) -> Iterator[str]:
    for line in lines:
        if not line.strip() or _ITEM.match(line) or _HEADING.match(line):
            return
        yield line


def _headings(lines: list[str]) -> Iterator[str]:
    return (found[1] for line in lines if (found := _HEADING.match(line)))


def _on_one_line(text: str) -> str:
    shown = " ".join(text.split())
    return (
        shown if len(shown) <= _LONGEST_INTRODUCTION else f"\u2026 {shown[-_LONGEST_INTRODUCTION:]}"
    )
