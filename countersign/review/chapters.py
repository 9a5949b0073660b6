"""The parts of a long text that are read one by one, and how much of it is laid out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

LONGEST_BLOCK = 200_000
"""Characters between two headings. A text made to be slow can take 25 microseconds for each, and
some of them more with every character before it in the same block."""

MOST_MARKS = 200_000
"""Characters of a long text that can mean something in Markdown, of which each can take 25
microseconds. A line can begin a block of its own, which takes four times as long."""

_MARKS_OF_A_LINE = 4

_TOO_LONG = "This part has no heading for so long that it is shown here as it is written."
_TOO_MANY = "This part has more formatting than can be shown here, so it is shown as it is written."

_HEADING = re.compile(r"#{1,6}(?:[ \t]|$)")
"""Only one that is not indented ends every list and quotation before it."""

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)$")


def parts(text: str, marks: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """Yield the parts of a text to be read, each with why it is shown as it is written, if it is.

    What is shown so is one part from its first chapter to its last, so that it is said once.
    """
    if len(text) <= LONGEST_BLOCK:
        yield text, ""
        return
    for why, run in groupby(_judged(text, marks), itemgetter(1)):
        if why:
            yield "".join(chapter for chapter, _ in run), why
        else:
            yield from run


def _judged(text: str, marks: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    left = MOST_MARKS
    for chapter in chapters(text):
        cost = cost_of(chapter, marks)
        if len(chapter) > LONGEST_BLOCK:
            yield chapter, _TOO_LONG
        elif cost > left:
            yield chapter, _TOO_MANY
        else:
            left -= cost
            yield chapter, ""


def chapters(text: str) -> list[str]:
    """Cut a text before its headings, those in fenced code excepted; joined they are the text."""
    found: list[list[str]] = [[]]
    fence = ""
    for line in _LINE.findall(text):
        if marks := _FENCE.match(line.rstrip("\n")):
            fence = _fence_after(fence, *marks.groups())
        elif not fence and found[-1] and _HEADING.match(line):
            found.append([])
        found[-1].append(line)
    return ["".join(lines) for lines in found]


def _fence_after(fence: str, marks: str, rest: str) -> str:
    if not fence:
        return "" if marks[0] == "`" and "`" in rest else marks
    closes = marks[0] == fence[0] and len(marks) >= len(fence) and not rest.strip()
    return "" if closes else fence


def cost_of(text: str, marks: re.Pattern[str]) -> int:
    """Return how many characters of a text can mean something, with more of them for its lines."""
    found = marks.findall(text)
    return len(found) + text.count("|") + (_MARKS_OF_A_LINE - 1) * text.count("\n")
