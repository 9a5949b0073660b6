"""What changed between two versions of a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TypeAlias

from countersign.review.comparison import Comparison, Stretch, merged

MOST_PAIRS = 4_000_000
"""Pairs of lines or words that are looked at; beyond, a change is shown as a whole."""

MOST_LINES_OF_WORDS = 20_000
"""A text of more lines is shown as a whole, removed and added: no person reads so many changes."""

LEAST_KEPT = 0.25
"""The share of the shorter text that has to stay: what keeps less is easier to read as another."""

CONTEXT_LINES = 2

_WORD = re.compile(r"\w+|\s+|[^\w\s]")

ChangedWords: TypeAlias = dict[str, str | int]
"""`{op: "same", "removed" or "added", text}`, or `{op: "gap", lines}` for lines left out."""


def changed_words(before: str, after: str) -> list[ChangedWords]:
    """Return the words that differ, within the lines that differ and two lines of context.

    Without the added pieces it is the text before, without the removed ones the text after, where
    each gap stands for that many lines of both.

    Returns:
        An empty list for equal texts.
    """
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    if old == new:
        return []
    if max(len(old), len(new)) > MOST_LINES_OF_WORDS:
        return [_piece("removed", old), _piece("added", new)]
    lines, comparison = Comparison(MOST_PAIRS).stretches(old, new), Comparison(MOST_PAIRS)
    pieces: list[ChangedWords] = []
    for number, stretch in enumerate(lines):
        if stretch.same:
            pieces += _context(stretch.old, first=number == 0, last=number == len(lines) - 1)
        else:
            pieces += _words(comparison, "".join(stretch.old), "".join(stretch.new))
    return list(_joined(pieces))


def _context(lines: Sequence[str], *, first: bool, last: bool) -> list[ChangedWords]:
    head = [] if first else lines[:CONTEXT_LINES]
    tail = [] if last else lines[-CONTEXT_LINES:]
    left_out = len(lines) - len(head) - len(tail)
    if left_out < 2:
        return [_piece("same", lines)]
    return [_piece("same", head), {"op": "gap", "lines": left_out}, _piece("same", tail)]


def _words(comparison: Comparison, old: str, new: str) -> Iterator[ChangedWords]:
    stretches = comparison.stretches(_WORD.findall(old), _WORD.findall(new))
    kept = sum(len(part) for each in stretches if each.same for part in each.old if _is_word(part))
    if kept < LEAST_KEPT * min(len(old), len(new)):
        stretches = [Stretch(same=False, old=[old], new=[new])]
    stretches[1:-1] = map(_crumb_changed, stretches[1:-1])
    for stretch in merged(stretches):
        if stretch.same:
            yield _piece("same", stretch.old)
        else:
            yield _piece("removed", stretch.old)
            yield _piece("added", stretch.new)


def _crumb_changed(stretch: Stretch) -> Stretch:
    """Call a space or comma between two changes changed too: it is not worth the break."""
    return replace(stretch, same=stretch.same and any(map(_is_word, stretch.old)))


def _is_word(part: str) -> bool:
    return part[0].isalnum()


def _joined(pieces: Iterable[ChangedWords]) -> Iterator[ChangedWords]:
    """Return the same pieces without empty ones, neighbours of one kind joined."""
    filled = (each for each in pieces if each.get("text") or each.get("lines"))
    for op, run in groupby(filled, key=lambda each: each["op"]):
        if op == "gap":
            yield from run
        else:
            yield {"op": op, "text": "".join(str(each["text"]) for each in run)}


def _piece(op: str, parts: Sequence[str]) -> ChangedWords:
    return {"op": op, "text": "".join(parts)}
