"""Text that people read before they answer for it: nothing in it may hide or turn the rest."""

from __future__ import annotations

import unicodedata

_TURNS = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
_SPACES = frozenset("\n\r\t")


def visible(text: str) -> str:
    """Give a text back that has no control character and none that turns the reading direction.

    Line ends and tabs are fine. See Unicode TR #36 for what the others can be used for.

    Raises:
        ValueError: it has one, which is named.
    """
    for character in text:
        if character not in _SPACES and _deceives(character):
            raise ValueError(f"it has the invisible character U+{ord(character):04X}")
    return text


def visible_line(text: str) -> str:
    """Give a text back that is one line, and of which something can be seen.

    Raises:
        ValueError: it is not.
    """
    if not _SPACES.isdisjoint(visible(text)):
        raise ValueError("it has to be one line")
    if not any(unicodedata.category(each)[0] in "LNPS" for each in text):
        raise ValueError("nothing of it can be seen")
    return text


def without_deceit(text: str) -> str:
    """Give a text back without any character that `visible` refuses."""
    return "".join(each for each in text if each in _SPACES or not _deceives(each))


def _deceives(character: str) -> bool:
    if unicodedata.bidirectional(character) in _TURNS:
        return True
    return unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"}
