"""Characters that are the same letter, digit or mark in another form, made one.

Superscripts, subscripts, fractions and circled numbers are not the digits that they are made of.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from countersign.team.edited import Edit, Edited

_SAME_LETTER = re.compile(
    "<(?:wide|narrow|small|compat|font|noBreak|square|vertical|initial|medial|final|isolated)>"
)
_MAY_BE_DIGITS = frozenset(["<wide>", "<font>"])

_APOSTROPHES = "\u2018\u2019\u201a\u201b`\u00b4\u2032\u2035\u02bc\u02b9\uff07"
_QUOTATION_MARKS = (
    "\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb\u2039\u203a\u301d\u301e\u301f\u300a\u300b"
    "\u3008\u3009\u300c\u300d\u300e\u300f\uff02\uff62\uff63"
)
_LOOKS = str.maketrans(
    dict.fromkeys(_APOSTROPHES, "'") | dict.fromkeys(_QUOTATION_MARKS, '"') | {"\u301c": "~"}
)
# An apostrophe stands inside a word, and feet and minutes after a digit; else it quotes.
_SINGLE_QUOTATION_MARK = re.compile(r"(?<![^\W_])'|(?<!\d)'(?![^\W_])")

_BEYOND_ASCII = re.compile(r"[\x00-\x7f]?[^\x00-\x7f]+")
_PIECE = 64
_MOST_MARKS = 64


def normal(text: str) -> Edited:
    """Return the text with each letter, digit and quotation mark in one form, in linear time."""
    edited = Edited(text, _other_forms(text))
    edited.text = _SINGLE_QUOTATION_MARK.sub('"', edited.text.translate(_LOOKS))
    return edited


def is_digit(character: str) -> bool:
    """Return whether it is a digit, or a number in one sign: also one above or below the line."""
    return bool(character) and unicodedata.category(character)[0] == "N"


def is_word(character: str) -> bool:
    """Return whether it is a part of a word or number."""
    return character.isalnum() or character == "_"


def is_mark(character: str) -> bool:
    """Return whether it is written on the character before it, such as an accent."""
    return bool(character) and unicodedata.category(character)[0] == "M"


@lru_cache(maxsize=8_192)
def is_unspaced(character: str) -> bool:
    """Return whether its script, such as Chinese or Thai, has no spaces between words."""
    return bool(character) and any(
        first <= ord(character) <= last
        for first, last in (
            (0x0E00, 0x0EFF),
            (0x1000, 0x109F),
            (0x1780, 0x17FF),
            (0x2E80, 0x312F),
            (0x31F0, 0x9FFF),
            (0xF900, 0xFAFF),
            (0x20000, 0x3FFFF),
        )
    )


def _other_forms(text: str) -> Iterator[Edit]:
    for run in _BEYOND_ASCII.finditer(text):
        for start, end in _pieces(text, run.start(), run.end(), _PIECE):
            if not unicodedata.is_normalized("NFKC", text[start:end]):
                yield from _edits(text, start, end)


def _edits(text: str, start: int, end: int) -> Iterator[Edit]:
    for first, last in _pieces(text, start, end, 1):
        given = text[first:last]
        if (form := _form(given)) != given:
            yield first, last, form


@lru_cache(maxsize=65_536)
def _form(cluster: str) -> str:
    """Return a character with what is written on it, in the form in which it is compared."""
    composed = unicodedata.normalize("NFC", cluster)
    return unicodedata.normalize("NFC", "".join(map(_letter, composed)))


def _letter(character: str) -> str:
    tag, _, codes = unicodedata.decomposition(character).partition(" ")
    if not _SAME_LETTER.match(tag) or character in _APOSTROPHES or character in _QUOTATION_MARKS:
        return character
    letters = "".join(chr(int(code, 16)) for code in codes.split())
    # A lone accent is taken for a blank with an accent; "1." in one sign would lengthen a number.
    alters = letters[0] == " " != letters or (is_digit(letters[0]) and tag not in _MAY_BE_DIGITS)
    return character if alters else letters


def _pieces(text: str, start: int, stop: int, usual: int) -> Iterator[tuple[int, int]]:
    """Cut a text where normalising the pieces gives the same as normalising the whole.

    To put accents in order takes quadratic time, so a run of them that no language has is cut too
    (as in UAX #15, section 13, "Stream-Safe Text Format").
    """
    while start < stop:
        end = min(start + usual, stop)
        limit = min(end + _MOST_MARKS, stop)
        while end < limit and _joins(text[end]):
            end += 1
        yield start, end
        start = end


@lru_cache(maxsize=8_192)
def _joins(character: str) -> bool:
    """Return whether normalising may join a character to the one before it."""
    first = unicodedata.normalize("NFKD", character)[0]
    return is_mark(first) or "\u1160" <= first <= "\u11ff"
