"""Which words of the sources a finding means, where its quote stands in none or proves nothing.

Models copy with small slips, leave out what stands between two parts, and point beside what they
mean. What is put in the quote's place is always the source's own words, and whether they prove the
claim is judged afterwards as for any quote: a number or a "not" that differs is never passed over.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from countersign.sources.terms import words
from countersign.team.folded import FoldedText
from countersign.team.questions import Shown
from countersign.team.sentences import sentences
from countersign.team.wording import is_negative, numbers, telling

SAME_WORDS = 0.8
"""The part of all words that a slip leaves alone, at least."""

ALL_TOLD = 0.9
"""The part of a claim's telling words that the words have which say it, at least."""

NEAR_ENOUGH = 1 / 3
"""The part of the telling words of what failed that the words nearest to it have, at least."""

HARDLY_TOLD = 0.5
"""The part of a claim's telling words under which its quote shows something else."""

LONGEST_SPAN = 1_000
"""Characters that a quote's parts may lie apart, in all."""

_MOST_SENTENCES = 3
_GAP = re.compile(r"\s*(?:\n|\[?(?:\.{3}|\u2026)\]?)\s*")
_LINE = re.compile(r"[^\n]+")


@dataclass(frozen=True)
class SourceWords:
    """Some whole sentences of a passage, or a line of it.

    Attributes:
        source: the id of what they are from.
        text: they, as they stand there.
    """

    source: str
    text: str

    @cached_property
    def spoken(self) -> Counter[str]:
        """Its words, and how often each is in it."""
        return Counter(words(self.text))

    @cached_property
    def telling(self) -> set[str]:
        """What tells what it is about."""
        return telling(self.text)

    @cached_property
    def numbers(self) -> list[str]:
        """Its numbers, in order."""
        return numbers(self.text)

    @cached_property
    def is_negative(self) -> bool:
        """Whether it says that something isn't so."""
        return is_negative(self.text)


class Passages:
    """What a researcher was shown, to find what it means in.

    Args:
        shown: the passages.
    """

    def __init__(self, shown: Sequence[Shown]) -> None:
        self._texts = [(each.source, FoldedText(each.text)) for each in shown]
        self._words = [
            SourceWords(each.source, text) for each in shown for text in _parts(each.text)
        ]

    def copied(self, quote: str) -> SourceWords | None:
        """Return the words that a quote copies with a slip, or with something left out."""
        spans = (_spanned(quote, *each) for each in self._texts)
        if found := next(filter(None, spans), None):
            return found
        asked = SourceWords("", quote)
        alike = [(_likeness(asked, each), each) for each in self._words]
        likeness, nearest = max(alike, key=lambda each: each[0], default=(0.0, asked))
        return nearest if likeness >= SAME_WORDS else None

    def saying(self, claim: str) -> SourceWords | None:
        """Return the fewest words that say a claim almost word for word, or that deny it."""
        said = SourceWords("", claim)
        on_it = [each for each in self._words if _is_told(said, each)]
        alike = [each for each in on_it if not _differ(said, each)]
        return min(alike or on_it, key=lambda each: len(each.text), default=None)

    def nearest(self, said: str) -> SourceWords | None:
        """Return the fewest words that tell most of what is said, if any tell a third of it."""
        told = telling(said)
        shares = [(len(told & each.telling), -len(each.text), each) for each in self._words]
        shared, _, nearest = max(shares, key=lambda each: each[:2], default=(0, 0, None))
        return nearest if told and shared >= NEAR_ENOUGH * len(told) else None


def share_told(said: str, words: str) -> float:
    """Return the share (0 to 1) of a statement's key words that occur in `words`; 1 if none."""
    told = telling(said)
    return len(told & telling(words)) / len(told) if told else 1.0


def is_beside_the_point(claim: str, quote: str) -> bool:
    """Say whether a quote has hardly a word of a claim, nor its numbers, as a table's row has."""
    told = set(numbers(claim))
    if told and told <= set(numbers(quote)):
        return False
    return share_told(claim, quote) < HARDLY_TOLD


def _parts(text: str) -> Iterator[str]:
    """Up to three sentences in a row, and each line, for that may be the row of a table."""
    spans = sentences(text)
    for first in range(len(spans)):
        for last in range(first, min(first + _MOST_SENTENCES, len(spans))):
            part = text[spans[first][0] : spans[last][1]]
            if len(part) > LONGEST_SPAN or ("\n\n" in part and last > first):
                break
            yield part
    yield from (found.group() for found in _LINE.finditer(text))


def _spanned(quote: str, source: str, text: FoldedText) -> SourceWords | None:
    """From the first of a quote's parts to the last, where all stand in a text in this order."""
    parts = [part for part in _GAP.split(quote) if words(part)]
    places = [text.place(part) for part in parts]
    known = [place for place in places if place]
    if len(known) < max(2, len(parts)):
        return None
    starts = [place.start for place in known]
    start, end = starts[0], max(place.end for place in known)
    if starts != sorted(starts) or end - start > LONGEST_SPAN:
        return None
    return SourceWords(source, text.text[start:end])


def _likeness(asked: SourceWords, part: SourceWords) -> float:
    """Return the part of all words that both have; none if they differ in a number or a "not"."""
    together = max(asked.spoken.total(), part.spoken.total())
    if not together or asked.numbers != part.numbers or _differ(asked, part):
        return 0.0
    return (asked.spoken & part.spoken).total() / together


def _is_told(claim: SourceWords, part: SourceWords) -> bool:
    """Return whether some words have nearly all of a claim's."""
    shared = len(claim.telling & part.telling)
    return bool(claim.telling) and shared >= ALL_TOLD * len(claim.telling)


def _differ(said: SourceWords, part: SourceWords) -> bool:
    """Return whether a statement differs from some words in a number or in a "not"."""
    return bool(set(said.numbers) - set(part.numbers)) or said.is_negative != part.is_negative
