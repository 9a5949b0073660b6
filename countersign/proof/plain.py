"""Text of a bundle on somebody's terminal: one line, in which nothing moves or hides the rest."""

from __future__ import annotations

import re

_LETTERS_WITHOUT_A_SHAPE = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufe00-\ufe0f"
"""What Unicode counts among letters, symbols and marks, though there is nothing to see of it."""

_UNSEEN = re.compile(f"[{_LETTERS_WITHOUT_A_SHAPE}\U000e0100-\U000e01ef]")


def plain(text: str) -> str:
    r"""Give a text back with an escape such as `\u202e` for each character that can't be seen.

    Those are all controls, line ends and tabs too, what turns the reading direction, and all blanks
    but the space: `str.isprintable` says no to them.
    """
    if text.isprintable() and not _UNSEEN.search(text):
        return text
    return "".join(map(_shown, text))


def _shown(character: str) -> str:
    if character.isprintable() and not _UNSEEN.match(character):
        return character
    point = ord(character)
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"
