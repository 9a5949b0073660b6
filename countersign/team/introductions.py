"""What introduces a part of a text, and may say of all of it that it isn't so: "Common myths"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from countersign.team.wording import is_negative, reports

FARTHEST = 20_000
"""Characters before a quote that are looked at; a list is seldom longer."""

_LONGEST = 300
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
    above = text[max(0, start - FARTHEST) : start].split("\n")[::-1]
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
    return shown if len(shown) <= _LONGEST else f"\u2026 {shown[-_LONGEST:]}"
