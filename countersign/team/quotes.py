"""Check, without any model, that a quote stands in the source it is said to come from."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from countersign.sources.library import Library, UnknownSource
from countersign.team.models import CheckedFinding, SubtopicFinding

# "The server" stands in every text and proves nothing.
FEWEST_LETTERS = 16

_LOOKS = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u00ad": None})
_HYPHEN = re.compile(r"(?<=\w)[-\u2010-\u2013\u2212]\s*(?=\w)")
_DASH = re.compile(r"[-\u2010-\u2015\u2212]+")


def stands_in(quote: str, text: str) -> bool:
    """Say whether a text has these very words, in this order, as whole words.

    Line breaks, hyphenation and the look of dashes and quotation marks don't count; case does.
    A quote with fewer than FEWEST_LETTERS letters and digits stands nowhere.
    """
    return _stands_in(quote, _folded(text))


def standing(quotes: Iterable[str], text: str) -> list[bool]:
    """Say of each quote whether it stands in a text, as `stands_in` does, at the cost of one."""
    folded = _folded(text)
    return [_stands_in(quote, folded) for quote in quotes]


def checked(findings: Sequence[SubtopicFinding], library: Library) -> list[CheckedFinding]:
    """Mark each finding with whether its quote stands in its source; an unknown source has none."""
    texts = {source: _text(source, library) for source in {finding.source for finding in findings}}
    return [
        CheckedFinding(
            claim=finding.claim,
            quote=finding.quote,
            source=finding.source,
            subtopic=finding.subtopic,
            found=_stands_in(finding.quote, texts[finding.source]),
        )
        for finding in findings
    ]


def _text(source: str, library: Library) -> str:
    try:
        return _folded(library.text(source))
    except UnknownSource:
        return ""


def _stands_in(quote: str, folded_text: str) -> bool:
    folded = _folded(quote)
    if sum(character.isalnum() for character in folded) < FEWEST_LETTERS:
        return False
    if folded not in folded_text:
        # In a text of megabytes this takes a hundredth of what the pattern takes.
        return False
    return re.search(rf"(?<!\w){re.escape(folded)}(?!\w)", folded_text) is not None


def _folded(text: str) -> str:
    # A hyphen at a line's end may or may not belong to the word, so no hyphen counts anywhere.
    same_looks = unicodedata.normalize("NFKC", text).translate(_LOOKS)
    return " ".join(_DASH.sub(" ", _HYPHEN.sub("", same_looks)).split())
