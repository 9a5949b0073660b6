"""The words that carry a text's meaning, in a form in which they can be compared.

Words of any script are cut into the parts in which they can be searched for.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from countersign.platform.scripts import LIKE_LATIN

_STOP_WORDS = """
    a about above after again all also although am an and any are aren't as at be because been
    before being below between both but by can can't cannot could couldn't did didn't do does
    doesn't doing don't down during each either else ever every few for from further get gets got
    had hadn't has hasn't have haven't having he her here hers him his how however i if in into is
    isn't it it's its itself just let may me might more most much must my no nor not of off on once
    only or other our ours out over own per rather same shall she should shouldn't since so some
    such than that the their theirs them then there these they this those though through thus to
    too under until up upon us very via was wasn't we were weren't what when where whether which
    while who whom whose why will with within without won't would wouldn't yet you your yours
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())

# What French writes before a vowel, as in "l'eau", is an article or a pronoun.
_ELISION = re.compile(r"^(?:[cdjlmnst]|(?:jus|lors|puis)?qu)'(?=\w{2})")

# The longest ending comes first. A stem keeps three letters or more, so "ring" isn't an ending.
_ENDINGS = (
    ("izations", ""), ("ization", ""), ("ations", ""), ("ation", ""), ("ators", ""), ("ator", ""),
    ("ates", ""), ("ated", ""), ("ating", ""), ("ate", ""), ("istic", ""), ("isms", ""),
    ("ism", ""), ("ements", ""), ("ement", ""), ("ments", ""), ("ment", ""), ("nesses", ""),
    ("ness", ""), ("ability", ""), ("ibility", ""), ("ically", "ic"), ("ities", ""), ("ity", ""),
    ("izing", ""), ("ized", ""), ("izes", ""), ("ize", ""), ("ising", ""), ("ised", ""),
    ("ively", ""), ("ives", ""), ("ive", ""), ("ables", ""), ("able", ""), ("ible", ""),
    ("ancies", ""), ("ancy", ""), ("ances", ""), ("ance", ""), ("ants", ""), ("ant", ""),
    ("encies", ""), ("ency", ""), ("ences", ""), ("ence", ""), ("ents", ""), ("ent", ""),
    ("ions", ""), ("ion", ""), ("ings", ""), ("ing", ""), ("edly", ""), ("ies", "y"), ("ied", "y"),
    ("ers", ""), ("er", ""), ("ors", ""), ("or", ""), ("ed", ""), ("ly", ""), ("es", ""),
    ("s", ""), ("al", ""), ("e", ""),
)  # fmt: skip


def words(text: str) -> list[str]:
    """Return the words of a text in lower case, in order."""
    composed = text if text.isascii() else unicodedata.normalize("NFC", text)
    return [found.casefold().replace("\u2019", "'") for found in WORD.findall(composed)]


def content_words(text: str) -> list[str]:
    """Return the words of a text without the stop words."""
    return [word for word in words(text) if word not in STOP_WORDS]


def terms(text: str) -> list[str]:
    """Return the stems of a text's content words, in order.

    "Retried", "retries" and "retry" are one term. What a script writes without blanks is in pairs
    of letters. Stems are for comparing only: they needn't be
    words, and now and then two words of different meaning share one.
    """
    return [stem(part) for word in content_words(text) for part in parts(word)]


def stem(word: str) -> str:
    """Return a lower-case word without its English inflection, and without accents."""
    word = unaccented(_ELISION.sub("", word.removesuffix("'s")))
    for ending, replacement in _ENDINGS:
        kept = word[: -len(ending)] + replacement
        if word.endswith(ending) and len(kept) >= 3 and not word.endswith("ss"):
            return _undoubled(kept)
    return _undoubled(word)


def _undoubled(stemmed: str) -> str:
    # "planned" loses "ed" and must still meet "plan"; "y" and "i" differ only by inflection.
    if len(stemmed) > 3 and stemmed[-1] == stemmed[-2] and stemmed[-1] not in "aeiou":
        stemmed = stemmed[:-1]
    return stemmed[:-1] + "i" if len(stemmed) > 3 and stemmed.endswith("y") else stemmed


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
