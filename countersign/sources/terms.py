"""The words that carry a text's meaning, in a form in which they can be compared."""

from __future__ import annotations

import re
import unicodedata

from countersign.sources.scripts import WORD, parts, unaccented

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
