"""Compare texts in the plainest way, without any of the product's own code.

It forgives blanks, quotation marks, table rules and a full stop at the end, and nothing else.
"""

from __future__ import annotations

import re
import unicodedata

_QUOTES = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u00ad": None}
)
_SUPERSCRIPT = "[\u2070-\u2079\u00b2\u00b3\u00b9]*"
_NUMBER = re.compile(
    r"(?:(?<=\s)-|(?<=^)-|\u2212)?\d+(?:[.,' ]\d{3}(?!\d))*(?:[.,]\d+)?" + _SUPERSCRIPT
)
_WORD = re.compile(r"[^\W\d_]+")
_NEGATIONS = frozenset(
    {
        *("no", "not", "never", "none", "nobody", "nothing", "neither", "nor", "cannot", "without"),
        *("false", "nicht", "nie", "niemand", "niemals", "nichts", "ohne", "weder"),
        *("ne", "n", "pas", "jamais", "aucun", "aucune", "rien", "ni", "sans", "faux"),
    }
)
_STEM = 5
"""Letters of a word that tell it from others, whatever its ending."""


def normal(text: str) -> str:
    """Return a text with plain quotation marks, single spaces, and no table or Markdown marks."""
    composed = unicodedata.normalize("NFC", text).translate(_QUOTES)
    return " ".join(composed.replace("|", " ").replace("\\", "").replace("*", "").split())


def stands_in(quote: str, text: str) -> bool:
    """Return whether a text has exactly these words, cut inside no word and no number."""
    asked = normal(quote).strip(" .\"'\u2026")
    searched = normal(text)
    start = searched.find(asked)
    while asked and start >= 0:
        if _is_whole(searched, start, start + len(asked)):
            return True
        start = searched.find(asked, start + 1)
    return False


def is_whole_in(sentence: str, text: str) -> bool:
    """Return whether a text has this, from the beginning of a sentence or line to its end."""
    asked = normal(sentence).rstrip(" .")
    for paragraph in re.split(r"\n\s*\n", text):
        searched = normal(paragraph)
        start = searched.find(asked)
        before, after = searched[:start].rstrip(" \"'"), searched[start + len(asked) :]
        begins = not before or before[-1] in ".!?:"
        if asked and start >= 0 and begins and after[:1] in ("", ".", "!", "?"):
            return True
    return False


def _is_whole(text: str, start: int, end: int) -> bool:
    before, after = text[:start], text[end:]
    if (before[-1:].isalnum() and text[start].isalnum()) or (
        after[:1].isalnum() and text[end - 1].isalnum()
    ):
        return False
    inside_before = text[start].isdigit() and re.search(r"[\u2212-]$|\d[.,\u2013]$", before)
    inside_after = text[end - 1].isdigit() and re.match(r"[.,\u2013-]\d", after)
    return not inside_before and not inside_after


def numbers(text: str) -> set[str]:
    """Return the numbers of a text as they are written, with their signs."""
    found = _NUMBER.findall(normal(text))
    return {each.replace("-", "\u2212") for each in found}


def is_negative(text: str) -> bool:
    """Return whether a text says that something is not so."""
    spoken = [word.lower() for word in _WORD.findall(normal(text))]
    return any(word in _NEGATIONS or word.startswith("kein") for word in spoken) or bool(
        re.search(r"n't\b", normal(text))
    )


def stems(text: str) -> set[str]:
    """Return the beginnings of the longer words of a text."""
    return {word.lower()[:_STEM] for word in _WORD.findall(normal(text)) if len(word) > 3}
