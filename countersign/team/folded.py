"""A text in which quotes are looked up: folded, so that its words and their order are what counts.

Every step takes time in proportion to the text, whatever stands in it.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate

# "The server" stands in every text and proves nothing.
FEWEST_LETTERS = 16

_LOOKS = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u00ad": None})
_HYPHEN = re.compile(r"(?<=\w)[-\u2010-\u2013\u2212]\s*(?=\w)")
_DASH = re.compile(r"[-\u2010-\u2015\u2212]+")
_UNCOUNTED = re.compile(r"[\s\u00ad\u2010-\u2015\u2212-]+")
_NO_WORD_BEFORE = re.compile(r"(?<!\w)")
_NO_WORD_AFTER = r"(?!\n?\w)"

_PIECE = 64
_MOST_MARKS = 64


class FoldedText:
    """A text, folded once for all the quotes that are looked up in it.

    Line breaks, hyphenation and the look of dashes and quotation marks don't count; case does.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._pieces = list(_pieces(text, _PIECE))
        self._folded = _folded("".join(map(self._normal, self._pieces)))

    def has(self, quote: str) -> bool:
        """Say whether these very words stand here, in this order, as whole words.

        A quote with fewer than FEWEST_LETTERS letters and digits stands nowhere.
        """
        return self._find(quote) is not None

    def place(self, quote: str) -> tuple[int, int] | None:
        """Return start and end of a quote in the text as it was given; None if it doesn't stand."""
        found = self._find(quote)
        if found is None:
            return None
        before, through = self._counted(found.start()), self._counted(found.end())
        return self._origin(before)[0], self._origin(through - 1)[1]

    def _find(self, quote: str) -> re.Match[str] | None:
        asked = FoldedText(quote)._folded.rstrip("\n")
        if sum(character.isalnum() for character in asked) < FEWEST_LETTERS:
            return None
        # A pattern that begins with plain characters is searched in linear time, so what stands
        # before a quote is marked in the text, and not asked for by the pattern.
        return re.search(re.escape(asked) + _NO_WORD_AFTER, self._folded)

    def _counted(self, end: int) -> int:
        """How many characters, without spaces and marks, there are before a place when folded."""
        return end - self._folded.count("\n", 0, end) - self._folded.count(" ", 0, end)

    def _origin(self, number: int) -> tuple[int, int]:
        """Where that character (from 0), of those that are counted, comes from."""
        index = bisect_right(self._reached, number)
        start, end = self._pieces[index]
        number -= self._reached[index - 1] if index else 0
        for first, last in _pieces(self.text[start:end], 1):
            number -= _count(self._normal((start + first, start + last)))
            if number < 0:
                return start + first, start + last
        return start, end

    @cached_property
    def _reached(self) -> list[int]:
        """How many counted characters there are up to the end of each piece."""
        return list(accumulate(_count(self._normal(piece)) for piece in self._pieces))

    def _normal(self, piece: tuple[int, int]) -> str:
        return unicodedata.normalize("NFKC", self.text[slice(*piece)])


def _folded(normal: str) -> str:
    # A hyphen at a line's end may or may not belong to the word, so no hyphen counts anywhere.
    without_hyphens = _HYPHEN.sub("", normal.translate(_LOOKS))
    words = " ".join(_DASH.sub(" ", without_hyphens).split())
    return _NO_WORD_BEFORE.sub("\n", words)


def _count(normal: str) -> int:
    """How many characters folding keeps: it drops, whatever stands around them, the same ones."""
    return len(_UNCOUNTED.sub("", normal))


def _pieces(text: str, usual: int) -> Iterator[tuple[int, int]]:
    """Cut a text where normalising the pieces gives the same as normalising the whole.

    To put accents in order takes quadratic time, so a run of them that no language has is cut too
    (as in UAX #15, section 13, "Stream-Safe Text Format").
    """
    start = 0
    while start < len(text):
        end = min(start + usual, len(text))
        limit = min(end + _MOST_MARKS, len(text))
        while end < limit and _joins(text[end]):
            end += 1
        yield start, end
        start = end


def _joins(character: str) -> bool:
    """Whether normalising may join a character to the one before it."""
    first = unicodedata.normalize("NFKD", character)[0]
    return unicodedata.category(first)[0] == "M" or "\u1160" <= first <= "\u11ff"
