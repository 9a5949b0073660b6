"""Text that people read before they answer for it: nothing in it may hide or turn the rest."""

from __future__ import annotations

import re
import unicodedata

_DECEIT = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\u202a-\u202e\u2066-\u2069]"
)
"""Unicode's categories Cc, Cs, Zl and Zp but for line ends and tabs, and what turns the direction.

Written out, because to look each character of a long text up takes seconds.
"""

_SPACES = frozenset("\n\r\t")

_UNSEEN = frozenset("\u00ad\u034f\u115f\u1160\u180e\u200b\u2060\u3164\ufeff\uffa0")
"""What shows nothing and joins nothing: two names that differ in these alone look the same."""


def visible(text: str) -> str:
    """Give a text back that has no control character and none that turns the reading direction.

    Line ends and tabs are fine. See Unicode TR #36 for what the others can be used for.

    Raises:
        ValueError: it has one, which is named.
    """
    if found := _DECEIT.search(text):
        raise ValueError(f"it contains the invisible character U+{ord(found[0]):04X}")
    return text


def visible_line(text: str) -> str:
    """Give a text back that is one line, all of which can be seen.

    Raises:
        ValueError: it is not.
    """
    if not _SPACES.isdisjoint(visible(text)):
        raise ValueError("it must be a single line")
    if unseen := _UNSEEN.intersection(text):
        raise ValueError(f"it contains the invisible character U+{ord(min(unseen)):04X}")
    if not any(unicodedata.category(each)[0] in "LNPS" for each in text):
        raise ValueError("it contains no visible character")
    return text


def without_deceit(text: str) -> str:
    """Give a text back without any character that `visible` refuses."""
    return _DECEIT.sub("", text)
