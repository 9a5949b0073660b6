"""One way to read a text, and where quotes stand in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from countersign.team.edges import Letters, begins_well, ends_well
from countersign.team.edited import Edited
from countersign.team.joints import JOINT, Joint, joint, same
from countersign.team.letters import is_digit, normal

LONGEST_PLACE: Final = 4_000
"""Characters of a source that a quote may cover: twice the longest quote, which bounds what blanks
and marks between its words can add."""

_MOST_PLACES = 1_000
_DOTS = r"\.{3}|\[\.{3}\]|\(\.{3}\)"
_LEADING = re.compile(rf"(?:[\"'|]|{_DOTS})*")
_TRAILING = re.compile(rf"(?:[\"'|.\u3002\u0964]|{_DOTS})*\Z")


@dataclass(frozen=True, kw_only=True, slots=True)
class QuotePlace:
    """Where a quote stands.

    Attributes:
        start: where it begins in the text as it was given.
        end: where it ends there.
        shown: the text as its reader sees it.
        first: where it begins in that.
        last: where it ends there.
        words: it in the source's own words, without hyphens that were there for a line's end.
    """

    start: int
    end: int
    shown: str
    first: int
    last: int
    words: str


class EditedView:
    """A text that was edited for one way to read it.

    Args:
        edits: of the text as it was given; each is of what the one before it made.
    """

    def __init__(self, edits: Sequence[Edited]) -> None:
        self.shown = edits[-1].text
        self._edits = edits
        self._normal = normal(self.shown)
        self._starts: list[int] = []
        self._places: list[int] = []
        self._letters = self._split(self._normal.text)

    def place(self, quote: EditedView) -> QuotePlace | None:
        """Return the first place where a quote stands that is read the same way."""
        asked = quote._letters
        for start, end, core in _cores(asked.text):
            changed = core != asked.text[start:end]
            for at in islice(_occurrences(core, self._letters.text), _MOST_PLACES):
                if self._differs(asked, start, end, at) or (changed and self._is_unit(at)):
                    continue
                back, on = self._ends(asked, start, end, at)
                if self._may_stand(asked, start - back, at - back, at + end - start + on):
                    return self._placed(at - back, at + end - start + on, asked, start - at)
        return None

    def _differs(self, quote: Letters, start: int, end: int, at: int) -> bool:
        """Return whether these letters have something else between them here than in the quote."""
        source = self._letters
        ours = source.joints[at + 1 : at + end - start]
        theirs = quote.joints[start + 1 : end]
        return ours != theirs and not all(
            one == other or same(one, other, source.at(index - 1), source.at(index))
            for index, (one, other) in enumerate(zip(ours, theirs, strict=True), at + 1)
        )

    def _is_unit(self, at: int) -> bool:
        """Return whether a word follows a number, so that the case of its first letter counts."""
        return is_digit(self._letters.at(at - 1))

    def _ends(self, quote: Letters, start: int, end: int, at: int) -> tuple[int, int]:
        """Return how many marks of those around a quote's core stand around it here too."""
        source, back, on = self._letters, 0, 0
        last = at + end - start
        while back < start and source.at(at - back - 1) == quote.at(start - back - 1):
            back += 1
        while source.at(last + on) and source.at(last + on) == quote.at(end + on):
            on += 1
        return back, on

    def _may_stand(self, quote: Letters, core: int, first: int, last: int) -> bool:
        return begins_well(self._letters, first, quote, core) and ends_well(self._letters, last)

    def _placed(self, first: int, last: int, quote: Letters, offset: int) -> QuotePlace | None:
        begin, end = self._origin(first)[0], self._origin(last - 1)[1]
        if end - begin > LONGEST_PLACE:
            return None
        broken = [
            (self._origin(index - 1)[1] - begin, self._origin(index)[0] - begin, "")
            for index in self._line_ends(first + 1, last)
            if quote.joint(index + offset) == Joint.NOTHING
        ]
        start, stop = begin, end
        for edited in reversed(self._edits):
            start, stop = edited.origin(start, stop)
        return QuotePlace(
            start=start,
            end=stop,
            shown=self.shown,
            first=begin,
            last=end,
            words=Edited(self.shown[begin:end], broken).text,
        )

    def _line_ends(self, first: int, last: int) -> Iterator[int]:
        """Yield the letters before which a hyphen may stand only for a line's end."""
        joints = self._letters.joints[first:last]
        return (index for index, kind in enumerate(joints, first) if kind == Joint.AT_LAST)

    def _origin(self, letter: int) -> tuple[int, int]:
        """Return where a letter stands in the text that is shown."""
        part = bisect_right(self._starts, letter) - 1
        place = self._places[part] + letter - self._starts[part]
        return self._normal.origin(place, place + 1)

    def _split(self, text: str) -> Letters:
        parts: list[str] = []
        joints = bytearray()
        for start, end, before in _parts(text):
            self._starts.append(len(joints))
            self._places.append(start)
            parts.append(text[start:end])
            joints.append(joint(before, first=not joints))
            joints.extend(bytes(end - start - 1))
        return Letters("".join(parts), bytes(joints))


def _parts(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the parts of a text that count: start, end, and what stands before each."""
    start, before = 0, ""
    for found in JOINT.finditer(text):
        if found.start() > start:
            yield start, found.start(), before
        start, before = found.end(), found.group()
    if start < len(text):
        yield start, len(text), before


def _cores(quote: str) -> Iterator[tuple[int, int, str]]:
    """Start and end of a quote without the marks at its ends, and the letters to look for."""
    leading = _LEADING.match(quote)
    start = leading.end() if leading else 0
    trailing = _TRAILING.search(quote, start)
    end = trailing.start() if trailing else len(quote)
    core = quote[start:end]
    if not core:
        return
    yield start, end, core
    other = core[0].swapcase()
    if len(other) == 1 and other != core[0]:
        yield start, end, other + core[1:]


def _occurrences(core: str, text: str) -> Iterator[int]:
    at = text.find(core)
    while at >= 0:
        yield at
        at = text.find(core, at + 1)
