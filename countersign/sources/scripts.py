"""Words of any script, in the parts in which they can be compared and searched for."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from countersign.platform.scripts import LIKE_LATIN

# Vowels and accents that are characters of their own, and belong to the word that they stand in.
_MARKS = (
    "\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963"
    "\u0966-\u0dff\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d3"
    "\u200c\u200d"
)
_LETTERS = rf"[^\W_]+(?:[{_MARKS}]+[^\W_]*)*"

# Apostrophes stay inside a word, so that "don't" is one stop word and not "don" and "t".
WORD = re.compile(rf"{_LETTERS}(?:['\u2019]{_LETTERS})*")

# Between the words of these scripts there are no blanks, or, in Korean, too few.
_IN_PAIRS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u312f\u31f0-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_PAIRED_LETTER = re.compile(f"[{_IN_PAIRS}]")
_PAIRED = re.compile(rf"[{_IN_PAIRS}]+|[^{_IN_PAIRS}]+")
_LATIN = re.compile("[^\u0370-\u1dff\u1f00-\u1fff\u2c00-\u2c5f\u2c80-\ua71f\ua800-\ufaff]*")
_ACCENTED = re.compile("[\u00c0-\u052f\u1e00-\u1fff]")
_ARTICLE = re.compile("\u0627\u0644(?=.{3})")
_LIKE_LATIN = str.maketrans(dict(LIKE_LATIN))
_LIKE_CYRILLIC = str.maketrans(
    {
        latin: other
        for other, latin in reversed(list(LIKE_LATIN.items()))
        if "\u0400" <= other <= "\u052f"
    }
)
_SMALL_LATIN = re.compile("[a-z]")
_OTHER = re.compile("[\u0370-\u052f]")
_NOT_CYRILLIC = re.compile("[a-z\u0370-\u03ff]")

STEM = 5
"""Letters of a word that tell it from others where it isn't known how its language inflects."""


def parts(word: str) -> list[str]:
    """Return a word in lower case as the terms to look for.

    A word of a script without blanks is cut into pairs of letters that follow each other, as
    search engines do; of other scripts than Latin the beginning is taken. A word of two scripts
    that look alike is read as one of the script that it can be written in.
    """
    if word.isascii():
        return [word]
    found = list[str]()
    for run in _PAIRED.findall(word):
        found += _pairs(run) if is_paired(run[0]) else [_beginning(_unmixed(run))]
    return found


def is_paired(character: str) -> bool:
    """Whether words of a character's script are looked for in pairs of letters."""
    return bool(_PAIRED_LETTER.match(character))


def searchable(text: str) -> str:
    """Return a text in which its words stand as the terms to look for, between blanks."""
    if text.isascii():
        return text
    composed = unicodedata.normalize("NFC", text)
    return WORD.sub(lambda found: " ".join(parts(found[0].casefold())), composed)


@lru_cache(maxsize=8_192)
def script_of(term: str) -> str:
    """Return a name for the script of a term; the same for those that are written together."""
    name = unicodedata.name(term[:1], "").split(" ")[0]
    return "CJK" if name in ("HIRAGANA", "KATAKANA") else name


def unaccented(word: str) -> str:
    """Return a Latin, Greek or Cyrillic word without accents, which not everybody writes."""
    if not _ACCENTED.search(word):
        return word
    apart = unicodedata.normalize("NFD", word)
    return "".join(each for each in apart if not unicodedata.combining(each))


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def _unmixed(word: str) -> str:
    """Return a word of Latin and like letters as one of the two scripts."""
    if not (_OTHER.search(word) and _SMALL_LATIN.search(word)):
        return word
    ways = (word.translate(_LIKE_LATIN), word.translate(_LIKE_CYRILLIC))
    latin, cyrillic = not _OTHER.search(ways[0]), not _NOT_CYRILLIC.search(ways[1])
    return ways[0] if latin else ways[1] if cyrillic else word


def _beginning(word: str) -> str:
    if _LATIN.fullmatch(word):
        return word
    return _ARTICLE.sub("", unaccented(word), count=1)[:STEM]
