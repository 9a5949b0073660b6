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

_UNSEEN = re.compile(
    r"[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    r"\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""What shows nothing: Unicode's Default_Ignorable_Code_Point (`DerivedCoreProperties.txt`), the
signs of interlinear annotation, and the blank of Braille."""

_JOINED = {"\u200c", "\u200d"}
"""They shape letters of Arabic and Indic scripts, and join pictures to one."""

_PICTURED = "\ufe0f"
"""It makes a sign a picture."""

_ENDS = re.compile(r"[\n\r\t]")

_WIDE = {0xFF01 + offset: 0x21 + offset for offset in range(94)}
"""The full-width forms of ASCII, which look like it: `\uff21` is `A`."""


def visible(text: str) -> str:
    """Give a text back as it can be seen: composed (NFC), without what shows nothing.

    Line ends and tabs are fine. What shapes letters or pictures stays where it does so. See Unicode
    TR #36 for what the others can be used for.

    Raises:
        ValueError: it has a control character or one that turns the reading direction, which is
            named.
    """
    if found := _DECEIT.search(text):
        raise ValueError(f"it contains the invisible character {_named(found[0])}")
    return unicodedata.normalize("NFC", _UNSEEN.sub(_shaping, text))


def visible_remark(text: str) -> str:
    """Give a text back as `visible` does, without blanks around it; nothing may be left of it.

    Raises:
        ValueError: as `visible`.
    """
    return visible(text).strip()


def visible_words(text: str) -> str:
    """Give a text back as `visible_remark` does, where somebody has to say something.

    Raises:
        ValueError: as `visible`, or there is nothing to be seen.
    """
    if words := visible_remark(text):
        return words
    raise ValueError("it contains no visible character")


def visible_line(text: str) -> str:
    """Give a text back that is one line, all of which can be seen.

    It is composed (NFC), full-width forms of ASCII are ASCII, and there is one blank between words.

    Raises:
        ValueError: it is more than one line, has a character that can't be seen, which is named, or
            none that can.
    """
    if _ENDS.search(text) or _DECEIT.search(text):
        visible(text)
        raise ValueError("it must be a single line")
    for found in _UNSEEN.finditer(text):
        if not _shaping(found):
            raise ValueError(f"it contains the invisible character {_named(found[0])}")
    line = " ".join(unicodedata.normalize("NFC", text.translate(_WIDE)).split())
    if not any(unicodedata.category(each)[0] in "LNPS" for each in line):
        raise ValueError("it contains no visible character")
    return line


def without_deceit(text: str) -> str:
    """Give a text back without any character that `visible` refuses."""
    return _DECEIT.sub("", text)


def without_blanks(text: str) -> str:
    """Return a text to compare: without blanks and what can't be seen, each letter in one form."""
    seen = _UNSEEN.sub("", without_deceit(text))
    return "".join(unicodedata.normalize("NFKC", seen).split())


def _shaping(found: re.Match[str]) -> str:
    """Return the character itself where it shapes what stands beside it, else nothing."""
    text, place = found.string, found.start()
    before = unicodedata.category(text[place - 1]) if place else ""
    after = unicodedata.category(text[place + 1]) if place + 1 < len(text) else ""
    shapes = {"Lo", "Mc", "Mn", "So", "Sk"}
    if found[0] in _JOINED:
        # After a picture's own sign, the next picture may follow.
        pictured = place > 1 and text[place - 1] == _PICTURED
        return found[0] if (before in shapes or pictured) and after in shapes else ""
    return found[0] if found[0] == _PICTURED and before == "So" else ""


def _named(character: str) -> str:
    return f"U+{ord(character):04X}"
