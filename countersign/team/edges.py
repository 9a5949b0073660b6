"""Where a quote may begin and end in its source: not within a word, and not within a number."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from countersign.team.joints import Joint, is_currency, readings
from countersign.team.letters import is_digit, is_mark, is_unspaced, is_word
from countersign.team.quantities import LONGEST, begins_before, goes_on

_IN_A_GROUP = 3
_WITHIN_NUMBERS = frozenset(".,:/^'\"\u00b7\u060c\u066b\u066c\u30fb")
_WITHIN_WORDS = frozenset("'.")
_UNITS = frozenset("%\u2030\u00b0\u066a\u2031")
_GRADES = frozenset("+#")
_NEGATIONS = frozenset("\u4e0d\u6ca1\u6c92\u65e0\u7121\u975e\u672a\u5426\u52ff\u83ab")
_QUESTION = re.compile(
    "(?:\u3067\u3057\u3087\u3046|\u3067\u3059|\u307e\u3059)?\u304b[\"')\\]]*[?\u3002]"
    "|[\u5417\u55ce\u5462]?[\"')\\]]*[?\u061f\u037e]"
)
_LONGEST_QUESTION = 20
_DASHES = frozenset(["sign", "dash", "doubled", "crowd"])


@dataclass(frozen=True, slots=True)
class Letters:
    """The characters of a text that count, and what stands before each of them.

    Attributes:
        text: the characters.
        joints: as many; the first is what the text begins with.
    """

    text: str
    joints: Sequence[int]

    def at(self, index: int) -> str:
        """Return the character there; nothing beyond the text."""
        return self.text[index : index + 1] if index >= 0 else ""

    def joint(self, index: int) -> int:
        """Return what precedes the character there; a space at the end of the text."""
        return self.joints[index] if index < len(self.joints) else Joint.BLANK

    def readings(self, index: int) -> frozenset[str]:
        """Return the ways in which a reader can take it."""
        return readings(self.joint(index), self.at(index - 1), self.at(index))


def begins_well(source: Letters, start: int, quote: Letters, core: int) -> bool:
    """Say whether a quote that stands at a place may begin there.

    Args:
        source: the text.
        start: where in it the quote stands.
        quote: the quote.
        core: where in the quote that begins; before it are marks that don't count.
    """
    if is_digit(source.at(start)) or is_currency(source.at(start)):
        there, asked = source.readings(start), quote.readings(core)
        if (there & _DASHES or asked & _DASHES) and not (there & asked or _bare(there, asked)):
            return False
        if there & asked & {"sign"}:
            return True
        last = _word_before(source, start)
        if begins_before(_word_before(source, start - len(last)), last):
            return False
    return not _is_one(source, start)


def _bare(there: frozenset[str], asked: frozenset[str]) -> bool:
    """Return whether the dash before a number marks a list item or separates clauses."""
    return not asked & _DASHES and "bullet" in there


def ends_well(source: Letters, end: int) -> bool:
    """Say whether a quote may end before a place: also, that what it ends is no question."""
    if _is_one(source, end):
        return False
    if source.joint(end) != Joint.BREAK:
        word = _word(source, end)
        last = _word_before(source, end)
        if goes_on(last, word, _word(source, end + len(word))):
            return False
    return not _QUESTION.match(source.text[end : end + _LONGEST_QUESTION])


def _word(source: Letters, start: int) -> str:
    """Return the word that begins there, in lower case; the start of it if it is long."""
    end = start
    while is_word(source.at(end)) and end - start < LONGEST:
        end += 1
        if source.joint(end) != Joint.NOTHING:
            break
    return source.text[start:end].casefold()


def _word_before(source: Letters, end: int) -> str:
    """Return the word that ends there, in lower case; the end of it if it is long."""
    start = end
    while is_word(source.at(start - 1)) and end - start < LONGEST:
        start -= 1
        if source.joint(start) != Joint.NOTHING:
            break
    return source.text[start:end].casefold()


def _is_one(source: Letters, index: int) -> bool:
    """Return whether one word, or one number with its unit, spans this place."""
    left, right = source.at(index - 1), source.at(index)
    if not left or not right:
        return False
    if is_mark(right):
        return True
    said, tight = source.readings(index), source.joint(index) == Joint.NOTHING
    near = tight or source.joint(index) in (Joint.BLANK, Joint.LINE)
    if source.joint(index) == Joint.LINE and is_digit(left) and is_digit(right):
        return _are_groups(source, index)
    if is_word(left) and is_word(right):
        return "hyphen" in said or (near and _is_one_word(left, right, tight))
    if near and _belong_together(left, right):
        return True
    return tight and (_is_grade(left, right) or _is_inside(source, index, left, right))


def _is_one_word(left: str, right: str, tight: bool) -> bool:
    if not tight or is_digit(left) or is_digit(right):
        # Blanks part the thousands of a number too.
        return tight or (is_digit(left) and is_digit(right))
    return left in _NEGATIONS or not (is_unspaced(left) or is_unspaced(right))


def _are_groups(source: Letters, index: int) -> bool:
    """Return whether a line may end between the thousands and the hundreds of one number."""
    before, after = index - 1, index
    while is_digit(source.at(before - 1)) and source.joint(before) == Joint.NOTHING:
        before -= 1
    while is_digit(source.at(after + 1)) and source.joint(after + 1) == Joint.NOTHING:
        after += 1
    return index - before <= _IN_A_GROUP and after - index + 1 == _IN_A_GROUP


def _belong_together(left: str, right: str) -> bool:
    """Return whether one of two is a digit, and the other a sign that makes it another number."""
    if is_digit(left):
        return right in _UNITS or _is_symbol(right)
    return is_digit(right) and _is_symbol(left)


def _is_grade(left: str, right: str) -> bool:
    """Return whether it goes on like "A+", which is another grade than "A", or "US$5", not "$5"."""
    return is_word(left) and not is_unspaced(left) and (right in _GRADES or is_currency(right))


def _is_symbol(character: str) -> bool:
    return character != "|" and unicodedata.category(character) in ("Sm", "Sc")


def _is_inside(source: Letters, index: int, left: str, right: str) -> bool:
    """Return whether a full stop, an apostrophe or the like is inside a word or number."""
    if (is_digit(left) and right in "'\"") or (is_digit(right) and left in ".,"):
        return True
    if is_word(left) and source.joint(index + 1) == Joint.NOTHING:
        return _is_within(right, left, source.at(index + 1))
    if is_word(right) and source.joint(index - 1) == Joint.NOTHING:
        return _is_within(left, source.at(index - 2), right)
    return False


def _is_within(mark: str, left: str, right: str) -> bool:
    if not left or not right or not is_word(left) or not is_word(right):
        return False
    return mark in _WITHIN_WORDS or (mark in _WITHIN_NUMBERS and is_digit(right))
