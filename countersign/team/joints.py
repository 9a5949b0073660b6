"""What stands between two characters of a text: nothing, a blank, a hyphen, a dash, a sign.

How a dash looks doesn't count, nor where a line ends; what it is to those who read it does.
"""

from __future__ import annotations

import re
import unicodedata
from enum import IntEnum
from functools import lru_cache
from typing import Final

from countersign.team.letters import is_digit, is_unspaced, is_word

DASHES: Final = "\u2010-\u2015\u2212\u2e3a\u2e3b-"
_BULLETS = "*+\u2022\u2023\u2043\u25aa\u25e6"
JOINT: Final = re.compile(rf"(?:[\s{DASHES}]|(?:(?<=\n)|\A)[{_BULLETS}](?=\s))+")
"""All that can stand between two characters that count."""

_LONG = frozenset("\u2014\u2015\u2e3a\u2e3b")
_TIGHT_SIGNS = frozenset("%\u2030\u00b0")
_BLANK_BEFORE = frozenset("%\u2030\u00b0;:!?")
_BULLET = re.compile(rf"\s*[{_BULLETS}-]\s+")


class Joint(IntEnum):
    """What two characters have between them, as it is written."""

    NOTHING = 0
    BLANK = 1
    HYPHEN = 2
    """No blanks beside it: `a-b`."""
    SHORT_DASH = 3
    """An en dash or minus without blanks beside it."""
    LONG_DASH = 4
    """An em dash, with blanks or without."""
    SPACED = 5
    """A hyphen or short dash between blanks: `a - b`."""
    AT_NEXT = 6
    """A blank only before it: `a -b`."""
    AT_LAST = 7
    """A blank or line's end only after it: `a- b`."""
    BULLET = 8
    """A mark at the start of a line, and a blank."""
    DOUBLED = 9
    """Two and more hyphens: `a--b`."""
    CROWD = 10
    """Several of these."""
    BREAK = 11
    """A blank line, or more of them."""
    LINE = 12
    """A blank at which a line ends."""


def joint(run: str, *, first: bool = False) -> Joint:
    """Return what a run of blanks and dashes is; `first` if the text begins with it."""
    dashes = run.strip()
    if not dashes:
        return _blank(run)
    begins_line = first or "\n" in run[: run.index(dashes)]
    if begins_line and _BULLET.fullmatch(run):
        return Joint.BULLET
    if len(dashes.split()) > 1:
        return Joint.CROWD
    if len(dashes) > 1:
        return Joint.DOUBLED
    return _dash(dashes, run[0].isspace(), run[-1].isspace())


def _blank(run: str) -> Joint:
    if lines := run.count("\n"):
        return Joint.LINE if lines == 1 else Joint.BREAK
    return Joint.BLANK if run else Joint.NOTHING


def _dash(dash: str, before: bool, after: bool) -> Joint:
    if before and not after:
        return Joint.AT_NEXT
    if dash in _LONG:
        return Joint.LONG_DASH
    if before:
        return Joint.SPACED
    if after:
        return Joint.AT_LAST
    return Joint.HYPHEN if dash in "-\u2010\u2011" else Joint.SHORT_DASH


def same(one: int, other: int, left: str, right: str) -> bool:
    """Say whether two joints between the same characters can mean the same."""
    return one == other or bool(readings(one, left, right) & readings(other, left, right))


@lru_cache(maxsize=16_384)
def readings(kind: int, left: str, right: str) -> frozenset[str]:
    """Return all that a joint can be to a reader, by what stands beside it.

    Args:
        kind: a `Joint`.
        left: the character before, or nothing.
        right: the character after, or nothing.
    """
    if kind in (Joint.NOTHING, Joint.BLANK, Joint.LINE, Joint.BREAK):
        plain = "nothing" if kind == Joint.NOTHING else "blank"
        return frozenset(["nothing", "blank"] if _blank_is_free(left, right) else [plain])
    if kind == Joint.CROWD:
        return frozenset(["crowd"])
    if kind == Joint.DOUBLED:
        return frozenset(["doubled" if is_digit(right) else "dash"])
    if kind == Joint.BULLET:
        return frozenset(["bullet", "dash"] + ["blank"] * (not is_digit(right)))
    if _ends_number(left) and begins_number(right) and kind != Joint.AT_NEXT:
        return frozenset(["hyphen"])
    return frozenset(_of_dash(kind, left, right))


def _of_dash(kind: int, left: str, right: str) -> list[str]:
    if kind == Joint.AT_NEXT:
        return ["sign"] if begins_number(right) else ["before", "dash"]
    if kind == Joint.AT_LAST:
        # A line may end inside a word or after a hyphen that belongs to it, and nobody can tell.
        broken = left.isalpha() and right.isalpha()
        return ["hyphen", "after", "nothing"] if broken else ["hyphen", "after"]
    if kind in (Joint.LONG_DASH, Joint.SPACED):
        return ["dash"]
    if begins_number(right) and not is_word(left):
        return ["sign"]
    return ["hyphen"] if kind == Joint.HYPHEN else ["hyphen", "dash"]


def is_currency(character: str) -> bool:
    """Return whether it stands for a currency."""
    return bool(character) and unicodedata.category(character) == "Sc"


def begins_number(character: str) -> bool:
    """Return whether a number can begin with it."""
    return is_digit(character) or is_currency(character)


def _ends_number(character: str) -> bool:
    return is_digit(character) or is_currency(character) or character in _TIGHT_SIGNS


def _blank_is_free(left: str, right: str) -> bool:
    """Return whether a blank between two characters is a matter of taste."""
    if is_unspaced(left) or is_unspaced(right):
        return True
    if (is_digit(left) and is_currency(right)) or (is_currency(left) and is_digit(right)):
        return True
    return left == '"' or right == '"' or (right in _BLANK_BEFORE and right != "")
