"""Find what two sequences have in common, in a time that what they hold can't make longer."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, takewhile

_MOST_PAIRS = 250_000
"""Above this, `difflib` is given the parts between what stands only once in either sequence. Its
time grows with the cube of their length at worst."""

_FIRST_PAIRS = 500
"""What it takes to begin, however short the sequences are, in pairs."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Stretch:
    """Neighbouring parts that both sequences have, or those of one and what the other has there."""

    same: bool
    old: Sequence[str]
    new: Sequence[str]


Divide = Callable[[Sequence[str], Sequence[str]], Iterable[Stretch]]


class Comparison:
    """Compares sequences while it has work left; after that, what differs is not taken apart.

    Args:
        work: how many pairs of parts may be looked at, over all calls.
    """

    def __init__(self, work: int) -> None:
        self._work = work

    def stretches(self, old: Sequence[str], new: Sequence[str]) -> list[Stretch]:
        """Cut both into stretches, the same and the changed in turn, that make up the whole."""
        if self._work <= 0:
            return [Stretch(same=False, old=old, new=new)]
        self._work -= _FIRST_PAIRS
        return merged(_between_ends(old, new, self._by_landmarks))

    def _by_landmarks(self, old: Sequence[str], new: Sequence[str]) -> Iterator[Stretch]:
        if len(old) * len(new) <= _MOST_PAIRS:
            yield from self._one_by_one(old, new)
            return
        i = j = 0
        for next_i, next_j in _landmarks(old, new):
            yield from _between_ends(old[i:next_i], new[j:next_j], self._one_by_one)
            i, j = next_i + 1, next_j + 1
            yield Stretch(same=True, old=old[next_i:i], new=new[next_j:j])
        yield from _between_ends(old[i:], new[j:], self._one_by_one)

    def _one_by_one(self, old: Sequence[str], new: Sequence[str]) -> Iterator[Stretch]:
        from difflib import SequenceMatcher

        pairs = len(old) * len(new)
        # What is given here differs at both ends, so of one pair there is nothing to find out.
        if pairs <= 1 or pairs > min(self._work, _MOST_PAIRS):
            yield Stretch(same=False, old=old, new=new)
            return
        self._work -= pairs + _FIRST_PAIRS
        for tag, i, next_i, j, next_j in SequenceMatcher(None, old, new).get_opcodes():
            yield Stretch(same=tag == "equal", old=old[i:next_i], new=new[j:next_j])


def merged(stretches: Iterable[Stretch]) -> list[Stretch]:
    """Make one of neighbours that are both the same or both changed, and drop empty ones."""
    filled = (each for each in stretches if each.old or each.new)
    return [
        Stretch(
            same=same,
            old=list(chain.from_iterable(each.old for each in run)),
            new=list(chain.from_iterable(each.new for each in run)),
        )
        for same, group in groupby(filled, key=lambda each: each.same)
        for run in [list(group)]
    ]


def _between_ends(old: Sequence[str], new: Sequence[str], divide: Divide) -> Iterator[Stretch]:
    head = _alike(zip(old, new, strict=False))
    tail = _alike(zip(reversed(old[head:]), reversed(new[head:]), strict=False))
    i, j = len(old) - tail, len(new) - tail
    yield Stretch(same=True, old=old[:head], new=new[:head])
    yield from divide(old[head:i], new[head:j])
    yield Stretch(same=True, old=old[i:], new=new[j:])


def _alike(pairs: Iterable[tuple[str, str]]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _landmarks(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Find parts that stand once in either sequence, as many as come in the same order.

    This is the "patience diff" of Bram Cohen: the longest rising run by patience sorting.
    """
    places = _places_of_single(new)
    common = [(i, places[part]) for part, i in _places_of_single(old).items() if part in places]
    ends: list[int] = []
    last: list[tuple[int, int]] = []
    before: dict[tuple[int, int], tuple[int, int] | None] = {}
    for pair in common:
        pile = bisect_left(ends, pair[1])
        before[pair] = last[pile - 1] if pile else None
        ends[pile : pile + 1], last[pile : pile + 1] = [pair[1]], [pair]
    found: list[tuple[int, int]] = []
    step = last[-1] if last else None
    while step:
        found.append(step)
        step = before[step]
    return found[::-1]


def _places_of_single(parts: Sequence[str]) -> dict[str, int]:
    times = Counter(parts)
    return {part: place for place, part in enumerate(parts) if times[part] == 1}
